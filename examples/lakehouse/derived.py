"""What the jobs would have made of the raw rows: the clean, mart, finance and legacy tables that have data.

The values come from the same invented people, not from running the SQL; column for column they look like the
output of the jobs.
"""

from datetime import UTC, datetime
from decimal import Decimal
from random import Random

from examples.lakehouse import documents, raw_market, raw_people
from examples.lakehouse.raw_people import Parts, Row
from examples.lakehouse.world import DAYS, Lease, Person, World, moment, rng_for, typed_phone

TODAY = f"ds={DAYS[1]}"


def users(world: World) -> Parts:
    rng = rng_for("clean.user_clean")
    keys = ("street", "number", "district", "city", "state", "cep", "ibge_code")
    rows: list[Row] = [
        {
            "user_id": person.id,
            "nome": person.name,
            "email": person.email,
            "email_verified": rng.random() < 0.8,
            "cpf": person.cpf,
            "rg": documents.rg(rng) if rng.random() < 0.7 else None,
            "telefone": person.phone,
            "data_nascimento": person.born,
            "genero": rng.choice(["F", "M", "NB", None]),
            "cadastrado_em": moment(rng, DAYS[0]),
            **{key: getattr(person.place, key) for key in keys},
            "cpf_hash": documents.digest(person.cpf),
        }
        for person in world.users
    ]
    return {TODAY: rows}


def user_contacts(world: World) -> Parts:
    rows: list[Row] = []
    for person in world.users[:150]:
        for kind, value in (("email", person.email), ("phone", person.phone)):
            rows.append({"user_id": person.id, "contact_type": kind, "contact_value": value, "source": "app"})
    return {TODAY: rows}


def digits(text: str | None) -> str | None:
    return "".join(letter for letter in text if letter.isdigit()) if text else None


def owners(world: World) -> Parts:
    rows: list[Row] = []
    for raw in raw_people.owners(world)[TODAY]:
        person = raw["tipo_pessoa"] == "PF"
        document, cnpj = digits(raw["documento"]), digits(raw["cnpj"])
        rows.append(
            {
                "owner_id": raw["owner_id"],
                "nome": raw["nome_ou_razao"],
                "tipo_pessoa": raw["tipo_pessoa"],
                "cpf": document if person else None,
                "cnpj": None if person else cnpj,
                "email": raw["email"],
                "telefone": digits(raw["telefone"]),
                "pix_chave": raw["pix_chave"],
                "banco": raw["conta"]["banco"],
                "agencia": raw["conta"]["agencia"],
                "conta_numero": raw["conta"]["numero"],
                "cadastrado_em": raw["cadastrado_em"],
            }
        )
    return {"": rows}


def listings(world: World) -> Parts:
    kept = ("street", "district", "city", "state", "cep")
    rows: list[Row] = [
        {
            **{key: raw[key] for key in ("listing_id", "owner_id", "titulo", "tipo_imovel", "area_m2", "quartos")},
            **{key: raw[key] for key in ("aluguel_brl", "condominio_brl", "iptu_brl", "latitude", "longitude")},
            "total_brl": raw["aluguel_brl"] + raw["condominio_brl"] + raw["iptu_brl"],
            **{key: raw["address"][key] for key in kept},
            "ibge_code": raw["municipio_ibge"],
            "publicado_em": raw["publicado_em"],
        }
        for raw in raw_market.listings(world)[TODAY]
    ]
    return {TODAY: rows}


def utc(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)


def leases(world: World) -> Parts:
    rows: list[Row] = []
    for raw in raw_market.leases(world)[TODAY]:
        row = {key: value for key, value in raw.items() if key != "assinado_em_epoch"}
        rows.append({**row, "assinado_em": utc(raw["assinado_em_epoch"] / 1000)})
    return {"": rows}


