"""The browser and the server of the page's tests, for the conditions in which a page is tried."""

from tests.page.conftest import browser, free, house, open_page

__all__ = ["browser", "free", "house", "open_page"]
