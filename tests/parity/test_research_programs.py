"""What researchers write with autograd: each program prints what it does on PyTorch."""

from __future__ import annotations

import pytest

from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity


def test_learning_to_learn() -> None:
    agree_in_print(
        """
        call = torch.func.functional_call
        net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1)).double()
        rate = nn.Parameter(torch.tensor(-2.0).double())
        meta = optim.Adam([*net.parameters(), rate], lr=1e-2)
        for step in range(3):
            meta.zero_grad()
            for task in range(2):
                x = torch.rand(10, 1).double() * 6 - 3
                y = torch.sin(x + torch.rand(1) * torch.pi)
                params = dict(net.named_parameters())
                for _ in range(2):
                    loss = F.mse_loss(call(net, params, (x[:5],)), y[:5])
                    slopes = torch.autograd.grad(loss, params.values(), create_graph=True)
                    pairs = zip(params.items(), slopes)
                    params = {name: p - rate.exp() * g for (name, p), g in pairs}
                query = F.mse_loss(call(net, params, (x[5:],)), y[5:])
                query.backward()
                print(step, task, query)
            print(nn.utils.clip_grad_norm_(net.parameters(), 1.0), rate.grad)
            meta.step()
        print(params["0.bias"].grad_fn.next_functions, net.state_dict())
        """
    )


def test_an_equilibrium_whose_gradient_is_one_too() -> None:
    agree_in_print(
        """
        def solve(f, z):
            for number in range(60):
                z, old = f(z), z
                if (z - old).norm() < 1e-10:
                    break
            print("steps", number)
            return z
        class Equilibrium(nn.Module):
            def __init__(self, cell):
                super().__init__()
                self.cell = cell
            def forward(self, x):
                with torch.no_grad():
                    z = solve(lambda z: torch.tanh(self.cell(z) + x), torch.zeros_like(x))
                z = torch.tanh(self.cell(z) + x)
                z0 = z.detach().requires_grad_()
                f0 = torch.tanh(self.cell(z0) + x)
                def hook(g):
                    vjp = lambda v: torch.autograd.grad(f0, z0, v, retain_graph=True)[0]
                    return solve(lambda v: vjp(v) + g, g)
                z.register_hook(hook)
                return z
        cell = nn.Linear(4, 4, bias=False).double()
        with torch.no_grad():
            cell.weight.mul_(0.5)
        model = Equilibrium(cell)
        x = torch.randn(3, 4).double().requires_grad_()
        out = model(x)
        print(model, out)
        out.pow(2).sum().backward()
        print(x.grad, cell.weight.grad)
        z = torch.zeros_like(x)
        for _ in range(80):
            z = torch.tanh(cell(z) + x)
        slope, = torch.autograd.grad(z.pow(2).sum(), x)
        print(torch.allclose(slope, x.grad), torch.allclose(z, out))
        """
    )


def test_an_adjoint_of_a_differential_equation() -> None:
    agree_in_print(
        """
        class Flow(torch.autograd.Function):
            @staticmethod
            def forward(ctx, f, y, steps, *params):
                states = [y]
                for _ in range(steps):
                    states.append(states[-1] + f(states[-1]) / steps)
                ctx.f, ctx.steps = f, steps
                ctx.save_for_backward(torch.stack(states), *params)
                return states[-1]
            @staticmethod
            def backward(ctx, a):
                states, *params = ctx.saved_tensors
                sums = [torch.zeros_like(p) for p in params]
                for y in reversed(states[:-1]):
                    with torch.enable_grad():
                        y = y.detach().requires_grad_()
                        f = ctx.f(y)
                        of_y, *of_params = torch.autograd.grad(f, [y, *params], a / ctx.steps)
                    a = a + of_y
                    sums = [s + p for s, p in zip(sums, of_params)]
                return None, a, None, *sums
        f = nn.Sequential(nn.Linear(2, 6), nn.Softplus(), nn.Linear(6, 2)).double()
        y = torch.tensor([[2.0, 0.0]]).double().requires_grad_()
        end = Flow.apply(f, y, 8, *f.parameters())
        print(end, end.grad_fn.name(), len(end.grad_fn.next_functions))
        end.pow(2).sum().backward()
        kept = [y.grad.clone(), *[p.grad.clone() for p in f.parameters()]]
        print(*kept)
        state = y
        for _ in range(8):
            state = state + f(state) / 8
        for one, other in zip(kept, torch.autograd.grad(state.pow(2).sum(), [y, *f.parameters()])):
            print(torch.allclose(one, other))
        """
    )


