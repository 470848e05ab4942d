"""Constructor arguments mean what they mean in Gymnasium: pairs with random sets of them."""

import inspect
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import parallel_pool
import pytest
from gymnasium.envs.registration import load_env_creator
from mujoco_originals import IDS, played
from parallel_pool import OptionError, StateError
from test_envs.originals import Beside, unrecorded

OF_FILES_AND_PICTURES = {"xml_file", "default_camera_config"}
CHANGEABLE = [
    *(task_id for task_id in IDS if task_id.endswith("v5")),
    *("Ant-v4", "HalfCheetah-v4", "Hopper-v4", "Humanoid-v4", "Swimmer-v4", "Walker2d-v4"),
]
"""Those with arguments of their own."""


def arguments(task_id: str) -> dict[str, Any]:
    theirs = inspect.signature(
        load_env_creator(str(gymnasium.spec(task_id).entry_point))
    ).parameters
    declared = parallel_pool.make_spec(task_id).declared_options
    return {
        each["name"]: each["default"]
        for each in declared
        if each["name"] in theirs.keys() - OF_FILES_AND_PICTURES
    }


def drawn(draw: np.random.Generator, name: str, default: Any) -> Any:
    """Another value of the same kind."""
    if name == "main_body":
        return (1, 4, "torso", "front_left_leg")[draw.integers(4)]
    if isinstance(default, bool):
        return bool(draw.integers(2))
    if isinstance(default, int):
        return int(draw.integers(1, 8))
    if isinstance(default, list):
        return tuple(float(draw.uniform(0.5, 1.5) * np.clip(end, -4, 4)) for end in default)
    return float(default * draw.uniform(-2 if name == "forward_reward_weight" else 0, 2))


@pytest.mark.parametrize("task_id", CHANGEABLE)
def test_random_sets_of_options(task_id: str, beside: Beside) -> None:
    defaults = arguments(task_id)
    assert defaults
    for seed in range(5):
        draw = np.random.default_rng(seed)
        # Half of them each time, so that defaults are among them.
        options = {
            name: drawn(draw, name, default)
            for name, default in defaults.items()
            if seed == 0 or draw.integers(2)
        }
        played(beside, task_id, seed=seed, steps=40, **options)


@pytest.mark.parametrize(
    ("task_id", "model"),
    [
        ("Ant-v5", "humanoid.xml"),
        ("HalfCheetah-v5", "hopper.xml"),
        ("Hopper-v5", "walker2d_v5.xml"),
        ("Humanoid-v5", "ant.xml"),
        ("HumanoidStandup-v5", "humanoid.xml"),
        ("InvertedDoublePendulum-v5", "inverted_double_pendulum.xml"),
        ("Pusher-v5", "pusher.xml"),
        ("Swimmer-v5", "ant.xml"),
        ("Walker2d-v5", "humanoid.xml"),
    ],
)
def test_a_model_of_another_task_with_sizes_of_its_own(
    task_id: str, model: str, beside: Beside
) -> None:
    played(beside, task_id, seed=1, steps=40, xml_file=model)


def test_a_pendulum_that_is_a_cheetah() -> None:
    """Gymnasium's observation space has four numbers whatever the model; ours has what there is."""
    with parallel_pool.make("InvertedPendulum-v5", xml_file="half_cheetah.xml") as pool:
        assert pool.single_observation_space.shape == (18,)
        pool.reset(seed=1)
        pool.step(np.zeros((1, 6)))


def chain(links: int) -> str:
    """An XML of a floating chain: more contact forces than numpy adds up in one block."""
    body = '<geom type="capsule" fromto="0 0 0 .1 0 0" size=".03"/>'
    for number in range(links):
        joint = f'<joint name="j{number}" axis="0 1 0" range="-40 40"/>'
        body = f'{body}<body pos=".1 0 0">{joint}<geom type="capsule" fromto="0 0 0 .1 0 0" size=".03"/>'
    motors = "".join(f'<motor joint="j{number}" ctrlrange="-1 1"/>' for number in range(links))
    return f"""
    <mujoco><option timestep="0.005"/><worldbody><geom type="plane" size="9 9 1"/>
    <body name="torso" pos="0 0 .5"><freejoint/>{body}{"</body>" * links}</body></worldbody>
    <actuator>{motors}</actuator></mujoco>"""


