"""How long tests wait for what has to happen.

No test waits for a time: each waits for what happens, and gives up only where it will never come. A machine that does much else as
well may be twenty times slower than one that does not, so that is after minutes. A test that hangs without waiting so is ended, and
named, by pytest itself (`faulthandler_timeout` in pyproject.toml, which is longer).
"""

PATIENCE = 180  # seconds