def test_newtons_method_with_conjugate_gradients() -> None:
    agree_in_print(
        """
        flat, unflat = nn.utils.parameters_to_vector, nn.utils.vector_to_parameters
        x = torch.randn(30, 3).double()
        y = (x @ torch.tensor([1.0, -2.0, 0.5]).double() + torch.randn(30) > 0).double()
        model = nn.Linear(3, 1).double()
        params = list(model.parameters())
        def objective():
            misfit = F.binary_cross_entropy_with_logits(model(x).squeeze(-1), y)
            return misfit + 0.05 * flat(params).square().sum()
        def curvature(v):
            slopes = torch.autograd.grad(objective(), params, create_graph=True)
            return flat(torch.autograd.grad(flat(slopes) @ v, params)).detach()
        for step in range(3):
            slope = flat(torch.autograd.grad(objective(), params)).detach()
            print(step, objective(), slope.norm() < 1e-6)
            found, r = torch.zeros_like(slope), slope.clone()
            d = r.clone()
            for _ in range(4):
                along = curvature(d)
                size = r @ r / (d @ along)
                found, left = found + size * d, r - size * along
                d, r = left + (left @ left) / (r @ r) * d, left
            unflat(flat(params).detach() - found, params)
        print(model.weight, model.bias)
        w = torch.tensor([0.1, 0.2, 0.3]).double()
        loss = lambda w: F.binary_cross_entropy_with_logits(x @ w, y)
        print(torch.autograd.functional.hessian(loss, w))
        print(torch.autograd.functional.hvp(loss, w, torch.ones(3).double()))
        """
    )


def test_what_is_best_for_what_is_best() -> None:
    agree_in_print(
        """
        x, far = torch.randn(20, 3).double(), torch.randn(20, 3).double()
        truth = torch.tensor([1.0, 0.0, -2.0]).double()
        y, wanted = x @ truth + 0.5 * torch.randn(20), far @ truth
        decay = torch.zeros(3).double().requires_grad_()
        inner = lambda w: F.mse_loss(x @ w, y) + (decay.exp() * w**2).sum()
        def trained(steps):
            w = torch.zeros(3).double().requires_grad_()
            for _ in range(steps):
                w = w - 0.05 * torch.autograd.grad(inner(w), w, create_graph=True)[0]
            return w
        unrolled, = torch.autograd.grad(F.mse_loss(far @ trained(300), wanted), decay)
        w = trained(300).detach().requires_grad_()
        v, = torch.autograd.grad(F.mse_loss(far @ w, wanted), w)
        slope, = torch.autograd.grad(inner(w), w, create_graph=True)
        rows = [torch.autograd.grad(one, w, retain_graph=True)[0] for one in slope]
        solved = torch.linalg.solve(torch.stack(rows), v)
        implicit, = torch.autograd.grad(slope, decay, -solved)
        print(unrolled, implicit, torch.allclose(unrolled, implicit))
        """
    )


def test_rewards_are_followed() -> None:
    agree_in_print(
        """
        D = torch.distributions
        policy = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 3))
        spread = nn.Parameter(torch.zeros(2))
        optimizer = optim.Adam([*policy.parameters(), spread], lr=0.05)
        for episode in range(3):
            seen, logs, rewards = torch.zeros(2), [], []
            for _ in range(6):
                choice = D.Categorical(logits=policy(seen))
                push = D.Independent(D.Normal(torch.zeros(2), spread.exp()), 1)
                action, noise = choice.sample(), push.sample()
                logs.append(choice.log_prob(action) + push.log_prob(noise))
                seen = seen + 0.1 * noise + torch.tensor([0.1, 0.0]) * (action - 1)
                rewards.append(seen[0].item())
            returns = torch.tensor(rewards).flip(0).cumsum(0).flip(0)
            returns = (returns - returns.mean()) / returns.std()
            loss = -(torch.stack(logs) * returns).sum() - 0.01 * choice.entropy()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            print(episode, f"{loss:.4f}", choice, push, spread.grad)
        """
    )
