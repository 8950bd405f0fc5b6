"""The catalog as an XLSX workbook. People may add columns of their own to the right of ours; they survive."""
