"""The clinic's cases: one for each lesson from 0 to 12, and twelve mixed ones for the last.

Each case is one declaration. Errors and pictures come from running the source.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import dedent


@dataclass(frozen=True)
class Case:
    """A few lines that fail, or that print something wrong.

    id: the lesson's two digits and a name. complaint: what the author of the lines says.
    cause: the right diagnosis; others: wrong ones, each with a counterargument.
    because: why the cause is right. hints: from vague to almost the answer.
    fix: one way to write it; cured: an expression that is true for a cure.
    """

    id: str
    complaint: str
    source: str
    cause: str
    others: Mapping[str, str]
    because: str
    hints: tuple[str, ...]
    fix: str
    cured: str

    def __post_init__(self) -> None:
        for name in ("source", "fix"):  # they are indented below
            object.__setattr__(self, name, dedent(getattr(self, name)).strip())

    @property
    def lesson(self) -> int:
        return int(self.id[:2])


CASES = (
    Case(
        "00_nothing_asked",
        "I want the slope of x² at 3.",
        """
        x = torch.tensor(3.0)
        y = x * x
        y.backward()
        """,
        cause="x does not require grad",
        others={
            "x * x has no slope": "It has: 2x.",
            "y is not a scalar": "y is a single number, so its shape is fine.",
        },
        because="Nothing here requires grad, so y has no grad_fn and there is no graph.",
        hints=(
            "Look at the picture: what is missing beside y?",
            "Print x.requires_grad. Which argument is missing where x is made?",
        ),
        fix="""
        x = torch.tensor(3.0, requires_grad=True)
        y = x * x
        y.backward()
        """,
        cured="x.grad is not None and x.grad.item() == 6",
    ),
    Case(
        "01_whole_numbers",
        "x counts apples, so I made it a whole number.",
        """
        x = torch.tensor(2, requires_grad=True)
        y = x * x
        y.backward()
        """,
        cause="x holds integers, and a nudge of an integer is not small",
        others={
            "backward() needs a vector here": "The error comes earlier, in the first line.",
            "2 is too small a number": "Any number works if you can nudge it a little.",
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
    Case(
        "02_number_in_between",
        "I only took the number out and put it back in.",
        """
        x = torch.tensor(2.0, requires_grad=True)
        number = (x * 3).item()
        y = torch.tensor(number) * 5
        y.backward()
        """,
        cause=".item() gives a Python number, and the graph ends there",
        others={
            "x does not require grad": "It does: read its line again.",
            "y was computed twice": "It was computed once. Look at what it was computed from.",
        },
        because="A float has no grad_fn. torch.tensor(number) is a new leaf without a history.",
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
    Case(
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
            "x.grad must be zeroed first": "That would change the numbers, but not the error.",
        },
        because="x * x keeps its factors for one backward pass. The second pass finds them freed.",
        hints=(
            "What does the picture say about the factors that MulBackward0 kept?",
            "Either keep them with retain_graph=True, or compute the loss again.",
        ),
        fix="""
        x = torch.ones(3, requires_grad=True)
        loss = (x * x).sum()
        loss.backward(retain_graph=True)
        loss.backward()
        """,
        cured="x.grad is not None and x.grad.tolist() in ([4, 4, 4], [2, 2, 2])",
    ),
    Case(
        "04_too_large",
        "The second loss is 3w, and its slope is 3. Why 5?",
        """
        w = torch.tensor(1.0, requires_grad=True)
        (2 * w).backward()
        print(w.grad)
        (3 * w).backward()
        print(w.grad)
        """,
        cause="w.grad still held the first gradient, and the second was added",
        others={
            "the two losses share a graph": "They share a leaf, but each has its own graph.",
            "backward() multiplied the gradients": "2 × 3 would be 6.",
        },
        because="backward() adds to .grad: 2 + 3 = 5. Clearing it is up to you.",
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
    Case(
        "05_paths_lost",
        "I walk the graph of b = a + a, c = b + b by hand. The slope should be 4.",
        """
        edges = [("b", "c"), ("b", "c"), ("a", "b"), ("a", "b")]
        grad = {"a": 0.0, "b": 0.0, "c": 1.0}
        for source, result in edges:
            grad[source] = grad[result]
        print(grad["a"])
        """,
        cause="= forgets the gradient of the other path",
        others={
            "the order of the edges is wrong": "b comes before a, so the order is right.",
            "the pass should begin with 0": "It begins with dc/dc, which is 1.",
        },
        because="Two paths leave a, so two gradients come back to it, and they add up.",
        hints=("How often is grad['b'] written to?", "Which character before = would add?"),
        fix="""
        edges = [("b", "c"), ("b", "c"), ("a", "b"), ("a", "b")]
        grad = {"a": 0.0, "b": 0.0, "c": 1.0}
        for source, result in edges:
            grad[source] += grad[result]
        print(grad["a"])
        """,
        cured="grad['a'] == 4",
    ),
    Case(
        "06_which_slope",
        "I want to know how y depends on x.",
        """
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        y = x * x
        y.backward()
        """,
        cause="y has two entries, and backward() does not know how to weigh them",
        others={
            "x has two entries": "A leaf may have any shape; it is y that backward() starts from.",
            "x * x saved nothing": "It saved both factors. They weren't needed yet.",
        },
        because="Backward computes vᵀJ. For a scalar, v is 1; for a vector, you have to give it.",
        hints=("What is y.shape?", "Sum y, or give backward() one weight for each entry."),
        fix="""
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        y = x * x
        y.backward(torch.ones(2))
        """,
        cured="x.grad is not None and x.grad.tolist() == [2, 4]",
    ),
    Case(
        "07_not_kept",
        "backward() must have computed the gradient of h. Where is it?",
        """
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        h = x * 3
        loss = (h * h).sum()
        loss.backward()
        print(h.grad * 2)
        """,
        cause="h is not a leaf, and it was not told to keep its gradient",
        others={
            "the gradient of h is zero": "Then h.grad would be a tensor of zeros, not None.",
            "h was freed by backward()": "h still exists. Only saved values were freed.",
        },
        because="Gradients of results are not kept, unless you call retain_grad().",
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
    Case(
        "08_written_over",
        "I add 1 without using more memory.",
        """
        x = torch.tensor([0.0, 1.0], requires_grad=True)
        y = x.exp()
        y += 1
        y.sum().backward()
        """,
        cause="exp saved its result, and += overwrote it",
        others={
            "in-place operations are never allowed": "After 10 * x it would have worked.",
            "x is a leaf and was changed": "y was changed, not x.",
        },
        because="The slope of exp is its own result, and the version shows that this has changed.",
        hints=("What does ExpBackward0 keep?", "y = y + 1 makes a new tensor."),
        fix="""
        x = torch.tensor([0.0, 1.0], requires_grad=True)
        y = x.exp()
        y = y + 1
        y.sum().backward()
        """,
        cured="x.grad is not None and abs(x.grad[1].item() - 2.718) < 0.01",
    ),
    Case(
        "09_a_copy",
        "I keep the first weights to compare with them later, but they change.",
        """
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        first = w.detach()
        with torch.no_grad():
            w -= 0.5
        print(first)
        """,
        cause="detach() does not copy: first and w share their memory",
        others={
            "no_grad() was forgotten": "It is there, and it has nothing to do with memory.",
            "detach() makes first a leaf that is trained": "first is a leaf, but isn't trained.",
        },
        because="detach() gives a view of the same numbers, without a graph.",
        hints=("Which other tensor changes when you write to w?", "clone() copies."),
        fix="""
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        first = w.detach().clone()
        with torch.no_grad():
            w -= 0.5
        print(first)
        """,
        cured="first.tolist() == [1, 2] and w.tolist() == [0.5, 1.5]",
    ),
    Case(
        "10_one_weight",
        "There is only one weight, so I pass it to the optimizer.",
        """
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        optimizer = torch.optim.SGD(w, lr=0.1)
        (w * w).sum().backward()
        optimizer.step()
        """,
        cause="the optimizer wants a list of tensors, and got one tensor",
        others={
            "w is not a leaf": "It is: it was made here, with requires_grad=True.",
            "backward() must come before the optimizer": "You can make the optimizer at any time.",
        },
        because="A tensor can be iterated over, too, entry by entry, so SGD refuses it explicitly.",
        hints=("What is the first argument of SGD?", "Put [ ] around w."),
        fix="""
        w = torch.tensor([1.0, 2.0], requires_grad=True)
        optimizer = torch.optim.SGD([w], lr=0.1)
        (w * w).sum().backward()
        optimizer.step()
        """,
        cured="abs(w[1].item() - 1.6) < 1e-5",
    ),
    Case(
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
            "save_for_backward saved too much": "It can save any tensors.",
            "3.0 does not require grad": "It doesn't have to, but it needs a None.",
        },
        because="backward returns something for each input in turn: a gradient, or None.",
        hints=("How many inputs does forward have, without ctx?", "Return a pair."),
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
    Case(
        "12_all_parameters",
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
    Case(
        "13_step_by_hand",
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
        "13_another_w",
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
        "13_switched_off",
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
        "13_to_numpy",
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
        "13_zero_what",
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
        "13_keep_what",
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
        "13_scaled_start",
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
        "13_overshooting",
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
        "13_behind_its_back",
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
        "13_set_one_entry",
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
