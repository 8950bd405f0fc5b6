"""What is taken for personal data and what only looks like it. All numbers are made up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metadata_assets.profiling.detectors import judge, to_tokens

CPFS = ("529.982.247-25", "11144477735", "123.456.789-09", "987.654.321-00", "390.533.447-05")
CNPJS = ("11.222.333/0001-81", "11444777000161", "06.990.590/0001-23", "33.000.167/0001-01", "60.746.948/0001-12")
EMAILS = ("ana@example.com", "joao.silva@mail.example.org", "a+b@x.co", "rui@example.net", "eva@example.com")
PHONES = ("(11) 98765-4321", "+55 21 99876-5432", "11987654321", "(31) 3456-7890", "2134567890")


@pytest.mark.parametrize(
    ("column", "values", "tag", "band"),
    [
        ("cpf", CPFS, "PII_CPF", "certain"),
        ("nr_documento", CPFS, "PII_CPF", "likely"),
        ("userCpf", CPFS, "PII_CPF", "certain"),
        ("cnpj", CNPJS, "PII_CNPJ", "certain"),
        ("email", EMAILS, "PII_EMAIL", "certain"),
        ("contact", EMAILS, "PII_EMAIL", "likely"),
        ("telefone", PHONES, "PII_PHONE", "likely"),
        ("email", (), "PII_EMAIL", "weak"),
        ("cpf", (), "PII_CPF", "weak"),
        ("email", (*EMAILS[:1], *"abcdefgh"), "PII_EMAIL", "likely"),
    ],
)
def test_personal_data_is_found(column: str, values: tuple[str, ...], tag: str, band: str) -> None:
    found = {f.tag: f for f in judge(column, values)}
    assert found[tag].band == band
    assert found[tag].distinct == len(values)


@pytest.mark.parametrize(
    ("column", "values"),
    [
        ("cpf_hash", CPFS),
        ("email_verified", EMAILS),
        ("qtd_cpf", CPFS),
        ("is_email", EMAILS),
        ("price", ("10.00", "12.50", "99.90")),
        ("order_id", ("11144477736", "52998224726", "12345678900", "98765432101", "39053344706")),  # check digits wrong
        ("same_digit", ("11111111111", "22222222222", "33333333333")),
        ("note", ("write to ana@example.com", "a@b", "@", "x@y.", "plain")),
        ("created_at", ("2026-01-01", "2026-01-02", "2026-01-03")),
        ("name", ("ana", "joão", "rui")),
        ("code", ()),
        ("few", CPFS[:2]),
    ],
)
def test_what_only_looks_like_it_is_left_alone(column: str, values: tuple[str, ...]) -> None:
    assert judge(column, values) == []


def test_findings_hold_shapes_and_no_value() -> None:
    (found,) = judge("cpf", CPFS)
    assert found.shapes == ("999.999.999-99", "99999999999")
    assert not any(value in repr(found) for value in CPFS)
    assert (found.matched, found.name_hit) == (5, True)


@given(st.text(max_size=30), st.lists(st.text(max_size=60), max_size=10))
def test_no_text_is_too_odd_to_be_judged(column: str, values: list[str]) -> None:
    for finding in judge(column, values):
        assert finding.matched <= finding.distinct == len(values)


def test_tokens() -> None:
    assert to_tokens("nrTelefoneCel") == to_tokens("nr_telefone_cel") == {"nr", "telefone", "cel"}
    assert to_tokens("CPF2") == {"cpf", "2"}
