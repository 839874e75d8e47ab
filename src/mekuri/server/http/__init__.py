"""The routes, the middleware around them, the page, and the process that serves them."""
