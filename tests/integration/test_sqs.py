"""A queue as moto plays it: what it tells is stored once, whatever happens between storing and deleting."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from examples.services.moto import Moto
from metadata_assets.errors import Permanent, Transient
from metadata_assets.sources.events.base import Limit, Polled
from metadata_assets.sources.s3.config import S3Config
from metadata_assets.sources.sqs import source as sqs
from metadata_assets.sources.sqs.config import SqsConfig
from metadata_assets.sources.sqs.source import SqsQueue
from metadata_assets.stages.deployment import Deployment
from metadata_assets.stages.events.intake import Taken
from metadata_assets.stages.watching import plan_due
from tests.integration.cloud import BUCKET, ENVIRON, keys_of, put
from tests.memory import World, open_deployment
from tests.sensing import take_once
from tests.surroundings import around

pytestmark = pytest.mark.aws

QUEUE = "specs-queue"


def make_queue(queues: Any, **attributes: str) -> str:
    url: str = queues.create_queue(QueueName=QUEUE, Attributes=attributes)["QueueUrl"]
    return url


def arn_of(queues: Any, url: str) -> str:
    found = queues.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])
    return str(found["Attributes"]["QueueArn"])


@pytest.fixture
def queue_url(s3: Any, queues: Any) -> str:
    """A queue that hears of every object of the bucket; its own setting hides nothing from anybody."""
    url = make_queue(queues, VisibilityTimeout="0")
    told = {"QueueArn": arn_of(queues, url), "Events": ["s3:ObjectCreated:*", "s3:ObjectRemoved:*"]}
    configuration = {"QueueConfigurations": [told]}
    s3.put_bucket_notification_configuration(Bucket=BUCKET, NotificationConfiguration=configuration)
    return url


@pytest.fixture
def settings(aws: Moto) -> SqsConfig:
    return SqsConfig(type="sqs", name="notices", queue=QUEUE, **keys_of(aws))


@pytest.fixture
def deployment(world_name: str, world: World, settings: SqsConfig, aws: Moto, tmp_path: Path) -> Iterator[Deployment]:
    opened = open_deployment(tmp_path, world_name)
    specs, jobs = (S3Config(type="s3", bucket=BUCKET, prefix="main", **keys_of(aws)) for _ in range(2))
    platform = opened.platform.model_copy(update={"events": (settings,), "specs": specs, "jobs": jobs})
    yield Deployment(platform, replace(opened.around, environ=ENVIRON), opened.store)
    opened.store.close()


def take(deployment: Deployment, limit: Limit = Limit()) -> Taken:  # noqa: B008 - it is a constant
    return take_once(deployment, deployment.platform.events[0], "", limit)


def waiting(deployment: Deployment) -> list[tuple[str, str]]:
    return sorted((w.event.kind, w.event.subject) for w in deployment.store.inbox.waiting())


def left(queues: Any, url: str) -> tuple[int, int]:
    """Messages that wait, and those that somebody has taken and not deleted."""
    names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    found = queues.get_queue_attributes(QueueUrl=url, AttributeNames=names)["Attributes"]
    return int(found[names[0]]), int(found[names[1]])


def test_an_object_that_is_put_or_deleted_asks_for_its_file(
    deployment: Deployment, s3: Any, queues: Any, queue_url: str
) -> None:
    put(s3, "main/documentation/guest profile é.yaml")
    put(s3, "main/sql/build users.sql")
    put(s3, "main/readme.md")
    put(s3, "other/a.yaml")
    taken = take(deployment)
    assert waiting(deployment) == [
        ("job_changed", "file:sql/build users.sql"),
        ("spec_changed", "file:documentation/guest profile é.yaml"),
    ]
    assert taken.outcomes == {
        "object_changed": 2,
        "ignored: a test message of S3": 1,
        "ignored: an object that is neither a spec nor a job": 2,
    }
    assert (taken.lag, left(queues, queue_url)) == (0, (0, 0))
    assert plan_due(deployment.store, [], 2e9).first == {"specs", "jobs"}
    s3.delete_object(Bucket=BUCKET, Key="main/documentation/guest profile é.yaml")
    take(deployment)
    assert len(deployment.store.inbox.waiting()) == 3


def test_killed_between_storing_and_deleting_nothing_is_lost_or_doubled(
    deployment: Deployment, s3: Any, queues: Any, queue_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def die(queue: SqsQueue, polled: Polled) -> None:
        raise Killed

    for number in range(25):
        put(s3, f"main/{number}.yaml")
    with monkeypatch.context() as dying:
        dying.setattr(SqsQueue, "acknowledge", die)
        dying.setattr(sqs, "_HIDDEN_SECONDS", 1)
        with pytest.raises(Killed):
            take(deployment)
    assert len(waiting(deployment)) == 25, "stored before anything was deleted"
    assert sum(left(queues, queue_url)) == 26, "with the test message of S3"
    outcomes: Mapping[str, int] = {}
    while not outcomes:  # until the messages show again
        outcomes = take(deployment).outcomes
    while sum(left(queues, queue_url)):
        take(deployment)
    assert len(waiting(deployment)) == 25
    assert outcomes["seen before"] > 0


def test_what_was_received_is_hidden_until_it_is_deleted(
    deployment: Deployment, s3: Any, queues: Any, queue_url: str, settings: SqsConfig
) -> None:
    put(s3, "main/a.yaml")
    with settings.connect(deployment.around) as one, settings.connect(deployment.around) as other:
        polled = one.poll("", Limit())
        assert len(polled.messages) == 2
        assert list(other.poll("", Limit()).messages) == [], "although the queue itself would hide nothing"
        other.acknowledge(Polled((), ""))
        assert left(queues, queue_url) == (0, 2)
        one.acknowledge(polled)
    assert left(queues, queue_url) == (0, 0)


def test_a_look_is_bounded_and_garbage_is_kept(deployment: Deployment, queues: Any, settings: SqsConfig) -> None:
    url = make_queue(queues)
    request = {"version": 1, "what": "documentation", "target": {"table": "a.b"}, "requested_by": "ana"}
    bodies = [json.dumps(request | {"id": str(n), "requested_at": "2026-11-02T09:00:00Z"}) for n in range(33)]
    for body in ("garbage", *bodies):
        queues.send_message(QueueUrl=url, MessageBody=body)
    taken = take(deployment, Limit(messages=12))
    assert (sum(taken.outcomes.values()), taken.lag) == (12, 22)
    while take(deployment, Limit(bytes=2000)).lag:
        pass
    assert left(queues, url) == (0, 0)
    assert len(deployment.store.inbox.waiting()) == 33
    (letter,) = deployment.store.dead_letters.open()
    assert letter.payload == b"garbage"
    assert letter.reason.startswith("not JSON")


def test_a_topic_between_bucket_and_queue_makes_no_difference(
    deployment: Deployment, aws: Moto, s3: Any, queues: Any
) -> None:
    import boto3

    url = make_queue(queues)
    topics = boto3.client(
        "sns", "eu-west-1", endpoint_url=aws.endpoint, aws_access_key_id="a", aws_secret_access_key="b"
    )
    topic = topics.create_topic(Name="specs")["TopicArn"]
    topics.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn_of(queues, url))
    configuration = {"TopicConfigurations": [{"TopicArn": topic, "Events": ["s3:ObjectCreated:*"]}]}
    s3.put_bucket_notification_configuration(Bucket=BUCKET, NotificationConfiguration=configuration)
    put(s3, "main/a b.yaml")
    taken = take(deployment)
    assert taken.outcomes == {"object_changed": 1, "ignored: a test message of S3": 1}
    assert waiting(deployment) == [("spec_changed", "file:a b.yaml")]


@pytest.mark.parametrize("by_url", [True, False])
def test_a_queue_is_found_by_name_or_url(by_url: bool, aws: Moto, queues: Any) -> None:
    url = make_queue(queues)
    queues.send_message(QueueUrl=url, MessageBody="x")
    named = SqsConfig(type="sqs", queue=url if by_url else QUEUE, **keys_of(aws))
    with named.connect(around(**ENVIRON)) as source:
        assert len(source.poll("", Limit()).messages) == 1


def test_a_queue_that_is_not_there_is_told(aws: Moto) -> None:
    settings = SqsConfig(type="sqs", queue="nobodys", **keys_of(aws))
    with settings.connect(around(**ENVIRON)) as source, pytest.raises(Permanent, match="reading the queue 'nobodys'"):
        source.poll("", Limit())


def test_a_queue_that_goes_away_loses_nothing_that_was_stored(
    deployment: Deployment, queues: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The queue is deleted between storing and deleting: an error, and the event is there."""
    url = make_queue(queues)
    body = {"eventType": "CREATE_TABLE", "dbName": "raw", "tableName": "a"}
    queues.send_message(QueueUrl=url, MessageBody=json.dumps(body))
    acknowledge = SqsQueue.acknowledge

    def too_late(queue: SqsQueue, polled: Polled) -> None:
        queues.delete_queue(QueueUrl=url)
        acknowledge(queue, polled)

    monkeypatch.setattr(SqsQueue, "acknowledge", too_late)
    with pytest.raises((Permanent, Transient)):
        take(deployment)
    assert ("table_changed", "table:raw.a") in waiting(deployment)
