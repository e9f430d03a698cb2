"""The clinic's cases of lesson 16."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "16_guarded_ratio",
        "I guard the division by zero, and the rates are right. Where does the nan come from?",
        """
        counts = torch.tensor([0.0, 4.0], requires_grad=True)
        hits = torch.tensor([0.0, 3.0])
        rates = torch.where(counts > 0, hits / counts, torch.zeros(2))
        print(rates)
        rates.sum().backward()
        print(counts.grad)
        """,
        cause="backward also runs through the division that where() didn't pick",
        others={
            "the condition is wrong: counts > 0 should be counts >= 0": "Then where() would pick "
            "0 / 0, and the rates would be nan, too.",
            "a condition can't be differentiated": "It doesn't have to be. It says which branch is "
            "picked, and the second entry's gradient, -0.1875, is right.",
            "counts is a whole number and can't require grad": "It's a float32, and it received a "
            "gradient. Only one entry of that is nan.",
        },
        because="hits / counts was computed for both entries. where() sends a 0 to the entry it "
        "didn't pick, and the division multiplies that 0 by 0 / 0. Give the division a safe "
        "denominator first.",
        hints=(
            "Print hits / counts. Which entries were computed?",
            "Which number could the division see instead of the 0, if its result isn't used?",
        ),
        fix="""
        counts = torch.tensor([0.0, 4.0], requires_grad=True)
        hits = torch.tensor([0.0, 3.0])
        safe = torch.where(counts > 0, counts, torch.ones(2))
        rates = torch.where(counts > 0, hits / safe, torch.zeros(2))
        print(rates)
        rates.sum().backward()
        print(counts.grad)
        """,
        cured="counts.grad is not None and counts.grad.isfinite().all().item() "
        "and abs(counts.grad[1].item() + 0.1875) < 1e-4",
    ),
)
