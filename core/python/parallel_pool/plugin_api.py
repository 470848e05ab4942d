"""What the author of a plugin imports: `hookimpl`, `EnvSpec`, `About`, `Check`. Light: no numpy, no library.

A plugin is a distribution with an entry point in the group `parallel_pool`: its name is the family,
its value a light module with functions marked `@hookimpl` (see `registry/hookspecs.py`). The smallest one:

    from parallel_pool.plugin_api import EnvSpec, find_library, hookimpl

    @hookimpl
    def parallel_pool_envs():
        return [EnvSpec("lander/Lander-v0")]

    @hookimpl
    def parallel_pool_library(family):
        return find_library(__package__, "lander")
"""

import importlib.util
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from numbers import Real
from pathlib import Path
from types import NoneType
from typing import Any, Literal, Protocol

import pluggy

from parallel_pool import ids
from parallel_pool.imports.undisturbed import import_undisturbed as import_undisturbed
from parallel_pool.per_process import PerProcess as PerProcess

PROJECT = "parallel_pool"
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


_MAPPING, _SEVERAL = (Mapping,), (tuple, list)
_KINDS: Mapping[Any, tuple[Any, ...]] = {
    str: (str,),
    str | None: (str, NoneType),
    bool: (bool,),
    float | None: (Real, NoneType),
    tuple[str, ...]: _SEVERAL,
    Mapping[str, Any]: _MAPPING,
    Mapping[str, str]: _MAPPING,
}
"""What a member of EnvSpec may be, by its annotation. Others are checked by themselves."""


@dataclass(frozen=True, slots=True)
class EnvSpec:
    """One environment, as data. Ill-formed fields raise ValueError or TypeError on construction.

    Treat `options` as read-only: it is a copy of what was passed.
    """

    id: str
    """Canonical id, `family/Name-vN`, in the plugin's own family."""
    native: str | None = None
    """Id of the environment inside the C++ library; None: the same as `id`. Many ids may share one
    native environment with different `options`: every game of a console is one engine with another ROM."""
    summary: str = ""
    """One line for `parallel-pool list`."""
    backend: Literal["native", "python"] = "native"
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Overrides of the defaults of the library's options; the user's values override these."""
    python_options: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Options that the library has not, with their defaults (bools, numbers, texts, lists of numbers): the hook
    `parallel_pool_options` gets them, and what follows from them it gives the library."""
    max_episode_steps: int | None = None
    """Steps after which an episode is truncated; None: never."""
    render_modes: tuple[str, ...] = ()
    """What `render_mode` may be: "rgb_array" for pictures, "ansi" for text."""
    render_fps: float | None = None
    """Frames per second at which pictures look natural: those of one step each."""
    film_camera: str | None = None
    """Name of the camera that follows the body, where the usual one stands still: films use it."""
    reward_threshold: float | None = None
    """Return at which the task counts as solved; None: undefined."""
    aliases: tuple[str, ...] = ()
    """Other ids that mean this one. Other namespaces are welcome (`Games/Pong-v5`), except the family
    of another plugin."""
    envpool_layout: str | None = None
    """Id of the same environment with its observation laid out as in EnvPool, where Gymnasium's differs:
    the views "gym" and "dm" make that one of this id."""
    envpool_options: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Options with which its observation has EnvPool's keys, where those are others: the view "gym" sets
    them, unless the user says otherwise."""
    network_options: Mapping[str, Any] = field(default_factory=dict, hash=False)
    """Options with which its observation has numbers where it has texts otherwise: adapters of libraries
    that train set them, unless the user says otherwise."""
    envpool_info: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Keys of the environment's info that EnvPool has under another name: ours to its. The views "gym"
    and "dm" use those."""
    no_states: str | None = None
    """Why its states cannot be saved, for an environment of which users would expect it."""
    hidden: bool = False
    """Whether lists leave it out: an environment of the library that users meet through its presets. It can be
    made all the same."""
    deprecated: str | None = None
    """If set, what to use instead; `make` warns."""
    removed: str | None = None
    """A tombstone: the id no longer works, and this says why and what to use."""
    needs: tuple[str, ...] = ()
    """Files of which one has to be there, as `places` takes them; none: nothing is needed."""
    missing: str = ""
    """What it needs and how to get it, where none of those files is there: then the id does not work."""
    tags: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, kinds in _kinds_by_name():
            value = getattr(self, name)
            if not isinstance(value, kinds):
                expected = " or ".join(kind.__name__ for kind in kinds)
                raise TypeError(f"EnvSpec {self.id!r}: {name} must be {expected}, not {value!r}")
            if kinds is _MAPPING or (kinds is _SEVERAL and value != ()):
                object.__setattr__(self, name, (dict if kinds is _MAPPING else tuple)(value))
                _require_texts(self, name, value)
        _require_texts(self, "envpool_info", self.envpool_info.values())
        ids.parse_canonical(self.id)
        if self.native is not None:
            ids.parse_canonical(self.native)
        for alias in self.aliases:
            if not isinstance(alias, str) or ids.parse(alias) is None:
                raise ValueError(f"{self.id}: alias {alias!r} has not the form of an id")
        if self.backend not in ("native", "python"):
            raise ValueError(f"{self.id}: backend is 'native' or 'python', not {self.backend!r}")
        steps = self.max_episode_steps
        if steps is not None and (not isinstance(steps, int) or steps < 1):
            raise ValueError(f"{self.id}: max_episode_steps is None or at least 1, not {steps!r}")

    @property
    def family(self) -> str:
        """The part of `id` before the slash."""
        return self.id.partition("/")[0]

    @property
    def native_id(self) -> str:
        """The id to look up in the library."""
        return self.native or self.id


