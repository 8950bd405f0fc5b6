"""A queue where SQS does what moto never does: some messages cannot be deleted."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from botocore.stub import Stubber
from pydantic import ValidationError

from metadata_assets.errors import Permanent
from metadata_assets.model.surroundings import AwsAccess
from metadata_assets.sources.aws import open_client
from metadata_assets.sources.events.base import Limit, Polled
from metadata_assets.sources.sqs.config import SqsConfig
from metadata_assets.sources.sqs.source import SqsQueue

URL = "https://sqs.eu-west-1.amazonaws.com/1/notices"


@pytest.fixture
def client() -> Any:
    return open_client("sqs", AwsAccess("eu-west-1", access_key="id", secret_key="key"))


@pytest.fixture
def answers(client: Any) -> Iterator[Stubber]:
    with Stubber(client) as stubber:
        yield stubber


def received(*numbers: int) -> dict[str, Any]:
    message = {"Body": "{}", "Attributes": {"SentTimestamp": "1800000000123"}}
    return {"Messages": [message | {"MessageId": f"m{n}", "ReceiptHandle": f"r{n}"} for n in numbers]}


def poll(queue: SqsQueue, answers: Stubber, *pages: dict[str, Any]) -> Polled:
    for page in (*pages, {}):
        answers.add_response("receive_message", page)
    answers.add_response("get_queue_attributes", {"Attributes": {"ApproximateNumberOfMessages": "4"}})
    return queue.poll("", Limit())


def test_what_is_not_deleted_is_told_and_comes_again(
    client: Any, answers: Stubber, caplog: pytest.LogCaptureFixture
) -> None:
    queue = SqsQueue(client, URL)
    polled = poll(queue, answers, received(*range(10)), received(10, 11))
    assert [m.position for m in polled.messages] == [f"m{n}" for n in range(12)]
    assert (polled.lag, polled.messages[0].received_at) == (4, 1_800_000_000.123)
    failed = {"Id": "1", "SenderFault": False, "Code": "InternalError"}
    answers.add_response("delete_message_batch", {"Successful": [], "Failed": [failed]})
    entries = [{"Id": "0", "ReceiptHandle": "r10"}, {"Id": "1", "ReceiptHandle": "r11"}]
    answers.add_response(
        "delete_message_batch", {"Successful": [], "Failed": []}, {"QueueUrl": URL, "Entries": entries}
    )
    with caplog.at_level(logging.WARNING):
        queue.acknowledge(polled)
    assert "1 messages of the queue" in caplog.text
    assert "InternalError" in caplog.text
    answers.assert_no_pending_responses()
    again = poll(queue, answers, received(1))
    assert [m.position for m in again.messages] == ["m1"]


def test_a_message_that_comes_twice_in_a_look_is_taken_once(client: Any, answers: Stubber) -> None:
    assert len(poll(SqsQueue(client, URL), answers, received(1), received(1, 2)).messages) == 2


def test_a_queue_that_lets_nothing_be_deleted_is_told(client: Any, answers: Stubber) -> None:
    queue = SqsQueue(client, URL)
    polled = poll(queue, answers, received(1))
    answers.add_client_error("delete_message_batch", "AccessDenied", http_status_code=403)
    with pytest.raises(Permanent, match="deleting from the queue"):
        queue.acknowledge(polled)


@pytest.mark.parametrize(
    "queue", ["", "a b", "arn:aws:sqs:eu-west-1:1:notices", "https://user:password@host/q", "x" * 90]
)
def test_a_queue_is_named_by_its_name_or_url(queue: str) -> None:
    with pytest.raises(ValidationError) as caught:
        SqsConfig(type="sqs", queue=queue)
    assert "password" not in str(caught.value)
