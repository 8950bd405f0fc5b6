"""What one expression does to the values in it."""

import re

from sqlglot import exp

from metadata_assets.lineage.fixups import SCRIPT_FUNCTION
from metadata_assets.lineage.flows import (
    AGGREGATED,
    CHANGED,
    COPY,
    COUNTED,
    MASKED,
    SCRIPTED,
    WINDOWED,
    Flow,
)
from metadata_assets.lineage.words import word_set

_TRANSPARENT = (exp.Paren, exp.Alias, exp.Subquery, exp.Ordered)
_HASH_NAMES = word_set(
    "hash xxhash64 crc32 murmur3 md5 md5digest sha sha1digest sha2digest "
    "sha1 sha2 sha256 sha384 sha512 to_hex_md5 hmac_md5 hmac_sha1 hmac_sha256 "
    "hmac_sha512 aes_encrypt encrypt tokenize pseudonymize anonymize redact "
    "mask mask_first_n mask_last_n mask_show_first_n mask_show_last_n mask_hash"
)
_AGGREGATE_NAMES = word_set(
    "percentile percentile_approx collect_list collect_set histogram_numeric approx_distinct ndv context_ngrams ngrams "
    "count_if bool_and bool_or every some bit_and bit_or bit_xor regr_slope kurtosis skewness checksum"
)
# Within a window they take the value of one row as it is.
_ROW_PICKERS = (exp.Lag, exp.Lead, exp.FirstValue, exp.LastValue, exp.NthValue, exp.IgnoreNulls, exp.RespectNulls)
# They tell how many values there are, not which.
_COUNTS = (exp.Count, exp.CountIf, exp.ApproxDistinct)
_TABLE_FUNCTIONS = (exp.Explode, exp.Posexplode, exp.Inline, exp.Stack, exp.UDTF)
_TABLE_FUNCTION_NAMES = frozenset(
    {"json_tuple", "parse_url_tuple", "stack", "inline_outer", "flatten", "variant_explode", SCRIPT_FUNCTION}
)
# A run of signs that people write in place of what they hide.
_MASK_TEXT = re.compile(r"\*|#{2,}|[•█]|(?i:x{3,})|<[a-z_ ]+>|\[[a-z_ ]+\]", re.IGNORECASE)
_NEGATED = re.compile(r"\[\^[^\]]*\]|\\+[DWSsb]")
_CONTENT = re.compile(r"\[[^\]]*[0-9A-Za-z]-[0-9A-Za-z][^\]]*\]|\\+[dw]|\.[*+{]|\[:(?:alnum|alpha|digit):\]")
_GROUP_REFERENCE = re.compile(r"[$\\][0-9]")


def effect_of(node: exp.Expr) -> Flow:
    """What happens to the columns within this node, its children not regarded."""
    if isinstance(node, _TRANSPARENT):
        return COPY
    if isinstance(node, exp.Window):
        return WINDOWED
    name = node.name.lower() if isinstance(node, (exp.Anonymous, exp.AnonymousAggFunc)) else ""
    if isinstance(node, _TABLE_FUNCTIONS) or name in _TABLE_FUNCTION_NAMES:
        return SCRIPTED
    if isinstance(node, _ROW_PICKERS):
        return CHANGED
    if isinstance(node, exp.AggFunc) or name in _AGGREGATE_NAMES:
        return COUNTED if isinstance(node, _COUNTS) else AGGREGATED
    if (name or type(node).__name__.lower()) in _HASH_NAMES:
        return MASKED
    if _replaces_content(node) or _joins_with_mask(node):
        return MASKED
    return CHANGED


def _replaces_content(node: exp.Expr) -> bool:
    """regexp_replace that puts a constant over letters or digits; taking signs out of a number hides nothing."""
    if not isinstance(node, (exp.RegexpReplace, exp.Replace, exp.Translate)):
        return False
    replacement = node.args.get("replacement") or node.args.get("to")
    pattern = node.args.get("expression") or node.args.get("from_")
    written = replacement.name if isinstance(replacement, exp.Literal) else None if replacement is not None else ""
    if written is None:
        return False
    if _MASK_TEXT.search(written):
        return True
    if _GROUP_REFERENCE.search(written) or not isinstance(node, exp.RegexpReplace):
        return False
    matched = pattern.name if isinstance(pattern, exp.Literal) else ""
    return _CONTENT.search(_NEGATED.sub("", matched)) is not None


def _joins_with_mask(node: exp.Expr) -> bool:
    """`concat(substr(x, 1, 3), '***')` shows a part of the value."""
    if not isinstance(node, (exp.Concat, exp.ConcatWs, exp.DPipe, exp.Pad, exp.Overlay)):
        return False
    parts = list(node.flatten()) if isinstance(node, exp.DPipe) else list(node.iter_expressions())
    parts = [part.this if isinstance(part, exp.Repeat) else part for part in parts]
    return any(isinstance(p, exp.Literal) and p.is_string and _MASK_TEXT.search(p.name) for p in parts)
