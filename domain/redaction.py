"""Remove secrets from text: first every registered value in all its encodings, then known shapes.

Every function is total and linear in the text. Redaction is idempotent.
"""

import json
import re
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Iterable
from typing import Final
from urllib.parse import SplitResult, quote, quote_plus, urlsplit, urlunsplit

from loopx.domain.secrets import MINIMUM_LENGTH, Secret

MASK: Final = "***"
EXCERPT_LENGTH: Final = 300
"""Characters of a foreign text that an error may quote."""

_READABLE_QUERY_KEYS: Final = frozenset(
    {"after", "before", "direction", "filter", "first", "page", "per_page", "sort", "state", "type"}
)

# The look-behind keeps the run linear: without it a long word is scanned again from each letter.
_START: Final = r"(?<![A-Za-z0-9_-])"
_CREDENTIALS: Final = (
    r"gh[pousr]_[0-9A-Za-z]{20,255}",
    r"github_pat_\w{22,255}",
    r"gl(?:pat|dt|rt|cbt|ptt|soat)-[\w-]{16,}",
    r"sk-[\w-]{20,}",
    r"(?:sk|rk|pk)_(?:live|test)_\w{10,}",
    r"(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z2-7]{16}",
    r"xox[abeoprs]-[\w-]{10,}",
    r"xapp-[\w-]{10,}",
    r"ey[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?",
    r"ZXlK[A-Za-z0-9+/=_-]{16,}",
    r"hf_[A-Za-z0-9]{30,}",
    r"AIza[\w-]{35}",
    r"npm_[A-Za-z0-9]{36}",
    r"pypi-AgEIcHlwaS5vcmc[\w-]{10,}",
    r"SG\.[\w-]{16,}\.[\w-]{16,}",
    r"dop_v1_[a-f0-9]{64}",
    r"hv[sb]\.[\w-]{20,}",
    r"AGE-SECRET-KEY-1[A-Z0-9]{20,}",
    r"ops_eyJ[\w-]{20,}",
    r"pplx-[A-Za-z0-9]{20,}",
    r"dapi[a-f0-9]{32}",
    r"ya29\.[\w-]{20,}",
)
# The rest of the word goes too: a shape that begins inside it would be found only by a second run.
_SHAPES: Final = re.compile(rf"{_START}(?:{'|'.join(_CREDENTIALS)})[A-Za-z0-9_-]*")
_SCHEMES: Final = re.compile(_START + r"(Bearer|Basic|Token|token|bearer|basic)([ \t]+)[^\s\"',;<>]{4,}")
_PRIVATE_KEY: Final = re.compile(
    r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?"
)
_USERINFO: Final = re.compile(r"(?<![A-Za-z0-9+.-])([A-Za-z][A-Za-z0-9+.-]{1,20}://)[^\s/?#@\"']{1,1024}@")
_ASSIGNMENT: Final = re.compile(
    r"(?<![A-Za-z0-9_-])((?:access_token|refresh_token|id_token|client_secret|private_token|api_?key|apikey"
    r"|password|passwd|secret|token|signature|sig|X-Amz-Signature|X-Amz-Credential|X-Amz-Security-Token"
    r"|X-Goog-Signature|AWSAccessKeyId)=)[^\s&#\"']+",
    re.IGNORECASE,
)
_CONTROL: Final = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]+"
)


def redact_shapes(text: str) -> str:
    """Mask everything that looks like a credential."""
    text = _PRIVATE_KEY.sub(MASK, text)
    text = _USERINFO.sub(rf"\1{MASK}@", text)
    text = _ASSIGNMENT.sub(rf"\1{MASK}", text)
    text = _SCHEMES.sub(rf"\1\2{MASK}", text)
    return _SHAPES.sub(MASK, text)


class Redactor:
    """Masks a fixed set of secrets, in every encoding they travel in, and every known shape."""

    def __init__(self, secrets: Iterable[Secret] = ()) -> None:
        forms = {form for secret in secrets for form in encodings(secret.reveal())}
        # The longest first: a form may be part of another one.
        self._forms = sorted(forms, key=lambda form: (-len(form), form))

    def text(self, text: str) -> str:
        """Mask secrets in any text."""
        return redact_shapes(self.exact(text))

    def exact(self, text: str) -> str:
        """Mask only the registered secrets, for data that must otherwise stay as it is."""
        # One replacement after the other is faster by far than one pattern of alternatives.
        for form in self._forms:
            text = text.replace(form, MASK)
        return text

    def url(self, url: str) -> str:
        """Keep scheme, host, port and path; mask user information and query values."""
        try:
            # Before it is split: the parser drops line breaks, and with them the likeness to a secret.
            parts = urlsplit(_CONTROL.sub("", self.exact(url)).strip())
            host = parts.netloc.rpartition("@")
        except ValueError:
            return "[not a URL]"
        netloc = f"{MASK}@{host[2]}" if host[1] else host[2]
        shown = SplitResult(parts.scheme, netloc, parts.path, _redact_query(parts.query), "")
        return self.text(urlunsplit(shown))

    def excerpt(self, text: str, length: int = EXCERPT_LENGTH) -> str:
        """The start of a foreign text on one line, without control characters and secrets."""
        # The cut comes last and the mask first, so that no half of a secret survives the cut.
        line = " ".join(self.text(_CONTROL.sub(" ", self.exact(text))).split())
        return line if len(line) <= length else line[: length - 1] + "…"


def _redact_query(query: str) -> str:
    return "&".join(_redact_pair(pair) for pair in query.split("&")) if query else ""


def _redact_pair(pair: str) -> str:
    key, equals, _value = pair.partition("=")
    if not equals:
        return MASK
    return pair if key in _READABLE_QUERY_KEYS else f"{key}={MASK}"


def encodings(value: str) -> frozenset[str]:
    """Every form in which a secret may turn up: as it is, quoted, escaped, in base64.

    A value under 8 characters gives nothing: masking it would garble ordinary text.
    """
    if len(value) < MINIMUM_LENGTH:
        return frozenset()
    escaped = json.dumps(value)[1:-1]
    forms = {
        value,
        quote(value, safe="", errors="surrogatepass"),
        quote_plus(value, errors="surrogatepass"),
        quote(value, errors="surrogatepass"),
        escaped,
        json.dumps(value, ensure_ascii=False)[1:-1],
        repr(value)[1:-1],
        repr(value.encode("utf-8", "surrogatepass"))[2:-1],
        value.strip(),
        *_base64_forms(value.encode("utf-8", "surrogatepass")),
    }
    forms |= {_lower_percent(form) for form in forms}
    return frozenset(form for form in forms if len(form) >= MINIMUM_LENGTH)


def _lower_percent(text: str) -> str:
    return re.sub(r"%[0-9A-F]{2}", lambda match: match.group().lower(), text)


def _base64_forms(value: bytes) -> set[str]:
    """The value in base64 at each of the three alignments it can have inside a longer text."""
    forms: set[str] = set()
    for encode in (b64encode, urlsafe_b64encode):
        for offset in range(3):
            encoded = encode(b"\0" * offset + value).decode("ascii").rstrip("=")
            start = (0, 2, 3)[offset]
            # The last letter may share bits with what follows, so it does not identify the value.
            cut = (offset + len(value)) % 3
            forms.add(encoded[start:-1] if cut else encoded[start:])
    return forms
