"""Episodes equal Gymnasium's in every bit: observations, rewards, ends, lives, RAM, seeds."""

from typing import Any

import pytest
from atari_engine import games
from parallel_pool.testing import Play
from parallel_pool_author.testing.beside import made
from test_envs.originals import Beside

ale_py = pytest.importorskip("ale_py")
pytest.importorskip("cv2")

import gymnasium  # noqa: E402
from gymnasium.wrappers import AtariPreprocessing, FrameStackObservation  # noqa: E402
from parallel_pool_atari._games import ale_name, envpool_name  # noqa: E402

gymnasium.register_envs(ale_py)
ale_py.ALEInterface.setLoggerMode(ale_py.LoggerMode.Error)

# With lives and without; Air Raid is a PAL game, and 3-D Tic-Tac-Toe ends frames early or late.
FEW = ["pong", "breakout", "montezuma_revenge", "air_raid", "tic_tac_toe_3d"]
SOME = [*FEW, "ms_pacman", "berzerk", "double_dunk"]
# AtariPreprocessing refuses no-ops for a game whose own actions have none.
NO_NOOP = {"backgammon", "video_checkers"}
few_games = pytest.mark.parametrize(
    "game", [pytest.param(g, marks=() if g in FEW else pytest.mark.slow) for g in games()]
)


INFOS = ("lives", "ram", "terminated", "frame_number", "episode_frame_number")


