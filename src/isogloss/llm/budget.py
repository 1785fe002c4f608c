"""What a stage may spend on chat models, and what it has spent."""

from typing import Any

from isogloss.chat_settings import BudgetSettings as BudgetSettings
from isogloss.errors import SettingsError
from isogloss.llm.chat_models import ChatModelSettings

PER_MILLION = 1_000_000


class Budget:
    """Counts calls, tokens and money, and says when the next call would pass a limit.

    Calls are counted when they begin, so their limit is exact. What a call costs is known only
    afterwards: calls in flight are reckoned at the mean of those that ended.

    Attributes:
        calls: Requests begun, repairs among them; retries of one request are one call.
        retries: Transport retries.
        replayed: Requests answered from recordings.
        ended: Calls that brought a response.
        unmetered: Responses that name no tokens: what they cost is not known.
    """

    def __init__(self, limits: BudgetSettings | None = None) -> None:
        self.limits = limits or BudgetSettings()
        self.calls = 0
        self.retries = 0
        self.replayed = 0
        self.ended = 0
        self.unmetered = 0
        self.in_flight = 0
        self.input_tokens = 0
        self.output_tokens = 0
        self.money = 0.0
        self.priced = True

    def check(self, model: ChatModelSettings) -> None:
        """Refuse a limit that cannot be held.

        Raises:
            SettingsError: Money is limited and the model has no price.
        """
        if self.limits.money is not None and not model.priced:
            raise SettingsError(
                f"model {model.name}: budget.money needs its input_price and output_price"
            )

    def reached(self) -> str | None:
        """Which limit the next call would pass, or None."""
        limits = self.limits
        if limits.calls is not None and self.calls >= limits.calls:
            return f"budget of {limits.calls} calls"
        share = 1 + self.in_flight / self.ended if self.ended else 1.0
        tokens = (self.input_tokens + self.output_tokens) * share
        if limits.tokens is not None and (tokens >= limits.tokens):
            return f"budget of {limits.tokens} tokens"
        if limits.money is not None and self.money * share >= limits.money:
            return f"budget of {limits.money:g} (money)"
        return None

    def begin(self) -> None:
        """A call begins."""
        self.calls += 1
        self.in_flight += 1

    def fail(self) -> None:
        """A call ended without a response."""
        self.in_flight -= 1

    def end(self, model: ChatModelSettings, response: dict[str, Any], factor: float = 1.0) -> None:
        """A call ended with a response, whatever it came to.

        Args:
            model: Names the prices.
            response: The server's body, which names the tokens used.
            factor: What the price is multiplied by (batches cost less).
        """
        self.in_flight -= 1
        self.ended += 1
        usage = response.get("usage")
        usage = usage if isinstance(usage, dict) else {}
        tokens_in, tokens_out = usage.get("prompt_tokens"), usage.get("completion_tokens")
        if not isinstance(tokens_in, int) or not isinstance(tokens_out, int):
            # A filtered request names none and is not charged.
            self.unmetered += "choices" in response
            return
        self.input_tokens += tokens_in
        self.output_tokens += tokens_out
        if model.input_price is None or model.output_price is None:
            self.priced = False
            return
        cost = tokens_in * model.input_price + tokens_out * model.output_price
        self.money += factor * cost / PER_MILLION

    def line(self) -> str:
        """What was spent, in one line."""
        money = f"{self.money:.4f} spent" if self.priced else "price not declared"
        unknown = f" ({self.unmetered} responses named no tokens)" if self.unmetered else ""
        return (
            f"{self.calls} calls ({self.retries} retries), {self.replayed} replayed; "
            f"{self.input_tokens} tokens in, {self.output_tokens} out{unknown}; {money}"
        )
