"""The registry: every kind of spec and its model. A new kind is one module and one line here."""

from collections.abc import Mapping

from pydantic import BaseModel

from metadata_assets.specs.decisions import DecisionsDocument
from metadata_assets.specs.detectors import DetectorsDocument
from metadata_assets.specs.documentation import DocumentationDocument
from metadata_assets.specs.glossary import GlossaryDocument
from metadata_assets.specs.lineage import LineageDocument
from metadata_assets.specs.tags import TagsDocument

SPEC_KINDS: Mapping[str, type[BaseModel]] = {
    "documentation": DocumentationDocument,
    "tags": TagsDocument,
    "lineage": LineageDocument,
    "glossary": GlossaryDocument,
    "decisions": DecisionsDocument,
    "detectors": DetectorsDocument,
}

# Kinds whose model lives higher up; a reader of specs passes over them without a word.
OTHER_KINDS = frozenset({"platform"})
