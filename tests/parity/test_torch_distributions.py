"""`torch.distributions` draws the same numbers, and says the same, as PyTorch's."""

from __future__ import annotations

import pytest

from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity


@pytest.fixture(autouse=True)
def checked() -> None:
    """Let PyTorch check parameters: its compiler, once imported, leaves that out."""
    import torch

    torch.distributions.Distribution.set_default_validate_args(True)


BEGIN = """
import math
D = torch.distributions
def show(d, value=None):
    print(d, d.batch_shape, d.event_shape, d.has_rsample, d.has_enumerate_support)
    for name in ("mean", "mode", "stddev", "variance", "support"):
        attempt(lambda: getattr(d, name))
    for shape in ((), (3,), (2, 1)):
        attempt(lambda: d.sample(shape))
        attempt(lambda: d.rsample(shape))
    value = d.sample() if value is None else value
    for name in ("log_prob", "cdf"):
        attempt(lambda: getattr(d, name)(value))
    for name in ("entropy", "perplexity", "enumerate_support"):
        attempt(lambda: getattr(d, name)())
    large = d.expand((2, *d.batch_shape))
    print(large, large.batch_shape, d)
    attempt(lambda: large.log_prob(value))
"""


def test_classes_and_coins() -> None:
    agree_in_print(
        BEGIN
        + """
logits = torch.tensor([[0.0, 1.0, -1.0], [0.5, 0.5, 2.0]], requires_grad=True)
probs = torch.tensor([0.1, 0.0, 0.9], requires_grad=True)
for d in (D.Categorical(probs), D.Categorical(logits=logits), D.Categorical(torch.ones(2, 2, 3))):
    show(d)
    print(d.param_shape, d.logits, d.probs)
    attempt(lambda: d.enumerate_support(expand=False))
coins = D.Bernoulli(torch.tensor([0.1, 0.5, 1.0])), D.Bernoulli(logits=logits), D.Bernoulli(0.3)
for d in coins:
    show(d)
    print(d.param_shape, d.logits, d.probs)
policy = D.Categorical(logits=logits)
action = policy.sample()
(-policy.log_prob(action) * torch.tensor([1.0, -2.0])).sum().backward()
print(logits.grad)
print(torch.autograd.grad((-policy.entropy()).sum(), logits, allow_unused=True))
"""
    )


def test_numbers() -> None:
    agree_in_print(
        BEGIN
        + """
loc = torch.tensor([0.0, 2.0], requires_grad=True)
scale = torch.tensor([[1.0], [0.5]], requires_grad=True)
for d in (D.Normal(0, 1), D.Normal(loc, scale), D.Normal(loc, 2.0), D.Uniform(-1.0, 3.0),
          D.Uniform(torch.zeros(2), torch.tensor([1.0, 2.0])), D.Normal(loc.double(), 1.0)):
    show(d)
    attempt(lambda: d.icdf(torch.tensor(0.3, dtype=d.sample().dtype)))
for d in (D.Independent(D.Normal(loc, scale), 1), D.Independent(D.Normal(loc, scale), 0),
          D.Independent(D.Bernoulli(torch.tensor([[0.5, 0.2]])), 2)):
    show(d)
z = D.Normal(loc, scale).rsample((4,))
print(z, z.grad_fn)
z.pow(2).sum().backward()
print(loc.grad, scale.grad)
"""
    )


def test_divergences() -> None:
    agree_in_print(
        BEGIN
        + """
kl = D.kl_divergence
mu = torch.tensor([0.5, -1.0], requires_grad=True)
prior = D.Normal(torch.zeros(2), torch.ones(2))
posterior = D.Normal(mu, torch.tensor([1.0, 2.0]))
print(kl(posterior, prior), kl(prior, posterior))
kl(posterior, prior).sum().backward()
print(mu.grad)
p, q = D.Categorical(torch.tensor([0.5, 0.5, 0.0])), D.Categorical(torch.tensor([0.0, 0.5, 0.5]))
print(kl(p, q), kl(p, p), kl(q, D.Categorical(torch.ones(3))))
coin = torch.tensor([0.0, 0.5, 1.0, 0.2])
print(kl(D.Bernoulli(coin), D.Bernoulli(coin.flip(0))))
print(kl(D.Uniform(0.0, 1.0), D.Uniform(torch.zeros(2), torch.tensor([0.5, 2.0]))))
one = D.Independent(posterior, 1)
print(kl(one, D.Independent(prior, 1)))
attempt(lambda: kl(one, D.Independent(prior, 0)))
attempt(lambda: kl(p, prior))
class Mine(D.Normal):
    pass
print(Mine(0.0, 1.0), kl(Mine(0.0, 1.0), Mine(0.0, 2.0)))
@D.register_kl(Mine, D.Uniform)
def mine(p, q):
    return p.loc - q.low
print(kl(Mine(0.0, 1.0), D.Uniform(-1.0, 2.0)))
"""
    )


