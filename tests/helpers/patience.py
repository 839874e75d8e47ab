"""How long tests wait for what must happen.

No test waits for a fixed time: each waits for an event, and fails only where the event will never come. On a busy machine
everything may take twenty times as long, so that is after minutes. An asynchronous test fails after three times as long
(tests/conftest.py). A test that hangs elsewhere is ended and named by pytest itself (`faulthandler_timeout` in pyproject.toml,
which is longer).
"""

PATIENCE = 180  # seconds
