import pytest

from isogloss.errors import UsageError
from isogloss.retrieval.device import check_device_name


@pytest.mark.parametrize("device", [None, "cpu", "mps", "cuda", "cuda:0", "cuda:12", "xpu:1"])
def test_names_of_devices_pass_whether_or_not_they_are_there(device):
    check_device_name(device)


@pytest.mark.parametrize("device", ["tpu", "gpu", "", "CPU", "cpu:0", "cuda:", "cuda:-1", "cuda:a"])
def test_other_names_are_refused_with_what_is_accepted(device):
    with pytest.raises(UsageError, match=f"device '{device}': .*accepted are cpu, cuda, cuda:N"):
        check_device_name(device)
