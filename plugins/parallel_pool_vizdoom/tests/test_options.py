"""What options do, and what is said of those that are wrong."""

import re
import shutil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import parallel_pool
import pytest
import vizdoom
from parallel_pool.registry.acceptance import accept
from parallel_pool_vizdoom._cfg import Cfg
from parallel_pool_vizdoom._names import BUTTONS, VARIABLES
from parallel_pool_vizdoom._package import package_folder
from parallel_pool_vizdoom._scenarios import envs

CFGS = sorted((package_folder() / "scenarios").glob("*.cfg"))
SMALL: dict[str, Any] = {"screen_resolution": "160x120", "frame_skip": 4}
REWARDS = ("living_reward", "death_penalty", "map_exit_reward", "kill_reward")
REWARDS += ("hit_taken_penalty", "damage_taken_penalty")


def test_names_are_vizdooms() -> None:
    for enum, names in ((vizdoom.Button, BUTTONS), (vizdoom.GameVariable, VARIABLES)):
        theirs = {name: int(each) for name, each in enum.__members__.items()}
        assert {name: number for number, name in enumerate(names)} == theirs


@pytest.mark.parametrize("path", CFGS, ids=[path.stem for path in CFGS])
def test_cfg_is_read_as_vizdoom_reads_it(path: Path) -> None:
    cfg = Cfg()
    cfg.read(path.read_text(), path.name)
    game = vizdoom.DoomGame()
    game.load_config(str(path))
    assert [BUTTONS[each] for each in cfg.buttons] == [b.name for b in game.get_available_buttons()]
    variables = [v.name for v in game.get_available_game_variables()]
    assert [VARIABLES[each] for each in cfg.variables] == variables
    for name in REWARDS:
        assert cfg.rewards[name] == getattr(game, f"get_{name}")(), name
    assert cfg.counts["doom_skill"] == game.get_doom_skill()
    assert cfg.counts["episode_timeout"] == game.get_episode_timeout()
    assert cfg.counts["episode_start_time"] == game.get_episode_start_time()
    assert cfg.texts["doom_map"] == game.get_doom_map()
    assert " ".join(cfg.arguments) == game.get_game_args()
    assert cfg.texts["screen_format"] == game.get_screen_format().name.lower()


def test_the_page_has_every_id_and_every_option() -> None:
    page = (Path(__file__).parents[3] / "docs/vizdoom.md").read_text(encoding="utf-8")
    said = set(re.findall(r"[\w-]+", page))
    names = {spec.id.removeprefix("vizdoom/") for spec in envs() if not spec.id.endswith("-v0")}
    assert not {name for name in names if "MultiBinary" not in name} - said
    options = set(parallel_pool.make_spec("VizdoomCustom-v1").config._fields)
    everywhere = set(parallel_pool.make_spec("CartPole-v1").config._fields)
    assert not options - everywhere - said


def test_pictures_are_resized_by_area_and_stacked() -> None:
    name = "vizdoom/Basic-v1"
    buffers = {"depth_buffer": True, "labels_buffer": True}
    with (
        parallel_pool.make(
            name, img_height=0, img_width=0, stack_num=1, **buffers, **SMALL
        ) as whole,
        parallel_pool.make(
            name, img_height=42, img_width=60, stack_num=3, **buffers, **SMALL
        ) as small,
        parallel_pool.make(
            name, img_height=42, img_width=60, stack_num=3, channels_last=True, **buffers, **SMALL
        ) as last,
    ):
        seen = [pool.reset(seed=3)[0] for pool in (whole, small, last)]
        assert list(seen[0]) == ["screen", "depth", "labels", "gamevariables"]
        stacks = {key: [seen[0][key][0]] * 3 for key in ("screen", "depth", "labels")}
        for step in range(4):
            for key, stack in stacks.items():
                frames = [
                    np.stack(
                        [
                            cv2.resize(channel, (60, 42), interpolation=cv2.INTER_AREA)
                            if key != "labels"
                            else channel[(2 * np.arange(42) + 1) * 120 // 84, :][
                                :, (2 * np.arange(60) + 1) * 160 // 120
                            ]
                            for channel in frame
                        ]
                    )
                    for frame in stack
                ]
                wanted = np.concatenate(frames)
                assert seen[1][key][0].tobytes() == wanted.tobytes(), f"{key}, step {step}"
                assert seen[2][key][0].tobytes() == wanted.transpose(1, 2, 0).tobytes(), key
            action = np.array([[0.0, 1.0, 0.0]])
            seen = [pool.step(action)[0] for pool in (whole, small, last)]
            for key, stack in stacks.items():
                stack[:] = [*stack[1:], seen[0][key][0]]


