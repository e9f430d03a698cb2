"""The clinic's cases: one for each lesson to the twelfth, and twelve mixed ones for the last.

One declaration a case. Errors and pictures are not written here: they come of running the source.
"""

from minigrad.widgets.clinic_case import case

CASES = (
    case(
        "00_nothing_asked",
        "I want the slope of x² at 3.",
        """
        x = torch.tensor(3.0)
        y = x * x
        y.backward()
        """,
        cause="x was never asked to be recorded",
        others={
            "x * x cannot be differentiated": "It can: its slope is 2x.",
            "y is no scalar": "y is a single number; the shape is not what is refused.",
        },
        because="Nothing here requires grad, so y has no grad_fn: there is no graph to walk.",
        hints=(
            "Look at the picture: what is missing behind y?",
            "Print x.requires_grad. What would have to be said when x is made?",
        ),
        fix="""
        x = torch.tensor(3.0, requires_grad=True)
        y = x * x
        y.backward()
        """,
        cured="x.grad is not None and x.grad.item() == 6",
    ),
    case(
        "01_whole_numbers",
        "x counts apples, so I made it a whole number.",
        """
        x = torch.tensor(2, requires_grad=True)
        y = x * x
        y.backward()
        """,
        cause="x holds integers, and a nudge of an integer is not small",
        others={
            "backward() needs a vector here": "It never gets there: the first line is refused.",
            "2 is too small a number": "Any number will do, if it can be nudged a little.",
        },
        because="A derivative asks what a tiny nudge does. Between 2 and 3 there is no integer.",
        hints=(
            "In which line is the error raised?",
            "What does x.dtype say without requires_grad?",
        ),
        fix="""
        x = torch.tensor(2.0, requires_grad=True)
        y = x * x
        y.backward()
        """,
        cured="x.grad is not None and x.grad.item() == 4",
    ),
    case(
        "02_number_in_between",
        "I only took the number out and put it in again.",
        """
        x = torch.tensor(2.0, requires_grad=True)
        number = (x * 3).item()
        y = torch.tensor(number) * 5
        y.backward()
        """,
        cause=".item() gives a Python number, and the record ends there",
        others={
            "x does not require grad": "It does: read its line again.",
            "y was computed twice": "It was computed once; what it was computed from is the point.",
        },
        because="A float has no grad_fn. torch.tensor(number) is a new leaf without a past.",
        hints=(
            "Which of the three names has a grad_fn?",
            "The tensor x * 3 would have one. Where is it lost?",
        ),
        fix="""
        x = torch.tensor(2.0, requires_grad=True)
        y = x * 3 * 5
        y.backward()
        """,
        cured="x.grad is not None and x.grad.item() == 15",
    ),
    case(
        "03_once_more",
        "I called backward() again, to be sure.",
        """
        x = torch.ones(3, requires_grad=True)
        loss = (x * x).sum()
        loss.backward()
        loss.backward()
        """,
        cause="the first backward() freed what x * x had saved",
        others={
            "backward() can never be called twice": "With (x + 2).sum() it can: nothing is saved.",
            "x.grad must be zeroed before": "Then the numbers would change, not the error.",
        },
        because="x * x keeps its factors for one walk. The second walk finds them gone.",
        hints=(
            "What does the picture say of the factors that MulBackward0 kept?",
            "Either say that they are still needed, or compute the loss anew.",
        ),
        fix="""
        x = torch.ones(3, requires_grad=True)
        loss = (x * x).sum()
        loss.backward(retain_graph=True)
        loss.backward()
        """,
        cured="x.grad is not None and x.grad.tolist() in ([4, 4, 4], [2, 2, 2])",
    ),
    case(
        "04_too_large",
        "The slope of 3w is 3, and the second loss is only that. Why 5?",
        """
        w = torch.tensor(1.0, requires_grad=True)
        (2 * w).backward()
        print(w.grad)
        (3 * w).backward()
        print(w.grad)
        """,
        cause="w.grad still held the first gradient, and the second was added",
        others={
            "the two losses share a graph": "They share a leaf; each has a graph of its own.",
            "backward() multiplied the gradients": "2 × 3 would be 6.",
        },
        because="backward() adds to .grad: 2 + 3 = 5. Emptying it is our business.",
        hints=("What is 5 made of?", "What should happen to w.grad between the two?"),
        fix="""
        w = torch.tensor(1.0, requires_grad=True)
        (2 * w).backward()
        w.grad = None
        (3 * w).backward()
        print(w.grad)
        """,
        cured="w.grad is not None and w.grad.item() == 3",
    ),
    case(
        "05_paths_lost",
        "I walk the graph of b = a + a, c = b + b by hand. The slope should be 4.",
        """
        edges = [("b", "c"), ("b", "c"), ("a", "b"), ("a", "b")]
        grad = {"a": 0.0, "b": 0.0, "c": 1.0}
        for source, result in edges:
            grad[source] = grad[result]
        print(grad["a"])
        """,
        cause="= forgets what came along the other path",
        others={
            "the order of the edges is wrong": "b is done before a: the order is right.",
            "the walk should begin with 0": "It begins with dc/dc, which is 1.",
        },
        because="Two arrows leave a, so two gradients come back to it: they are added.",
        hints=("How often is grad['b'] written to?", "What does one character before = change?"),
        fix="""
        edges = [("b", "c"), ("b", "c"), ("a", "b"), ("a", "b")]
        grad = {"a": 0.0, "b": 0.0, "c": 1.0}
        for source, result in edges:
            grad[source] += grad[result]
        print(grad["a"])
        """,
        cured="grad['a'] == 4",
    ),
    case(
        "06_which_slope",
        "I want to know how y depends on x.",
        """
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        y = x * x
        y.backward()
        """,
        cause="y has two entries, and nobody said how to weigh them",
        others={
            "x has two entries": "A leaf may have any shape; it is y that backward() starts from.",
            "x * x saved nothing": "It saved both factors; the walk does not even begin.",
        },
        because="Backward computes vᵀJ. For a scalar v is 1; for a vector it must be given.",
        hints=("What is y.shape?", "Sum y, or hand backward() one weight for each entry."),
        fix="""
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        y = x * x
        y.backward(torch.ones(2))
        """,
        cured="x.grad is not None and x.grad.tolist() == [2, 4]",
    ),
    case(
        "07_not_kept",
        "The gradient of h must have passed. Where is it?",
        """
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        h = x * 3
        loss = (h * h).sum()
        loss.backward()
        print(h.grad * 2)
        """,
        cause="h is no leaf, and nobody asked it to keep its gradient",
        others={
            "the gradient of h is zero": "Then a tensor of zeros would be there, not None.",
            "h was freed by backward()": "h is still here; only what its nodes saved was freed.",
        },
        because="Gradients pass through results and are forgotten; retain_grad() keeps one.",
        hints=("What is h.is_leaf?", "h.retain_grad() must come before backward()."),
        fix="""
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        h = x * 3
        h.retain_grad()
        loss = (h * h).sum()
        loss.backward()
        print(h.grad * 2)
        """,
        cured="h.grad is not None and h.grad.tolist() == [6, 12]",
    ),
    case(
        "08_written_over",
        "I add 1 without wasting memory.",
        """
        x = torch.tensor([0.0, 1.0], requires_grad=True)
        y = x.exp()
        y += 1
        y.sum().backward()
        """,
        cause="exp saved its result, and += wrote over it",
        others={
            "in-place operations are never allowed": "After 10 * x it would have worked.",
            "x is a leaf and was changed": "x was not touched; y was.",
        },
        because="The slope of exp is its own result. The version tells that it is another now.",
        hints=("What does ExpBackward0 keep?", "y = y + 1 makes a new tensor."),
        fix="""
        x = torch.tensor([0.0, 1.0], requires_grad=True)
        y = x.exp()
        y = y + 1
        y.sum().backward()
        """,
        cured="x.grad is not None and abs(x.grad[1].item() - 2.718) < 0.01",
    ),
    case(
        "09_a_copy",
        "I keep the first weights, to compare with them later. They change.",
        """
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        first = w.detach()
        with torch.no_grad():
            w -= 0.5
        print(first)
        """,
        cause="detach() does not copy: first and w share their memory",
        others={
            "no_grad() was forgotten": "It is there; and it is not about memory.",
            "detach() makes first a leaf that is trained": "first is a leaf, but nobody trains it.",
        },
        because="detach() gives a second view of the same numbers, without a graph.",
        hints=("Who else sees it when a number of w is written?", "clone() copies."),
        fix="""
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        first = w.detach().clone()
        with torch.no_grad():
            w -= 0.5
        print(first)
        """,
        cured="first.tolist() == [1, 2] and w.tolist() == [0.5, 1.5]",
    ),
    case(
        "10_one_weight",
        "There is only one weight, so I hand it over.",
        """
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        optimizer = torch.optim.SGD(w, lr=0.1)
        (w * w).sum().backward()
        optimizer.step()
        """,
        cause="the optimizer wants a list of tensors, and got one tensor",
        others={
            "w is no leaf": "It is: it was made here, and asked for a gradient.",
            "backward() must come before the optimizer": "The optimizer may be made at any time.",
        },
        because="A tensor can be iterated too, entry by entry; so it is refused by name.",
        hints=("What stands between the parentheses of SGD?", "Put [ ] around w."),
        fix="""
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=0.1)
        (w * w).sum().backward()
        optimizer.step()
        """,
        cured="abs(w[1].item() - 1.6) < 1e-5",
    ),
    case(
        "11_one_gradient_each",
        "My own multiplication works forward.",
        """
        class Multiply(torch.autograd.Function):
            @staticmethod
            def forward(ctx, a, b):
                ctx.save_for_backward(a, b)
                return a * b

            @staticmethod
            def backward(ctx, grad):
                a, b = ctx.saved_tensors
                return grad * b


        x = torch.tensor(2.0, requires_grad=True)
        y = Multiply.apply(x, torch.tensor(3.0))
        y.backward()
        """,
        cause="backward returns one gradient, but forward took two inputs",
        others={
            "save_for_backward saved too much": "It may save what it likes.",
            "3.0 does not require grad": "It need not; but its place must be filled, with None.",
        },
        because="backward answers for each input in turn: a gradient, or None.",
        hints=("How many inputs has forward, ctx aside?", "return a pair."),
        fix="""
        class Multiply(torch.autograd.Function):
            @staticmethod
            def forward(ctx, a, b):
                ctx.save_for_backward(a, b)
                return a * b

            @staticmethod
            def backward(ctx, grad):
                a, b = ctx.saved_tensors
                return grad * b, grad * a


        x = torch.tensor(2.0, requires_grad=True)
        y = Multiply.apply(x, torch.tensor(3.0))
        y.backward()
        """,
        cured="x.grad is not None and x.grad.item() == 3",
    ),
    case(
        "12_all_parameters",
        "The optimizer shall have all parameters of the network.",
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
        hints=("What kind of thing does the error speak of?", "Two characters are missing."),
        fix="""
        net = torch.nn.Linear(2, 1)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        net(torch.ones(4, 2)).mean().backward()
        optimizer.step()
        """,
        cured="len(optimizer.param_groups[0]['params']) == 2 and net.bias.grad is not None",
    ),
    case(
        "13_step_by_hand",
        "One step down the slope, by hand.",
        """
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        (w * w).sum().backward()
        w -= 0.1 * w.grad
        """,
        cause="the step itself would be recorded, on a leaf that is changed in place",
        others={
            "w.grad is None": "It is there: print it.",
            "-= is no operation of tensors": "It is; under no_grad() it works.",
        },
        because="A leaf is where a graph begins: changed in place, it would be its own result.",
        hints=("Should the step be part of the graph?", "with torch.no_grad():"),
        fix="""
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        (w * w).sum().backward()
        with torch.no_grad():
            w -= 0.1 * w.grad
        """,
        cured="abs(w[1].item() - 1.6) < 1e-5 and w.is_leaf and w.requires_grad",
    ),
    case(
        "13_another_w",
        "The first turn works. In the second there is no gradient.",
        """
        w = torch.tensor(1.0, requires_grad=True)
        for turn in range(2):
            loss = (w - 3) ** 2
            loss.backward()
            w = w - 0.1 * w.grad
        """,
        cause="w = w - … makes w a result, and results keep no gradient",
        others={
            "the gradient was zeroed": "Nobody zeroes anything here.",
            "the graph of the first turn was freed": "It was, and the second has one of its own.",
        },
        because="After the first turn the name w stands for a new tensor that is no leaf.",
        hints=("What is w.is_leaf after the first turn?", "Change the numbers, not the name."),
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
    case(
        "13_switched_off",
        "I do not need gradients behind h, so I switch them off.",
        """
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        w = torch.tensor(3.0, requires_grad=True)
        h = x * 2
        h.requires_grad = False
        (h * w).sum().backward()
        """,
        cause="h is a result: what it records was settled when it was made",
        others={
            "x must be switched off before": "It could be; the error is about h.",
            "requires_grad cannot be set to False": "For a leaf it can.",
        },
        because="Only a leaf chooses. From a result one goes on with a detached tensor.",
        hints=("Read the end of the message: it says what to do.", "h = h.detach()"),
        fix="""
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        w = torch.tensor(3.0, requires_grad=True)
        h = (x * 2).detach()
        (h * w).sum().backward()
        """,
        cured="x.grad is None and w.grad is not None and w.grad.item() == 6",
    ),
    case(
        "13_to_numpy",
        "I want to plot the prediction.",
        """
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        prediction = w * 3
        numbers = prediction.numpy()
        """,
        cause="numpy knows no graph, so the tensor must leave it first",
        others={
            "numpy is not installed": "The error would name the module.",
            "prediction is no leaf": "A leaf that requires grad is refused just so.",
        },
        because="What numpy does is not recorded. detach() says that you know.",
        hints=("The message says which call is missing.", "prediction.detach().numpy()"),
        fix="""
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        prediction = w * 3
        numbers = prediction.detach().numpy()
        """,
        cured="numbers.tolist() == [3, 6] and prediction.requires_grad",
    ),
    case(
        "13_zero_what",
        "I zero the gradient in every turn, as I was told.",
        """
        w = torch.tensor(1.0, requires_grad=True)
        for turn in range(2):
            w.grad.zero_()
            loss = (w - 3) ** 2
            loss.backward()
        """,
        cause="before the first backward() there is no gradient to zero",
        others={
            "zero_() is misspelt": "The underscore says: in place. It is right.",
            "w is no leaf": "It is one, and stays one here.",
        },
        because="w.grad is None until something is stored in it, and None has no zero_().",
        hints=("In which turn is the error raised?", "w.grad = None needs no tensor there."),
        fix="""
        w = torch.tensor(1.0, requires_grad=True)
        for turn in range(2):
            w.grad = None
            loss = (w - 3) ** 2
            loss.backward()
        """,
        cured="w.grad is not None and w.grad.item() == -4",
    ),
    case(
        "13_weights_of_what",
        "backward() wants a vector, so here is one for x.",
        """
        A = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        x = torch.ones(3, requires_grad=True)
        y = A @ x
        y.backward(torch.ones(3))
        """,
        cause="v weighs the entries of y, and y has two",
        others={
            "A and x do not fit": "A @ x is computed: 2 rows of 3 take 3 numbers.",
            "v must be one-hot": "Any numbers will do, if there are as many as y has.",
        },
        because="vᵀJ: v has an entry for each row of J, that is, of y; the result has x's shape.",
        hints=("Which two shapes does the message name?", "Print y.shape."),
        fix="""
        A = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
        x = torch.ones(3, requires_grad=True)
        y = A @ x
        y.backward(torch.ones(2))
        """,
        cured="x.grad is not None and x.grad.tolist() == [5, 7, 9]",
    ),
    case(
        "13_keep_what",
        "I want to keep the gradient of the data.",
        """
        data = torch.tensor([1.0, 2.0])
        w = torch.tensor(3.0, requires_grad=True)
        data.retain_grad()
        (data * w).sum().backward()
        """,
        cause="data asks for no gradient, so there is none to keep",
        others={
            "retain_grad() must come after backward()": "Then it would be too late.",
            "retain_graph was meant": "That keeps saved values for a second walk.",
        },
        because="retain_grad() is for results that gradients pass through; none reaches data.",
        hints=("What is data.requires_grad?", "A leaf that asks keeps its gradient anyway."),
        fix="""
        data = torch.tensor([1.0, 2.0], requires_grad=True)
        w = torch.tensor(3.0, requires_grad=True)
        (data * w).sum().backward()
        """,
        cured="data.grad is not None and data.grad.tolist() == [3, 3]",
    ),
    case(
        "13_scaled_start",
        "I make the first weights small.",
        """
        w = torch.ones(2, requires_grad=True) * 0.01
        optimizer = torch.optim.SGD([w], lr=0.1)
        """,
        cause="w is the result of a multiplication, no leaf",
        others={
            "0.01 is too small": "The optimizer does not look at the numbers.",
            "[w] should be w": "A list of tensors is what it wants.",
        },
        because="The leaf is the tensor of ones, which has no name; w came of it.",
        hints=("What is w.grad_fn?", "Scale first, and ask for a gradient afterwards."),
        fix="""
        w = (torch.ones(2) * 0.01).requires_grad_()
        optimizer = torch.optim.SGD([w], lr=0.1)
        """,
        cured="w.is_leaf and w.requires_grad and abs(w[0].item() - 0.01) < 1e-6",
    ),
    case(
        "13_count_the_hits",
        "The loss is the share of wrong answers.",
        """
        w = torch.tensor([1.0, -1.0], requires_grad=True)
        points = torch.tensor([[1.0, 2.0], [3.0, 1.0]])
        wrong = (points @ w < 0).float()
        wrong.mean().backward()
        """,
        cause="a comparison has no slope, so the graph ends at <",
        others={
            "float() cuts the graph": "It would record; there is nothing left to record.",
            "points must require grad": "w does, and that is enough.",
        },
        because="Nudge w a little: the answers stay as they are. There is no gradient to give.",
        hints=("Which is the last result with a grad_fn?", "Use a loss that changes smoothly."),
        fix="""
        w = torch.tensor([1.0, -1.0], requires_grad=True)
        points = torch.tensor([[1.0, 2.0], [3.0, 1.0]])
        wrong = torch.sigmoid(-(points @ w))
        wrong.mean().backward()
        """,
        cured="w.grad is not None and w.grad.abs().sum().item() > 0",
    ),
    case(
        "13_overshooting",
        "The steps are small. Still the weight runs past 3 and back again.",
        """
        w = torch.tensor(0.0, requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=0.1)
        for turn in range(12):
            loss = (w - 3) ** 2
            loss.backward()
            optimizer.step()
        print(round(w.item(), 2))
        """,
        cause="the gradients of all turns are added: none is ever cleared",
        others={
            "the learning rate is far too large": "With 0.1 each step would go a fifth of the way.",
            "the loss should be summed": "It is a single number already.",
        },
        because="Each step goes along the sum of all slopes so far, as a ball gathers speed.",
        hints=("Print w.grad in each turn.", "Which line of the loop is missing?"),
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
    case(
        "13_behind_its_back",
        "The slope of exp(x) at 0 is 1. I get 0, and no error.",
        """
        x = torch.zeros(1, requires_grad=True)
        y = x.exp()
        y.data.zero_()
        y.backward()
        print(x.grad)
        """,
        cause="through .data the saved result was overwritten, and no version counted it",
        others={
            "exp was not recorded": "y has a grad_fn: ExpBackward0.",
            "zero_() zeroed x.grad": "It zeroed y, and that is bad enough.",
        },
        because="exp saved its result, y. Without .data, zero_() would have been noticed.",
        hints=("What does ExpBackward0 keep?", "What happens without .data?"),
        fix="""
        x = torch.zeros(1, requires_grad=True)
        y = x.exp()
        y.backward()
        print(x.grad)
        """,
        cured="x.grad is not None and x.grad.item() == 1",
    ),
    case(
        "13_set_one_entry",
        "Only the first weight shall begin at 3.",
        """
        w = torch.zeros(2, requires_grad=True)
        w[0] = 3.0
        (w * w).sum().backward()
        """,
        cause="w[0] = … writes into a leaf through a view of it",
        others={
            "w[0] does not exist": "w has two entries, 0 and 1.",
            "3.0 should be a tensor": "A number will do.",
        },
        because="A leaf is where a graph begins; its numbers are set before, or unrecorded.",
        hints=("Could the numbers be set before anybody asks for a gradient?", "requires_grad_()"),
        fix="""
        w = torch.zeros(2)
        w[0] = 3.0
        w.requires_grad_()
        (w * w).sum().backward()
        """,
        cured="w.is_leaf and w.grad is not None and w.grad.tolist() == [6, 0]",
    ),
)
