"""Children that are forked while a thread compiles a model, and after the parent has drawn.

Each test runs a program: threads and OpenGL of this process must not be in the children.
"""

import pytest
from test_envs.opengl import drawn, needs_opengl

BEGIN = """
import faulthandler, logging, os, sys, threading, warnings
import parallel_pool
from parallel_pool.errors import OptionError
from parallel_pool_mujoco.sdk import models
from test_envs.checks import refused as refused_as

warnings.simplefilter("ignore", DeprecationWarning)  # of a fork with threads

def child(call):
    if (pid := os.fork()) == 0:
        faulthandler.dump_traceback_later(60, exit=True)
        call()
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
"""
A_THREAD_COMPILES = """
begun, go_on, said = threading.Event(), threading.Event(), []

def compile_slowly():
    with models.compiling():
        begun.set()
        go_on.wait()

class Said(logging.Handler):
    def emit(self, record):
        said.append(record.getMessage())

def use():
    with parallel_pool.make("Hopper-v5", num_envs=2) as pool:
        pool.reset()
        pool.step(pool.action_space.sample())
    logging.getLogger("parallel_pool_mujoco").setLevel("INFO")
    logging.getLogger("parallel_pool_mujoco").addHandler(Said())
    slot = models.ctypes.c_void_p.in_dll(models.mujoco_library(), "mju_user_warning")
    with models.compiling():
        models.mujoco_library().mju_warning(b"to the log")
    assert said == ["to the log"], said
    assert slot.value != models.ctypes.cast(models._warned, models.ctypes.c_void_p).value

models.mujoco_library()
thread = threading.Thread(target=compile_slowly)
thread.start()
begun.wait()
child(use)
go_on.set()
thread.join()
use()
"""
DRAWING = """
def draw():
    with parallel_pool.make("Hopper-v5", render_mode="rgb_array", render_quality="fast",
                            render_width=32, render_height=32) as pool:
        pool.reset()
        return pool.render()

def refused():
    with refused_as(OptionError, "Hopper-v5", "forked", "spawn"):
        draw()

child(draw)  # nobody has drawn yet
draw()
child(refused)
left_open = parallel_pool.make("Hopper-v5", from_pixels=True, render_quality="fast")
left_open.reset()
child(left_open.close)
left_open.step(left_open.action_space.sample())
with parallel_pool.make("Hopper-v5", num_envs=1) as pool:
    pool.reset()
draw()
"""


def test_a_thread_compiles() -> None:
    drawn(BEGIN + A_THREAD_COMPILES)


@needs_opengl
@pytest.mark.parametrize("in_one_thread", [False, True])
def test_drawing_on_one_side_only(in_one_thread: bool) -> None:
    gpu = "from parallel_pool_mujoco.sdk import drawing_thread\ndrawing_thread.is_software = lambda _: False"
    drawn("\n".join([BEGIN, gpu if in_one_thread else "", DRAWING]))
