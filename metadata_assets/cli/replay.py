"""The command `replay`: messages that could not be read, looked at, read again, or thrown away."""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from metadata_assets.cli.output import AS_JSON, print_json, print_table, say, to_time
from metadata_assets.errors import SelectionError
from metadata_assets.model.counts import counted

if TYPE_CHECKING:
    from metadata_assets.stages.deployment import Deployment
    from metadata_assets.store.dead_letters import Choice, DeadLetter, DeadLetters, Listed

_SHOWN_BYTES = 20_000
_HEADER = ("id", "source", "position", "received (UTC)", "bytes", "reason")


@click.command()
@click.argument("ids", nargs=-1, type=int, metavar="[ID]...")
@click.option("--reason", help="Those whose reason holds this text, letter case aside.")
@click.option("--source", help="Those of the source of events of this name.")
@click.option("--all", "everything", is_flag=True, help="All of them.")
@click.option("--show", is_flag=True, help="Only show them, with what they hold; read nothing again.")
@click.option("--discard", is_flag=True, help="Throw them away for good; read nothing again.")
@click.option("--after", default=0, metavar="ID", help="List, or show, from the one after this.")
@click.option("--limit", default=50, type=click.IntRange(1), show_default=True, help="List, or show, this many.")
@AS_JSON
@click.pass_context
def replay(
    context: click.Context, /, ids: tuple[int, ...], reason: str | None, source: str | None, **options: int
) -> None:
    """Read dead letters again: those with an ID, by their reason or source, or --all. Without any: list them.

    What can be read now (after an update, or once the platform file was put right) is taken in as if it had just
    arrived; what cannot stays, until --discard throws it away. Exit status 1 where some stay.
    """
    from metadata_assets.stages.deployment import opened
    from metadata_assets.store.dead_letters import Choice

    as_json, show, discard = (bool(options[name]) for name in ("as_json", "show", "discard"))
    chosen = bool(ids or reason or source or options["everything"])
    if discard and (show or not chosen):
        raise SelectionError("--discard goes with an ID, --reason, --source or --all, and not with --show")
    choice = Choice(ids, source, reason)
    with opened(os.environ) as deployment:
        letters = deployment.store.dead_letters
        _refuse_unknown(letters, ids)
        if discard:
            _discard(letters, choice, as_json=as_json)
        elif not chosen or show:
            page = (options["after"], options["limit"])
            _print(letters, choice, page, as_json=as_json, whole=show and chosen)
        elif not _read_again(deployment, choice, as_json=as_json):
            context.exit(1)


def _refuse_unknown(letters: "DeadLetters", ids: tuple[int, ...]) -> None:
    from metadata_assets.store.dead_letters import Choice

    known = {letter.id for letter in letters.listed(Choice(ids), most=len(ids))} if ids else set()
    if missing := sorted(set(ids) - known):
        raise SelectionError(f"no dead letter has the ID {missing[0]}; `metadata-assets replay` lists them")


def _discard(letters: "DeadLetters", choice: "Choice", *, as_json: bool) -> None:
    number = letters.discard(choice)
    if as_json:
        print_json({"discarded": number})
    else:
        say(f"{counted(number, 'dead letter')} thrown away")


def _read_again(deployment: "Deployment", choice: "Choice", *, as_json: bool) -> bool:
    """Whether all of them could be read."""
    from metadata_assets.stages.events.replaying import replay as read_again

    number, stay = 0, 0
    for replayed in read_again(deployment, choice):
        number, stay = number + 1, stay + (replayed.error is not None)
        letter = replayed.letter
        if as_json:
            shape = {"id": letter.id, "source": letter.source, "position": letter.position, "error": replayed.error}
            print_json(shape)
        elif replayed.error is not None:
            say(f"{letter.id} stays: {replayed.error}")
    if not as_json:
        say(f"{number - stay} of {counted(number, 'dead letter')} were read and wait to be dealt with")
    return not stay


def _print(letters: "DeadLetters", choice: "Choice", page: tuple[int, int], *, as_json: bool, whole: bool) -> None:
    """A page of dead letters, with what they hold only where that is asked for: it may be megabytes each."""
    after, limit = page
    found = letters.listed(choice, after=after, most=limit + 1)
    listed, is_more = found[:limit], len(found) > limit
    held = {d.id: _text(d) for d in letters.open(choice, after=after, most=limit)} if whole else {}
    if is_more:
        say(f"there are more: add --after {listed[-1].id}", err=True)
    if as_json:
        for letter in listed:
            print_json(_shape(letter) | ({"payload": held[letter.id]} if whole else {}))
        return
    if not listed:
        say("no dead letters")
        return
    print_table(_HEADER, _rows(listed))
    for number, text in held.items():
        say(f"\n{number}:\n{text}")


def _rows(letters: "Iterable[Listed]") -> list[tuple[object, ...]]:
    return [(at.id, at.source, at.position, to_time(at.received_at), at.size, at.reason) for at in letters]


def _shape(letter: "Listed") -> dict[str, object]:
    return {
        "id": letter.id,
        "source": letter.source,
        "position": letter.position,
        "received_at": to_time(letter.received_at),
        "reason": letter.reason,
        "bytes": letter.size,
    }


def _text(letter: "DeadLetter") -> str:
    """The bytes as text; those that are none show as escapes."""
    more = len(letter.payload) - _SHOWN_BYTES
    text = letter.payload[:_SHOWN_BYTES].decode("utf-8", "backslashreplace")
    return text + (f" … and {more} bytes more" if more > 0 else "")
