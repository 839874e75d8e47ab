"""The games as environments of other projects, each with an extra of that project's name: see `docs/environments.md`."""
