"""The order of an event as the columns of a table, and back."""

from typing import Any

from sqlalchemy import Row

from metadata_assets.model.event import EventOrder


def order_of(row: Row[Any]) -> EventOrder:
    return EventOrder(row.order_key, row.numbered, row.occurred_at)


def order_values(order: EventOrder) -> dict[str, object]:
    return {"order_key": order.key, "numbered": order.numbered, "occurred_at": order.occurred_at}
