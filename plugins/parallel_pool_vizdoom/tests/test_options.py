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
from parallel_pool_vizdoom._names import BINARY_BUTTONS, BUTTONS, VARIABLES
from parallel_pool_vizdoom._package import package_folder
from parallel_pool_vizdoom._scenarios import envs

CFGS = sorted((package_folder() / "scenarios").glob("*.cfg"))
SMALL: dict[str, Any] = {"screen_resolution": "160x120", "frame_skip": 4}
GAME, MATCH, BASIC = "VizdoomCustom-v1", "vizdoom/MatchCustom-v1", "vizdoom/Basic-v1"
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


def shrunk(key: str, frame: Any) -> Any:
    """Channels of 160 x 120 in 60 x 42; of labels the nearest pixels."""
    if key == "labels":
        rows, columns = (
            (2 * np.arange(n) + 1) * old // (2 * n) for n, old in ((42, 120), (60, 160))
        )
        return frame[:, rows][:, :, columns]
    resized = [cv2.resize(each, (60, 42), interpolation=cv2.INTER_AREA) for each in frame]
    return np.stack(resized)


def test_pictures_are_resized_by_area_and_stacked() -> None:
    buffers: dict[str, Any] = {"depth_buffer": True, "labels_buffer": True, **SMALL}
    size = {"img_height": 42, "img_width": 60, "stack_num": 3, **buffers}
    with (
        parallel_pool.make(BASIC, img_height=0, img_width=0, stack_num=1, **buffers) as whole,
        parallel_pool.make(BASIC, **size) as small,
        parallel_pool.make(BASIC, channels_last=True, **size) as last,
    ):
        seen = [pool.reset(seed=3)[0] for pool in (whole, small, last)]
        assert list(seen[0]) == ["screen", "depth", "labels", "gamevariables"]
        stacks = {key: [seen[0][key][0]] * 3 for key in ("screen", "depth", "labels")}
        for step in range(4):
            for key, stack in stacks.items():
                wanted = np.concatenate([shrunk(key, frame) for frame in stack])
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


COOPERATIVE_BOT = {"cfg_path": "freedoom2.cfg", "game_mode": "cooperative", "bots": 1}
EVERY_BUTTON = {"available_buttons": list(BUTTONS[:BINARY_BUTTONS])}
RATE = {"audio_buffer": True, "config": {"audio_sampling_rate": "SR_8000"}}


@pytest.mark.parametrize(
    ("task_id", "options", "message"),
    [
        (
            GAME,
            {"cfg_path": "none.cfg"},
            "cfg_path is 'none.cfg', expected a file, or the name of one in",
        ),
        (GAME, {"wad_path": "none.wad"}, "there is no none.wad.*wad_path says where it is"),
        (GAME, {"wad_path": __file__}, "wad_path is .*which is no map: expected a WAD file"),
        (BASIC, {"wad_path": __file__}, "vizdoom/Basic-v1.*which is no map"),
        (GAME, {"vzd_path": "/none"}, "there is no /none.*vzd_path says where it is"),
        (
            GAME,
            {"config": {"living_rewad": 1}},
            "config, line 1: living_rewad = 1: vizdoom has no such key",
        ),
        (GAME, {"config": {"available_buttons": ["JUMPP"]}}, "there is no button JUMPP"),
        (GAME, {"config": {"render_hud": "yes"}}, "render_hud = yes: expected true or false"),
        (GAME, {"config": "nonsense"}, "'nonsense' is not `key = value`"),
        (
            GAME,
            {"game_variables": ["HEALT"]},
            "game_variables, line 1: .*there is no game variable HEALT",
        ),
        (
            GAME,
            {"screen_resolution": "big"},
            "screen_resolution is 'big', expected width and height",
        ),
        (GAME, {"doom_skill": 6}, "doom_skill"),
        (GAME, RATE, "sr_8000.*expected one of sr_11025"),
        (GAME, {"game_args": "-host 2"}, "-host .*vizdoom/MatchCustom-v1"),
        (GAME, {"config": EVERY_BUTTON, "use_combined_action": True}, "more than a million ways"),
        ("vizdoom/Deathmatch-v1", {"actions": "binary"}, "buttons that take any number"),
        (BASIC, {"num_players": 2}, "num_players"),
        (
            BASIC,
            {"reward_config": {"HELTH": (1, -1)}},
            r"reward_config: there is no game variable HELTH; did you mean HEALTH\?",
        ),
        (
            BASIC,
            {"reward_config": {"HEALTH": 1}},
            "reward_config: HEALTH is '1', expected a reward up and one down",
        ),
        (BASIC, {"reward_config": {"HEALTH": ("a", 1)}}, "expected a reward up and one down"),
        (BASIC, {"reward_config": {"HEALTH": (np.nan, 1)}}, "expected a reward up and one down"),
        (
            BASIC,
            {"selected_weapon_reward_config": {10: 1.0}},
            "there is no weapon slot 10, expected 0 to 9",
        ),
        (BASIC, {"weapon_duration": -1}, "weapon_duration"),
        (
            BASIC,
            {"delta_button_config": {"TURN_LEFT_RIGHT": (3, -1, 1)}},
            r"there is no button that takes numbers TURN_LEFT_RIGHT; did you mean TURN_LEFT_RIGHT_DELTA\?",
        ),
        (
            BASIC,
            {"delta_button_config": {"LOOK_UP_DOWN_DELTA": (3, -1, 1)}},
            "delta_button_config: the scenario has no LOOK_UP_DOWN_DELTA",
        ),
        (
            BASIC,
            {"game_variables": ["HELTH"]},
            r"there is no game variable HELTH; did you mean HEALTH\?",
        ),
        (MATCH, {"num_players": 0}, "num_players"),
        (MATCH, {"num_players": 17}, "'num_players' is 17, expected an integer in 1 .. 16"),
        (MATCH, {"num_players": "two"}, "num_players"),
        (MATCH, {"num_players": 2, "bots": 15}, "bots 15, 17 together: the engine has room for 16"),
        (
            MATCH,
            {"num_players": 3},
            "num_players is 3, and map map01 of multi_duel.wad has 2 places",
        ),
        (MATCH, {"cfg_path": "basic.cfg"}, "has no places where players of a deathmatch begin"),
        (
            MATCH,
            {"cfg_path": "basic.cfg", "game_mode": "cooperative"},
            "num_players is 2, and map map01 of basic.wad has 1 place where players who cooperate",
        ),
        (MATCH, {"game_mode": "cooperative"}, "has no place where players who cooperate begin"),
        (MATCH, COOPERATIVE_BOT, "bots is 1, and bots play deathmatches only"),
        (MATCH, {"game_mode": "both"}, "game_mode"),
        (
            MATCH,
            {"player_args": ["+name A"]},
            "player_args has 1 lines, expected one for each of the 2",
        ),
        (MATCH, {"game_args": "-host 2"}, "-host is among the engine's arguments"),
        (MATCH, {"player_args": ["-port 5", ""]}, "-port is among the engine's arguments"),
    ],
)
def test_what_is_wrong_is_named(task_id: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(parallel_pool.OptionError, match=rf"(?s){message}"):
        parallel_pool.make(task_id, **options)


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