@cache
def _kinds_by_name() -> list[tuple[str, tuple[Any, ...]]]:
    return [(each.name, _KINDS[each.type]) for each in fields(EnvSpec) if each.type in _KINDS]


@dataclass(frozen=True, slots=True)
class Part:
    """Consecutive numbers of an observation or of an action that mean the same; of a Discrete, its values."""

    meaning: str
    unit: str = ""
    """Of one; "100 N": an action of 1 is 100 newtons. Bounds are those of the space."""
    count: int = 1


@dataclass(frozen=True, slots=True)
class About:
    """What the numbers of an environment mean: what the hook `parallel_pool_about` returns.

    `parallel-pool info ID` prints it. The counts of `observation`, and of `action`, add up to the size of the
    space with the id's own options; empty: not said, as for pictures.
    """

    observation: tuple[Part, ...] = ()
    action: tuple[Part, ...] = ()
    reward: str = ""
    """Of one step, as a formula or a sentence."""
    ends: str = ""
    """When an episode terminates, apart from the time limit."""
    original: str = ""
    """What it equals: the package and the id there, "Gymnasium CartPole-v1"."""
    of_files: tuple[str, ...] = ()
    """Those of the above that files decide which others may not have: they are no part of the index."""


@dataclass(frozen=True, slots=True)
class Check:
    """One line of `parallel-pool doctor`: `hint` is the command to run when `ok` is false, `advice` what would
    give more where nothing is wrong."""

    name: str
    ok: bool
    detail: str = ""
    hint: str = ""
    advice: str = ""


@dataclass(frozen=True, slots=True)
class OldIds:
    """Ids that no environment has and that users know from elsewhere or from before."""

    names: tuple[str, ...]
    forms: Mapping[str, str]
    """By the form of the ids, "{name}Hard-v0", the rest of an error that begins with "there is no 'ID'; ": the
    call that gives the same. In both, {name} is one of `names`; upper and lower case do not differ."""

    def advice(self, task_id: str) -> str:
        """What to use instead of this id; empty: it is none of these."""
        wanted = task_id.lower()
        for form, advice in self.forms.items():
            before, _, behind = form.lower().partition("{name}")
            if wanted.startswith(before) and wanted.endswith(behind):
                middle = wanted[len(before) : len(wanted) - len(behind)]
                for name in self.names:
                    if name.lower() == middle:
                        return advice.replace("{name}", name)
        return ""


@dataclass(frozen=True, slots=True)
class Internal:
    """A value that the hook `parallel_pool_options` returns for an option of users, and that they do not see.

    The library gets `value`, such as the path of a file that was found on this machine. `config` and
    `spec.kwargs` show the option as it was given, or its default.
    """

    value: Any


