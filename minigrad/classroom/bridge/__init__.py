"""Between the sandbox and the grader: values, tensors, graphs and calls, as data.

Both sides hold real minigrad tensors. What one side made the other sees as a mirror: a tensor with
the same numbers, whose graph has the same nodes; the backward rule of a node, and the body of a
function, run on the side that made them. Nothing that arrives is unpickled or evaluated by the
grader: `channel` reads frames, `values` builds numbers, lists and arrays of them, `mirrors` keeps
tensors and nodes alike on both sides, `peer` asks and answers. `inside` is the program in the
sandbox.
"""
