"""What a plugin that simulates with MuJoCo needs in Python: the other side of `parallel_pool/mujoco.hpp`.

A plugin compiles its models here, with the MuJoCo that the user has, and hands them to its library:

    from parallel_pool.mujoco import compile_file, hand_over

    @hookimpl
    def parallel_pool_options(spec, options):
        return {**options, "model": hand_over(compile_file(options["xml_file"]), options["xml_file"])}

The library was built without MuJoCo's headers and is not linked to it. It finds functions and struct
members through a table that `binding` makes from the installed package and checks against a living
model, so one wheel works with every MuJoCo from 3.6 on. MuJoCo itself is imported on first use.
"""

from parallel_pool.mujoco.binding import INSTALL, MINIMUM, MujocoError, binding_address
from parallel_pool.mujoco.models import compile_file, hand_over
from parallel_pool.mujoco.overrides import overridden

__all__ = [
    "INSTALL",
    "MINIMUM",
    "MujocoError",
    "binding_address",
    "compile_file",
    "hand_over",
    "overridden",
]
