"""Sentences that offices and exports put where there is no abstract (our reading of "known")."""

import re

LONGEST = 160

_PLACEHOLDER = re.compile(
    r"""
    (?:the\s+)?abstract\s+(?:is\s+)?(?:not\s+available|unavailable)(?:\s+for\s+[\w\s()/-]+)?
    | no\s+(?:english\s+)?abstract(?:\s+text)?(?:\s+(?:is\s+)?available|\s+provided)?
    | (?:there\s+is\s+)?no\s+abstract(?:\s+available)?\s+for\s+(?:this\s+\w+|[\w\s()/-]+)
    | (?:abstract\s+)?(?:not\s+available|n\s*/\s*a|none|null|nil)
    | abstract(?:\s+of\s+corresponding\s+document:?\s*[\w\s()/-]*)?
    | (?:es\s+ist\s+)?keine\s+zusammenfassung(?:\s+(?:verfügbar|vorhanden))?
    | zusammenfassung\s+nicht\s+verfügbar
    | (?:pas\s+d['’]\s*abrégé|aucun\s+abrégé)(?:\s+disponible)?
    | (?:l['’]\s*)?abrégé\s+(?:n['’]\s*est\s+pas|non)\s+disponible
    | (?:resumen\s+no\s+disponible|no\s+hay\s+resumen|sin\s+resumen)(?:\s+disponible)?
    | (?:暂无摘要|无摘要|没有摘要|摘要不可用|要約なし)
    """,
    re.IGNORECASE | re.VERBOSE,
)
_EDGES = " \t\r\n.。!()[]*\"'-–:"


def is_placeholder(text: str) -> bool:
    """Whether a text is nothing but a known placeholder sentence.

    Args:
        text: An abstract; white space and punctuation at its ends do not matter.
    """
    if len(text) > LONGEST:
        return False
    return _PLACEHOLDER.fullmatch(" ".join(text.split()).strip(_EDGES)) is not None
