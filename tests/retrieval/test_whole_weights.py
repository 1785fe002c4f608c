import pytest
from safetensors.torch import load_file, save_file

from isogloss.errors import EncoderError
from isogloss.retrieval.declaration import HubModel, read_declaration
from isogloss.retrieval.encoders import load_encoder
from tiny_bert import hub, tiny_bert


def without(folder, part):
    """Take the weights out of a folder whose names hold `part`; how many they were."""
    path = folder / "model.safetensors"
    weights = load_file(path)
    kept = {name: value for name, value in weights.items() if part not in name}
    save_file(kept, path, metadata={"format": "pt"})
    return len(weights) - len(kept)


def test_a_model_without_some_of_its_weights_is_refused_by_their_names(tmp_path):
    folder = tiny_bert(tmp_path, seed=3)
    assert without(folder, "intermediate.dense.weight")
    with pytest.raises(EncoderError, match=r"tiny: its files lack weights .*intermediate\.dense"):
        load_encoder(hub(folder), "cpu")


def test_a_missing_pooler_is_no_fault_because_nothing_reads_it(tmp_path):
    folder = tiny_bert(tmp_path, seed=3)
    (expected,) = load_encoder(hub(folder), "cpu").encode(["oil"], "query")
    assert without(folder, "pooler") == 2
    (found,) = load_encoder(hub(folder), "cpu").encode(["oil"], "query")
    assert found.tolist() == expected.tolist()


def test_every_declared_hub_model_is_pinned_with_its_code(root):
    for path in sorted((root / "models").glob("*.yaml")):
        declared = read_declaration(path)
        if isinstance(declared, HubModel):
            assert declared.revision, path.name
            assert declared.code_revision or not declared.trust_remote_code, path.name
