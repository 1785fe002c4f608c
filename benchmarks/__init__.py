"""Speed and memory against peers, as ratios within one run on one machine: `make bench`."""
