"""How chat models are reached, what a run may spend, and which model has which task."""

import re
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import Field, model_validator

from isogloss.section import Key, Section

RESERVED = {"model", "messages", "stream", "n", "response_format", "temperature"}
_SECRET = re.compile(
    r"(api|access|private|subscription|signing)[-_ ]?key|authori[sz]ation|secret|passw(or)?d"
    r"|(api|access|auth|bearer|session|refresh|security|hf)[-_ ]?token|credential"
    r"|^(x[-_])?(auth|key|token|bearer|cookie)$",
    re.IGNORECASE,
)
_TAG = re.compile(r":(?!.*\d[bm]\b)[^:]*$")
VariableName = Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]*$")]


class ChatModelSettings(Section):
    """One chat model behind an OpenAI-compatible address.

    Keys are never settings: `api_key_env` names the environment variable that holds one, and a
    server on the own machine that needs none leaves it out.
    """

    name: str = Field(min_length=1)
    kind: Literal["openai", "azure"] = "openai"
    base_url: str | None = None
    base_url_env: VariableName | None = None
    api_key_env: VariableName | None = None
    api_version: str | None = None
    max_tokens: int | None = Field(default=None, ge=1)
    # Newer models of OpenAI refuse the old name, older servers do not know the new one.
    max_tokens_field: Literal["max_completion_tokens", "max_tokens"] = "max_completion_tokens"
    # Left out where a model accepts none.
    temperature: float | None = Field(default=None, ge=0, le=2)
    # Money per million tokens, in one currency throughout.
    input_price: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    output_price: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    batch_price_factor: float = Field(default=0.5, ge=0, le=1)
    structured_output: bool = True
    # Nobody answers to this name: its replies are in the recordings, and nothing is ever sent.
    replay_only: bool = False
    system_message: bool = True
    extra_body: dict[str, Any] = Field(default_factory=dict)
    timeout_seconds: float = Field(default=600.0, gt=0)
    # Transport faults only; the first pause doubles at each further retry.
    retries: int = Field(default=6, ge=0, le=6)
    retry_seconds: float = Field(default=0.5, gt=0)

    @model_validator(mode="after")
    def _fits_together(self) -> "ChatModelSettings":
        if self.base_url and self.base_url_env:
            raise ValueError("base_url and base_url_env: give one of them")
        if self.base_url and (fault := address_fault(self.base_url)):
            raise ValueError(f"base_url: {fault}")
        if self.kind == "azure" and not (self.api_version and self.address_is_given):
            raise ValueError("azure needs api_version and base_url or base_url_env")
        taken = (RESERVED | {self.max_tokens_field}) & self.extra_body.keys()
        if taken:
            raise ValueError(f"extra_body: {sorted(taken)[0]} has a setting of its own")
        if (secret := _secret_name(self.extra_body)) is not None:
            raise ValueError(
                f"extra_body: {secret} looks like a key; keys come from api_key_env only"
            )
        return self

    @property
    def address_is_given(self) -> bool:
        """Whether the address is other than the official one."""
        return bool(self.base_url or self.base_url_env)

    @property
    def costs_unknown_money(self) -> bool:
        """Whether it is sent calls whose cost nobody can tell."""
        return not self.priced and not self.replay_only

    @property
    def priced(self) -> bool:
        """Whether what a call costs can be told."""
        return self.input_price is not None and self.output_price is not None


def _secret_name(body: dict[str, Any]) -> str | None:
    """The first name at any depth under which a key could stand, or None.

    `max_tokens`, `prompt_cache_key` and their like hold none; by an alias a value may hold itself.
    """
    seen: set[int] = set()
    waiting: list[Any] = [body]
    while waiting:
        value = waiting.pop()
        if not isinstance(value, dict | list | tuple) or id(value) in seen:
            continue
        seen.add(id(value))
        if not isinstance(value, dict):
            waiting += value
            continue
        for name, inner in value.items():
            if _SECRET.search(str(name)):
                return str(name) if str(name).isprintable() else ascii(name)
            waiting.append(inner)
    return None


