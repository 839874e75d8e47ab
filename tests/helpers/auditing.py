"""Pins held against what is known of them. Whoever has not reached what is known has found no fault, and must not say so."""

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Audit:
    """What an audit has found.

    Attributes:
        faults: each package with known faults, and their names.
        unknown: packages of which nothing could be learned.
    """

    faults: list[str]
    unknown: list[str]


def of_python(said: str) -> Audit | None:
    """What pip-audit has said, in JSON; None where it has not come so far.

    It calls it no fault where a registry knows none of the packages, as a mirror does that has no such data.
    """
    told = _json(said).get("dependencies")
    if told is None:
        return None
    faults = [f"{each['name']} {each['version']}: {_names(each['vulns'])}" for each in told if each.get("vulns")]
    return Audit(faults, [each["name"] for each in told if "skip_reason" in each])


def of_page(said: str) -> Audit | None:
    """What npm audit has said, in JSON; None where it has not reached its data."""
    told = _json(said)
    if "auditReportVersion" not in told:
        return None
    return Audit([f"{name}: {fault['severity']}" for name, fault in told["vulnerabilities"].items()], [])


def _names(faults: list[dict[str, Any]]) -> str:
    return ", ".join(fault["id"] for fault in faults)


def _json(said: str) -> dict[str, Any]:
    """An object; empty where it is none."""
    try:
        told = json.loads(said)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}
