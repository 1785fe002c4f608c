"""Raw multilingual documents become a corpus of language versions."""
