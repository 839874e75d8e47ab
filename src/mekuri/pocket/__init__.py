"""The desk inside a page: `mekuri.pocket.pocket` runs in the page's worker, and `mekuri.pocket.site` writes the page's files."""
