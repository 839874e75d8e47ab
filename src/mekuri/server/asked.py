"""A request, as whoever answers it has it."""

from __future__ import annotations

from typing import Any

from litestar import Request

Asked = Request[Any, Any, Any]
