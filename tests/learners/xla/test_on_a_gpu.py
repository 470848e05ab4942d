"""Calls on CUDA, without a GPU: their memory is a stand-in's, and their programs are read, not run."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import parallel_pool
import pytest
from test_envs.programs import python

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    "names",
    [
        "on_a_gpu test_interruptions",
        "test_trajectories test_limits",
        "test_handles test_resets",
        "test_bad_actions test_views",
    ],
)
def test_programs_do_the_same(names: str) -> None:
    """Frames go through memory that only copies of the driver reach (test_envs/fake_cuda.cpp)."""
    paths = [os.environ.get("PYTHONPATH", ""), str(HERE.parents[1])]
    python(
        *("-m", "pytest", "-q", "-n0", "-p", "test_envs.fake_cuda", "-k", "not callback"),
        *(HERE / f"{name}.py" for name in names.split()),
        complaints=True,
        PYTHONPATH=os.pathsep.join(paths),
    )


def operations(block: Any) -> Iterator[Any]:
    """Those of a region or a module, with what they contain."""
    for each in block.operations:
        yield each
        for region in each.regions:
            for inner in region:
                yield from operations(inner)


def kind_of(op: Any) -> str:
    return str(op.operation.name).removeprefix("stablehlo.")


class Text:
    SAME = ("broadcast_in_dim", "reshape", "bitcast_convert", "convert", "optimization_barrier")

    def __init__(self, function: Any, arguments: Any, platform: str) -> None:
        lowered = jax.jit(function).trace(*arguments).lower(lowering_platforms=(platform,))
        self._module = lowered.compiler_ir("stablehlo")
        self.operations = list(operations(self._module.body))
        functions = self.called("func.func")
        self._functions = {each.attributes["sym_name"].value: each for each in functions}

    def called(self, name: str) -> list[Any]:
        return [op for op in self.operations if kind_of(op) == name]

    def origins(self, value: Any) -> set[str]:
        """The names of the operations that a value comes from, through others that only reshape it."""
        owner = value.owner
        if not hasattr(owner, "regions"):  # an argument of a block
            function = owner.owner
            if kind_of(function) != "func.func":
                return {kind_of(function)}
            name = function.attributes["sym_name"].value
            calls = [op for op in self.called("func.call") if op.attributes["callee"].value == name]
            return set().union(*(self.origins(op.operands[value.arg_number]) for op in calls))
        kind = kind_of(owner)
        if kind in self.SAME:
            return self.origins(owner.operands[0])
        number = list(owner.results).index(value)
        if kind == "func.call":
            inner = [self._functions[owner.attributes["callee"].value].regions[0]]
        elif kind == "case":
            inner = list(owner.regions)
        else:
            return {kind}
        last = [list(region.blocks[0].operations)[-1] for region in inner]
        return set().union(*(self.origins(op.operands[number]) for op in last))


def test_no_call_touches_what_a_scan_slices(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """XLA's compiler for CUDA would copy the call, and make it twice; the CPU's has no such pass."""

    def stand_in(_: Any, results: Any, *arguments: Any) -> Any:
        return jax.ffi.ffi_call("parallel_pool.callback", results)(*arguments)

    # A callback for a GPU can be lowered where there is one.
    monkeypatch.setattr(jax.experimental, "io_callback", stand_in)
    with parallel_pool.make("CartPole-v1", num_envs=64, autoreset_mode="Disabled") as pool:
        pool.reset(seed=1)
        program = pool.xla(backend)

        def body(handle: Any, action: Any) -> Any:
            handle, result = program.step(handle, action)
            handle, again = program.reset(handle, result[2], result)
            handle = program.send(handle, action)
            handle, last = program.recv(handle)
            return handle, (result, again, last)

        def scan(handle: Any, actions: Any) -> Any:
            return jax.lax.scan(body, handle, actions)

        given = program.handle, jnp.zeros((10, 64), np.int32)
        found = {}
        for platform in ("cuda", "cpu"):
            text = Text(scan, given, platform)
            stored = [text.origins(op.operands[1]) for op in text.called("dynamic_update_slice")]
            read = [text.origins(each) for op in text.called("custom_call") for each in op.operands]
            found[platform] = set().union(*stored), set().union(*read)
        assert "custom_call" in found["cpu"][0]
        assert "dynamic_slice" in found["cpu"][1]
        assert found["cuda"][0] == {"xor"}
        assert found["cuda"][1] == {"xor"}
