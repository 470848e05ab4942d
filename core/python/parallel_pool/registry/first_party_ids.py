"""Ids of first-party families. Written by tools/first_party_ids.py from what the plugins offer."""

IDS: dict[str, tuple[str, int, tuple[str, ...], str]] = {
    "atari": (
        """
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
        """,
        5,
        ("ALE",),
        r"ALE-\w+|({name})(-ram)?(NoFrameskip|Deterministic)",
    ),
    "classic": (
        """
        Acrobot Blackjack BlackjackBox CartPole Catch CliffWalking CliffWalkingSlippery FrozenLake
        FrozenLake8x8 MountainCar MountainCarContinuous NChain Pendulum Taxi TwoPlayerPong
        """,
        4,
        ("phys2d", "tabular"),
        "",
    ),
    "dmc": (
        """
        AcrobotSwingup AcrobotSwingupSparse BallInCupCatch CartpoleBalance CartpoleBalanceSparse
        CartpoleSwingup CartpoleSwingupSparse CartpoleThreePoles CartpoleTwoPoles CheetahRun
        DogFetch DogRun DogStand DogTrot DogWalk FingerSpin FingerTurnEasy FingerTurnHard FishSwim
        FishUpright HopperHop HopperStand HumanoidCMURun HumanoidCMUStand HumanoidCMUWalk
        HumanoidRun HumanoidRunPureState HumanoidStand HumanoidWalk LqrLqr21 LqrLqr62
        ManipulatorBringBall ManipulatorBringPeg ManipulatorInsertBall ManipulatorInsertPeg
        PendulumSwingup PointMassEasy PointMassHard QuadrupedEscape QuadrupedFetch QuadrupedRun
        QuadrupedWalk ReacherEasy ReacherHard StackerStack2 StackerStack4 SwimmerSwimmer15
        SwimmerSwimmer6 WalkerRun WalkerStand WalkerWalk
        """,
        1,
        ("dm_control",),
        r"(acrobot|ball_in_cup|cartpole|cheetah|dog|finger|fish|hopper|humanoid|humanoid_CMU|lqr|manipulator|pendulum|point_mass|quadruped|reacher|stacker|swimmer|walker)-\w+",
    ),
    "mujoco": (
        """
        Ant HalfCheetah Hopper Humanoid HumanoidStandup InvertedDoublePendulum InvertedPendulum
        Pusher Reacher Swimmer Walker2d
        """,
        5,
        (),
        "",
    ),
    "vizdoom": (
        """
        Basic BasicAudio BasicNotifications Cig Cooperative D1Basic D2Navigation D3Battle D4Battle2
        DeadlyCorridor Deathmatch DefendTheCenter DefendTheLine HealthGathering
        HealthGatheringSupreme MatchCustom MultiDeathmatch MultiDuel MyWayHome PredictPosition
        RocketBasic SimplerBasic TakeCover
        """,
        1,
        (),
        r"Vizdoom[\w-]+",
    ),
}
"""By family: names, latest version, namespaces of aliases, other packages' names (a pattern)."""
