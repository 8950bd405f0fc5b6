"""Detectors: what the name of a column and the shape of its values say about personal data.

A finding needs evidence from values where values can be had; a name alone suggests at most weakly.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from stdnum.br import cnpj, cpf

from metadata_assets.model.finding import Band, Finding

_EMAIL = re.compile(r"[^@\s]{1,64}@[A-Za-z0-9.-]{1,253}\.[A-Za-z]{2,}")
_PHONE = re.compile(r"(?:\+?55)?\s*\(?[1-9]{2}\)?\s*9?\d{4}-?\d{4}")
_TOKEN = re.compile(r"[a-z]+|\d+")


@dataclass(frozen=True, slots=True)
class Detector:
    """One kind of personal data.

    `words` are name tokens that speak for it, `against` those that speak against it whatever the values are. `passes`
    judges one value; `chance` is the share of random values of that shape that it passes.
    """

    tag: str
    words: frozenset[str]
    passes: Callable[[str], bool]
    chance: float
    against: frozenset[str] = frozenset()


def _is_cpf(value: str) -> bool:
    """One digit eleven times has right check digits and is what people type where they must type something."""
    return bool(cpf.is_valid(value)) and len(set(cpf.compact(value))) > 1


# A counter, a flag or a hash about personal data is none.
_NEVER = frozenset({"hash", "flag", "count", "qtd", "total", "verified", "is", "has", "valid", "version", "sha256"})


DETECTORS: tuple[Detector, ...] = (
    Detector("PII_EMAIL", frozenset({"email", "mail", "correio"}), lambda v: bool(_EMAIL.fullmatch(v)), 0.0001),
    Detector("PII_CPF", frozenset({"cpf"}), _is_cpf, 0.0095),
    Detector("PII_CNPJ", frozenset({"cnpj"}), lambda v: cnpj.is_valid(v), 0.01),
    Detector(
        "PII_PHONE",
        frozenset({"phone", "telefone", "tel", "celular", "cel", "fone", "whatsapp", "mobile"}),
        lambda v: bool(_PHONE.fullmatch(v)),
        0.34,
    ),
)


def to_tokens(name: str) -> frozenset[str]:
    """The words of a column name: `nrTelefoneCel` and `nr_telefone_cel` alike."""
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
    return frozenset(_TOKEN.findall(split))


def named_tags(column: str) -> tuple[frozenset[str], frozenset[str]]:
    """Tags that the name of a column speaks for, and the words in it that speak against all of them."""
    tokens = to_tokens(column)
    return frozenset(d.tag for d in DETECTORS if tokens & d.words), tokens & _NEVER


def judge(column: str, values: Sequence[str]) -> list[Finding]:
    """The findings for one column, given distinct non-empty sampled values (none where there is no data)."""
    tokens = to_tokens(column)
    if tokens & _NEVER:
        return []
    found = [_judge_one(detector, column, tokens, values) for detector in DETECTORS]
    return [f for f in found if f is not None]


def _judge_one(detector: Detector, column: str, tokens: frozenset[str], values: Sequence[str]) -> Finding | None:
    named = bool(tokens & detector.words)
    matched = sum(1 for value in values if detector.passes(value.strip()))
    band = _band(named=named, matched=matched, distinct=len(values), chance=detector.chance)
    if band is None:
        return None
    shapes = _shapes([v for v in values if detector.passes(v.strip())])
    rule = f"{detector.tag.lower()}: name and values" if named else f"{detector.tag.lower()}: values"
    return Finding(column, detector.tag, rule, band, matched, len(values), detector.chance, named, shapes)


def _band(*, named: bool, matched: int, distinct: int, chance: float) -> Band | None:
    if distinct == 0:
        return "weak" if named else None
    share = matched / distinct
    surprising = share > 10 * chance and matched >= 3
    if named and share >= 0.5 and surprising:
        return "certain"
    if surprising and share >= 0.8:
        return "likely"
    if named and share >= 0.1:
        return "likely"
    return None


def _shapes(values: Sequence[str]) -> tuple[str, ...]:
    """The three commonest shapes: digits become 9, letters a, runs of letters one."""
    counts: dict[str, int] = {}
    for value in values:
        shape = re.sub(r"[^\W\d_]+", "a", re.sub(r"\d", "9", value.strip()))[:40]
        counts[shape] = counts.get(shape, 0) + 1
    return tuple(sorted(counts, key=lambda s: (-counts[s], s))[:3])
