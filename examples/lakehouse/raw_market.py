"""Raw tables about homes, contracts, money and clicks: few people, many numbers that look like them."""

import json
from decimal import Decimal
from random import Random

from examples.lakehouse import documents
from examples.lakehouse.raw_people import Parts, Row
from examples.lakehouse.world import DAYS, Home, Lease, World, epoch, make_place, moment, rng_for, typed_phone

EVENTS = (
    "abertura",
    "busca",
    "favorito",
    "clique_foto",
    "visita_agendada",
    "proposta",
    "contrato",
    "mensagem",
    "filtro",
)


def listing(rng: Random, home: Home) -> Row:
    place = home.place
    photos = [
        {
            "url": f"https://img.aluga.example/{home.id}/{n}.jpg",
            "ordem": n,
            "legenda": rng.choice(["sala", "quarto", "vista 🌇"]),
        }
        for n in range(1, rng.randrange(2, 5))
    ]
    return {
        "listing_id": home.id,
        "owner_id": home.owner.id,
        "titulo": f"{home.kind.capitalize()} com {home.rooms} quarto(s) em {place.district}",
        "descricao": f"Ótimo {home.kind}; {home.area} m² -- perto de tudo (metrô, padaria).",
        "tipo_imovel": home.kind,
        "area_m2": home.area,
        "quartos": home.rooms,
        "aluguel_brl": home.rent,
        "condominio_brl": home.fee,
        "iptu_brl": home.tax,
        "address": {key: getattr(place, key) for key in ("street", "number", "district", "city", "state", "cep")},
        "latitude": place.latitude,
        "longitude": place.longitude,
        "municipio_ibge": place.ibge_code,
        "fotos": photos,
        "amenities": [(name, rng.random() < 0.4) for name in ("piscina", "academia", "pet")],
        "payload_json": json.dumps({"cms": home.id * 7, "fonte": rng.choice(["portal", "app"])}),
        "publicado_em": moment(rng, DAYS[0]),
    }


def listings(world: World) -> Parts:
    rng = rng_for("raw.listings")
    return {f"ds={DAYS[1]}": [listing(rng, home) for home in world.homes]}


def lease(rng: Random, world: World, item: Lease) -> Row:
    backer = rng.choice(world.users)
    has_backer = rng.random() < 0.6
    backing = {"nome": backer.name, "cpf": backer.cpf, "telefone": typed_phone(rng, backer.phone)}
    return {
        "contract_id": item.id,
        "contract_number": f"CT-{item.id * 37:08d}",
        "listing_id": item.home.id,
        "tenant_user_id": item.tenant.id,
        "owner_id": item.home.owner.id,
        "corretor_id": item.broker.id,
        "data_inicio": item.start,
        "data_fim": item.end,
        "aluguel_brl": item.home.rent,
        "indice_reajuste": rng.choice(["IGP-M", "IPCA"]),
        "garantia": "fiador" if has_backer else rng.choice(["seguro-fiança", "caução"]),
        "status": rng.choice(["assinado", "assinado", "assinado", "cancelado"]),
        "assinado_em_epoch": epoch(rng, item.start.isoformat()) * 1000,
        "fiador": backing if has_backer else None,
    }


def leases(world: World) -> Parts:
    rng = rng_for("raw.leases")
    return {f"ds={DAYS[1]}": [lease(rng, world, item) for item in world.leases]}


def payment(rng: Random, item: Lease, day: str) -> Row:
    return {
        "payment_uuid": documents.uuid(rng),
        "order_number": documents.number(rng, 11, day[2:10].replace("-", "")),
        "order_ref": documents.number(rng, 16, "9026"),
        "contract_id": item.id,
        "valor_brl": item.home.rent,
        "multa_brl": rng.choice([None, None, (item.home.rent / 50).quantize(Decimal("0.01"))]),
        "metodo": rng.choice(["pix", "boleto", "cartao"]),
        "card_last4": documents.number(rng, 4) if rng.random() < 0.3 else None,
        "protocolo": documents.like_cnpj(rng),
        "pago_em_epoch": epoch(rng, day),
        "vencimento": moment(rng, "2026-11-05").date(),
        "estornado": rng.random() < 0.06,
    }


def payments(world: World) -> Parts:
    rng = rng_for("raw.payments")
    return {f"ds={day}": [payment(rng, item, day) for item in world.leases] for day in DAYS}


