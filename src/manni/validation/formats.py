"""The formats that `format` asserts (JSON Schema Validation 2020-12, section 7.3).

Each checker takes a string and says whether it has the format. Where the RFCs leave room, the
checkers decide as JavaScript validators do, so that one schema means one thing: an e-mail domain
needs a dot, a URI needs something after its scheme, a UUID may have its URN prefix.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Final

from manni.validation.patterns import PatternError, compile_pattern

# RFC 3339, section 5.6; a zone offset may leave out its colon or its minutes.
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)
_TIME = re.compile(
    r"(\d\d):(\d\d):(\d\d(?:\.\d+)?)(?:z|([+-])(\d\d)(?::?(\d\d))?)", re.ASCII | re.IGNORECASE
)
# What ECMAScript's `\s` matches, and the letter T.
_DATE_TIME_SEPARATOR = re.compile(
    "[tT\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]"
)
_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_date(text: str) -> bool:
    """`date`: a day of the Gregorian calendar, as in 2024-02-29."""
    match = _DATE.fullmatch(text)
    if not match:
        return False
    year, month, day = map(int, match.groups())
    if not 1 <= month <= 12 or not 1 <= day <= _DAYS[month - 1]:
        return False
    return (month, day) != (2, 29) or (year % 4 == 0 and (year % 100 != 0 or year % 400 == 0))


def is_time(text: str) -> bool:
    """`time`: with a zone; 60 seconds only where UTC can have a leap second."""
    match = _TIME.fullmatch(text)
    if not match:
        return False
    hour, minute, second = int(match[1]), int(match[2]), float(match[3])
    zone_hour, zone_minute = int(match[5] or 0), int(match[6] or 0)
    if zone_hour > 23 or zone_minute > 59:
        return False
    if hour <= 23 and minute <= 59 and second < 60:
        return True
    sign = -1 if match[4] == "-" else 1
    utc_minute = minute - zone_minute * sign
    utc_hour = hour - zone_hour * sign - (utc_minute < 0)
    return utc_hour in {23, -1} and utc_minute in {59, -1} and second < 61


def is_date_time(text: str) -> bool:
    """`date-time`: a date and a time with one `T` or space between them."""
    parts = _DATE_TIME_SEPARATOR.split(text)
    return len(parts) == 2 and is_date(parts[0]) and is_time(parts[1])


# RFC 3986, appendix A.
_HEX = "[0-9a-f]{1,4}"
_LOOSE_IPV4 = r"(?:(?:25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(?:25[0-5]|2[0-4]\d|[01]?\d\d?)"
_STRICT_IPV4 = r"(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"


def _ipv6(ipv4: str) -> str:
    """The expression of `IPv6address`: eight groups, of which `::` stands for one or more."""
    last = f"(?:{_HEX}:{_HEX}|{ipv4})"
    forms = [f"(?:{_HEX}:){{6}}{last}"]
    for before in range(6):
        head = f"(?:(?:{_HEX}:){{0,{before - 1}}}{_HEX})?" if before else ""
        forms.append(f"{head}::(?:{_HEX}:){{{5 - before}}}{last}")
    forms.append(f"(?:(?:{_HEX}:){{0,5}}{_HEX})?::{_HEX}")
    forms.append(f"(?:(?:{_HEX}:){{0,6}}{_HEX})?::")
    return f"(?:{'|'.join(forms)})"


def _uri(scheme: str, *, quotes: bool) -> str:
    """The expression of a URI; a reference, whose scheme is optional, may also hold quotes."""
    unreserved = r"a-z0-9\-._~!$&'()*+,;=" + ('"' if quotes else "")
    escaped = "%[0-9a-f]{2}"
    user = rf"(?:[a-z0-9\-._~!$&'()*+,;=:]|{escaped})*@"
    literal = rf"\[(?:{_ipv6(_LOOSE_IPV4)}|v[0-9a-f]+\.[a-z0-9\-._~!$&'()*+,;=:]+)\]"
    name = rf"(?:[{unreserved}]|{escaped})*"
    character = rf"(?:[{unreserved}:@]|{escaped})"
    segments = rf"(?:/{character}*)*"
    hierarchy = (
        rf"(?://?(?:{user})?(?:{literal}|{name})(?::\d*)?{segments}"
        rf"|/(?:{character}+{segments})?"
        rf"|{character}+{segments})"
    )
    optional = "?" if scheme.endswith("?") else ""
    trailer = rf"(?:[{unreserved}:@/?]|{escaped})*"
    return rf"{scheme}{hierarchy}{optional}(?:\?{trailer})?(?:#{trailer})?"


_SCHEME = r"(?:[a-z][a-z0-9+\-.]*:)"

_EMAIL_ATOM = r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?"
_SHORT_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"

# Two letters that other engines read as an anchor, and ECMAScript as a plain Z.
_Z_ANCHOR = re.compile(r"[^\\]\\Z")


def is_regex(text: str) -> bool:
    """`regex`: an ECMAScript regular expression, read without the `u` flag."""
    if _Z_ANCHOR.search(text):
        return False
    try:
        compile_pattern(text, "")
    except PatternError:
        return False
    return True


@cache
def _compiled(source: str) -> re.Pattern[str]:
    """Compiled when it is first used, since the long ones take milliseconds."""
    return re.compile(source, re.ASCII | re.IGNORECASE)


def _expression(source: str) -> Callable[[str], bool]:
    return lambda text: _compiled(source).fullmatch(text) is not None


FORMATS: Final[dict[str, Callable[[str], bool]]] = {
    "date": is_date,
    "time": is_time,
    "date-time": is_date_time,
    "email": _expression(rf"{_EMAIL_ATOM}(?:\.{_EMAIL_ATOM})*@(?:{_LABEL}\.)+{_LABEL}"),
    "hostname": _expression(rf"(?=.{{1,253}}\.?\Z){_SHORT_LABEL}(?:\.{_SHORT_LABEL})*\.?"),
    "ipv4": _expression(_STRICT_IPV4),
    "ipv6": _expression(_ipv6(_STRICT_IPV4)),
    "uri": _expression(_uri(_SCHEME, quotes=False)),
    "uri-reference": _expression(_uri(f"{_SCHEME}?", quotes=True)),
    "uuid": _expression("(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"),
    "json-pointer": _expression("(?:/(?:[^~/]|~[01])*)*"),
    "regex": is_regex,
}
"""The checker of each format that is asserted; any other format accepts everything."""
