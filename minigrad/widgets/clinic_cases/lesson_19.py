"""The clinic's cases of lesson 19."""

from minigrad.widgets.clinic_cases.case import Case

CASES = (
    Case(
        "19_step_by_hand",
        "I take one step down the slope, by hand.",
        """
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        (w * w).sum().backward()
        w -= 0.1 * w.grad
        """,
        cause="the step itself would be recorded, on a leaf that is changed in place",
        others={
            "w.grad is None": "It is there: print it.",
            "tensors have no -=": "They have: it works under no_grad().",
        },
        because="A graph begins at a leaf. Changed in place, w would be its own result.",
        hints=("Should the step be part of the graph?", "with torch.no_grad():"),
        fix="""
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        (w * w).sum().backward()
        with torch.no_grad():
            w -= 0.1 * w.grad
        """,
        cured="abs(w[1].item() - 1.6) < 1e-5 and w.is_leaf and w.requires_grad",
    ),
    Case(
        "19_another_w",
        "The first iteration works. In the second there is no gradient.",
        """
        w = torch.tensor(1.0, requires_grad=True)
        for turn in range(2):
            loss = (w - 3) ** 2
            loss.backward()
            w = w - 0.1 * w.grad
        """,
        cause="w = w - … makes w a result, and results keep no gradient",
        others={
            "the gradient was zeroed": "No line zeroes anything here.",
            "the graph of the first iteration was freed": "It was, but the second has its own.",
        },
        because="After the first iteration, w is the name of a new tensor, which is not a leaf.",
        hints=("What is w.is_leaf after the first iteration?", "Change the numbers, not the name."),
        fix="""
        w = torch.tensor(1.0, requires_grad=True)
        for turn in range(2):
            loss = (w - 3) ** 2
            loss.backward()
            with torch.no_grad():
                w -= 0.1 * w.grad
            w.grad = None
        """,
        cured="w.is_leaf and abs(w.item() - 1.72) < 1e-4",
    ),
    Case(
        "19_switched_off",
        "I don't need gradients on the input side of h, so I switch them off.",
        """
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        w = torch.tensor(3.0, requires_grad=True)
        h = x * 2
        h.requires_grad = False
        (h * w).sum().backward()
        """,
        cause="h is a result, and its requires_grad was decided when it was computed",
        others={
            "x must be switched off first": "It could be, but the error is about h.",
            "requires_grad cannot be set to False": "It can, for a leaf.",
        },
        because="You can set requires_grad only for leaves. For a result, use a detached tensor.",
        hints=("The end of the message says what to do.", "h = h.detach()"),
        fix="""
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        w = torch.tensor(3.0, requires_grad=True)
        h = (x * 2).detach()
        (h * w).sum().backward()
        """,
        cured="x.grad is None and w.grad is not None and w.grad.item() == 6",
    ),
    Case(
        "19_to_numpy",
        "I want to plot the prediction.",
        """
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        prediction = w * 3
        numbers = prediction.numpy()
        """,
        cause="numpy cannot record, so the tensor must be detached first",
        others={
            "numpy is not installed": "The error would name the module.",
            "prediction is not a leaf": "A leaf that requires grad raises the same error.",
        },
        because="What numpy does is not recorded. With detach() you say that you know.",
        hints=("The message says which call is missing.", "prediction.detach().numpy()"),
        fix="""
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        prediction = w * 3
        numbers = prediction.detach().numpy()
        """,
        cured="numbers.tolist() == [3, 6] and prediction.requires_grad",
    ),
    Case(
        "19_zero_what",
        "I zero the gradient in every iteration, as the books say.",
        """
        w = torch.tensor(1.0, requires_grad=True)
        for turn in range(2):
            w.grad.zero_()
            loss = (w - 3) ** 2
            loss.backward()
        """,
        cause="before the first backward() there is no gradient to zero",
        others={
            "zero_() is misspelled": "It is right: the underscore means in place.",
            "w is not a leaf": "It is one, and it stays one here.",
        },
        because="w.grad is None until something is stored in it, and None has no zero_().",
        hints=("In which iteration is the error raised?", "w.grad = None always works."),
        fix="""
        w = torch.tensor(1.0, requires_grad=True)
        for turn in range(2):
            w.grad = None
            loss = (w - 3) ** 2
            loss.backward()
        """,
        cured="w.grad is not None and w.grad.item() == -4",
    ),
    Case(
        "19_weights_of_what",
        "backward() wants a vector, so here is one for x.",
        """
        A = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        x = torch.ones(3, requires_grad=True)
        y = A @ x
        y.backward(torch.ones(3))
        """,
        cause="v weighs the entries of y, and y has two",
        others={
            "A and x do not fit": "They do: A has 3 columns, and x has 3 entries.",
            "v must be one-hot": "Any numbers work, if there is one for each entry of y.",
        },
        because="In vᵀJ, v has one entry for each row of J, so for each entry of y.",
        hints=("Which two shapes does the message name?", "Print y.shape."),
        fix="""
        A = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        x = torch.ones(3, requires_grad=True)
        y = A @ x
        y.backward(torch.ones(2))
        """,
        cured="x.grad is not None and x.grad.tolist() == [5, 7, 9]",
    ),
    Case(
        "19_keep_what",
        "I want to keep the gradient of the data.",
        """
        data = torch.tensor([1.0, 2.0])
        w = torch.tensor(3.0, requires_grad=True)
        data.retain_grad()
        (data * w).sum().backward()
        """,
        cause="data does not require grad, so there is no gradient to keep",
        others={
            "retain_grad() must come after backward()": "Then it would be too late.",
            "retain_graph was meant": "That keeps saved values for a second backward pass.",
        },
        because="retain_grad() is for results that get a gradient, and data gets none.",
        hints=("What is data.requires_grad?", "A leaf that requires grad always keeps it."),
        fix="""
        data = torch.tensor([1.0, 2.0], requires_grad=True)
        w = torch.tensor(3.0, requires_grad=True)
        (data * w).sum().backward()
        """,
        cured="data.grad is not None and data.grad.tolist() == [3, 3]",
    ),
    Case(
        "19_scaled_start",
        "I make the first weights small.",
        """
        w = torch.ones(2, requires_grad=True) * 0.01
        optimizer = torch.optim.SGD([w], lr=0.1)
        """,
        cause="w is the result of a multiplication, so it is not a leaf",
        others={
            "0.01 is too small": "The optimizer doesn't look at the numbers.",
            "[w] should be w": "SGD needs a list of tensors.",
        },
        because="The leaf is the tensor of ones, which has no name. w was computed from it.",
        hints=("What is w.grad_fn?", "Scale first, and require grad afterward."),
        fix="""
        w = (torch.ones(2) * 0.01).requires_grad_()
        optimizer = torch.optim.SGD([w], lr=0.1)
        """,
        cured="w.is_leaf and w.requires_grad and abs(w[0].item() - 0.01) < 1e-6",
    ),
    Case(
        "19_count_the_hits",
        "The loss is the share of wrong answers.",
        """
        w = torch.tensor([1.0, -1.0], requires_grad=True)
        points = torch.tensor([[1.0, 2.0], [3.0, 1.0]])
        wrong = (points @ w < 0).float()
        wrong.mean().backward()
        """,
        cause="a comparison has no slope, so the graph ends at <",
        others={
            "float() cuts the graph": "The graph ended earlier: its input already has no grad_fn.",
            "points must require grad": "w does, and that is enough.",
        },
        because="If you nudge w a little, the answers stay the same. So there is no slope.",
        hints=("Which is the last result with a grad_fn?", "Use a loss that changes smoothly."),
        fix="""
        w = torch.tensor([1.0, -1.0], requires_grad=True)
        points = torch.tensor([[1.0, 2.0], [3.0, 1.0]])
        wrong = torch.sigmoid(-(points @ w))
        wrong.mean().backward()
        """,
        cured="w.grad is not None and w.grad.abs().sum().item() > 0",
    ),
    Case(
        "19_overshooting",
        "The steps are small, but the weight still runs past 3 and back again.",
        """
        w = torch.tensor(0.0, requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=0.1)
        for turn in range(12):
            loss = (w - 3) ** 2
            loss.backward()
            optimizer.step()
        print(round(w.item(), 2))
        """,
        cause="the gradients of all iterations add up, because none is cleared",
        others={
            "the learning rate is far too large": "With 0.1, a step goes a fifth of the way.",
            "the loss should be summed": "It already is a single number.",
        },
        because="Each step goes along the sum of all slopes so far, like a ball gaining speed.",
        hints=("Print w.grad in each iteration.", "Which line of the loop is missing?"),
        fix="""
        w = torch.tensor(0.0, requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=0.1)
        for turn in range(12):
            optimizer.zero_grad()
            loss = (w - 3) ** 2
            loss.backward()
            optimizer.step()
        print(round(w.item(), 2))
        """,
        cured="abs(w.item() - 3) < 0.5",
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
        cause="the saved result was overwritten through .data, which no version counts",
        others={
            "exp was not recorded": "y has a grad_fn: ExpBackward0.",
            "zero_() zeroed x.grad": "It zeroed y, which exp had saved.",
        },
        because="exp saved its result, y. Without .data, backward() would notice the zero_().",
        hints=("What does ExpBackward0 keep?", "What happens without .data?"),
        fix="""
        x = torch.zeros(1, requires_grad=True)
        y = x.exp()
        y.backward()
        print(x.grad)
        """,
        cured="x.grad is not None and x.grad.item() == 1",
    ),
    Case(
        "19_set_one_entry",
        "Only the first weight should begin at 3.",
        """
        w = torch.zeros(2, requires_grad=True)
        w[0] = 3.0
        (w * w).sum().backward()
        """,
        cause="w[0] = … writes into a leaf through a view of it",
        others={
            "w[0] does not exist": "w has two entries, 0 and 1.",
            "3.0 should be a tensor": "A number works, too.",
        },
        because="A graph begins at a leaf. Set its numbers before, or under no_grad().",
        hints=("Could you set the numbers before w requires grad?", "requires_grad_()"),
        fix="""
        w = torch.zeros(2)
        w[0] = 3.0
        w.requires_grad_()
        (w * w).sum().backward()
        """,
        cured="w.is_leaf and w.grad is not None and w.grad.tolist() == [6, 0]",
    ),
)
