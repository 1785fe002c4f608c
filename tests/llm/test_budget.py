from typing import Any

import pytest

from isogloss.errors import SettingsError
from isogloss.llm.budget import Budget, BudgetSettings
from isogloss.llm.chat_models import ChatModelSettings

PRICED = ChatModelSettings(name="m", input_price=1.0, output_price=10.0)


def used(tokens_in: int, tokens_out: int) -> dict[str, Any]:
    usage = {"prompt_tokens": tokens_in, "completion_tokens": tokens_out}
    return {"choices": [], "usage": usage}


def test_calls_in_flight_are_reckoned_at_the_mean_of_those_that_ended() -> None:
    budget = Budget(BudgetSettings(tokens=100))
    for _ in range(4):
        assert budget.reached() is None
        budget.begin()
    budget.end(PRICED, used(20, 5))
    # Twenty-five spent and three more of the kind in flight.
    assert budget.reached() == "budget of 100 tokens"
    budget.fail()
    assert budget.reached() is None


def test_money_is_tokens_times_price_and_batches_cost_their_share() -> None:
    budget = Budget()
    budget.begin()
    budget.end(PRICED, used(1_000_000, 100_000), factor=0.5)
    assert budget.money == pytest.approx(1.0)
    assert budget.line().endswith("1000000 tokens in, 100000 out; 1.0000 spent")


def test_what_cannot_be_known_is_said_and_never_counted_as_nothing() -> None:
    budget = Budget()
    for response in ({"choices": []}, {"choices": [], "usage": None}, {"error": {}}):
        budget.begin()
        budget.end(PRICED, response)
    assert "(2 responses named no tokens)" in budget.line()
    budget.begin()
    budget.end(ChatModelSettings(name="free"), used(1, 1))
    assert budget.line().endswith("price not declared")
    with pytest.raises(SettingsError, match="model free"):
        Budget(BudgetSettings(money=1.0)).check(ChatModelSettings(name="free"))


def test_a_budget_of_nothing_allows_nothing() -> None:
    assert Budget(BudgetSettings(calls=0)).reached() == "budget of 0 calls"
    assert Budget(BudgetSettings(tokens=0)).reached() == "budget of 0 tokens"
    assert Budget().reached() is None
