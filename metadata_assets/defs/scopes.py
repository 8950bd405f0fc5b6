"""A run's scope, carried by its tags: they show in the UI, filter the run list, and hold for all steps alike."""

import json
from collections.abc import Mapping, Sequence

from metadata_assets.stages.scope import Scope

SCOPE_TAG = "metadata/scope"
SELECT_TAG = "metadata/select"
FORCE_TAG = "metadata/force"


def scope_tags(*, everything: bool, select: Sequence[str] = (), force: bool = False) -> dict[str, str]:
    tags = {SCOPE_TAG: "everything" if everything else "changed"}
    if select:
        tags[SELECT_TAG] = json.dumps(list(select))
    if force:
        tags[FORCE_TAG] = "true"
    return tags


def parse_scope(run_id: str, tags: Mapping[str, str]) -> Scope:
    """A run without our tags, such as one that somebody launched from the graph, looks at everything."""
    return Scope(
        run_id,
        everything=tags.get(SCOPE_TAG, "everything") == "everything",
        select=tuple(json.loads(tags.get(SELECT_TAG, "[]"))),
        force=tags.get(FORCE_TAG) == "true",
    )
