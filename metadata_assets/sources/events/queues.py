"""Messages of a queue of SQS: it may hold notices of several services, told apart by what they look like."""

from collections.abc import Mapping
from typing import Any

from metadata_assets.errors import Undecodable
from metadata_assets.sources.events.apiary_topic import decode_topic
from metadata_assets.sources.events.base import Decoded, Decoder, Message
from metadata_assets.sources.events.envelopes import Notice, unwrap
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
        notice = unwrap(message, source)
        if str(notice.fields.get("Type")) in _ABOUT_SUBSCRIPTIONS:
            return Decoded.nothing("about the subscription of the queue")
        if is_test(notice.fields):
            return Decoded.nothing("a test message of S3")
        return _decode_notice(notice, account)

    return _decode


def _decode_notice(notice: Notice, account: str | None) -> Decoded:
    fields: Mapping[str, Any] = notice.fields
    records = fields.get("Records")
    if isinstance(records, list):
        return decode_records(notice, records)
    if "detail-type" in fields:
        return _decode_bridged(notice, account)
    if "eventType" in fields and "dbName" in fields:
        return decode_topic(notice)
    if "what" in fields and "target" in fields:
        return decode_request(notice)
    raise Undecodable("neither a notice of S3, Glue or the Apiary listener, nor a request")


def _decode_bridged(notice: Notice, account: str | None) -> Decoded:
    service = notice.fields.get("source")
    if service == "aws.s3":
        return decode_bridged(notice)
    if service == "aws.glue":
        return decode_glue(notice, account)
    return Decoded.nothing("an event of another service")
