"""Time: the real one in a few tests that take a moment, and the fake one with which all others wait."""

import asyncio
import sys
import threading

import pytest

from mekuri.table.time import REAL, Time, time_limit
from tests.helpers.time import BEGIN, FakeTime, moment, settled, until

BRIEF = 0.01  # seconds


@pytest.mark.real_time
class TestReal:
    async def test_sleep_takes_its_seconds(self) -> None:
        day, begun = REAL.now(), REAL.monotonic()
        await REAL.sleep(BRIEF)
        assert REAL.monotonic() - begun >= BRIEF
        assert REAL.now() >= day

    def test_boot_id_is_stable(self) -> None:
        assert REAL.boot() == REAL.boot()

    async def test_delayed_call_runs_unless_cancelled(self) -> None:
        called: list[str] = []
        REAL.call_later(BRIEF, lambda: called.append("never")).cancel()
        REAL.call_later(2 * BRIEF, lambda: called.append("later"))
        assert not called
        await until(lambda: called)
        assert called == ["later"]

    async def test_limit_ends_longer_work(self) -> None:
        await limits_what_takes_longer(REAL, BRIEF)


async def limits_what_takes_longer(time: Time, seconds: float) -> None:
    for never in (asyncio.Event().wait, lambda: asyncio.sleep(3600)):
        with pytest.raises(TimeoutError):
            async with time_limit(time, seconds):
                await never()


async def test_limit_follows_fake_time() -> None:
    time = FakeTime()
    await limits_what_takes_longer(time, 8)
    assert time.now() == BEGIN + 16_000


async def test_cancelled_limit_ends_nothing() -> None:
    time = FakeTime()
    async with time_limit(time, 8) as limit:
        limit.cancel()
        await time.sleep(9)


async def test_limit_cancelled_when_due_ends_nothing() -> None:
    time = FakeTime(moves=False)
    async with time_limit(time, 8) as limit:
        time.call_later(8, limit.cancel)  # in the same turn of the loop, after the limit
        await time.pass_by(8)
        await moment()


async def test_idle_loop_moves_time_to_the_next_call() -> None:
    time, called = FakeTime(), list[float]()
    for seconds in (90, 8, 3):
        time.call_later(seconds, lambda: called.append(time.monotonic()))
    await until(lambda: len(called) == 2)
    assert called == [3, 8]
    await moment()
    assert called == [3, 8, 90]


async def test_time_stands_still_while_a_thread_is_busy() -> None:
    time, called, may_end = FakeTime(), list[str](), threading.Event()
    time.call_later(8, lambda: called.append("time"))
    working = asyncio.create_task(asyncio.to_thread(may_end.wait))
    for _ in range(3):
        await moment()
    assert not called
    may_end.set()
    await working
    await until(lambda: called)


async def test_time_stands_still_while_a_child_process_runs() -> None:
    time, called = FakeTime(), list[str]()
    time.call_later(8, lambda: called.append("time"))
    child = await asyncio.create_subprocess_exec(sys.executable, "-c", "input()", stdin=asyncio.subprocess.PIPE)
    await moment()
    assert not called
    await child.communicate(b"\n")
    await until(lambda: called)


async def test_time_stands_still_while_a_socket_has_data() -> None:
    """A server of the same loop has all the time it needs to answer."""
    time, late = FakeTime(), list[str]()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(await reader.readline())
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    time.call_later(8, lambda: late.append("late"))
    for n in range(100):
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        writer.write(b"%d\n" % n)
        assert await reader.readline() == b"%d\n" % n
        writer.close()
    assert not late
    server.close()


async def test_test_can_move_time_like_a_suspended_machine() -> None:
    time, called = FakeTime(moves=False), list[float]()
    time.call_later(3, lambda: called.append(time.monotonic()))
    time.call_later(8, lambda: called.append(time.monotonic()))
    for _ in range(3):
        await moment()
    assert not called
    await time.pass_by(60)
    assert called == [60, 60]
    time.move_to(BEGIN + 90_000)
    assert time.monotonic() == 90


async def test_until_gives_up_after_its_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.helpers.time.PATIENCE", 0.05)
    with pytest.raises(TimeoutError):
        await until(lambda: False)
    with pytest.raises(ZeroDivisionError):
        await until(lambda: 1 // 0)
    await settled()
