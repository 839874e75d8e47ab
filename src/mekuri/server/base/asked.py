"""The type of a request in route handlers and hooks."""

from __future__ import annotations

from typing import Any

from litestar import Request

Asked = Request[Any, Any, Any]