@pytest.mark.parametrize("task_id", ["Ant-v5", "Humanoid-v5", "HumanoidStandup-v5", "Swimmer-v5"])
def test_a_model_of_ones_own(task_id: str, tmp_path: Path) -> None:
    path = tmp_path / "chain.xml"
    path.write_text(chain(25))
    played(unrecorded, task_id, seed=1, steps=40, xml_file=str(path))


def test_a_file_that_changes_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "chain.xml"
    for links in (3, 5):
        path.write_text(chain(links))
        with parallel_pool.make("Swimmer-v5", xml_file=path) as pool:
            assert pool.single_action_space.shape == (links,)


OF_PICTURES: list[tuple[dict[str, Any], str]] = [
    ({"isolation": "process"}, "no pictures of environments in worker processes"),
    ({"render_quality": "best"}, "'render_quality' is 'best', expected one of"),
    ({"width": 64, "render_width": 64}, "render_width is said twice"),
    ({"camera_id": 0, "camera_name": "track"}, r"number of a camera .*camera_id\) or its name"),
    ({"width": -3}, r"render_width is -3, expected an integer in 0 \.\."),
    ({"default_camera_config": {"zoom": 2}}, "default_camera_config has 'zoom', but .*azimuth"),
    ({"default_camera_config": {"lookat": 2}}, "'lookat': 2, expected three numbers"),
    ({"default_camera_config": {"distance": "far"}}, "'distance': 'far', expected a number"),
    ({"default_camera_config": 7}, "'default_camera_config' is 7, expected a text"),
    ({"visual_options": {99: True}}, r"visual_options has '99', expected numbers .*0 \.\."),
    ({"visual_options": {"contacts": True}}, "visual_options has 'contacts', expected numbers"),
    ({"visual_options": {16: True}}, "mjVIS_CONTACTFORCE.*cannot be drawn"),
    ({"max_geom": 0}, "'max_geom' is 0, expected an integer in 1"),
    ({"from_pixels": 1}, "'from_pixels' is 1, expected True or False"),
]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"xml_file": "dragon.xml"}, r"xml_file is 'dragon.xml', but there is no file"),
        ({"xml_file": "./dragon.xml"}, r"there is no file dragon.xml"),
        ({"xml_file": ""}, r"xml_file is empty"),
        ({"xml_file": "swimmer.xml"}, r"main_body is 'front_left_leg'.*swimmer.xml, one of world"),
        ({"main_body": "tail"}, r"main_body is 'tail', .* one of world, torso, .* 0 \.\. 13"),
        ({"main_body": 99}, r"main_body is '99', expected the name .* 0 \.\. 13"),
        ({"main_body": -1}, r"'main_body' is -1, expected a text"),
        ({"healthy_z_range": (1, 2, 3)}, r"healthy_z_range is \[1.0, 2.0, 3.0\], expected two"),
        ({"healthy_z_range": ()}, r"healthy_z_range is \[\], expected two numbers"),
        ({"healthy_z_range": 1}, r"'healthy_z_range' is 1, expected a one-dimensional array"),
        ({"contact_force_range": (0, np.nan)}, r"'contact_force_range' is .*, expected numbers"),
        ({"frame_skip": 0}, r"'frame_skip' is 0, expected an integer in 1"),
        ({"on_warning": "panic"}, r"'on_warning' is 'panic'"),
        ({"legs": 6}, r"no option 'legs'"),
        (
            {"healthy_z_min": 0.1, "healthy_z_range": (0.1, 1)},
            "'healthy_z_min' and 'healthy_z_range' mean the same",
        ),
        *(({"from_pixels": True, **options}, message) for options, message in OF_PICTURES),
    ],
)
def test_refusals_name_the_option(options: dict[str, Any], message: str) -> None:
    if options.get("xml_file") == "swimmer.xml":
        options = {**options, "main_body": "front_left_leg"}
    with pytest.raises(OptionError, match=rf"mujoco/Ant-v5.*({message})"):
        parallel_pool.make("Ant-v5", **options)


