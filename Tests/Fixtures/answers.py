#!/usr/bin/env python3
"""Writes below each query of an article what a push.db answers: answers.py PUSH.DB ARTICLE"""
import re
import subprocess
import sys

database, article = sys.argv[1:]


def answered(query: re.Match[str]) -> str:
    """A block of SQL with the table that `sqlite3` prints."""
    command = ["sqlite3", "-header", "-column", database, query[1]]
    table = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return f"```sql\n{query[1]}```{query[2]}```\n" + re.sub(" +\n", "\n", table or "no rows\n") + "```"


with open(article, encoding="utf-8") as file:
    text = file.read()
with open(article, "w", encoding="utf-8") as file:
    file.write(re.sub(r"```sql\n([^`]*)```([^`]*)```\n[^`]*```", answered, text))
