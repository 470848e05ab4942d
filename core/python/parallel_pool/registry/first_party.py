"""Data about the families that this project publishes: who owns them, and what their ids look like.

Used only to refuse impostors and to answer an unknown id with the extra to install; nothing here is
imported, and the plugins remain the authority on what they offer.
"""

import re
from dataclasses import dataclass

from parallel_pool import ids


@dataclass(frozen=True, slots=True)
class _Family:
    """How to recognise the ids of a family that is not installed."""

    names: frozenset[str]
    versions: frozenset[int]
    namespaces: frozenset[str] = frozenset()
    """Namespaces, other than its own, under which its environments are known elsewhere."""
    pattern: str = r"(?!)"
    """Names not in `names`, of any version."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Written from here by tools/first_party_ids.py, from what the installed plugins offer.
_NAMES = {
    "atari": _words("""
        Adventure AirRaid Alien Amidar Assault Asterix Asteroids Atlantis Atlantis2 Backgammon
        BankHeist BasicMath BattleZone BeamRider Berzerk Blackjack Bowling Boxing Breakout Carnival
        Casino Centipede ChopperCommand CrazyClimber Crossbow Darkchambers Defender DemonAttack
        DonkeyKong DoubleDunk Earthworld ElevatorAction Enduro Entombed Et FishingDerby FlagCapture
        Freeway Frogger Frostbite Galaxian Gopher Gravitar Hangman HauntedHouse Hero HumanCannonball
        IceHockey Jamesbond JourneyEscape Kaboom Kangaroo KeystoneKapers KingKong Klax Koolaid Krull
        KungFuMaster LaserGates LostLuggage MarioBros MiniatureGolf MontezumaRevenge MrDo MsPacman
        NameThisGame Othello Pacman Phoenix Pitfall Pitfall2 Pong Pooyan PrivateEye Qbert Riverraid
        RoadRunner Robotank Seaquest SirLancelot Skiing Solaris SpaceInvaders SpaceWar StarGunner
        Superman Surround Tennis Tetris TicTacToe3D TicTacToe3d TimePilot Trondead Turmoil Tutankham
        UpNDown Venture VideoCheckers VideoChess VideoCube VideoPinball WizardOfWor WordZapper
        YarsRevenge Zaxxon
    """),
    "classic": _words("""
        Acrobot Blackjack BlackjackBox CartPole Catch CliffWalking CliffWalkingSlippery FrozenLake
        FrozenLake8x8 MountainCar MountainCarContinuous NChain Pendulum Taxi TwoPlayerPong
    """),
    "dmc": _words("""
        AcrobotSwingup AcrobotSwingupSparse BallInCupCatch CartpoleBalance CartpoleBalanceSparse
        CartpoleSwingup CartpoleSwingupSparse CartpoleThreePoles CartpoleTwoPoles CheetahRun
        DogFetch DogRun DogStand DogTrot DogWalk FingerSpin FingerTurnEasy FingerTurnHard FishSwim
        FishUpright HopperHop HopperStand HumanoidCMURun HumanoidCMUStand HumanoidCMUWalk
        HumanoidRun HumanoidRunPureState HumanoidStand HumanoidWalk LqrLqr21 LqrLqr62
        ManipulatorBringBall ManipulatorBringPeg ManipulatorInsertBall ManipulatorInsertPeg
        PendulumSwingup PointMassEasy PointMassHard QuadrupedEscape QuadrupedFetch QuadrupedRun
        QuadrupedWalk ReacherEasy ReacherHard StackerStack2 StackerStack4 SwimmerSwimmer15
        SwimmerSwimmer6 WalkerRun WalkerStand WalkerWalk
    """),
    "mujoco": _words("""
        Ant HalfCheetah Hopper Humanoid HumanoidStandup InvertedDoublePendulum InvertedPendulum
        Pusher Reacher Swimmer Walker2d
    """),
    "vizdoom": _words("""
        Basic BasicAudio BasicNotifications Cig Cooperative D1Basic D2Navigation D3Battle D4Battle2
        DeadlyCorridor Deathmatch DefendTheCenter DefendTheLine HealthGathering
        HealthGatheringSupreme MatchCustom MultiDeathmatch MultiDuel MyWayHome PredictPosition
        RocketBasic SimplerBasic TakeCover
    """),
}
# To here.

FAMILIES: dict[str, _Family] = {
    "atari": _Family(
        _NAMES["atari"],
        frozenset({0, 4, 5}),
        frozenset({"ALE"}),
        rf"ALE-\w+|({'|'.join(sorted(_NAMES['atari']))})(-ram)?(NoFrameskip|Deterministic)",
    ),
    "classic": _Family(
        _NAMES["classic"],
        frozenset(range(5)),
        frozenset({"phys2d", "tabular"}),
    ),
    "dmc": _Family(
        _NAMES["dmc"],
        frozenset({0, 1}),
        frozenset({"dm_control"}),
        r"(acrobot|ball_in_cup|cartpole|cheetah|dog|finger|fish|hopper|humanoid|humanoid_CMU|lqr|manipulator"
        r"|pendulum|point_mass|quadruped|reacher|stacker|swimmer|walker)-\w+",
    ),
    "mujoco": _Family(_NAMES["mujoco"], frozenset({2, 3, 4, 5})),
    "vizdoom": _Family(_NAMES["vizdoom"], frozenset({0, 1}), pattern=r"Vizdoom[\w-]+"),
}


RESERVED = frozenset({"gym", "gymnasium", "parallel_pool", "parallel-pool", "pettingzoo"})
"""Families that nobody may have: "gym:ID" is Gymnasium's own registry, and the others would be taken for what
they are named after."""

LIGHTEST = "classic"
"""The family that is quickest to install, for who has none."""

DEMONSTRATION = "atari/Pong-v5"
"""What `parallel-pool bench` measures when nothing is named."""


def owner(family: str) -> str:
    """The distribution that alone may provide a first-party family."""
    return f"parallel-pool-{family}"


def may_claim(distribution: str, family: str) -> bool:
    """Whether this distribution may provide this family; any may, if it is neither first-party nor reserved."""
    if family in RESERVED:
        return False
    return family not in FAMILIES or normal(distribution) == owner(family)


def normal(name: str) -> str:
    """A distribution's name as package indexes compare it."""
    return re.sub(r"[-_.]+", "-", name.strip()).lower()


def install_command(family: str) -> str:
    """What to run to get a first-party family."""
    return f"pip install 'parallel-pool[{family}]'"


def families_of(task_id: str) -> list[str]:
    """The first-party families to which an id seems to belong; several for `Blackjack`."""
    task = ids.parse(task_id)
    if task is None:
        return []
    if task.namespace is not None:
        return [
            name
            for name, family in FAMILIES.items()
            if task.namespace == name or task.namespace in family.namespaces
        ]
    return [
        name
        for name, family in FAMILIES.items()
        if re.fullmatch(family.pattern, task.name)
        or (task.name in family.names and (task.version is None or task.version in family.versions))
    ]
