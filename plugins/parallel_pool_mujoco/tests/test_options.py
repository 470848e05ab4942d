"""Constructor arguments mean what they mean in Gymnasium: pairs with random sets of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import parallel_pool
import pytest
from mujoco_twin import Twin
from parallel_pool import OptionError

Draw = np.random.Generator
Maker = Callable[[Draw], Any]


def flag(draw: Draw) -> bool:
    return bool(draw.integers(2))


def real(low: float, high: float) -> Maker:
    return lambda draw: float(draw.uniform(low, high))


def skip(draw: Draw) -> int:
    return int(draw.integers(1, 8))


def span(low: tuple[float, float], high: tuple[float, float]) -> Maker:
    return lambda draw: (float(draw.uniform(*low)), float(draw.uniform(*high)))


def one_of(*values: Any) -> Maker:
    return lambda draw: values[draw.integers(len(values))]


WALK: dict[str, Maker] = {
    "frame_skip": skip,
    "forward_reward_weight": real(-2, 2),
    "ctrl_cost_weight": real(0, 1),
    "reset_noise_scale": real(0, 0.2),
    "exclude_current_positions_from_observation": flag,
}
STAND: dict[str, Maker] = {"healthy_reward": real(0, 3), "terminate_when_unhealthy": flag}
BODY: dict[str, Maker] = {
    "include_cinert_in_observation": flag,
    "include_cvel_in_observation": flag,
    "include_qfrc_actuator_in_observation": flag,
    "include_cfrc_ext_in_observation": flag,
}
OPTIONS: dict[str, dict[str, Maker]] = {
    "Ant-v5": {
        **WALK,
        **STAND,
        "contact_cost_weight": real(0, 1),
        "main_body": one_of(1, 4, "torso", "front_left_leg"),
        "healthy_z_range": span((0, 0.4), (0.5, 1.5)),
        "contact_force_range": span((-2, -0.1), (0.1, 2)),
        "include_cfrc_ext_in_observation": flag,
    },
    "HalfCheetah-v5": WALK,
    "Hopper-v5": {
        **WALK,
        **STAND,
        "healthy_state_range": span((-5, -1), (1, 5)),
        "healthy_z_range": span((0.5, 1.2), (1.25, 2)),
        "healthy_angle_range": span((-0.3, -0.05), (0.05, 0.3)),
    },
    "Humanoid-v5": {
        **WALK,
        **STAND,
        **BODY,
        "contact_cost_weight": real(0, 1e-5),
        "contact_cost_range": span((0, 0.1), (0.1, 1)),
        "healthy_z_range": span((0.5, 1.2), (1.4, 2)),
    },
    "HumanoidStandup-v5": {
        "frame_skip": skip,
        "uph_cost_weight": real(0, 2),
        "ctrl_cost_weight": real(0, 1),
        "impact_cost_weight": real(0, 1e-5),
        "impact_cost_range": span((0, 0.1), (0.1, 1)),
        "reset_noise_scale": real(0, 0.1),
        "exclude_current_positions_from_observation": flag,
        **BODY,
    },
    "InvertedDoublePendulum-v5": {
        "frame_skip": skip,
        "healthy_reward": real(0, 20),
        "reset_noise_scale": real(0, 0.2),
    },
    "InvertedPendulum-v5": {"frame_skip": skip, "reset_noise_scale": real(0, 0.1)},
    "Pusher-v5": {
        "frame_skip": skip,
        "reward_near_weight": real(0, 2),
        "reward_dist_weight": real(0, 2),
        "reward_control_weight": real(0, 2),
    },
    "Reacher-v5": {
        "frame_skip": skip,
        "reward_dist_weight": real(0, 2),
        "reward_control_weight": real(0, 2),
    },
    "Swimmer-v5": WALK,
    "Walker2d-v5": {
        **WALK,
        **STAND,
        "healthy_z_range": span((0.5, 1.2), (1.25, 2)),
        "healthy_angle_range": span((-0.5, -0.05), (0.05, 0.5)),
    },
    "Ant-v4": {
        "ctrl_cost_weight": real(0, 1),
        "use_contact_forces": flag,
        "contact_cost_weight": real(0, 1),
        "healthy_reward": real(0, 3),
        "terminate_when_unhealthy": flag,
        "healthy_z_range": span((0, 0.4), (0.5, 1.5)),
        "contact_force_range": span((-2, -0.1), (0.1, 2)),
        "reset_noise_scale": real(0, 0.2),
        "exclude_current_positions_from_observation": flag,
    },
    "Hopper-v4": {
        "forward_reward_weight": real(-2, 2),
        "healthy_reward": real(0, 3),
        "terminate_when_unhealthy": flag,
        "healthy_state_range": span((-5, -1), (1, 5)),
    },
    "Humanoid-v4": {
        "forward_reward_weight": real(-2, 2),
        "healthy_reward": real(0, 3),
        "terminate_when_unhealthy": flag,
        "healthy_z_range": span((0.5, 1.2), (1.4, 2)),
        "exclude_current_positions_from_observation": flag,
    },
}


@pytest.mark.parametrize("task_id", OPTIONS)
def test_random_sets_of_options(task_id: str) -> None:
    for seed in range(6):
        draw = np.random.default_rng(seed)
        # Half of them each time, so that defaults are among them.
        options = {
            name: make(draw) for name, make in OPTIONS[task_id].items() if seed == 0 or flag(draw)
        }
        twin = Twin(task_id, **options)
        twin.reset(seed)
        twin.run(40, seed)
        twin.close()


@pytest.mark.parametrize(
    ("task_id", "model"),
    [
        ("Ant-v5", "humanoid.xml"),
        ("HalfCheetah-v5", "hopper.xml"),
        ("Hopper-v5", "walker2d_v5.xml"),
        ("Humanoid-v5", "ant.xml"),
        ("HumanoidStandup-v5", "humanoid.xml"),
        ("InvertedDoublePendulum-v5", "inverted_double_pendulum.xml"),
        ("InvertedPendulum-v5", "half_cheetah.xml"),
        ("Pusher-v5", "pusher.xml"),
        ("Swimmer-v5", "ant.xml"),
        ("Walker2d-v5", "humanoid.xml"),
    ],
)
def test_a_model_of_another_task_with_sizes_of_its_own(task_id: str, model: str) -> None:
    options = {"InvertedPendulum-v5": {"reset_noise_scale": 0.05}}.get(task_id, {})
    if task_id == "InvertedPendulum-v5":
        # Its observation space has four numbers whatever the model; ours has what there is.
        with parallel_pool.make(task_id, xml_file=model) as pool:
            assert pool.single_observation_space.shape == (18,)
            pool.reset(seed=1)
            pool.step(np.zeros((1, 6)))
        return
    twin = Twin(task_id, xml_file=model, **options)
    twin.reset(seed=1)
    twin.run(40, seed=1)
    twin.close()


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
    twin = Twin(task_id, xml_file=str(path))
    twin.reset(seed=1)
    twin.run(40, seed=1)
    twin.close()


def test_a_file_that_changes_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "chain.xml"
    for links in (3, 5):
        path.write_text(chain(links))
        with parallel_pool.make("Swimmer-v5", xml_file=path) as pool:
            assert pool.single_action_space.shape == (links,)


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


def test_a_goal_is_found_however_far_it_may_be() -> None:
    """Beyond, the squares of distances overflow, and no place would be near enough."""
    with pytest.raises(OptionError, match=r"'reset_goal_scale' is 1e\+300, expected a number in"):
        parallel_pool.make("Reacher-v5", reset_goal_scale=1e300)


@pytest.mark.parametrize("task_id", OPTIONS)
def test_the_greatest_weights_and_scales_make_numbers(task_id: str) -> None:
    """Rewards of any size are the user's choice; NaN and infinity are an error that names the range."""
    declared = parallel_pool.make_spec(task_id)._config.declarations
    ranged = [each for each in declared if each["high"] == 1e15 or each["low"] == -1e15]
    assert ranged
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
