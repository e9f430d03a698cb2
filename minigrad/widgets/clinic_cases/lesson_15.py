"""The clinic's cases of lesson 15."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "15_all_parameters",
        "The optimizer should have all parameters of the network.",
        """
        net = torch.nn.Linear(2, 1)
        optimizer = torch.optim.SGD(net.parameters, lr=0.1)
        net(torch.ones(4, 2)).mean().backward()
        optimizer.step()
        """,
        cause="parameters is a method, and it was not called",
        others={
            "the network has no parameters": "It has a weight and a bias.",
            "the input has the wrong shape": "4 rows of 2 fit a layer that takes 2.",
        },
        because="net.parameters is the method itself; net.parameters() gives the parameters.",
        hints=("What type does the error mention?", "Two characters are missing."),
        fix="""
        net = torch.nn.Linear(2, 1)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        net(torch.ones(4, 2)).mean().backward()
        optimizer.step()
        """,
        cured="len(optimizer.param_groups[0]['params']) == 2 and net.bias.grad is not None",
    ),
)
