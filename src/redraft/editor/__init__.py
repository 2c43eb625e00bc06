"""The editor: asks a model for edits, and chooses among them."""

from redraft.editor.prompt import ADAPTER, editor_messages, room

__all__ = ["ADAPTER", "editor_messages", "room"]
