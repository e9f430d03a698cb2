"""The clinic's cases of lesson 01."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "01_all_at_once",
        "I want the slope for the second entry, which is 12. It says 42.",
        """
        def cubes(x):
            return (x * x * x).sum()

        x = torch.tensor([1.0, 2.0, 3.0])
        up = cubes(x + 0.01)
        down = cubes(x - 0.01)
        slope = (up - down) / 0.02
        print(round(slope.item(), 1))
        """,
        cause="x + 0.01 nudges all three entries",
        others={
            "the nudge is too large": "With 0.001 it still says 42. How far off could a nudge of "
            "0.01 be?",
            "it should be divided by 0.01": "Then it would say 84. From x - 0.01 to x + 0.01 it's "
            "0.02.",
            "sum() has no slope": "It has one: move an entry, and the sum moves just as far.",
        },
        because="A number added to a tensor is added to every entry. So the three slopes arrive "
        "together, as 3 + 12 + 27.",
        hints=(
            "Print x + 0.01.",
            "42 is the sum of three slopes. What would a step look like that moves one entry?",
        ),
        fix="""
        def cubes(x):
            return (x * x * x).sum()

        x = torch.tensor([1.0, 2.0, 3.0])
        step = torch.tensor([0.0, 0.01, 0.0])
        up = cubes(x + step)
        down = cubes(x - step)
        slope = (up - down) / 0.02
        print(round(slope.item(), 1))
        """,
        cured="abs(float(slope) - 12) < 0.1",
    ),
)
