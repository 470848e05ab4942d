"""What programs cannot have is refused by name, before anything is compiled."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import parallel_pool
import pytest
from learners.xla.programs import elsewhere, jitted
from parallel_pool.errors import LibraryError, OptionError
from parallel_pool.pool_errors import NotOfferedError
from test_envs.pools import begun, make
from test_envs.programs import python
from test_envs.texts import TELLER

SOURCES = Path(__file__).parents[3] / "core/src"


def cheetahs(**arguments: Any) -> Any:
    return parallel_pool.make("HalfCheetah-v5", num_envs=2, seed=1, **arguments)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_float64_with_64_bit_types_off_and_on(backend: str, dtype: Any) -> None:
    wide = dtype is np.float64
    with begun(cheetahs(), cheetahs()) as (pool, twin), jax.enable_x64(wide):
        if not wide:
            with pytest.raises(OptionError, match=r"are float64.*jax_enable_x64.*narrow=True"):
                pool.xla(backend)
        handle, step = jitted(pool, backend, narrow=not wide)
        actions = np.full((2, 6), 0.3, dtype)

        def play(handle: Any) -> Any:
            with jax.enable_x64(wide):  # which counts for its own thread
                return step(handle, actions)

        # In another thread environments write into memory of XLA's.
        for run in (play, lambda handle: elsewhere(lambda: play(handle))):
            handle, (obs, reward, *_, info) = run(handle)
            expected = twin.step(actions)
            found = [obs, reward, info["x_position"]]
            for mine, theirs in zip(found, [*expected[:2], expected[4]["x_position"]], strict=True):
                assert mine.dtype == dtype
                np.testing.assert_array_equal(mine, theirs.astype(dtype))


def test_integers_that_fit_are_no_reason() -> None:
    with begun(parallel_pool.make("Taxi-v4", num_envs=3, seed=1)) as pool:
        assert pool.single_observation_space.dtype == np.int64
        handle, _, _, step = pool.xla()
        _, (obs, *_) = step(handle, np.zeros(3, int))
        assert obs.dtype == np.int32


def test_half_floats_are_actions() -> None:
    with begun(cheetahs()) as pool:
        handle, _, _, step = pool.xla(narrow=True)
        jax.block_until_ready(step(handle, jnp.full((2, 6), 0.5, jnp.bfloat16)))


def test_vmap_and_pmap(backend: str) -> None:
    with begun(make(num_envs=2)) as pool:
        handle, recv, _, step = pool.xla(backend)
        handles, actions = jnp.stack([handle] * 2), np.zeros((2, 2), np.int32)
        with pytest.raises(NotImplementedError, match="vmap of a pool's calls"):
            jax.vmap(step)(handles, actions)
        with pytest.raises(NotImplementedError, match="vmap of a pool's calls"):
            jax.jit(jax.vmap(recv))(handles)
        with pytest.raises(NotImplementedError, match="pmap and shard_map"):
            jax.pmap(step)(handles[:1], actions[:1])


def test_what_results_are_no_arrays_of(backend: str) -> None:
    with make("Team", num_envs=2) as pool, pytest.raises(NotOfferedError, match="several players"):
        pool.xla(backend)
    with (
        parallel_pool.make_dm("Pendulum-v1", num_envs=2, nan_action="truncate") as pool,
        pytest.raises(NotOfferedError, match="texts"),
    ):
        pool.xla(backend)
    with (
        parallel_pool.make("Pendulum-v1", transform={"normalize_obs": True}) as pool,
        pytest.raises(NotOfferedError, match="what transform makes"),
    ):
        pool.xla(backend)
    with pytest.raises(OptionError, match="backend is 'gpu', expected one of ffi, callback"):
        make(num_envs=2).xla("gpu")


def test_another_device(monkeypatch: pytest.MonkeyPatch) -> None:
    with make(num_envs=2) as pool:
        monkeypatch.setattr(jax, "default_backend", lambda: "gpu")
        with pytest.raises(OptionError, match=r"'gpu'.*jax_default_device.*callback"):
            pool.xla()
        pool.xla("callback")
        with jax.default_device(jax.devices("cpu")[0]):
            pool.xla()
    with make(num_envs=2) as pool:
        monkeypatch.setattr(jax, "devices", lambda platform: [platform])  # JAX has CUDA's
        pool.xla()


def test_a_missing_and_an_old_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """The wheel looks for JAX when it is imported."""
    for name in [each for each in sys.modules if each.partition(".")[0] == "parallel_pool_jax"]:
        monkeypatch.delitem(sys.modules, name)
    with make(num_envs=2) as pool:
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, "jax", None)
            with pytest.raises(LibraryError, match=r"pip install -U 'parallel-pool\[jax\]'"):
                pool.xla()
        monkeypatch.setattr(jax, "__version__", "0.4.38")
        with pytest.raises(ImportError, match=r"0\.5\.0 or newer, and this is 0\.4\.38"):
            pool.xla()


def test_nobody_else_pays() -> None:
    """Pools are made and stepped without JAX or torch."""
    python(
        "-c",
        """
