"""Writes figures as the TypeScript client does: a tie is rounded away from zero, not to the even digit."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from .testing.results import js_number


def _rounded(value: float, unit: Decimal) -> float:
    # A float is exact as a Decimal, so that 4.125 is a tie and 1.005 is none.
    return float(Decimal(value).quantize(unit, ROUND_HALF_UP))


def significant(value: float, digits: int = 3) -> str:
    """Returns a number with this many digits that count, without zeros at its end."""
    if value == 0:
        return "0"
    return js_number(_rounded(value, Decimal(1).scaleb(Decimal(value).adjusted() - digits + 1)))


def _signed(value: float, text: str) -> str:
    return f"{'−' if value < 0 else '+'}{text}"


def points(value: float) -> str:
    """Returns a difference of shares in points, to a tenth."""
    return _signed(value, js_number(_rounded(abs(100 * value), Decimal("0.1"))))


def amount(value: float) -> str:
    """Returns a difference of means."""
    return _signed(value, significant(abs(value)))
