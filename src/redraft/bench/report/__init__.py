"""Reports of runs: a page that opens offline, Markdown, CSV, and the paper's figures."""

from redraft.bench.report.comparison import comparison_tables, comparison_terminal
from redraft.bench.report.formats import csv_text, markdown, rich_table
from redraft.bench.report.page import read_results, write_report

__all__ = [
    "comparison_tables",
    "comparison_terminal",
    "csv_text",
    "markdown",
    "read_results",
    "rich_table",
    "write_report",
]
