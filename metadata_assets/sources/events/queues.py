"""Messages of a queue of SQS: it may hold notices of several services, told apart by what they look like."""

from collections.abc import Mapping
from typing import Any

from metadata_assets.errors import Undecodable
from metadata_assets.sources.events.apiary_topic import decode_topic
from metadata_assets.sources.events.base import Decoded, Decoder, Message
from metadata_assets.sources.events.envelopes import Notification, unwrap
from metadata_assets.sources.events.glue import decode_glue
from metadata_assets.sources.events.objects import decode_bridged, decode_records, is_test
from metadata_assets.sources.events.requests import decode_request

# SNS asks and tells by the same way what becomes of a subscription.
_ABOUT_SUBSCRIPTIONS = frozenset({"SubscriptionConfirmation", "UnsubscribeConfirmation"})


def queue_decoder(account: str | None = None) -> Decoder:
    """A decoder of notices of S3, Glue and Apiary's SNS listener, and of requests; bare or wrapped by SNS.

    Args:
        account: whose Glue Data Catalog is meant; any without it.
    """

    def _decode(message: Message, source: str) -> Decoded:
        notification = unwrap(message, source)
        if str(notification.fields.get("Type")) in _ABOUT_SUBSCRIPTIONS:
            return Decoded.nothing("about the subscription of the queue")
        if is_test(notification.fields):
            return Decoded.nothing("a test message of S3")
        return _decode_notice(notification, account)

    return _decode


def _decode_notice(notification: Notification, account: str | None) -> Decoded:
    fields: Mapping[str, Any] = notification.fields
    records = fields.get("Records")
    if isinstance(records, list):
        return decode_records(notification, records)
    if "detail-type" in fields:
        return _decode_bridged(notification, account)
    if "eventType" in fields and "dbName" in fields:
        return decode_topic(notification)
    if "what" in fields and "target" in fields:
        return decode_request(notification)
    raise Undecodable("neither a notification of S3, Glue or the Apiary listener, nor a request")


def _decode_bridged(notification: Notification, account: str | None) -> Decoded:
    service = notification.fields.get("source")
    if service == "aws.s3":
        return decode_bridged(notification)
    if service == "aws.glue":
        return decode_glue(notification, account)
    return Decoded.nothing("an event of another service")