class Renderer(Protocol):
    """What the hook `parallel_pool_renderer` gives: draws one environment after the other.

    Made in the caller's process, and made, used and closed in one thread of its pool (on macOS the caller's).
    What pools share, such as a library without locks, needs a lock.
    """

    @property
    def arrays(self) -> Sequence[str]:
        """Names of the arrays ("pp.arrays/1") of an environment that `draw` looks at.

        A name that ends in `_address` is of memory of the environment's process: with it, environments in
        worker processes (`isolation="process"`) are not drawn.
        """

    def draw(self, arrays: Mapping[str, Any], options: Mapping[str, Any]) -> Any:
        """A uint8 array (height, width, 3), or in mode "ansi" a text, of one environment.

        arrays: by name, copies, as the environment has them now; and `env_id`, of the environment.
        options: its own, with defaults.
        What it raises is the cause of an EnvAccessError; errors of this library stay as they are.
        """

    def close(self) -> None:
        """Lets go of windows and contexts. Called once."""


SCENE_THREADS = 4
"""A pool draws scenes in at most so many threads."""


class SceneRenderer(Renderer, Protocol):
    """A renderer for environments that declare the option `from_pixels`, a bool.

    Where it is on, the last array of their observation, or the only one, is a scene: uint8 (bytes,) that
    pictures can be drawn from, or (frame_stack, bytes), of which the pool then makes pictures (mode
    "rgb_array"). The first eight bytes of a scene are not all zero. There is a renderer in each of up to
    SCENE_THREADS threads, made, used and closed there, if it has no thread of its own.
    """

    def check(self) -> None:
        """Raises OptionError that says how to get it, where there is nothing to draw with."""

    @property
    def own_thread(self) -> Callable[[Callable[[], object]], object] | None:
        """For what one thread of the process serves best. None: any thread. For scenes `check` comes first.

        Else a pool has one renderer. This calls in that thread, waits, and raises what the call raises. `draw`
        is called so, and may raise if the one who waited has gone; `close` is called in any thread.
        """

    def draw(self, arrays: Mapping[str, Any], options: Mapping[str, Any], into: Any = None) -> Any:
        """As that of Renderer. into: uint8 (height, width, 3), to write the picture to and return."""

    def unpacked(self, scene: Any) -> Mapping[str, Any]:
        """The arrays that `draw` takes, without `env_id`. May be views."""


def find_library(package: str | None, name: str) -> Path:
    """Where the library `name` of an imported package is: what `parallel_pool_library` returns.

    Looks in every folder of the package: an editable install has the sources in one and what was
    built in another. Without any such file, the path where a plain install would have it.
    """
    folders = _folders(package)
    for folder in folders:
        for suffix in (".so", ".dylib", ".plugin.dll", ".dll"):
            if (path := folder / f"{name}{suffix}").is_file():
                return path
    return folders[0] / f"{name}.so"


def places(name: str) -> list[Path]:
    """Where a file or folder may be that is named "package/path" or "$VARIABLE/path".

    In the folders of an installed package, which is not imported, or in those that an environment variable
    names, separated as in PATH. They may not exist.
    """
    first, _, path = name.partition("/")
    if first.startswith("$"):
        folders = [each for each in os.environ.get(first[1:], "").split(os.pathsep) if each]
    else:
        spec = importlib.util.find_spec(first)
        folders = list((spec and spec.submodule_search_locations) or ())
    return [Path(folder, path) for folder in folders]


def find_include(package: str) -> Path:
    """The folder with the C++ headers that an imported package has for other plugins; see `find_library`."""
    folders = [folder / "include" for folder in _folders(package)]
    return next((folder for folder in folders if folder.is_dir()), folders[0])


def _folders(package: str | None) -> list[Path]:
    return [Path(folder) for folder in sys.modules[package or ""].__path__]


def _require_texts(spec: EnvSpec, name: str, items: Iterable[object]) -> None:
    for item in items:
        if not isinstance(item, str):
            raise TypeError(f"EnvSpec {spec.id!r}: {name} has {item!r}, which is no text")
