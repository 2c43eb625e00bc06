"""Word's .docx: its text read as Markdown, and a revision written back with the changes tracked."""
