"""The clinic's cases of lesson 15."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "15_two_loaders",
        "The targets are 3 times the inputs, so the weight should become 3. It stays near 0, "
        "however long I train.",
        """
        torch.manual_seed(0)
        points = torch.linspace(-1, 1, 8).reshape(8, 1)
        targets = 3 * points
        DataLoader = torch.utils.data.DataLoader
        inputs = DataLoader(points, batch_size=4, shuffle=True)
        answers = DataLoader(targets, batch_size=4, shuffle=True)
        net = torch.nn.Linear(1, 1)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for epoch in range(200):
            for x, y in zip(inputs, answers):
                optimizer.zero_grad()
                ((net(x) - y) ** 2).mean().backward()
                optimizer.step()
        print("near 3?", abs(net.weight.item() - 3) < 0.1)
        """,
        cause="inputs and targets are shuffled separately, so the pairs are mixed up",
        others={
            "the learning rate is too small": "It takes 400 steps, and the loss is a "
            "parabola. Set shuffle=False in both places, and the same rate gets to 3.",
            "a single layer without an activation function can't learn this": "3 times the input "
            "is a straight line through 0. That's what a linear layer is made for.",
            "zero_grad() is in the wrong place": "It's called before backward() in every "
            "iteration, so each step uses only its own gradient.",
        },
        because="Each DataLoader draws its own order. Row 5 of the inputs meets some other "
        "row of the targets, and on average there's nothing to learn. Put both into one "
        "TensorDataset, and they're shuffled together.",
        hints=(
            "Print x and y of one batch next to each other. Is y three times x?",
            "How many random orders are drawn in each epoch, and how many should there be?",
        ),
        fix="""
        torch.manual_seed(0)
        points = torch.linspace(-1, 1, 8).reshape(8, 1)
        targets = 3 * points
        data = torch.utils.data.TensorDataset(points, targets)
        loader = torch.utils.data.DataLoader(data, batch_size=4, shuffle=True)
        net = torch.nn.Linear(1, 1)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for epoch in range(200):
            for x, y in loader:
                optimizer.zero_grad()
                ((net(x) - y) ** 2).mean().backward()
                optimizer.step()
        print("near 3?", abs(net.weight.item() - 3) < 0.1)
        """,
        cured="abs(net.weight.item() - 3) < 0.1",
    ),
)
