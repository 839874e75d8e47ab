"""Several processes over one database: each table has one home, and the others hand requests on to it."""
