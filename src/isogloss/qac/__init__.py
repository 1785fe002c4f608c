"""Query makers: a corpus becomes a benchmark of queries with gold documents."""
