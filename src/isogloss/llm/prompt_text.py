"""Prompts as text files, filled so that no text can act as a placeholder or leave its block."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from isogloss.errors import DataError
from isogloss.files import sha256_bytes
from isogloss.llm.chat_requests import Message

BORDER = "\n---\n"
PLACEHOLDER = re.compile(r"\{\{([a-z_]+)\}\}")


@dataclass(frozen=True)
class Prompt:
    """A prompt in two parts.

    Attributes:
        system: What is asked. It holds no placeholder: no document can change a letter of it.
        user: Where the texts go, each in a block between marks that carry a code.
    """

    system: str
    user: str

    def messages(self, texts: Mapping[str, str], **plain: str) -> tuple[Message, ...]:
        """Fill the user's part.

        The code of the marks is a hash of the texts, so no text can hold the mark that ends its
        own block. Placeholders are filled in one pass: a text that looks like one stays as it is.

        Args:
            texts: Text by placeholder; any content.
            plain: Further values, chosen by this project.
        """
        code = sha256_bytes("\0".join(f"{name}\0{texts[name]}" for name in sorted(texts)).encode())
        values = {**plain, **texts, "code": code[:12]}
        filled = PLACEHOLDER.sub(lambda found: values[found[1]], self.user)
        return Message("system", self.system), Message("user", filled)


def parse_prompt(content: str, name: str, filled: set[str]) -> Prompt:
    """Part a prompt file at its border and check its placeholders.

    Args:
        content: The file's text.
        name: The file's name, for messages.
        filled: The placeholders that its lower part must have, each at least once.

    Raises:
        DataError: The file lacks a part or a placeholder, or has one too many.
    """
    system, border, user = content.partition(BORDER)
    if not border or PLACEHOLDER.search(system):
        raise DataError(f"{name}: must hold a line --- and no placeholder above it")
    if (found := set(PLACEHOLDER.findall(user))) != filled:
        odd = ", ".join(sorted(found ^ filled))
        raise DataError(f"{name}: placeholders missing or unknown: {odd}")
    return Prompt(system.strip(), user.strip())