def test_a_scenario_of_ones_own(elsewhere: Path) -> None:
    (elsewhere / "mine.cfg").write_text(
        "livingReward = 3\navailable_buttons = { attack }\navailable_buttons += {\n# one more\nUSE }\n"
        "screen_resolution = RES_160X120\nepisode_timeout = 5\n"
    )
    wad = package_folder() / "scenarios" / "basic.wad"
    with parallel_pool.make(
        "VizdoomCustom-v1", cfg_path="mine.cfg", wad_path=str(wad), frame_skip=2
    ) as pool:
        assert pool.single_action_space.shape == (2,)
        pool.reset(seed=0)
        rewards = [pool.step(np.zeros((1, 2)))[1][0] for _ in range(3)]
        assert rewards == [6, 6, 3]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"cfg_path": "none.cfg"},
            "cfg_path is 'none.cfg', expected a file, or the name of one in",
        ),
        ({"wad_path": "none.wad"}, "there is no none.wad.*wad_path says where it is"),
        ({"wad_path": __file__}, "wad_path is .*which is no map: expected a WAD file"),
        ({"vzd_path": "/none"}, "there is no /none.*vzd_path says where it is"),
        (
            {"config": {"living_rewad": 1}},
            "config, line 1: living_rewad = 1: vizdoom has no such key",
        ),
        ({"config": {"available_buttons": ["JUMPP"]}}, "there is no button JUMPP"),
        ({"config": {"render_hud": "yes"}}, "render_hud = yes: expected true or false"),
        ({"config": "nonsense"}, "'nonsense' is not `key = value`"),
        (
            {"game_variables": ["HEALT"]},
            "game_variables, line 1: .*there is no game variable HEALT",
        ),
        ({"screen_resolution": "big"}, "screen_resolution is 'big', expected width and height"),
        ({"doom_skill": 6}, "doom_skill"),
    ],
)
def test_what_is_wrong_is_named(options: dict[str, Any], message: str) -> None:
    with pytest.raises(
        parallel_pool.OptionError, match=rf"(?s)VizdoomCustom-v1.*{message}|{message}"
    ):
        parallel_pool.make("VizdoomCustom-v1", **options)


def test_a_map_is_checked_where_the_cfg_names_one() -> None:
    with pytest.raises(parallel_pool.OptionError, match=r"vizdoom/Basic-v1.*which is no map"):
        parallel_pool.make("vizdoom/Basic-v1", wad_path=__file__)


def test_buttons_that_take_numbers_are_no_bits() -> None:
    with pytest.raises(parallel_pool.ParallelPoolError, match="buttons that take any number"):
        parallel_pool.make("vizdoom/Deathmatch-v1", actions="binary")


def test_scenarios_in_a_folder_of_the_user(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also the ids of those that no installed package brings."""
    folder = elsewhere / "mine"
    folder.mkdir()
    shutil.copy(package_folder() / "scenarios/basic.wad", folder)
    shutil.copy(package_folder() / "scenarios/basic.cfg", folder / "D1_basic.cfg")
    missing = accept("vizdoom", envs())[0]["vizdoom/D1Basic-v1"].removed
    assert missing is None or "name the folder of its cfg" in missing
    monkeypatch.setenv("PARALLEL_POOL_VIZDOOM_SCENARIOS", f"{elsewhere / 'none'}:{folder}")
    assert accept("vizdoom", envs())[0]["vizdoom/D1Basic-v1"].removed is None
    with (
        parallel_pool.make("VizdoomCustom-v1", cfg_path="D1_basic.cfg", **SMALL) as pool,
        parallel_pool.make("VizdoomCustom-v1", **SMALL) as basic,
    ):
        assert (pool.reset(seed=0)[0] == basic.reset(seed=0)[0]).all()
