"""What was written about a column under a name that it has no more, as said of its present name; pure."""

import re
from collections.abc import Container, Mapping
from dataclasses import replace

from metadata_assets.model.claims import Documentation, TagClaim, Tags, TermClaim

_COLUMN_PATH = re.compile(r"columns\.(?P<column>.+)\.description")
_FIRST_PART = re.compile(r"[^.\[{]+")
Moved = tuple[str, str, str]  # the path as it is written, the present one, and the place


def present_path(path: str, renamed: Mapping[str, str], known: Container[str]) -> str:
    """The path of a column or nested field under the present name of its column; itself where it needs none.

    Args:
        path: in whatever case it was written.
        renamed: former → present name, in lower case.
        known: paths that the table has: one that it has is left alone.
    """
    first = _FIRST_PART.match(path)
    if path.lower() in known or first is None or first[0].lower() not in renamed:
        return path
    return renamed[first[0].lower()] + path[first.end() :]


def documentation_now(
    documentation: Documentation, renamed: Mapping[str, str], known: Container[str]
) -> tuple[Documentation, list[Moved]]:
    """Claims and terms under present names; what is written of a present name itself comes first."""
    moved: list[Moved] = []
    claims = {c.path: c for c in documentation.claims}
    for claim in documentation.claims:
        if (match := _COLUMN_PATH.fullmatch(claim.path)) is not None:
            now = present_path(match["column"], renamed, known)
            if now != match["column"]:
                moved.append((match["column"], now, claim.place))
                del claims[claim.path]
                claims.setdefault(f"columns.{now}.description", replace(claim, path=f"columns.{now}.description"))
    terms = tuple(_term_now(t, renamed, known, moved) for t in documentation.terms)
    return replace(documentation, claims=tuple(claims.values()), terms=terms), moved


def _term_now(term: TermClaim, renamed: Mapping[str, str], known: Container[str], moved: list[Moved]) -> TermClaim:
    if term.column is None or (now := present_path(term.column, renamed, known)) == term.column:
        return term
    moved.append((term.column, now, term.place))
    return replace(term, column=now)


def tags_now(tags: Tags, renamed: Mapping[str, str], known: Container[str]) -> tuple[Tags, list[Moved]]:
    """Tags under present names."""
    moved: list[Moved] = []
    claims: list[TagClaim] = []
    for claim in tags.claims:
        now = claim.column and present_path(claim.column, renamed, known)
        if claim.column and now and now != claim.column:
            moved.append((claim.column, now, claim.place))
            claims.append(replace(claim, column=now))
        else:
            claims.append(claim)
    return Tags(tuple(claims)), moved
