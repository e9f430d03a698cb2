"""The clinic's cases of lesson 09."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "09_wrong_turn",
        "This is the discriminator's step. Why does the generator get a gradient, too?",
        """
        generator = torch.tensor(2.0, requires_grad=True)
        discriminator = torch.tensor(3.0, requires_grad=True)
        fake = generator * 1.0
        score = discriminator * fake
        score.backward()
        print(discriminator.grad, generator.grad)
        """,
        cause="fake still leads back to the generator: this use of it isn't cut",
        others={
            "backward() fills the .grad of every leaf in the program": "Only of leaves that score "
            "depends on. So look for the path from score to the generator.",
            "the generator should be frozen when it is made": "Then it would get no gradient now, "
            "and none in its own step either. What should be cut is one use of fake.",
            "the discriminator should be in eval() mode": "eval() changes layers such as dropout. "
            "It cuts nothing.",
        },
        because="score was computed from fake, and fake from the generator, so the gradient goes "
        "all the way. In the generator's own step that path is needed; in this one it isn't.",
        hints=(
            "Follow the picture from score toward the inputs. Which arrow leads to the generator?",
            "One use of fake should count as a constant. Which tool acts on one use?",
        ),
        fix="""
        generator = torch.tensor(2.0, requires_grad=True)
        discriminator = torch.tensor(3.0, requires_grad=True)
        fake = generator * 1.0
        score = discriminator * fake.detach()
        score.backward()
        print(discriminator.grad, generator.grad)
        """,
        cured="generator.grad is None and discriminator.grad.item() == 2",
    ),
)
