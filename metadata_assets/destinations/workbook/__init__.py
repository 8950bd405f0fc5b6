"""The catalog as an XLSX workbook, which people may work in.

Ours are the cells under our headers in rows with a key; whatever else is in the file is theirs and stays, and so do the
formats that they give to our cells. A row that people delete comes back; one whose key they take away is theirs, and
ours is written anew. What openpyxl cannot carry is lost at a write: slicers, threads of comments (their text stays as a
plain comment), dropdowns that take their list from another sheet. Pictures need pillow: without it, such a file is not
written to.
"""
