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
    "box2d": (
        """
        BipedalWalker BipedalWalkerHardcore CarRacing CarRacingDiscrete LunarLander
        LunarLanderContinuous
        """,
        3,
        (),
        "",
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
    "minigrid": (
        """
        BabyAI-ActionObjDoor BabyAI-BlockedUnlockPickup BabyAI-BossLevel BabyAI-BossLevelNoUnlock
        BabyAI-FindObj BabyAI-FindObjS5 BabyAI-FindObjS6 BabyAI-FindObjS7 BabyAI-GoTo
        BabyAI-GoToDoor BabyAI-GoToImpUnlock BabyAI-GoToLocal BabyAI-GoToLocalS5N2
        BabyAI-GoToLocalS6N2 BabyAI-GoToLocalS6N3 BabyAI-GoToLocalS6N4 BabyAI-GoToLocalS7N4
        BabyAI-GoToLocalS7N5 BabyAI-GoToLocalS8N2 BabyAI-GoToLocalS8N3 BabyAI-GoToLocalS8N4
        BabyAI-GoToLocalS8N5 BabyAI-GoToLocalS8N6 BabyAI-GoToLocalS8N7 BabyAI-GoToObj
        BabyAI-GoToObjDoor BabyAI-GoToObjMaze BabyAI-GoToObjMazeOpen BabyAI-GoToObjMazeS4
        BabyAI-GoToObjMazeS4R2 BabyAI-GoToObjMazeS5 BabyAI-GoToObjMazeS6 BabyAI-GoToObjMazeS7
        BabyAI-GoToObjS4 BabyAI-GoToObjS6 BabyAI-GoToOpen BabyAI-GoToRedBall BabyAI-GoToRedBallGrey
        BabyAI-GoToRedBallNoDists BabyAI-GoToRedBlueBall BabyAI-GoToSeq BabyAI-GoToSeqS5R2
        BabyAI-KeyCorridor BabyAI-KeyCorridorS3R1 BabyAI-KeyCorridorS3R2 BabyAI-KeyCorridorS3R3
        BabyAI-KeyCorridorS4R3 BabyAI-KeyCorridorS5R3 BabyAI-KeyCorridorS6R3 BabyAI-KeyInBox
        BabyAI-LevelGen BabyAI-MiniBossLevel BabyAI-MoveTwoAcross BabyAI-MoveTwoAcrossS5N2
        BabyAI-MoveTwoAcrossS8N9 BabyAI-OneRoom BabyAI-OneRoomS12 BabyAI-OneRoomS16
        BabyAI-OneRoomS20 BabyAI-OneRoomS8 BabyAI-Open BabyAI-OpenDoor BabyAI-OpenDoorColor
        BabyAI-OpenDoorDebug BabyAI-OpenDoorLoc BabyAI-OpenDoorsOrder BabyAI-OpenDoorsOrderN2
        BabyAI-OpenDoorsOrderN2Debug BabyAI-OpenDoorsOrderN4 BabyAI-OpenDoorsOrderN4Debug
        BabyAI-OpenRedBlueDoors BabyAI-OpenRedBlueDoorsDebug BabyAI-OpenRedDoor BabyAI-OpenTwoDoors
        BabyAI-Pickup BabyAI-PickupAbove BabyAI-PickupDist BabyAI-PickupDistDebug BabyAI-PickupLoc
        BabyAI-PutNext BabyAI-PutNextLocal BabyAI-PutNextLocalS5N3 BabyAI-PutNextLocalS6N4
        BabyAI-PutNextS4N1 BabyAI-PutNextS5N1 BabyAI-PutNextS5N2 BabyAI-PutNextS5N2Carrying
        BabyAI-PutNextS6N3 BabyAI-PutNextS6N3Carrying BabyAI-PutNextS7N4 BabyAI-PutNextS7N4Carrying
        BabyAI-Synth BabyAI-SynthLoc BabyAI-SynthS5R2 BabyAI-SynthSeq BabyAI-UnblockPickup
        BabyAI-Unlock BabyAI-UnlockLocal BabyAI-UnlockLocalDist BabyAI-UnlockPickup
        BabyAI-UnlockPickupDist BabyAI-UnlockToUnlock BlockedUnlockPickup Crossing DistShift DoorKey
        DynamicObstacles Empty Fetch FourRooms GoToDoor GoToObject KeyCorridor LavaGap LockedRoom
        Memory MiniGrid-BlockedUnlockPickup MiniGrid-DistShift1 MiniGrid-DistShift2
        MiniGrid-DoorKey-16x16 MiniGrid-DoorKey-5x5 MiniGrid-DoorKey-6x6 MiniGrid-DoorKey-8x8
        MiniGrid-Dynamic-Obstacles-16x16 MiniGrid-Dynamic-Obstacles-5x5
        MiniGrid-Dynamic-Obstacles-6x6 MiniGrid-Dynamic-Obstacles-8x8
        MiniGrid-Dynamic-Obstacles-Random-5x5 MiniGrid-Dynamic-Obstacles-Random-6x6
        MiniGrid-Empty-16x16 MiniGrid-Empty-5x5 MiniGrid-Empty-6x6 MiniGrid-Empty-8x8
        MiniGrid-Empty-Random-5x5 MiniGrid-Empty-Random-6x6 MiniGrid-Fetch-5x5-N2
        MiniGrid-Fetch-6x6-N2 MiniGrid-Fetch-8x8-N3 MiniGrid-FourRooms MiniGrid-GoToDoor-5x5
        MiniGrid-GoToDoor-6x6 MiniGrid-GoToDoor-8x8 MiniGrid-GoToObject-6x6-N2
        MiniGrid-GoToObject-8x8-N2 MiniGrid-KeyCorridorS3R1 MiniGrid-KeyCorridorS3R2
        MiniGrid-KeyCorridorS3R3 MiniGrid-KeyCorridorS4R3 MiniGrid-KeyCorridorS5R3
        MiniGrid-KeyCorridorS6R3 MiniGrid-LavaCrossingS11N5 MiniGrid-LavaCrossingS9N1
        MiniGrid-LavaCrossingS9N2 MiniGrid-LavaCrossingS9N3 MiniGrid-LavaGapS5 MiniGrid-LavaGapS6
        MiniGrid-LavaGapS7 MiniGrid-LockedRoom MiniGrid-MemoryS11 MiniGrid-MemoryS13
        MiniGrid-MemoryS13Random MiniGrid-MemoryS17Random MiniGrid-MemoryS7 MiniGrid-MemoryS9
        MiniGrid-MultiRoom-N2-S4 MiniGrid-MultiRoom-N4-S5 MiniGrid-MultiRoom-N6
        MiniGrid-ObstructedMaze-1Dl MiniGrid-ObstructedMaze-1Dlh MiniGrid-ObstructedMaze-1Dlhb
        MiniGrid-ObstructedMaze-1Q MiniGrid-ObstructedMaze-2Dl MiniGrid-ObstructedMaze-2Dlh
        MiniGrid-ObstructedMaze-2Dlhb MiniGrid-ObstructedMaze-2Q MiniGrid-ObstructedMaze-Full
        MiniGrid-Playground MiniGrid-PutNear-6x6-N2 MiniGrid-PutNear-8x8-N3
        MiniGrid-RedBlueDoors-6x6 MiniGrid-RedBlueDoors-8x8 MiniGrid-SimpleCrossingS11N5
        MiniGrid-SimpleCrossingS9N1 MiniGrid-SimpleCrossingS9N2 MiniGrid-SimpleCrossingS9N3
        MiniGrid-Unlock MiniGrid-UnlockPickup MiniGrid-WFC-DungeonMazeScaled MiniGrid-WFC-MazeSimple
        MiniGrid-WFC-ObstaclesAngular MiniGrid-WFC-ObstaclesBlackdots MiniGrid-WFC-ObstaclesHogs3
        MiniGrid-WFC-RoomsFabric MultiRoom ObstructedMaze Playground PutNear RedBlueDoors Unlock
        UnlockPickup
        """,
        1,
        (),
        "",
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
