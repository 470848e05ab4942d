"""Actions that are arrays of other libraries: taken, or refused with what makes an array of them."""

from typing import Any

import pytest
from test_envs.checks import assert_works, refused
from test_envs.pools import begun, make


class Tensor:
    """As torch's: numpy cannot read one that needs a gradient, lies elsewhere, or is of bfloat16."""

    def __init__(self, dtype: str, device: str, requires_grad: bool) -> None:
        self.dtype, self.device, self.requires_grad = dtype, device, requires_grad

    def detach(self) -> "Tensor":
        return Tensor(self.dtype, self.device, False)

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError("Got unsupported ScalarType, or a gradient, or a device")


@pytest.mark.parametrize(
    ("tensor", "fix"),
    [
        (Tensor("torch.float32", "cpu", True), "action.detach():"),
        (Tensor("torch.bfloat16", "cpu", False), "action.float():"),
        (Tensor("torch.float32", "cuda:0", False), "action.cpu():"),
        (Tensor("torch.bfloat16", "cuda:0", True), "action.detach().cpu().float():"),
    ],
)
def test_a_refusal_says_what_helps(tensor: Any, fix: str) -> None:
    with begun(make("Count", num_envs=2)) as pool:
        with refused(TypeError, "the action is no array of numbers", fix):
            pool.step(tensor)
        assert_works(pool)


def test_attributes_that_raise_are_no_hint() -> None:
    class Odd:
        device, requires_grad = "cpu", False
        __array__ = Tensor.__array__

        @property
        def dtype(self) -> Any:
            raise RuntimeError("no dtype here")

    with (
        begun(make("Echo", num_envs=2)) as pool,
        refused(TypeError, "the action is no array of numbers"),
    ):
        pool.step(Odd())


@pytest.mark.slow
def test_arrays_of_jax() -> None:
    numpy = pytest.importorskip("jax.numpy")
    with begun(make("Echo", num_envs=2)) as pool:
        action = numpy.zeros(pool.action_space.shape)
        pool.step(action)
        with pytest.raises(TypeError, match=r"action\.astype\('float32'\)"):
            pool.step(action.astype(numpy.bfloat16))
        pool.step(action.astype(numpy.bfloat16).astype("float32"))
    with begun(make("Count", num_envs=2)) as pool:
        pool.step(numpy.array([1, 2]))
