import pytest

from isogloss.device_names import device_named
from isogloss.errors import UsageError


@pytest.mark.parametrize("device", ["cpu", "mps", "cuda", "cuda:0", "cuda:12", "xpu:1"])
def test_names_of_devices_pass_whether_or_not_they_are_there(device):
    assert device_named(device) == device


@pytest.mark.parametrize("device", [None, "auto"])
def test_auto_leaves_the_choice_open(device):
    assert device_named(device) is None


@pytest.mark.parametrize("device", ["tpu", "gpu", "", "cpu:0", "cuda:", "cuda:-1", "cuda:a"])
def test_other_names_are_refused_with_what_is_accepted(device):
    with pytest.raises(UsageError, match=f"device '{device}': .*accepted are auto, cpu, cuda"):
        device_named(device)
