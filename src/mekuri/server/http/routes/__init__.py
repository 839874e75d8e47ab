"""The routes of the HTTP API and of the page. Docstrings of the desk's functions are the descriptions in OpenAPI."""
