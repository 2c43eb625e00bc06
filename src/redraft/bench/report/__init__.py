"""Reports of runs: a page that opens offline, Markdown, CSV, and the paper's figures."""

from redraft.bench.report.formats import csv_text, markdown, rich_table
from redraft.bench.report.page import read_results, write_report

__all__ = ["csv_text", "markdown", "read_results", "rich_table", "write_report"]
