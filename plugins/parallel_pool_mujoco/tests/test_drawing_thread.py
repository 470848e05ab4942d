"""Where pictures are drawn: with a stand-in for OpenGL, as OpenGL of a GPU is not everywhere.

Each test runs programs: what draws is found out once in a process.
"""

from __future__ import annotations

import re

from parallel_pool_mujoco.sdk.drawing_thread import is_software
from test_envs.opengl import drawn, needs_opengl

SEVERAL_POOLS = """
import atexit, threading, time, zlib
from opengl_stand_in import install

counts = install(NAME)
atexit.register(lambda: print("left", counts.contexts))  # called after all others

import numpy as np
import parallel_pool
from parallel_pool_mujoco.sdk import doctor, drawing_thread

size = {"seed": 1, "width": 8, "height": 8, "num_threads": 2, "from_pixels": True}
hopper = parallel_pool.make("Hopper-v5", num_envs=4, render_mode="rgb_array", **size)
ant = parallel_pool.make("Ant-v5", num_envs=2, frame_stack=3, max_episode_steps=4,
                         autoreset_mode="SameStep", **size)
some = parallel_pool.make("Hopper-v5", num_envs=4, batch_size=2, **size)
seen = {}

def play(name, pool):
    seen[name] = [pool.reset()[0]]
    for _ in range(6):
        obs, _, _, _, info = pool.step(np.full((pool.num_envs, pool.single_action_space.shape[0]), 0.2))
        seen[name] += [obs, *([info["final_obs_dense"]] if "final_obs_dense" in info else [])]

players = [threading.Thread(target=play, args=each) for each in (("hopper", hopper), ("ant", ant))]
for each in players:
    each.start()
some.async_reset()
parts = {}
for _ in range(8):
    obs, *_, info = some.recv()
    for env, picture in zip(info["env_id"], obs):
        parts.setdefault(int(env), []).append(picture)
    some.send(np.full((2, 3), 0.2), info["env_id"])
for each in players:
    each.join()
whole = np.stack(seen["hopper"])
for env, pictures in parts.items():
    assert np.array_equal(pictures, whole[: len(pictures), env]), env
assert np.array_equal(hopper.render(), whole[-1])
assert len({picture.tobytes() for row in whole for picture in row}) > 20
print("drawn", zlib.crc32(whole.tobytes() + np.stack(seen["ant"]).tobytes()))
play("hopper", hopper)
before = counts.switches
play("hopper", hopper)
print("threads", len(counts.threads), "switches", counts.switches - before, end=" ")
put, calls = drawing_thread.DrawingThread._put, []
drawing_thread.DrawingThread._put = lambda *given: (calls.append(given), put(*given))
hopper.render()
print("handed over", len(calls))
ant.close()
hopper.close()
assert threading.get_ident() not in counts.threads
del some
until = time.monotonic() + 60
while counts.contexts and time.monotonic() < until:
    time.sleep(0.01)
assert counts.contexts == 0, counts.contexts
print(doctor.described_drawing())
left_open = parallel_pool.make("Hopper-v5", num_envs=2, **size)
left_open.reset()
"""

HANGING = """
import atexit, os, signal, threading, time
atexit.register(lambda: print("in time", time.monotonic() - begin < 20))  # called after all others
from opengl_stand_in import install

counts = install("NVIDIA H200")
import numpy as np
import parallel_pool
from parallel_pool_mujoco.sdk import drawing_thread
from test_envs import checks

size = {"seed": 1, "width": 8, "height": 8, "from_pixels": True}
pool = parallel_pool.make("Hopper-v5", num_envs=4, **size)
twin = parallel_pool.make("Hopper-v5", num_envs=4, render_mode="rgb_array", **size)
first = pool.reset()[0]
assert np.array_equal(first, twin.reset()[0])
action = np.full((4, 3), 0.2)

def interrupt():
    counts.hangs.wait()
    os.kill(os.getpid(), signal.SIGINT)

counts.hang = threading.Event()
drawing_thread.PICTURE_SECONDS = 2
interrupting = threading.Thread(target=interrupt)
interrupting.start()
try:
    CALL
except KeyboardInterrupt:
    print("interrupted")
interrupting.join()
begin = time.monotonic()
"""

TOLD = """
before, hang, counts.hang = counts.pictures, counts.hang, None
hang.set()
wanted = twin.step(action)[0]
assert counts.pictures == before + 1 + 4, "the rest of what nobody waits for was drawn"
assert np.array_equal(pool.recv()[0], wanted), "the result is lost"

counts.hang = threading.Event()
drawing_thread.PICTURE_SECONDS = 0.4
told = []
other = threading.Thread(target=lambda: refused(twin.render))
def refused(call, *arguments, **options):
    said = "NVIDIA H200 has not drawn a picture in 0.4 s"
    with checks.refused(parallel_pool.EnvAccessError, said, "MUJOCO_EGL_DEVICE_ID"):
        call(*arguments, **options)
    told.append(call)
other.start()
counts.hangs.wait()
refused(pool.step, action)
other.join()
refused(pool.recv)
refused(twin.step, action)
refused(parallel_pool.make, "Ant-v5", **size)
pool.close()
plain = parallel_pool.make("Hopper-v5", num_envs=2)
plain.reset()
del pool  # the twin is left open
assert len(told) == 5
"""


def test_what_is_software() -> None:
    software = ("llvmpipe (LLVM 15.0.6, 256 bits)", "softpipe", "Mesa OffScreen")
    assert all(map(is_software, software))
    assert not any(map(is_software, ("NVIDIA H200", "virgl (LLVMPIPE)", "")))


def test_all_pools_draw_in_one_thread_on_a_gpu_and_in_their_own_by_software() -> None:
    """With equal pictures. On a GPU there is no switch of contexts while one pool draws."""
    on_gpu, by_software = (
        drawn(f"NAME = {name!r}\n{SEVERAL_POOLS}").splitlines()
        for name in ("NVIDIA H200", "llvmpipe (LLVM 15.0.6, 256 bits)")
    )
    assert on_gpu[1::2] == ["threads 1 switches 0 handed over 1", "left 0"]
    assert by_software[::3] == [on_gpu[0], "left 0"]
    assert re.fullmatch(r"threads (?!1 )\d+ switches \d+ handed over 0", by_software[1])
    threads = "one thread for all pools", "up to 4 threads of each pool"
    for said, where in zip((on_gpu[2], by_software[2]), threads, strict=True):
        assert re.search(rf", in {where}; a picture of 84 x 84 takes \d+\.\d ms there$", said)


@needs_opengl
def test_pictures_of_the_one_thread_are_gymnasiums() -> None:
    """By software, as if it were a GPU."""
    drawn("""
from parallel_pool_mujoco.sdk import drawing_thread
drawing_thread.is_software = lambda name: False
from pixel_twin import compare
compare("Ant-v5", steps=5, depth=3, mode="SameStep", fast=True, max_episode_steps=3)
""")


def test_a_driver_that_hangs() -> None:
    """Callers are interrupted or told, nothing else can be drawn, and neither close nor the end waits long."""
    for call, then in (
        ("pool.step(action)", TOLD),
        ("pool.step(action)", ""),
        ("pool.step(action)", "pool.close()"),
        ("twin.render()", "twin.close()"),
    ):
        script = HANGING.replace("CALL", call) + then
        assert drawn(script).splitlines() == ["interrupted", "in time True"], (call, then)
