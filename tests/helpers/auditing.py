"""Readers of the output of audits of pinned packages. An audit without its data must not count as one that has found nothing."""

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Audit:
    """The result of an audit.

    Attributes:
        faults: each package with known faults, and their names.
        unknown: packages for which there were no data.
    """

    faults: list[str]
    unknown: list[str]


def of_python(said: str) -> Audit | None:
    """Return the result of pip-audit from its JSON; None where it has not got so far.

    pip-audit reports no fault where a registry knows none of the packages, as a mirror without such data does.
    """
    packages = _json(said).get("dependencies")
    if packages is None:
        return None
    faults = [f"{each['name']} {each['version']}: {_names(each['vulns'])}" for each in packages if each.get("vulns")]
    return Audit(faults, [each["name"] for each in packages if "skip_reason" in each])


def of_page(said: str) -> Audit | None:
    """Return the result of npm audit from its JSON; None where it has not reached its data."""
    report = _json(said)
    if "auditReportVersion" not in report:
        return None
    return Audit([f"{name}: {fault['severity']}" for name, fault in report["vulnerabilities"].items()], [])


def _names(faults: list[dict[str, Any]]) -> str:
    return ", ".join(fault["id"] for fault in faults)


def _json(said: str) -> dict[str, Any]:
    """Return a JSON object; empty where the text is none."""
    try:
        parsed = json.loads(said)
    except ValueError:
        return {}
    return parsed if isinstance(parsed, dict) else {}
