"""The clinic's cases of lesson 19."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "19_weights_of_what",
        "backward() wants a vector, so I give it one. x has three entries, and so has the vector.",
        """
        A = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        x = torch.ones(3, requires_grad=True)
        y = A @ x
        y.backward(torch.ones(3))
        """,
        cause="the vector weighs the entries of y, and y has two",
        others={
            "A and x don't fit together": "They do. A has 3 columns, x has 3 entries, and the "
            "error is one line further down.",
            "the vector must be one-hot": "Any numbers will do, as long as there's one for each "
            "entry of y.",
        },
        because="In vᵀJ, v has one entry for each row of J, so one for each entry of y.",
        hints=(
            "The message names two shapes. Which tensor does each belong to?",
            "Print y.shape.",
        ),
        fix="""
        A = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        x = torch.ones(3, requires_grad=True)
        y = A @ x
        y.backward(torch.ones(2))
        """,
        cured="x.grad is not None and x.grad.tolist() == [5, 7, 9]",
    ),
    Case(
        "19_dtype",
        "I gave the weights more digits, to be on the safe side.",
        """
        x = torch.ones(3, 2)
        w = torch.ones(2, 1, dtype=torch.float64, requires_grad=True)
        loss = (x @ w).sum()
        loss.backward()
        """,
        cause="x is float32 and w is float64, and @ doesn't convert",
        others={
            "float64 can't require grad": "It can. Only integers can't, and the error is in the "
            "next line.",
            "the shapes don't fit": "[3, 2] @ [2, 1] fits. The message isn't about shapes.",
        },
        because="+ and * convert float32 to float64, but @ refuses. Use one dtype for the whole "
        "network.",
        hints=(
            "The message compares two things. What is a double?",
            "Print x.dtype and w.dtype.",
        ),
        fix="""
        x = torch.ones(3, 2)
        w = torch.ones(2, 1, requires_grad=True)
        loss = (x @ w).sum()
        loss.backward()
        """,
        cured="w.grad is not None and w.grad.tolist() == [[3], [3]] and w.dtype == x.dtype",
    ),
    Case(
        "19_unused",
        "I want the slopes of w and b. The message recommends allow_unused=True. Should I?",
        """
        w = torch.tensor(2.0, requires_grad=True)
        b = torch.tensor(1.0, requires_grad=True)
        loss = (w * 3 + 1) ** 2
        slopes = torch.autograd.grad(loss, [w, b])
        print(slopes)
        """,
        cause="b isn't in the formula: there's a 1 in its place",
        others={
            "allow_unused=True is missing": "It would run, and return None for b. And b would "
            "never learn.",
            "b doesn't require grad": "It does. But does anything that leads to the loss use it?",
        },
        because="The 1 has b's value, but it isn't b. The graph has no path from the loss to b.",
        hints=(
            "How many leaves does the picture show?",
            "Read line 3 symbol by symbol. Where is b?",
        ),
        fix="""
        w = torch.tensor(2.0, requires_grad=True)
        b = torch.tensor(1.0, requires_grad=True)
        loss = (w * 3 + b) ** 2
        slopes = torch.autograd.grad(loss, [w, b])
        print(slopes)
        """,
        cured="slopes[1] is not None and slopes[0].item() == 42 and slopes[1].item() == 14",
    ),
    Case(
        "19_scaled_start",
        "I start with small weights, and the optimizer refuses them.",
        """
        w = torch.ones(2, requires_grad=True) * 0.01
        optimizer = torch.optim.SGD([w], lr=0.1)
        """,
        cause="w is the result of a multiplication, so it isn't a leaf",
        others={
            "0.01 is too small": "The optimizer doesn't look at the values.",
            "[w] should be w": "It wants a list of tensors, and that's what it got.",
        },
        because="The leaf is the tensor of ones, which has no name. w was computed from it.",
        hints=("Print w.grad_fn.", "Scale first, then switch requires_grad on."),
        fix="""
        w = (torch.ones(2) * 0.01).requires_grad_()
        optimizer = torch.optim.SGD([w], lr=0.1)
        """,
        cured="w.is_leaf and w.requires_grad and abs(w[0].item() - 0.01) < 1e-6",
    ),
    Case(
        "19_another_w",
        "The first iteration works. In the second, the gradient is gone.",
        """
        w = torch.tensor(1.0, requires_grad=True)
        for step in range(2):
            loss = (w - 3) ** 2
            loss.backward()
            w = w - 0.1 * w.grad
        """,
        cause="w = w - … makes w a result, and a result keeps no gradient",
        others={
            "the gradient was cleared": "Which line clears it? There is none.",
            "the graph of the first iteration was freed": "It was. But the second iteration has a "
            "graph of its own.",
        },
        because="After the first iteration, w is the name of another tensor, and it isn't a leaf.",
        hints=(
            "What is w.is_leaf after the first iteration?",
            "Change the value of w in place, and leave the name where it is.",
        ),
        fix="""
        w = torch.tensor(1.0, requires_grad=True)
        for step in range(2):
            loss = (w - 3) ** 2
            loss.backward()
            with torch.no_grad():
                w -= 0.1 * w.grad
            w.grad = None
        """,
        cured="w.is_leaf and abs(w.item() - 1.72) < 1e-4",
    ),
    Case(
        "19_count_the_hits",
        "My loss is the share of wrong answers. That's what I want to be small.",
        """
        w = torch.tensor([1.0, -1.0], requires_grad=True)
        points = torch.tensor([[1.0, 2.0], [3.0, 1.0]])
        wrong = (points @ w < 0).float()
        wrong.mean().backward()
        """,
        cause="a comparison has no slope, so the graph ends at <",
        others={
            "float() cuts the graph": "The graph ended before that: what goes into float() has no "
            "grad_fn.",
            "points must require grad": "w does, and one input is enough.",
        },
        because="Nudge w a little, and the same answers stay wrong. There's no slope to follow.",
        hints=(
            "Which is the last result that has a grad_fn?",
            "You need a loss that changes smoothly. What could replace the comparison?",
        ),
        fix="""
        w = torch.tensor([1.0, -1.0], requires_grad=True)
        points = torch.tensor([[1.0, 2.0], [3.0, 1.0]])
        wrong = torch.sigmoid(-(points @ w))
        wrong.mean().backward()
        """,
        cured="w.grad is not None and w.grad.abs().sum().item() > 0",
    ),
    Case(
        "19_behind_its_back",
        "The slope of exp(x) at 0 is 1. I get 0, and no error.",
        """
        x = torch.zeros(1, requires_grad=True)
        y = x.exp()
        y.data.zero_()
        y.backward()
        print(x.grad)
        """,
        cause="the saved result was overwritten through .data, which doesn't raise its version",
        others={
            "exp wasn't recorded": "Print y: it has a grad_fn, ExpBackward0.",
            "zero_() cleared x.grad": "It wrote into y. What does exp need y for?",
        },
        because="exp saved its result. Without .data, backward() would have raised an error.",
        hints=("What does the node of exp save?", "Leave out the .data and run it again."),
        fix="""
        x = torch.zeros(1, requires_grad=True)
        y = x.exp()
        y.backward()
        print(x.grad)
        """,
        cured="x.grad is not None and x.grad.item() == 1",
    ),
    Case(
        "19_nan",
        "I take the root only where x is positive. The values are fine, the gradient is nan.",
        """
        x = torch.tensor([0.0, 4.0], requires_grad=True)
        y = torch.where(x > 0, x.sqrt(), x * 0)
        y.sum().backward()
        print(x.grad)
        """,
        cause="the root has slope inf at 0, and where() multiplies it by 0",
        others={
            "where() took the wrong branch": "Print y. It's [0, 2], so it took the right one.",
            "0 can't have a gradient": "It can. Replace the root by x * x, and you'll get 0.",
        },
        because="Both branches were computed, so both get a gradient. The one that wasn't chosen "
        "gets 0, and 0 times the slope inf is nan.",
        hints=(
            "What's the slope of the root just to the right of 0?",
            "Choose before you take the root, so that no root of 0 is ever taken.",
        ),
        fix="""
        x = torch.tensor([0.0, 4.0], requires_grad=True)
        safe = torch.where(x > 0, x, torch.ones_like(x))
        y = torch.where(x > 0, safe.sqrt(), x * 0)
        y.sum().backward()
        print(x.grad)
        """,
        cured="x.grad is not None and x.grad.tolist() == [0, 0.25]",
    ),
    Case(
        "19_column",
        "w = 2 fits my data exactly. Why isn't the loss 0?",
        """
        x = torch.tensor([[1.0], [2.0], [3.0]])
        target = torch.tensor([2.0, 4.0, 6.0])
        w = torch.tensor([[2.0]], requires_grad=True)
        loss = ((x @ w - target) ** 2).mean()
        print(round(loss.item(), 2))
        """,
        cause="[3, 1] minus [3] is [3, 3]: every prediction is compared with every target",
        others={
            "float32 isn't precise enough": "2, 4 and 6 are exact in float32.",
            "w needs a bias": "It fits without one. Print x @ w.",
        },
        because="Broadcasting stretched both shapes. Nine differences, and three of them are 0.",
        hints=(
            "Print the shape of x @ w - target.",
            "The targets need a second dimension, of size 1.",
        ),
        fix="""
        x = torch.tensor([[1.0], [2.0], [3.0]])
        target = torch.tensor([2.0, 4.0, 6.0]).unsqueeze(1)
        w = torch.tensor([[2.0]], requires_grad=True)
        loss = ((x @ w - target) ** 2).mean()
        print(round(loss.item(), 2))
        """,
        cured="loss.item() == 0",
    ),
    Case(
        "19_softmax_twice",
        "The net is all but certain, and it's right. The loss doesn't get below 0.55.",
        """
        logits = torch.tensor([[9.0, 0.0, 0.0]], requires_grad=True)
        shares = torch.softmax(logits, dim=1)
        loss = torch.nn.functional.cross_entropy(shares, torch.tensor([0]))
        print(round(loss.item(), 2))
        """,
        cause="cross_entropy takes the softmax itself, so here it's taken twice",
        others={
            "the label should be a float": "A label is an index, so it's an integer.",
            "softmax over the wrong dimension": "dim=1 goes over the three classes. Print shares: "
            "they add up to 1.",
        },
        because="To the second softmax, probabilities of 1, 0 and 0 are logits that hardly "
        "differ. And -log(e / (e + 2)) is 0.55.",
        hints=(
            "What does cross_entropy expect: logits or probabilities?",
            "Try it with the logits.",
        ),
        fix="""
        logits = torch.tensor([[9.0, 0.0, 0.0]], requires_grad=True)
        loss = torch.nn.functional.cross_entropy(logits, torch.tensor([0]))
        print(round(loss.item(), 2))
        """,
        cured="loss.item() < 0.01",
    ),
    Case(
        "19_stale",
        "I freeze the body, and the optimizer moves it to 0.8.",
        """
        body = torch.tensor(1.0, requires_grad=True)
        head = torch.tensor(1.0, requires_grad=True)
        optimizer = torch.optim.SGD([body, head], lr=0.1)
        (2 * body * head).backward()
        body.requires_grad_(False)
        optimizer.step()
        print(round(body.item(), 2))
        """,
        cause="body.grad is still there from before, and step() uses it",
        others={
            "requires_grad_(False) came too late": "From that line on, no gradient arrives. But "
            "what had arrived already?",
            "body must be taken out of the graph": "It's no longer recorded. The optimizer doesn't "
            "look at graphs.",
        },
        because="An optimizer moves whatever has a .grad. It doesn't check requires_grad.",
        hints=(
            "Print body.grad right before the step.",
            "Which value of .grad tells the optimizer to leave a tensor alone?",
        ),
        fix="""
        body = torch.tensor(1.0, requires_grad=True)
        head = torch.tensor(1.0, requires_grad=True)
        optimizer = torch.optim.SGD([body, head], lr=0.1)
        (2 * body * head).backward()
        body.requires_grad_(False)
        body.grad = None
        optimizer.step()
        print(round(body.item(), 2))
        """,
        cured="body.item() == 1 and abs(head.item() - 0.8) < 1e-6",
    ),
    Case(
        "19_two_bugs",
        "The data lie on a line with slope 2. After thirty steps I'm nowhere near it.",
        """
        x = torch.tensor([[1.0], [2.0], [3.0]])
        target = torch.tensor([2.0, 4.0, 6.0])
        w = torch.zeros(1, 1, requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=0.05)
        for step in range(30):
            loss = ((x @ w - target) ** 2).mean()
            loss.backward()
            optimizer.step()
        print(round(w.item(), 2))
        """,
        cause="two things: the gradients add up, and [3, 1] minus [3] is [3, 3]",
        others={
            "the gradients of all iterations add up": "They do. Clear them, and w settles at 1.71. "
            "What else?",
            "[3, 1] minus [3] is [3, 3]": "It is. Fix the shape, and w still swings around 2. What "
            "else?",
            "the learning rate is too large": "With 0.05 and a cleared gradient, each step goes "
            "about half of the way.",
        },
        because="Each of them hides the other: fix one, and the number is still off. A repair is "
        "done when the numbers are right.",
        hints=(
            "Print w and w.grad in each iteration, then the shape of x @ w - target.",
            "When you've fixed one, don't stop until w is 2.",
        ),
        fix="""
        x = torch.tensor([[1.0], [2.0], [3.0]])
        target = torch.tensor([2.0, 4.0, 6.0]).unsqueeze(1)
        w = torch.zeros(1, 1, requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=0.05)
        for step in range(30):
            optimizer.zero_grad()
            loss = ((x @ w - target) ** 2).mean()
            loss.backward()
            optimizer.step()
        print(round(w.item(), 2))
        """,
        cured="abs(w.item() - 2) < 0.01",
    ),
)
