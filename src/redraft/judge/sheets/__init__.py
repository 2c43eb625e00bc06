"""Sheets for people: outputs of several systems to be scored blind, and what the scores come to."""

from redraft.judge.sheets.scores import SheetScores, score_sheets
from redraft.judge.sheets.sheet import Guidelines, Row, Sheet, draw_sheet, write_sheet

__all__ = ["Guidelines", "Row", "Sheet", "SheetScores", "draw_sheet", "score_sheets", "write_sheet"]
