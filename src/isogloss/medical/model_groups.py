"""Which models a mean over models takes: the panel's groups, and all but the floors."""

from collections.abc import Sequence

from isogloss.medical.panel import FLOOR_GROUP, group_of

ALL_MODELS = "all"


def groups_of_models(models: Sequence[str]) -> dict[str, list[int]]:
    """Indexes of the models of each panel group, in the panel's order."""
    groups: dict[str, list[int]] = {}
    for index, model in enumerate(models):
        groups.setdefault(group_of(model), []).append(index)
    return groups


def real_models(models: Sequence[str]) -> list[int]:
    """Indexes of the models that stand in means over models.

    Floors are no language models, so they stay out; where nothing but floors answered, they are
    what there is, and the notes of scores.json say so (our reading).
    """
    real = [index for index, model in enumerate(models) if group_of(model) != FLOOR_GROUP]
    return real or list(range(len(models)))


def model_sets(models: Sequence[str]) -> dict[str, list[int]]:
    """`all` (see `real_models`) and then each panel group: indexes by name."""
    return {ALL_MODELS: real_models(models), **groups_of_models(models)}
