"""Raw tables about people and companies: full of personal data, and as dirty as forms leave it."""

import json
from datetime import date, datetime
from decimal import Decimal
from random import Random
from typing import Any

from examples.lakehouse import documents
from examples.lakehouse.world import (
    DAYS,
    LAST,
    Person,
    World,
    epoch,
    make_person,
    moment,
    rng_for,
    typed_phone,
)

Row = dict[str, Any]
Parts = dict[str, list[Row]]  # partition folder ("" when there is none) → rows
TALK = (
    "Bom dia! O apartamento ainda está disponível?",
    "Posso visitar no sábado; de preferência pela manhã.",
    "O condomínio inclui água e gás?",
    "Aceita animais de pequeno porte? Tenho um gato.",
    "A vaga é coberta -- cabe um carro grande (SUV)?",
    "oi; tudo bem?",
)


def typed_birth(rng: Random, born: date) -> str:
    if rng.random() < 0.05:
        return rng.choice(["", "N/A"])
    return f"{born:%d/%m/%Y}" if rng.random() < 0.7 else born.isoformat()


def address(rng: Random, person: Person) -> Row:
    place = person.place
    return {
        "street": place.street,
        "number": place.number,
        "complement": rng.choice([None, "apto 12", "casa 2", "fundos"]),
        "district": place.district,
        "city": place.city,
        "state": place.state,
        "cep": f"{place.cep[:5]}-{place.cep[5:]}" if rng.random() < 0.6 else place.cep,
        "ibge_code": place.ibge_code,
        "geo": {"lat": place.latitude, "lon": place.longitude},
    }


def user(rng: Random, person: Person, day: str) -> Row:
    return {
        "user_id": person.id,
        "nome": person.name if rng.random() > 0.03 else rng.choice(["", "TESTE", person.name.upper() + " "]),
        "email": rng.choice([person.email, person.email, person.email.upper(), person.email + " "]),
        "email_verified": int(rng.random() < 0.8),
        "cpf": documents.as_typed(rng, person.cpf, documents.format_cpf(person.cpf)),
        "rg": documents.rg(rng) if rng.random() < 0.7 else None,
        "telefone": typed_phone(rng, person.phone) if rng.random() < 0.94 else rng.choice(["", "N/A", "não tenho"]),
        "data_nascimento": typed_birth(rng, person.born),
        "genero": rng.choice(["F", "M", "F", "M", "NB", None]),
        "created_at_epoch": epoch(rng, day),
        "ip_cadastro": f"177.{rng.randrange(256)}.{rng.randrange(256)}.{rng.randrange(1, 255)}",
        "ip_version": rng.choice([4, 4, 4, 6]),
        "address": address(rng, person),
        "attrs": [
            ("origem", rng.choice(["site", "app", "indicação"])),
            ("plano", rng.choice(["livre", "pro"])),
        ],
        "interesses": rng.sample(["pet", "metrô", "varanda", "mobiliado"], rng.randrange(3)),
        "cpf_hash": documents.digest(person.cpf),
        "cadastro_uuid": documents.uuid(rng),
    }


def users(world: World) -> Parts:
    rng = rng_for("raw.users")
    early, late = DAYS
    return {
        f"ds={early}": [user(rng, person, early) for person in world.users[:120]],
        f"ds={late}": [user(rng, person, late) for person in world.users],
    }


def company(rng: Random) -> str:
    trade = rng.choice(["Imóveis", "Administradora", "Limpeza", "Pintura", "Vistorias", "Empreendimentos"])
    return f"{rng.choice(LAST)} & {rng.choice(LAST)} {trade} {rng.choice(['Ltda', 'S.A.', 'ME', 'EIRELI'])}"


def owner(rng: Random, person: Person) -> Row:
    firm = rng.random() < 0.3
    cnpj = documents.cnpj(rng)
    document = documents.as_typed(rng, cnpj, documents.format_cnpj(cnpj))
    if not firm:
        document = documents.as_typed(rng, person.cpf, documents.format_cpf(person.cpf))
    return {
        "owner_id": person.id,
        "nome_ou_razao": company(rng) if firm else person.name,
        "tipo_pessoa": "PJ" if firm else "PF",
        "documento": document,
        "cnpj": documents.format_cnpj(cnpj) if firm else None,
        "email": person.email,
        "telefone": typed_phone(rng, person.phone),
        "pix_chave": rng.choice([person.cpf, person.email, f"+55{person.phone}", documents.uuid(rng)]),
        "conta": {
            "banco": rng.choice(["001", "237", "341"]),
            "agencia": documents.number(rng, 4),
            "numero": documents.number(rng, 8),
        },
        "cadastrado_em": moment(rng, "2025-06-15"),
    }


