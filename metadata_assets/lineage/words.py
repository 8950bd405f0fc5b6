"""Sets of words, written as people read them."""


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# What ends the FROM of a query, or stands before its rows are done.
CLAUSES = word_set(
    "LATERAL WHERE GROUP HAVING WINDOW QUALIFY ORDER SORT CLUSTER DISTRIBUTE LIMIT UNION INTERSECT EXCEPT MINUS"
)
