"""Every error this package raises, in one place.

    MetadataError
    ├── SpecError              a YAML file is wrong: file, line, column, message, hint
    ├── PlatformError          the platform file asks for something that cannot be built
    ├── SelectionError         a --select pattern, table or time on the command line is wrong
    ├── StoreError             the store cannot be opened, fails, or is of a newer version
    ├── Transient              an outside system failed in a way that another try may cure
    │   └── Unreachable        nobody answers at any of its addresses
    └── Permanent              an outside system refused; trying again gives the same answer
        ├── Undecodable        a message is not what its source should send
        └── ForeignCodeError   code or data from outside raised something of its own

Whether to try again is a type, so that one place (`defs/boundary.py`) decides for all systems.
"""


class MetadataError(Exception):
    """Root of the tree; catching it catches nothing but our own errors."""


class SpecError(MetadataError):
    """A place in a YAML file that is wrong. `line` and `column` count from 1."""

    def __init__(self, file: str, line: int, column: int, message: str, hint: str = "") -> None:
        super().__init__(f"{file}:{line}:{column}: {message}" + (f" ({hint})" if hint else ""))
        self.file, self.line, self.column, self.message, self.hint = file, line, column, message, hint


class PlatformError(MetadataError):
    """The platform file names a source, destination or variable that cannot be used."""


class SelectionError(MetadataError):
    """What was asked for on the command line matches nothing or cannot be read."""


class StoreError(MetadataError):
    """The store cannot be opened, its database fails, or a newer version of this package wrote it."""


class Transient(MetadataError):
    """An outside system failed; another try may succeed."""


class Unreachable(Transient):
    """No address of an outside system answers."""


class Permanent(MetadataError):
    """An outside system refused, and would refuse again."""


class Undecodable(Permanent):
    """A message cannot be read; the reason names what is wrong with it and quotes no values."""


class ForeignCodeError(Permanent):
    """Code or a parser that is not ours raised; the message names what it worked on."""