def test_what_is_refused() -> None:
    agree_in_print(
        BEGIN
        + """
nan, x = math.nan, torch.tensor
for make in (
    lambda: D.Categorical(), lambda: D.Categorical(x([1.0]), x([1.0])),
    lambda: D.Categorical(x(1.0)),
    lambda: D.Categorical(logits=x(1.0)), lambda: D.Categorical(x([-1.0, 2.0])),
    lambda: D.Categorical(logits=x([nan, 0.0])), lambda: D.Categorical(x([[0.5, 0.5], [nan, 1]])),
    lambda: D.Bernoulli(), lambda: D.Bernoulli(2.0), lambda: D.Bernoulli(x([-0.1, 0.5])),
    lambda: D.Bernoulli("a"), lambda: D.Bernoulli(logits=x([nan])), lambda: D.Normal(0.0, -1.0),
    lambda: D.Normal(x([0.0, nan]), 1.0), lambda: D.Normal(0.0, 0.0), lambda: D.Normal(0.0, "a"),
    lambda: D.Uniform(2.0, 1.0), lambda: D.Uniform(x([0.0, 1.0]), x([1.0, 1.0])),
    lambda: D.Normal(x([0.0, 1.0]), torch.ones(3)),
    lambda: D.Normal(0.0, -1.0, validate_args=False),
    lambda: D.Independent(D.Normal(0.0, 1.0), 1),
):
    attempt(make)
d = D.Categorical(torch.ones(2, 3))
for value in (x(3), x([0.5, 1.0]), x([0, 1, 2]), 1, x([0, -1]), x([[0], [1], [2]])):
    attempt(lambda: d.log_prob(value))
d = D.Normal(torch.zeros(2), 1.0)
for value in (x([nan, 0.0]), torch.ones(3), 0.5, torch.ones(4, 1)):
    attempt(lambda: d.log_prob(value))
    attempt(lambda: d.cdf(value))
attempt(lambda: D.Bernoulli(0.5).log_prob(x(0.5)))
attempt(lambda: D.Uniform(0.0, 1.0).log_prob(x(2.0)))
print(D.Uniform(0.0, 1.0, validate_args=False).log_prob(x([-1.0, 0.0, 1.0, 2.0])))
attempt(lambda: D.Independent(D.Normal(torch.zeros(2), 1.0), 1).log_prob(torch.ones(3)))
attempt(lambda: D.Distribution().sample())
class Bare(D.Distribution):
    arg_constraints = {}
d = Bare()
print(d)
for name in ("mean", "mode", "variance", "support"):
    attempt(lambda: getattr(d, name))
print(d._validate_sample(x(1.0)))
C = D.constraints
print(C.real, C.positive, C.unit_interval, C.boolean, C.simplex, C.real_vector)
print(C.simplex.check(x([[0.5, 0.5], [0.5, 0.6]])), C.integer_interval(0, 3).check(x([1.5, 2.0])))
print(C.simplex.event_dim, C.boolean.is_discrete, C.independent(C.positive, 1).event_dim)
for kind in (D.Normal, D.Categorical, type(d)):
    print(kind)
D.Distribution.set_default_validate_args(False)
print(D.Normal(0.0, -1.0))
D.Distribution.set_default_validate_args(True)
"""
    )


def test_constraints_are_classes_and_say_what_pytorchs_do() -> None:
    agree_in_print(
        """
        import copy, pickle
        D = torch.distributions
        C = D.constraints
        names = (
            "positive nonnegative unit_interval real real_vector simplex boolean one_hot "
            "nonnegative_integer positive_integer lower_triangular lower_cholesky square symmetric "
            "positive_semidefinite positive_definite"
        )
        matrices = torch.tensor([[[1.0, 2.0], [0.0, 1.0]], [[1.0, 0.5], [0.5, 1.0]]])
        for name in names.split():
            one = getattr(C, name)
            print(name, one, one.event_dim, one.is_discrete, isinstance(one, C.Constraint))
            eye, ones = torch.eye(2), torch.ones(2, 2)
            for value in (matrices, eye, ones, -torch.eye(3), torch.ones(2, 3)):
                print(one.check(value))
        for one in (
            C.interval(0, 1), C.half_open_interval(0, 1), C.integer_interval(0, 3), C.less_than(3),
            C.greater_than(2.0), C.greater_than_eq(2.0), C.independent(C.real, 2), C.dependent,
            D.Normal(0.0, 1.0), D.Independent(D.Uniform(torch.zeros(2), 1.0), 1),
        ):
            print(one, pickle.loads(pickle.dumps(one)), copy.deepcopy(one))
        dependent = C.dependent(event_dim=2)
        print(dependent.event_dim, dependent(is_discrete=True).is_discrete, dependent)
        for call in (
            lambda: C.dependent.event_dim, lambda: C.dependent.is_discrete,
            lambda: C.dependent.check(3), lambda: C.independent(3, 1),
            lambda: C.independent(C.real, -1), lambda: C.independent(C.real, 1.5),
            lambda: C.independent(C.real, 2).check(torch.ones(3)), lambda: C.Constraint().check(3),
        ):
            attempt(call)
        print(isinstance(C.positive, C.greater_than), isinstance(C.unit_interval, C.interval))
        print(D.Uniform.support, D.Uniform.support.event_dim, C.is_dependent(D.Uniform.support))
        print(D.Uniform(0.0, 1.0).support, D.Categorical.support.is_discrete)
        coins = D.Bernoulli(torch.ones(2) / 2)
        print([D.Independent(coins, one).has_enumerate_support for one in (0, 1)])
        """
    )


