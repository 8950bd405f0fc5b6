"""The invented people, companies and homes that all tables of the sample share, so that joins work."""

import unicodedata
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from random import Random

from examples.lakehouse import documents

SEED = 20261101
DAYS = ("2026-10-31", "2026-11-01")
FIRST_NAMES = """
Adriana Alice Amanda Antônio Beatriz Benedito Bruna Caio Camila Cauã Célia Davi Débora Edson Elaine Fábio
Fernanda Gilberto Heitor Helena Iara Igor Inês Jorge Joana João Júlia Karina Lívia Luã Luís Maísa Márcio
Mirela Natália Otávio Paula Raí Renata Sérgio Sílvia Tânia Tomás Ubirajara Valéria Vânia Wagner Yasmin
Zélia
"""
FIRST = FIRST_NAMES.split()
LAST_NAMES = """
Abreu Aguiar Alencar Amorim Andrade Assunção Barreto Bastos Brandão Caldeira Camargo Cardozo Conceição
Coutinho Dantas Esteves Falcão Figueira Fontes Gadelha Galvão Guimarães Honório Jardim Lacerda Magalhães
Meireles Monteiro Nóbrega Paixão Pacheco Quintela Rangel Sampaio Siqueira Taveira Uchoa Valadares Vilela
Xavier
"""
LAST = LAST_NAMES.split()
DOMAINS = ("correio.example", "postal.example", "zapmail.example", "empresa.example")
# city, UF, IBGE code, area code, first two digits of its postal codes, latitude, longitude
CITIES = (
    ("São Paulo", "SP", "3550308", "11", "01", -23.55, -46.63),
    ("Campinas", "SP", "3509502", "19", "13", -22.91, -47.06),
    ("Rio de Janeiro", "RJ", "3304557", "21", "20", -22.91, -43.17),
    ("Belo Horizonte", "MG", "3106200", "31", "30", -19.92, -43.94),
    ("Curitiba", "PR", "4106902", "41", "80", -25.43, -49.27),
    ("Porto Alegre", "RS", "4314902", "51", "90", -30.03, -51.23),
    ("Goiânia", "GO", "5208707", "62", "74", -16.69, -49.26),
    ("Recife", "PE", "2611606", "81", "50", -8.05, -34.88),
)
STREETS = (
    "Rua das Acácias",
    "Avenida Boa Vista",
    "Travessa do Moinho",
    "Rua Sete Ventos",
    "Alameda Ipê Roxo",
    "Rua do Farol",
)
DISTRICTS = ("Centro", "Jardim Aurora", "Vila Nova", "Alto da Serra", "Parque das Águas")


@dataclass(frozen=True, slots=True)
class Place:
    street: str
    number: str
    district: str
    city: str
    state: str
    cep: str
    ibge_code: str
    area_code: str
    latitude: float
    longitude: float


@dataclass(frozen=True, slots=True)
class Person:
    id: int
    name: str
    email: str
    cpf: str
    phone: str  # digits with area code
    born: date
    place: Place


@dataclass(frozen=True, slots=True)
class Home:
    id: int
    owner: Person
    place: Place
    kind: str
    area: Decimal
    rooms: int
    rent: Decimal
    fee: Decimal
    tax: Decimal


@dataclass(frozen=True, slots=True)
class Lease:
    id: int
    home: Home
    tenant: Person
    broker: Person
    start: date
    end: date


@dataclass(frozen=True, slots=True)
class World:
    users: list[Person]
    owners: list[Person]
    brokers: list[Person]
    homes: list[Home]
    leases: list[Lease]


def rng_for(name: str) -> Random:
    """A generator of its own for each table: adding a table changes no other."""
    return Random(f"{SEED}:{name}")  # noqa: S311 - sample data must repeat, it protects nothing


def make_place(rng: Random) -> Place:
    city, state, ibge, area, prefix, latitude, longitude = rng.choice(CITIES)
    return Place(
        rng.choice(STREETS),
        str(rng.randrange(1, 2500)),
        rng.choice(DISTRICTS),
        city,
        state,
        f"{prefix}{rng.randrange(1_000_000):06d}",
        ibge,
        area,
        round(latitude + rng.uniform(-0.1, 0.1), 6),
        round(longitude + rng.uniform(-0.1, 0.1), 6),
    )


def ascii_lower(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()


def make_person(rng: Random, number: int) -> Person:
    place = make_place(rng)
    first, middle, last = rng.choice(FIRST), rng.choice(LAST), rng.choice(LAST)
    name = f"{first} {last}" if middle == last else f"{first} {middle} {last}"
    email = f"{ascii_lower(first)}.{ascii_lower(last)}{rng.randrange(100)}@{rng.choice(DOMAINS)}"
    phone = f"{place.area_code}9{rng.randrange(6000, 10000)}{rng.randrange(10000):04d}"
    born = date(1950, 1, 1) + timedelta(days=rng.randrange(20_000))
    return Person(number, name, email, documents.cpf(rng), phone, born, place)


def make_home(rng: Random, number: int, owner: Person) -> Home:
    area = Decimal(rng.randrange(1800, 22000)) / 100
    rent = (area * rng.randrange(28, 75)).quantize(Decimal("0.01"))
    kind = rng.choice(["apartamento", "casa", "studio", "kitnet"])
    fee, tax = (rent / 5).quantize(Decimal("0.01")), (rent / 12).quantize(Decimal("0.01"))
    return Home(number, owner, make_place(rng), kind, area, rng.randrange(1, 5), rent, fee, tax)


def make_lease(rng: Random, number: int, home: Home, people: tuple[Person, Person]) -> Lease:
    start = date(2024, 1, 1) + timedelta(days=rng.randrange(1000))
    return Lease(number, home, people[0], people[1], start, start + timedelta(days=30 * rng.choice([12, 24, 30])))


def build() -> World:
    rng = rng_for("world")
    users = [make_person(rng, 1000 + n) for n in range(260)]
    owners = [make_person(rng, 500 + n) for n in range(150)]
    brokers = [make_person(rng, 10 + n) for n in range(120)]
    homes = [make_home(rng, 70000 + n, rng.choice(owners)) for n in range(200)]
    leases = [make_lease(rng, 300 + n, rng.choice(homes), (rng.choice(users), rng.choice(brokers))) for n in range(180)]
    return World(users, owners, brokers, homes, leases)


def moment(rng: Random, day: str) -> datetime:
    """A time on that day, without zone, as Hive keeps it."""
    return datetime.fromisoformat(day) + timedelta(seconds=rng.randrange(86_400))


def epoch(rng: Random, day: str) -> int:
    return int(moment(rng, day).replace(tzinfo=UTC).timestamp())


def typed_phone(rng: Random, digits: str) -> str:
    """A phone as people type it."""
    area, head, tail = digits[:2], digits[2:-4], digits[-4:]
    return rng.choice(
        [
            f"({area}) {head}-{tail}",
            digits,
            f"+55 {area} {head}-{tail}",
            f"{area} {head} {tail}",
            f"({area}){head}-{tail} ",
        ]
    )