def event(rng: Random, world: World, hour: int) -> Row:
    seen = [
        {"listing_id": home.id, "position": place + 1, "price": home.rent}
        for place, home in enumerate(rng.sample(world.homes, rng.randrange(3)))
    ]
    device = {
        "os": rng.choice(["android", "ios", "web"]),
        "app_version": f"{rng.randrange(6, 9)}.{rng.randrange(20)}.{rng.randrange(10)}",
        "ip": f"189.{rng.randrange(256)}.{rng.randrange(256)}.{rng.randrange(1, 255)}",
        "device_id": documents.uuid(rng),
    }
    return {
        "event_id": documents.uuid(rng),
        "user_id": rng.choice([None, *(person.id for person in rng.sample(world.users, 6))]),
        "event_name": rng.choice(EVENTS),
        "ts_ms": (epoch(rng, DAYS[1]) // 86_400 * 86_400 + hour * 3600 + rng.randrange(3600)) * 1000
        + rng.randrange(1000),
        "session_id": documents.uuid(rng),
        "device": device,
        "props": [("tela", rng.choice(["home", "lista", "detalhe"]))],
        "items": seen,
        "payload_json": json.dumps({"utm_source": rng.choice(["busca", "feed", None]), "utm_medium": "cpc"}),
    }


def app_events(world: World) -> Parts:
    rng = rng_for("raw.app_events")
    return {f"ds={DAYS[1]}/hora={hour}": [event(rng, world, hour) for _ in range(120)] for hour in (9, 20)}


def visit(rng: Random, world: World, number: int) -> Row:
    person = rng.choice(world.users)
    comment = rng.choice([None, "", "Gostei, mas é longe", "Barulho da rua à noite", "Luz ótima 🌞"])
    if rng.random() < 0.05:
        comment = f"Pediu para ligar em {typed_phone(rng, person.phone)}"
    return {
        "visit_id": 40_000 + number,
        "listing_id": rng.choice(world.homes).id,
        "user_id": person.id,
        "corretor_id": rng.choice(world.brokers).id,
        "agendada_para": moment(rng, DAYS[1]),
        "realizada": rng.random() < 0.7,
        "nota": rng.choice([None, 1, 2, 3, 4, 5]),
        "comentario": comment,
    }


def visits(world: World) -> Parts:
    rng = rng_for("raw.visits")
    return {f"ds={DAYS[1]}": [visit(rng, world, number) for number in range(200)]}


def cep_reference(world: World) -> Parts:
    rng = rng_for("raw.cep_reference")
    places = [home.place for home in world.homes[:60]] + [make_place(rng) for _ in range(140)]
    rows = [
        {
            "cep": place.cep,
            "logradouro": place.street,
            "bairro": place.district,
            "municipio": place.city,
            "uf": place.state,
            "ibge_code": place.ibge_code,
            "latitude": place.latitude,
            "longitude": place.longitude,
        }
        for place in places
    ]
    return {"": rows}


def products(world: World) -> Parts:
    rng = rng_for("raw.products")
    goods = (
        "Kit Mudança",
        "Pintura Expressa",
        "Vistoria Maria Luísa",
        "Limpeza São Jorge",
        "Seguro Casa Helena",
    )
    rows = [
        {
            "produto_id": number,
            "nome_produto": f"{rng.choice(goods)} {rng.choice(['P', 'M', 'G'])} {rng.randrange(100)}",
            "sku": f"SKU-{documents.number(rng, 6)}",
            "ean13": documents.number(rng, 13, "789"),
            "year_code": rng.randrange(2019, 2027),
            "preco_brl": Decimal(rng.randrange(1900, 99900)) / 100,
            "ativo": rng.random() < 0.8,
        }
        for number in range(1, 121)
    ]
    return {"": rows}


def index_rates(world: World) -> Parts:
    rng = rng_for("raw.index_rates")
    months = [f"{year}-{month:02d}" for year in range(2021, 2027) for month in range(1, 13)][:-2]
    return {
        "": [
            {"indice": name, "mes_ref": month, "taxa": Decimal(rng.randrange(-2000, 19000)) / 1_000_000}
            for name in ("IGP-M", "IPCA")
            for month in months
        ]
    }