def test_constraints_and_distributions_of_ones_own() -> None:
    agree_in_print(
        """
        C = torch.distributions.constraints
        class Even(C.Constraint):
            is_discrete = True
            def check(self, value):
                return value % 2 == 0
        class _Odd(C.Constraint):
            event_dim = 1
            def check(self, value):
                return (value % 2 == 1).all(-1)
        class Under9(C.greater_than):
            def check(self, value):
                return super().check(value) & (value < 9)
        print(Even(), _Odd(), C.independent(_Odd(), 1), C.independent(_Odd(), 1).event_dim)
        print(C.independent(Even(), 1).is_discrete, Under9(2).check(torch.tensor([1.0, 3.0, 10.0])))
        class Mine(torch.distributions.Distribution):
            arg_constraints = {"a": C.dependent, "b": C.positive, "c": Even()}
            @C.dependent_property(is_discrete=True, event_dim=0)
            def support(self):
                return C.integer_interval(1, self.c)
            def __init__(self, a, b, c, validate_args=None):
                self.a, self.b, self.c = a, b, c
                super().__init__(validate_args=validate_args)
            def log_prob(self, value):
                self._validate_sample(value)
                return value * 0
        t = torch.tensor
        m = Mine(t(-1.0), t(1.0), t(4.0))
        print(m, m.support, Mine.support, m.log_prob(t(3.0)))
        attempt(lambda: Mine(t(1.0), t(-1.0), t(4.0)))
        attempt(lambda: Mine(t(1.0), t(1.0), t(3.0)))
        attempt(lambda: m.log_prob(t(7.0)))
        attempt(lambda: m.log_prob(t(1.5)))
        """
    )


def test_divergences_are_those_of_the_nearest_kinds() -> None:
    agree_in_print(
        """
        D = torch.distributions
        kl = D.kl_divergence
        print(kl(D.Uniform(0.0, 2.0), D.Normal(1.0, 3.0)))
        print(kl(D.Normal(torch.ones(2), 3.0), D.Uniform(0.0, 1.0)))
        attempt(lambda: kl(D.Normal(0.0, 1.0), D.Bernoulli(0.5)))
        attempt(lambda: kl(D.Uniform(0.0, 1.0), D.Bernoulli(0.5)))
        class A(D.Normal):
            pass
        class B(D.Normal):
            pass
        class A2(A):
            pass
        @D.register_kl(A, D.Normal)
        def left(p, q):
            return "left"
        @D.register_kl(D.Normal, B)
        def right(p, q):
            return "right"
        a, a2, b, n = A(0.0, 1.0), A2(0.0, 1.0), B(0.0, 1.0), D.Normal(0.0, 1.0)
        print(kl(a2, b), kl(a2, b), kl(a, n), kl(b, n), kl(n, b))
        D.register_kl(A, B)(left)
        print(kl(a, b))
        """
    )


def test_exponential_families_of_ones_own() -> None:
    agree_in_print(
        """
        D = torch.distributions
        class Counts(D.ExponentialFamily):
            arg_constraints = {"rate": D.constraints.nonnegative}
            support = D.constraints.nonnegative_integer
            _mean_carrier_measure = 0.25
            def __init__(self, rate):
                self.rate = rate
                super().__init__(rate.size())
            @property
            def _natural_params(self):
                return (torch.log(self.rate),)
            def _log_normalizer(self, x):
                return torch.exp(x)
        p, q = Counts(torch.tensor([1.0, 2.0])), Counts(torch.tensor([2.0, 2.0]))
        print(p, p.entropy(), D.kl_divergence(p, q))
        print(issubclass(D.Normal, D.ExponentialFamily), issubclass(D.Uniform, D.ExponentialFamily))
        """
    )
