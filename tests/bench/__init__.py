"""How fast, how linear, how large: this package beside others. `python -m tests.bench --help` says how to run it."""
