"""The types of results with several named parts, as programs ask for them."""

import pytest

from tests.parity.printed import agree_in_print

pytestmark = pytest.mark.parity


def test_a_result_is_of_the_type_that_is_named_after_its_function() -> None:
    agree_in_print(
        """
        import copy, pickle
        x = torch.tensor([[3., 1.], [2., 4.]])
        for name, result in {
            "max": x.max(0), "min": x.min(1), "sort": x.sort(), "topk": x.topk(1),
            "kthvalue": x.kthvalue(1), "mode": x.mode(), "median": x.median(0),
            "cummax": x.cummax(0), "aminmax": x.aminmax(), "linalg_eigh": torch.linalg.eigh(x),
            "linalg_inv_ex": torch.linalg.inv_ex(x), "slogdet": x.slogdet(),
        }.items():
            kind = getattr(torch.return_types, name)
            print(kind, isinstance(result, kind), type(result) is kind, isinstance(result, tuple))
        result = torch.return_types.max((torch.ones(1), torch.zeros(1)))
        print(result, result.values, result[1])
        print(pickle.loads(pickle.dumps(result)), copy.deepcopy(result))
        attempt(lambda: result.value)
        attempt(lambda: type(x.max(0)) is type(x.min(0)))
        """
    )
