"""What `evaluate` is told about every metric here: its inputs, their types and the source."""

import datasets
import evaluate

CITATION = "Astaraki et al. (2026), ChemCLIR-Bench, section 3."

INPUTS = """
Args:
    predictions: for each query the ids of the documents found, best first, each once.
    references: for each query {"language": its language, "documents": the ids of its gold,
        "languages": their languages}. A query without gold enters no figure.
"""


def metric_info(description: str) -> evaluate.MetricInfo:
    """The declaration of a metric over ranked lists and references."""
    text = datasets.Value("string")
    reference = {
        "language": text,
        "documents": datasets.Sequence(text),
        "languages": datasets.Sequence(text),
    }
    features = {"predictions": datasets.Sequence(text), "references": reference}
    return evaluate.MetricInfo(
        description=description,
        citation=CITATION,
        inputs_description=INPUTS,
        features=datasets.Features(features),
    )