def address_fault(url: str) -> str | None:
    """What keeps an address from being used; the address itself is not repeated."""
    try:
        parts = urlsplit(url)
        credentials = parts.username or parts.password or parts.query
    except ValueError:
        return "is no URL"
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        return "must begin with http:// or https:// and name a host"
    if credentials:
        return "must hold no user, password or query: keys come from api_key_env only"
    return None


class BudgetSettings(Section):
    """Limits of one run of a stage; what is replayed costs nothing. None is no limit."""

    calls: int | None = Field(default=None, ge=0)
    tokens: int | None = Field(default=None, ge=0)
    money: float | None = Field(default=None, ge=0, allow_inf_nan=False)


ChatTask = Literal[
    "generate",
    "verify",
    "seed",
    "translate",
    "answer",
    "refusals",
    "judge",
    "translate-queries",
]


# Whose calls a budget is about; those of `answer` are each answerer's own.
ROLES: dict[ChatTask, str] = {
    "generate": "generator",
    "verify": "verifier",
    "seed": "translator",
    "translate": "translator",
    "refusals": "refusal_classifier",
    "judge": "judge",
    "translate-queries": "translator",
}


class ChatSettings(Section):
    """Which model has which task, and what a run of each stage may spend.

    The defaults are those of ChemCLIR-Bench, section 2, and HealMed, section 2; no paper names a
    classifier of refusals, so that one is our reading.
    """

    generator: ChatModelSettings = ChatModelSettings(
        name="gpt-5-mini", api_key_env="OPENAI_API_KEY"
    )
    verifier: ChatModelSettings = ChatModelSettings(
        name="claude-sonnet-4.6",
        base_url="https://api.anthropic.com/v1",
        api_key_env="ANTHROPIC_API_KEY",
        # Its OpenAI-compatible address passes over `response_format`.
        structured_output=False,
    )
    translator: ChatModelSettings = ChatModelSettings(name="gpt-5.5", api_key_env="OPENAI_API_KEY")
    judge: ChatModelSettings = ChatModelSettings(
        name="gpt-5.5", api_key_env="OPENAI_API_KEY", max_tokens=4096
    )
    refusal_classifier: ChatModelSettings = ChatModelSettings(
        name="gpt-5-mini", api_key_env="OPENAI_API_KEY"
    )
    # Models that answer medical items, by key; the panel's own have theirs in the panel.
    answerers: dict[Key, ChatModelSettings] = Field(default_factory=dict)
    budgets: dict[ChatTask, BudgetSettings] = Field(default_factory=dict)
    concurrency: int = Field(default=16, ge=1)
    # The Batch API (`--batch`): seconds between two looks, and how many requests make one batch.
    poll_seconds: float = Field(default=30.0, gt=0)
    batch_requests: int = Field(default=10_000, ge=1, le=50_000)

    @model_validator(mode="after")
    def _nobody_verifies_itself(self) -> "ChatSettings":
        names = (self.generator.name, self.verifier.name)
        if _plain_name(names[0]) == _plain_name(names[1]):
            raise ValueError(
                f"verifier: {names[1]!r} is the generator too; a model must not judge what it wrote"
            )
        return self

    @model_validator(mode="after")
    def _money_can_be_told(self) -> "ChatSettings":
        for task, role in ROLES.items():
            budget = self.budgets.get(task)
            model: ChatModelSettings = getattr(self, role)
            if budget and budget.money is not None and model.costs_unknown_money:
                raise ValueError(
                    f"budgets.{task}.money: {role} {model.name!r} has no prices; give it "
                    "input_price and output_price (money per million tokens)"
                )
        return self


def _plain_name(name: str) -> str:
    """A model's name without the provider that routers put before it, and without its tag."""
    plain = name.strip().rsplit("/", 1)[-1].casefold()
    # "name:latest" is "name"; "name:8b" and "name:70b" are two models, and so are two of "ft:".
    return plain if plain.startswith("ft:") else _TAG.sub("", plain).strip()
