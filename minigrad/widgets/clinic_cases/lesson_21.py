"""The clinic's cases of lesson 21."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "21_repeats_itself",
        "My model learns the text a b c a b c … perfectly, and then it says that after a comes a.",
        """
        letters = "abc"
        text = torch.tensor([0, 1, 2] * 10)
        x, y = text[:-1], text[:-1]
        table = torch.zeros(3, 3, requires_grad=True)
        optimizer = torch.optim.SGD([table], lr=5.0)
        for step in range(100):
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(table[x], y)
            loss.backward()
            optimizer.step()
        print(f"loss {loss.item():.2f}")
        print("after a comes", letters[table[0].argmax().item()])
        """,
        cause="the targets aren't shifted, so each letter is trained to predict itself",
        others={
            "the learning rate is too large": "Then the loss would oscillate or grow. It went "
            "down to almost 0, so the training did what it was told.",
            "a table that starts with zeros can't learn": "It did learn: the loss went down. Which "
            "letter was it told to predict?",
            "there's too little text, and it learned it by heart": "If it had learned this text by "
            "heart, it would know that after a comes b.",
        },
        because="x and y are the same letters, so the right answer is always the letter that was "
        "given. A loss that's too good is a reason to look at the data.",
        hints=(
            "Print the first four entries of x, and below them those of y.",
            "At each place, y should hold the letter that comes after the one in x.",
        ),
        fix="""
        letters = "abc"
        text = torch.tensor([0, 1, 2] * 10)
        x, y = text[:-1], text[1:]
        table = torch.zeros(3, 3, requires_grad=True)
        optimizer = torch.optim.SGD([table], lr=5.0)
        for step in range(100):
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(table[x], y)
            loss.backward()
            optimizer.step()
        print(f"loss {loss.item():.2f}")
        print("after a comes", letters[table[0].argmax().item()])
        """,
        cured="table.argmax(dim=1).tolist() == [1, 2, 0]",
    ),
)
