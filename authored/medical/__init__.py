"""The medical sample: items, translations, reviews, replies and verdicts written by hand."""