def payments(world: World) -> Parts:
    parts: Parts = {}
    kept = (
        "payment_uuid",
        "order_number",
        "contract_id",
        "valor_brl",
        "card_last4",
        "protocolo",
        "vencimento",
    )
    for raw in raw_market.payments(world)[TODAY]:
        if raw["estornado"]:
            continue
        fine = raw["multa_brl"] or Decimal("0.00")
        row: Row = {key: raw[key] for key in kept}
        row |= {"multa_brl": fine, "total_brl": raw["valor_brl"] + fine}
        row |= {"pago_em": utc(raw["pago_em_epoch"]), "dias_atraso": 0}
        parts.setdefault(f"{TODAY}/metodo={raw['metodo']}", []).append(row)
    return parts


def app_events(world: World) -> Parts:
    rows: list[Row] = []
    for part in raw_market.app_events(world).values():
        for raw in part:
            device = raw["device"]
            rows.append(
                {
                    **{key: raw[key] for key in ("event_id", "user_id", "event_name", "session_id", "props")},
                    "event_ts": utc(raw["ts_ms"] / 1000),
                    "os": device["os"],
                    "app_version": device["app_version"],
                    "ip_masked": device["ip"].rpartition(".")[0] + ".0",
                }
            )
    return {TODAY: rows}


def broker(rng: Random, person: Person) -> Row:
    return {
        "corretor_id": person.id,
        "nome": person.name,
        "cpf": person.cpf,
        "cpf_masked": f"{person.cpf[:3]}.***.***-{person.cpf[-2:]}",
        "creci": f"{documents.number(rng, 5)}-F/{person.place.state}",
        "email": person.email,
        "celular": typed_phone(rng, person.phone),
        "comissao_pct": Decimal(rng.randrange(300, 900)) / 100,
    }


def brokers(world: World) -> Parts:
    rng = rng_for("clean.brokers")
    return {"": [broker(rng, person) for person in world.brokers]}


def suppliers(world: World) -> Parts:
    rows: list[Row] = [
        {
            "fornecedor_id": raw["fornecedor_id"],
            "razao_social": raw["razao_social"].upper(),
            "cnpj": (digits(raw["cnpj"]) or "").zfill(14),
            "contato_nome": raw["contato_nome"],
            "contato_email": raw["contato_email"],
            "contato_telefone": digits(raw["contato_telefone"]),
        }
        for raw in raw_people.suppliers(world)[""]
    ]
    return {"": rows}


def dim_user(world: World) -> Parts:
    rng = rng_for("mart.dim_user")
    tenants = {lease.tenant.id for lease in world.leases}
    rows: list[Row] = [
        {
            "user_id": person.id,
            "nome": person.name,
            "email": person.email,
            "cpf_hash": documents.digest(person.cpf),
            "city": person.place.city,
            "state": person.place.state,
            "faixa_etaria": rng.choice(["18-24", "25-34", "35-49", "50+"]),
            "cadastrado_em": moment(rng, DAYS[0]),
            "tem_contrato": person.id in tenants,
        }
        for person in world.users
    ]
    return {"": rows}


def debtor(rng: Random, lease: Lease) -> Row:
    tenant = lease.tenant
    debt = {
        "valor_devido_brl": lease.home.rent * rng.randrange(1, 4),
        "dias_atraso_max": rng.randrange(1, 90),
    }
    return {
        "tenant_user_id": tenant.id,
        "nome": tenant.name,
        "cpf": tenant.cpf,
        "telefone": tenant.phone,
        "contratos": 1,
        **debt,
    }


def delinquency(world: World) -> Parts:
    rng = rng_for("finance.delinquency")
    return {TODAY: [debtor(rng, lease) for lease in world.leases[:120]]}


def legacy_client(rng: Random, person: Person) -> Row:
    return {
        "cod_cliente": person.id - 900,
        "nm_cliente": person.name.upper(),
        "nr_cpf": documents.as_typed(rng, person.cpf, documents.format_cpf(person.cpf)),
        "ds_email": person.email.upper() if rng.random() < 0.8 else "N/A",
        "nr_tel": typed_phone(rng, person.phone),
        "dt_nasc": f"{person.born:%d/%m/%y}",
        "fl_ativo": rng.choice(["S", "S", "N"]),
        "vl_limite": Decimal(rng.randrange(0, 900_000)) / 100,
    }


def clientes_old(world: World) -> Parts:
    rng = rng_for("legado.clientes_old")
    return {"": [legacy_client(rng, person) for person in world.users[:140]]}