class OfAle(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Its infos are what ALE says. preprocessed: as pools of preprocessed games have it, else of bare ones."""

    def __init__(self, env: gymnasium.Env[Any, Any], preprocessed: bool) -> None:
        super().__init__(env)
        self.preprocessed = preprocessed

    def facts(self) -> dict[str, Any]:
        ale = self.unwrapped.ale  # type: ignore[attr-defined]
        if self.preprocessed:
            ended = ale.game_over(with_truncation=False)
            return {"lives": ale.lives(), "ram": ale.getRAM(), "terminated": ended}
        frames = {"frame_number": ale.getFrameNumber()}
        return {"lives": ale.lives(), **frames, "episode_frame_number": ale.getEpisodeFrameNumber()}

    def reset(self, **arguments: Any) -> Any:
        return self.env.reset(**arguments)[0], self.facts()

    def step(self, action: Any) -> Any:
        return *self.env.step(int(action))[:4], self.facts()


def in_the_same_space(play: Play) -> Any:
    assert all(env.action_space == play.pool.single_action_space for env in play.originals)
    return play.sample()


def preprocessed(
    beside: Beside,
    game: str,
    lanes: int = 2,
    *,
    seed: Any,
    steps: int,
    sticky: float = 0.0,
    frame_skip: int = 4,
    noop_max: int = 30,
    size: tuple[int, int] = (84, 84),
    gray: bool = True,
    stack: int = 4,
    life: bool = False,
    padding: str = "repeat",
    max_num_frames_per_episode: int = 108_000,
    **ale: Any,
) -> Play:
    if game in NO_NOOP:
        noop_max = 0
    ale["max_num_frames_per_episode"] = max_num_frames_per_episode

    def original(**ale: Any) -> gymnasium.Env[Any, Any]:
        name = f"ALE/{ale_name(game)}-v5"
        env = made(name, frameskip=1, repeat_action_probability=sticky, **ale)
        env = AtariPreprocessing(
            env,
            noop_max=noop_max,
            frame_skip=frame_skip,
            screen_size=size[::-1],
            terminal_on_life_loss=life,
            grayscale_obs=gray,
        )
        env = FrameStackObservation(
            env, stack, padding_type="zero" if padding == "zero" else "reset"
        )
        if not gray:
            box = gymnasium.spaces.Box(0, 255, (3 * stack, *size), "uint8")
            env = gymnasium.wrappers.TransformObservation(
                env, lambda stacked: stacked.transpose(0, 3, 1, 2).reshape(box.shape), box
            )
        return OfAle(env, preprocessed=True)

    ours = {
        "use_fire_reset": False,
        "repeat_action_probability": sticky,
        "frame_skip": frame_skip,
        "noop_max": noop_max,
        "img_height": size[0],
        "img_width": size[1],
        "gray_scale": gray,
        "stack_num": stack,
        "terminal_on_life_loss": life,
        "stack_padding": padding,
    }
    how = {"num_envs": lanes, "seed": seed, "steps": steps, "infos": INFOS, **ale}
    return beside(f"{envpool_name(game)}-v5", original, in_the_same_space, ours=ours, **how)


@pytest.mark.parametrize(
    ("game", "steps"),
    [(g, 700) for g in games() if g in SOME]
    + [pytest.param(g, 2000, marks=pytest.mark.slow) for g in games()],
)
def test_preprocessed_equals_gymnasium(game: str, steps: int, beside: Beside) -> None:
    preprocessed(beside, game, 1, seed=5, steps=steps)


@few_games
def test_sticky_actions_life_ends_and_new_seeds_equal_gymnasium(game: str, beside: Beside) -> None:
    resets = {0: 2**40, 250: 77, 500: None}
    preprocessed(beside, game, seed=resets, steps=550, sticky=0.25, life=True)


VARIANTS: dict[str, dict[str, Any]] = {
    "rgb": {"gray": False},
    "rgb_shape": {"gray": False, "size": (50, 120), "stack": 2},
    "wide": {"size": (64, 96), "stack": 1},
    "same_size": {"size": (210, 160)},
    "blocks": {"size": (105, 80), "stack": 3},
    "no_noops": {"noop_max": 0},
    "skip_1": {"frame_skip": 1, "life": True},
    "skip_2": {"frame_skip": 2, "life": True, "sticky": 0.5},
    "skip_3": {"frame_skip": 3},
    "skip_7": {"frame_skip": 7, "life": True},
    "zero_padding": {"padding": "zero"},
    "all_actions": {"full_action_space": True},
    "mode": {"mode": 4, "difficulty": 1},
    "truncation": {"max_num_frames_per_episode": 333},
}


@pytest.mark.parametrize("variant", VARIANTS)
def test_variants_equal_gymnasium(variant: str, beside: Beside) -> None:
    assert preprocessed(beside, "breakout", seed=9, steps=300, **VARIANTS[variant]).ended.sum() > 0


def test_more_no_ops_than_an_episode_has_frames(beside: Beside) -> None:
    """A game that ends during the no-ops starts again, from the same seed."""
    seeds = {0: 1, 40: 2, 80: None, 120: 3}
    options = {"noop_max": 200, "max_num_frames_per_episode": 60, "sticky": 0.25}
    preprocessed(beside, "pong", 3, seed=seeds, steps=160, **options)


def bare(beside: Beside, game: str, **how: Any) -> Play:
    """how: options of the pool's too."""
    name = f"ALE/{ale_name(game)}-v5"

    def original(frameskip_high: int | None = None, **options: Any) -> Any:
        if frameskip_high:
            options["frameskip"] = (options["frameskip"], frameskip_high)
        return OfAle(made(name, **options), preprocessed=False)

    return beside(name, original, in_the_same_space, num_envs=2, infos=INFOS, **how)


@few_games
def test_bare_game_equals_gymnasium(game: str, beside: Beside) -> None:
    bare(beside, game, seed={0: 31, 250: None}, steps=300)


RAW: dict[str, dict[str, Any]] = {
    "ram": {"obs_type": "ram"},
    "grayscale": {"obs_type": "grayscale"},
    "random_skip": {"frameskip": 2, "frameskip_high": 5},
    "all_actions": {"full_action_space": True, "repeat_action_probability": 0.0},
    "mode": {"mode": 12, "difficulty": 1},
    "truncation": {"max_num_frames_per_episode": 200},
}


@pytest.mark.parametrize("variant", RAW)
def test_bare_variants_equal_gymnasium(variant: str, beside: Beside) -> None:
    assert bare(beside, "breakout", seed=4, steps=500, **RAW[variant]).ended.sum() > 0


def test_ids_are_those_of_ale_py() -> None:
    theirs = {name for name in gymnasium.registry if name.startswith("ALE/")}
    ours = {f"ALE/{ale_name(game)}-v5" for game in games()}
    assert ours == theirs