import sys, parallel_pool
pool = parallel_pool.make('CartPole-v1', num_envs=2)
pool.reset(); pool.step([0, 1])
assert not {'jax', 'jaxlib', 'torch'} & sys.modules.keys()
""",
    )


def test_the_binary_interface_is_that_of_jaxlibs_headers(tmp_path: Path) -> None:
    """xla/abi.hpp, which is written by hand, has everything where XLA has it."""
    structs = {
        "Extension XLA_FFI_Extension_Base": "struct_size type next",
        "ApiVersion XLA_FFI_Api_Version": "major_version minor_version",
        "ErrorCreateArgs XLA_FFI_Error_Create_Args": "message code=errc",
        "StreamGetArgs XLA_FFI_Stream_Get_Args": "context=ctx stream",
        "Api XLA_FFI_Api": "version=api_version create_error=XLA_FFI_Error_Create "
        "get_stream=XLA_FFI_Stream_Get",
        "Buffer XLA_FFI_Buffer": "dtype data rank dims",
        "Text XLA_FFI_ByteSpan": "data=ptr size=len",
        "Attributes XLA_FFI_Attrs": "struct_size size types names values=attrs",
        "Buffers XLA_FFI_Args": "size types values=args",
        "Buffers XLA_FFI_Rets": "size types values=rets",
        "CallFrame XLA_FFI_CallFrame": "struct_size extensions=extension_start api context=ctx stage "
        "arguments=args results=rets attributes=attrs",
        "Metadata XLA_FFI_Metadata": "version=api_version traits",
        "MetadataExtension XLA_FFI_Metadata_Extension": "metadata",
    }
    lines = ['#include "xla/ffi/api/c_api.h"', '#include "xla/abi.hpp"']
    for names, members in structs.items():
        ours, theirs = f"pp::xla::{names}".split()
        for member in members.split():
            mine, _, other = member.partition("=")
            other = other or mine
            lines.append(f"static_assert(offsetof({ours}, {mine}) == offsetof({theirs}, {other}));")
            lines.append(f"static_assert(sizeof({ours}::{mine}) == sizeof({theirs}::{other}));")
    for name in ("pred", "s8", "s16", "s32", "s64", "u8", "u16", "u32", "u64", "f32", "f64"):
        value = f"static_cast<int32_t>(pp::xla::DataType::{name})"
        lines.append(f"static_assert({value} == XLA_FFI_DataType_{name.upper()});")
    for name in ("cancelled", "invalid_argument", "failed_precondition", "aborted", "internal"):
        value = f"static_cast<int32_t>(pp::xla::ErrorCode::{name})"
        lines.append(f"static_assert({value} == XLA_FFI_Error_Code_{name.upper()});")
    lines += [
        "static_assert(pp::xla::abi_major == XLA_FFI_API_MAJOR);",
        "static_assert(pp::xla::stage_execute == XLA_FFI_ExecutionStage_EXECUTE);",
        "static_assert(pp::xla::extension_metadata == XLA_FFI_Extension_Metadata);",
        "static_assert(pp::xla::argument_buffer == XLA_FFI_ArgType_BUFFER);",
        "static_assert(pp::xla::attribute_text == XLA_FFI_AttrType_STRING);",
        "static_assert(pp::xla::argument_buffer == XLA_FFI_RetType_BUFFER);",
    ]
    unit = tmp_path / "compared.cpp"
    unit.write_text("\n".join(lines) + "\n")
    command = [os.environ.get("CXX", "c++"), "-std=c++17", "-fsyntax-only", f"-I{SOURCES}"]
    done = subprocess.run(
        [*command, f"-I{jax.ffi.include_dir()}", str(unit)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_a_text_is_refused_by_name(told: None, backend: str) -> None:
    with (
        parallel_pool.make(TELLER, num_envs=2) as pool,
        pytest.raises(NotOfferedError, match=r"'said' is a text.*xla\(\).*texts='bytes'"),
    ):
        pool.xla(backend)
    with parallel_pool.make(TELLER, num_envs=2, texts="bytes") as pool:
        handle, *_, step = pool.xla(backend)
        pool.reset()
        _, (obs, *_) = step(handle, np.zeros(2, np.int32))
        assert np.asarray(obs["said"])[0].tobytes().rstrip(b"\0") == b"step 1"