def test_the_configuration_of_a_pool_makes_it_again() -> None:
    with parallel_pool.make("Ant-v5", seed=3, healthy_z_min=0.25, main_body=2) as pool:
        config = {name: value for name, value in pool.config.items() if name != "task_id"}
        # The address of a model that is no more, say from another process.
        with parallel_pool.make("Ant-v5", **{**config, "model": 12345}) as again:
            np.testing.assert_array_equal(pool.reset()[0], again.reset()[0])
            assert pool.config == again.config or str(pool.config) == str(again.config)


def test_what_mujoco_cannot_read_is_an_option_error(tmp_path: Path) -> None:
    path = tmp_path / "bad.xml"
    path.write_text("<mujoco><worldbody><body><geom/></body></worldbody></mujoco>")
    with pytest.raises(OptionError, match=r"mujoco/Ant-v5: MuJoCo cannot read .*bad.xml.*size"):
        parallel_pool.make("Ant-v5", xml_file=path)
    path.write_text("<mujoco>")
    with pytest.raises(OptionError, match=r"MuJoCo cannot read .*bad.xml.*XML"):
        parallel_pool.make("Ant-v5", xml_file=path)
    path.write_text("<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>")
    with pytest.raises(OptionError, match=r"bad.xml has nq = 1, but this task needs at least 3"):
        parallel_pool.make("Ant-v5", xml_file=path)


@pytest.mark.parametrize("task_id", CHANGEABLE)
def test_the_greatest_weights_and_scales_make_numbers(task_id: str) -> None:
    """Rewards of any size are the user's choice; NaN and infinity are an error that names the range."""
    declared = parallel_pool.make_spec(task_id)._config.declarations
    ranged = [each for each in declared if each["high"] == 1e15 or each["low"] == -1e15]
    assert ranged
    assert task_id != "Reacher-v5" or "reset_goal_scale" in {each["name"] for each in ranged}
    for name, low, high in ((each["name"], each["low"], each["high"]) for each in ranged):
        rows = [{name: high}, {name: low}]
        if name.startswith("cylinder"):  # the other side of its range, or there would be no place
            rows = [{name: 1e15 if name.endswith("max") else -1e15}]
        with parallel_pool.make(task_id, "gym", env_options=rows, seed=0) as envs:
            assert np.isfinite(envs.reset()).all()
            for _ in range(5):
                action = np.stack([envs.action_space.sample() for _ in rows])
                obs, reward, *_ = envs.step(action)
                assert np.isfinite(obs).all()
                assert np.isfinite(reward).all()
        beyond = -np.inf if high == np.inf else np.inf
        with pytest.raises(
            OptionError, match=rf"'{name}' is {beyond}, expected a number in .*1e\+15"
        ):
            parallel_pool.make_spec(task_id, **{name: beyond})


def test_a_state_is_of_one_model_wherever_its_file_is(tmp_path: Path) -> None:
    folder = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"
    text = (folder / "hopper.xml").read_text()
    same, other = tmp_path / "same.xml", tmp_path / "other.xml"
    same.write_text(text)
    other.write_text(text.replace('timestep="0.002"', 'timestep="0.003"'))
    assert other.read_text() != text
    with (
        parallel_pool.make("Hopper-v5", seed=1) as pool,
        parallel_pool.make("Hopper-v5", xml_file=same) as moved,
        parallel_pool.make("Hopper-v5", xml_file=other) as another,
        parallel_pool.make("Hopper-v5", model_overrides={"opt.gravity": [0, 0, -3]}) as light,
    ):
        for each in (pool, moved, another, light):
            each.reset()
        state = pool.get_state()
        moved.set_state(None, state)
        np.testing.assert_equal(moved.step(np.ones((1, 3))), pool.step(np.ones((1, 3))))
        with pytest.raises(StateError, match=r"of another model than .*other.xml"):
            another.set_state(None, state)
        with pytest.raises(StateError, match="'model_overrides'"):
            light.set_state(None, state)
