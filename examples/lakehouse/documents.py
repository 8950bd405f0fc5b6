"""Brazilian document numbers with right and wrong check digits, and what people make of them in a form."""

import hashlib
from random import Random

CNPJ_WEIGHTS = (6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)


def check_digit(digits: list[int], weights: tuple[int, ...] | range) -> int:
    """The modulus-11 digit that both CPF and CNPJ use."""
    rest = sum(digit * weight for digit, weight in zip(digits, weights, strict=True)) % 11
    return 0 if rest < 2 else 11 - rest


def cpf(rng: Random) -> str:
    digits = [rng.randrange(10) for _ in range(9)]
    digits.append(check_digit(digits, range(10, 1, -1)))
    digits.append(check_digit(digits, range(11, 1, -1)))
    return "".join(map(str, digits))


def cnpj(rng: Random) -> str:
    digits = [rng.randrange(10) for _ in range(8)] + [0, 0, 0, 1]
    digits.append(check_digit(digits, CNPJ_WEIGHTS[1:]))
    digits.append(check_digit(digits, CNPJ_WEIGHTS))
    return "".join(map(str, digits))


def rg(rng: Random) -> str:
    number = f"{rng.randrange(10_000_000, 60_000_000)}"
    return f"{number[:2]}.{number[2:5]}.{number[5:]}-{rng.choice('0123456789X')}"


def format_cpf(digits: str) -> str:
    return f"{digits[:3]}.{digits[3:6]}.{digits[6:9]}-{digits[9:]}"


def format_cnpj(digits: str) -> str:
    return f"{digits[:2]}.{digits[2:5]}.{digits[5:8]}/{digits[8:12]}-{digits[12:]}"


def wrong(digits: str) -> str:
    """The same number with a last digit that does not check."""
    return digits[:-1] + str((int(digits[-1]) + 3) % 10)


def as_typed(rng: Random, digits: str, formatted: str) -> str:
    """A document as it arrives from a form: mostly right, in several forms, sometimes rubbish."""
    dice = rng.random()
    if dice < 0.45:
        return formatted
    if dice < 0.85:
        return digits
    return rng.choice([formatted + "  ", " " + digits, wrong(digits), "", "N/A", formatted.replace(".", " ")])


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def uuid(rng: Random) -> str:
    text = f"{rng.getrandbits(128):032x}"
    return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-{rng.choice('89ab')}{text[17:20]}-{text[20:]}"


def number(rng: Random, length: int, prefix: str = "") -> str:
    """Digits that mean nothing: order numbers, references, protocols."""
    return prefix + "".join(str(rng.randrange(10)) for _ in range(length - len(prefix)))


def like_cnpj(rng: Random) -> str:
    """A protocol number in the shape of a CNPJ; its check digits are never right."""
    digits = [rng.randrange(10) for _ in range(8)] + [2, 0, 2, 6]
    first = (check_digit(digits, CNPJ_WEIGHTS[1:]) + rng.randrange(1, 10)) % 10
    return format_cnpj("".join(map(str, digits)) + str(first) + str(rng.randrange(10)))
