"""The example of a quadruped, with a robot of the same parts: the Go2's files are not at hand in tests."""

from pathlib import Path

from test_envs.programs import python
from test_envs.repository import ROOT

LEG = """<body pos="{x} {y} 0"><joint name="{n}1" axis="1 0 0"/><geom size=".04"/>
<body pos="0 {y} 0"><joint name="{n}2" axis="0 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 0 0 -.2"/>
<body pos="0 0 -.21"><joint name="{n}3" axis="0 1 0"/><geom type="capsule" size=".01" fromto="0 0 0 0 0 -.2"/>
<geom name="{n}" size=".022" pos="0 0 -.21" priority="1"/></body></body></body>"""


def robot() -> str:
    places = {"FL": (0.2, 0.05), "FR": (0.2, -0.05), "RL": (-0.2, 0.05), "RR": (-0.2, -0.05)}
    legs = "".join(LEG.format(n=n, x=x, y=y) for n, (x, y) in places.items())
    motors = (f'<motor joint="{n}{i}" ctrlrange="-24 24"/>' for n in places for i in (1, 2, 3))
    return f"""<mujoco><compiler autolimits="true"/><worldbody><body name="base" pos="0 0 .4"><freejoint/>
<geom type="box" size=".19 .05 .05"/>{legs}</body></worldbody><actuator>{"".join(motors)}</actuator></mujoco>"""


def test_environments_play_as_they_do_alone(tmp_path: Path) -> None:
    """With another robot and pushes in each episode, in one thread and in two."""
    (tmp_path / "robot.xml").write_text(robot())
    options = ("--xml", str(tmp_path / "robot.xml"), "--equal", "4", "--many", "8")
    said = python(ROOT / "examples/quadruped/go2.py", *options)
    assert "0 of 4 environments differ" in said and "of the time outside the engine" in said
