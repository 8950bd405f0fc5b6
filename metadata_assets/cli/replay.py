"""The command `replay`: messages that could not be read, looked at and read again."""

import os
from typing import TYPE_CHECKING

import click

from metadata_assets.cli.output import AS_JSON, clean, print_json, print_table, to_time
from metadata_assets.errors import SelectionError

if TYPE_CHECKING:
    from metadata_assets.store.dead_letters import DeadLetter

_SHOWN_BYTES = 20_000


@click.command()
@click.argument("ids", nargs=-1, type=int, metavar="[ID]...")
@click.option("--reason", help="Those whose reason holds this text, letter case aside.")
@click.option("--source", help="Those of the source of events of this name.")
@click.option("--all", "everything", is_flag=True, help="All of them.")
@click.option("--show", is_flag=True, help="Only show them, with what they hold; read nothing again.")
@AS_JSON
@click.pass_context
def replay(
    context: click.Context, /, ids: tuple[int, ...], reason: str | None, source: str | None, **flags: bool
) -> None:
    """Read dead letters again: those with an ID, by their reason or source, or --all. Without any: list them.

    What can be read now (after an update, or once the platform file was put right) is taken in as if it had just
    arrived; what cannot stays. Exit status 1 where some stay.
    """
    from metadata_assets.stages.deployment import opened
    from metadata_assets.stages.intake import replay as read_again

    as_json, show = flags["as_json"], flags["show"]
    chosen = bool(ids or reason or source or flags["everything"])
    with opened(os.environ) as deployment:
        letters = _choose(deployment.store.dead_letters.open(), ids, reason, source)
        if not chosen or show:
            _print(letters, as_json=as_json, whole=show and chosen)
            return
        stays = read_again(deployment, letters)
    for letter in letters:
        if as_json:
            error = stays.get(letter.id)
            print_json({"id": letter.id, "source": letter.source, "position": letter.position, "error": error})
        elif letter.id in stays:
            click.echo(f"{letter.id} stays: {clean(stays[letter.id])}")
    if not as_json:
        click.echo(f"{len(letters) - len(stays)} of {len(letters)} dead letters were read and wait to be dealt with")
    if stays:
        context.exit(1)


def _choose(
    letters: "list[DeadLetter]", ids: tuple[int, ...], reason: str | None, source: str | None
) -> "list[DeadLetter]":
    if missing := sorted(set(ids) - {letter.id for letter in letters}):
        raise SelectionError(f"no dead letter has the ID {missing[0]}; `metadata-assets replay` lists them")
    return [
        letter
        for letter in letters
        if (not ids or letter.id in ids)
        and (reason is None or reason.lower() in letter.reason.lower())
        and (source is None or letter.source == source)
    ]


def _print(letters: "list[DeadLetter]", *, as_json: bool, whole: bool) -> None:
    for letter in letters if as_json else ():
        print_json(_shape(letter))
    if as_json:
        return
    header = ("id", "source", "position", "received (UTC)", "bytes", "reason")
    rows = [(at.id, at.source, at.position, to_time(at.received_at), len(at.payload), at.reason) for at in letters]
    if not rows:
        click.echo("no dead letters")
        return
    print_table(header, rows)
    for letter in letters if whole else ():
        click.echo(f"\n{letter.id}:\n{clean(_text(letter))}")


def _shape(letter: "DeadLetter") -> dict[str, object]:
    return {
        "id": letter.id,
        "source": letter.source,
        "position": letter.position,
        "received_at": to_time(letter.received_at),
        "reason": letter.reason,
        "payload": _text(letter),
    }


def _text(letter: "DeadLetter") -> str:
    """The bytes as text; those that are none show as escapes."""
    more = len(letter.payload) - _SHOWN_BYTES
    text = letter.payload[:_SHOWN_BYTES].decode("utf-8", "backslashreplace")
    return text + (f" … and {more} bytes more" if more > 0 else "")
