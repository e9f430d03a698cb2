"""`python -m tests.benchmarks`, from the root of the repository."""

import os


def main() -> None:
    # The matrix libraries read this when numpy and torch load them, so it comes before those.
    for library in ("OPENBLAS", "MKL", "OMP"):
        os.environ[f"{library}_NUM_THREADS"] = "1"
    from tests.benchmarks import run

    run.main()


if __name__ == "__main__":
    main()