def owners(world: World) -> Parts:
    rng = rng_for("raw.owners")
    return {f"ds={DAYS[1]}": [owner(rng, person) for person in world.owners]}


def broker(rng: Random, person: Person) -> Row:
    cep = person.place.cep
    return {
        "corretor_id": person.id,
        "nome_completo": person.name,
        "cpf": documents.as_typed(rng, person.cpf, documents.format_cpf(person.cpf)),
        "creci": f"{documents.number(rng, 5)}-F/{person.place.state}",
        "email": person.email,
        "celular": typed_phone(rng, person.phone),
        "cep_residencial": f"{cep[:5]}-{cep[5:]}",
        "data_admissao": moment(rng, f"{rng.randrange(2018, 2026)}-03-01").date(),
        "comissao_pct": Decimal(rng.randrange(300, 900)) / 100,
    }


def brokers(world: World) -> Parts:
    rng = rng_for("raw.brokers")
    return {"": [broker(rng, person) for person in world.brokers]}


def supplier(rng: Random, number: int) -> Row:
    contact, cnpj = make_person(rng, number), documents.cnpj(rng)
    return {
        "fornecedor_id": number,
        "razao_social": company(rng),
        "cnpj": documents.as_typed(rng, cnpj, documents.format_cnpj(cnpj)),
        "inscricao_estadual": documents.number(rng, 12),
        "contato_nome": contact.name,
        "contato_email": contact.email,
        "contato_telefone": typed_phone(rng, contact.phone),
    }


def suppliers(world: World) -> Parts:
    rng = rng_for("raw.suppliers")
    return {"": [supplier(rng, number) for number in range(1, 121)]}


def credit_checks(world: World) -> Parts:
    rng = rng_for("raw.credit_checks")
    rows = [
        {
            "check_id": documents.uuid(rng),
            "user_id": person.id,
            "cpf": person.cpf,
            "score": rng.randrange(1001),
            "renda_declarada": Decimal(rng.randrange(150_000, 2_500_000)) / 100,
            "bureau": {
                "name": rng.choice(["Birô Azul", "ConfereJá"]),
                "consulted_at": moment(rng, DAYS[1]),
                "flags": [],
            },
        }
        for person in world.users[:150]
    ]
    return {f"ds={DAYS[1]}": rows}


def spoken(rng: Random, person: Person) -> str:
    """A chat line; one in eight gives something away."""
    text = rng.choice(TALK)
    if rng.random() > 0.125:
        return text
    leak = [
        f"Meu zap é {typed_phone(rng, person.phone)}",
        f"CPF {documents.format_cpf(person.cpf)}",
        f"Escreve em {person.email}",
    ]
    return f"{text} {rng.choice(leak)}"


def messages(world: World) -> Parts:
    rng = rng_for("raw.messages")
    rows = []
    for _ in range(300):
        sender, reader = rng.sample(world.users, 2)
        body, sent = spoken(rng, sender), moment(rng, DAYS[1])
        row: Row = {
            "message_id": documents.uuid(rng),
            "thread_id": rng.randrange(5000, 5100),
            "from_user_id": sender.id,
        }
        rows.append({**row, "to_user_id": reader.id, "corpo": body, "enviado_em": sent})
    return {f"ds={DAYS[1]}": rows}


def ticket(rng: Random, number: int, person: Person) -> Row:
    opened: datetime = moment(rng, DAYS[1])
    extra = {
        "prioridade": rng.choice(["alta", "média", "baixa"]),
        "produto": rng.choice(["aluguel", "seguro"]),
    }
    return {
        "ticket_id": 880_000 + number,
        "user_id": person.id,
        "canal": rng.choice(["zap", "fone", "email", "chat"]),
        "assunto": rng.choice(["Boleto", "Vistoria", "Chaves", "Cadastro"]),
        "descricao": spoken(rng, person),
        "protocolo": f"{opened:%Y%m%d}{documents.number(rng, 6)}",
        "aberto_em": opened,
        "payload_json": json.dumps(extra, ensure_ascii=False),
    }


def support_tickets(world: World) -> Parts:
    rng = rng_for("raw.support_tickets")
    return {f"ds={DAYS[1]}": [ticket(rng, number, rng.choice(world.users)) for number in range(160)]}
