"""The routes of the HTTP API and of the page. Docstrings of handlers are the descriptions in OpenAPI."""
