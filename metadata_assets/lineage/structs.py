"""Fields of structs that a query builds itself: reading one of them reads no other."""

from sqlglot import exp


def field_access(node: exp.Expr) -> tuple[exp.Column, str] | None:
    """The column and the first field of `column.field…`; None for anything else."""
    path: list[str] = []
    at = node
    while isinstance(at, exp.Dot):
        path.append(at.expression.name.lower())
        at = at.this
    return (at, path[-1]) if path and isinstance(at, exp.Column) else None


def built_field(struct: exp.Expr, name: str) -> exp.Expr | None:
    """The expression that a field was built from; None where the struct is not built here, or is not plain."""
    if not isinstance(struct, exp.Struct):
        return None
    for item in struct.expressions:
        if isinstance(item, exp.PropertyEQ) and item.this.name.lower() == name:
            found: exp.Expr = item.expression
            return found
        if isinstance(item, (exp.Alias, exp.Column)) and item.alias_or_name.lower() == name:
            return item
    return None
