# The make functions as editors and type checkers see them. Written by tools/signatures.py.
# fmt: off

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, Unpack, overload

from gymnasium.vector import AutoresetMode
from numpy.typing import ArrayLike

from parallel_pool.threads.thread_pool import ThreadPool
from parallel_pool.views.dm import DmPool
from parallel_pool.views.gym import GymPool
from parallel_pool.views.gymnasium import GymnasiumPool
from parallel_pool.views.pool_spec import PoolSpec

ENV_TYPES: tuple[str, ...]

class EnvOptions(TypedDict, total=False):
    """The options of this project's environments; `parallel-pool info ID` has those of one, with their ranges.

    Others, say a third party's, come from a dict: `options: dict[str, Any] = {...}`, `make(..., **options)`.
    """

    action_bonus: bool
    """minigrid: reward 1 / sqrt(n) more for the n-th time of an action at a place"""
    action_kinds: Any
    """minigrid: actions of instructions, separated by commas: goto, pickup, open, putnext"""
    action_prob: float
    """minigrid: probability of the given action among stochastic_actions"""
    actions: str
    """vizdoom: form of actions. box: a float64 per button; binary: 0 or 1 per button"""
    agent_column: int
    """minigrid: column of the room in which the agent starts"""
    agent_view_size: int
    """minigrid: cells per side of the view, an odd number"""
    audio_buffer: bool
    """vizdoom: observe sound, int16 (samples, 2); needs OpenAL"""
    audio_buffer_size: int
    """vizdoom: tics of sound in an observation; 0: the tics of a step"""
    automap_buffer: bool
    """vizdoom: observe the automap; also if the cfg enables it"""
    blocked: bool
    """minigrid: a ball is in the way of the door; minigrid: balls are in the way of doors"""
    bots: int
    """vizdoom: number of players that the engine plays, in a deathmatch"""
    camera_id: Any
    """dmc, mujoco: as in other packages"""
    camera_name: Any
    """dmc, mujoco: as in other packages"""
    cfg_path: Any
    """vizdoom: scenario: a cfg file, or the name of one in the vizdoom package"""
    channels_last: bool
    """vizdoom: pictures have the shape (height, width, channels)"""
    config: Any
    """vizdoom: additional lines of the cfg, or a dict such as {'living_reward': -1}"""
    constraint_obs_dim: int
    """mujoco: number of observed constraint forces; -1: all (v4)"""
    contact_cost_max: Any
    """mujoco: as in other packages"""
    contact_cost_range: ArrayLike
    """mujoco: range to which the contact cost is clipped"""
    contact_cost_weight: float
    """mujoco: weight of the squared contact forces in the reward"""
    contact_force_max: Any
    """mujoco: as in other packages"""
    contact_force_min: Any
    """mujoco: as in other packages"""
    contact_force_range: ArrayLike
    """mujoco: range to which contact forces are clipped"""
    continuous: bool
    """box2d: which of the ids is meant"""
    control_timestep: float
    """dmc: seconds between two actions; 0: one simulation step"""
    ctrl_cost_weight: float
    """mujoco: weight of the squared controls in the reward"""
    cylinder_dist_min: float
    """mujoco: smallest distance between the cylinder and the goal"""
    cylinder_x_max: float
    """mujoco: largest initial x of the cylinder"""
    cylinder_x_min: float
    """mujoco: smallest initial x of the cylinder"""
    cylinder_y_max: float
    """mujoco: largest initial y of the cylinder"""
    cylinder_y_min: float
    """mujoco: smallest initial y of the cylinder"""
    death_cost: float
    """minigrid: added to the reward where no_death keeps an episode going"""
    debug: bool
    """minigrid: another door ends the episode; minigrid: another object ends the episode"""
    default_camera_config: Any
    """dmc, mujoco: settings of the free camera, such as {'distance': 4}"""
    delta_button_config: Any
    """vizdoom: with use_combined_action: count, least and greatest value of delta buttons, such as
    {'TURN_LEFT_RIGHT_DELTA': (5, -10, 10)}"""
    depth_buffer: bool
    """vizdoom: observe the depth of pixels; also if the cfg enables it"""
    desc: Any
    """classic: rows of the map, each a text of S, F, H and G; empty: the map of map_name"""
    desired_speed: float
    """dmc: speed in m/s at which the reward of moving is full"""
    dict_observation: bool
    """vizdoom: observe a dict with the game variables, even if the screen is the only picture"""
    difficulty: int
    """atari: difficulty of the game; -1: the game's default"""
    dist_cost_weight: Any
    """mujoco: as in other packages"""
    distractors: bool
    """minigrid: with three other objects; minigrid: with four other objects"""
    domain_randomize: bool
    """box2d: other colours in each episode"""
    doom_skill: int
    """vizdoom: difficulty, 1 to 5; 0: that of the cfg"""
    doors_open: bool
    """minigrid: all doors are open"""
    draw_every_frame: bool
    """atari: draw also the frames that are not part of an observation: slower; with engine 'ale'
    exact even if a game shortens a frame"""
    enable_wind: bool
    """box2d: wind pushes and turns the lander"""
    engine: str
    """atari: emulator, with equal results: fast (our own), ale (ALE's), auto (our own where it is
    proven equal to ALE's)"""
    engine_timeout: float
    """vizdoom: seconds within which an engine must answer"""
    environment_kwargs: Any
    """dmc: as in other packages"""
    envpool_keys: bool
    """dmc: observations have the keys of all tasks of the domain, as in EnvPool"""
    episode_timeout: int
    """vizdoom: largest number of tics of an episode; 0: no limit; -1: that of the cfg"""
    episodic_life: bool
    """atari: a lost life ends the episode; the next episode continues the same game; vizdoom:
    accepted for EnvPool's scripts; the death of a single player always ends the episode"""
    exclude_current_positions_from_observation: bool
    """mujoco: observations without x and y; mujoco: observations without the x coordinate"""
    exclude_root_actuator_forces: bool
    """mujoco: observations without the six forces of the root, which are zero"""
    exclude_worldbody_contact_forces: bool
    """mujoco: observations without the contact forces of the world body"""
    exclude_worldbody_observations: bool
    """mujoco: observations without the rows of the world body"""
    fickle_passenger: bool
    """classic: passengers may change their destination after the first move"""
    fickle_probability: float
    """classic: probability that a passenger changes the destination"""
    flatten: bool
    """dmc: observations are one array, in the order of Gymnasium's FlattenObservation"""
    force_speed: bool
    """vizdoom: with use_combined_action: SPEED is always pressed"""
    forward_reward_weight: float
    """mujoco: weight of the forward velocity in the reward"""
    frame_skip: int
    """atari: number of frames for which an action is repeated; box2d: number of times that each
    action is repeated; the rewards are added up, and only the last picture is drawn; dmc: number of
    times that each action is repeated; the rewards are added up; mujoco: number of simulation steps
    per action; vizdoom: number of tics for which an action is repeated"""
    frame_stack: int
    """dmc, mujoco: number of stacked observations; 1: no stack"""
    frameskip: int
    """atari: number of frames for which an action is repeated"""
    frameskip_high: int
    """atari: if above frameskip, the number of frames is drawn for each step from frameskip to
    this, excluded"""
    from_pixels: bool
    """dmc, mujoco: observations are pictures of the scene"""
    full_action_space: bool
    """atari: all 18 actions instead of those that the game uses"""
    fully_observable: bool
    """dmc: observe also the hand, the object and the target; dmc: observe also the hand, the boxes
    and the target"""
    g: float
    """classic: gravity in m/s^2"""
    game: Any
    """atari: name of a ROM of ale-py, such as 'space_invaders'"""
    game_args: Any
    """vizdoom: additional arguments of the engine's command line"""
    game_mode: str
    """vizdoom: deathmatch: against each other; cooperative: together"""
    game_variables: Any
    """vizdoom: names of the observed game variables, such as 'HEALTH AMMO2'; empty: those of the
    cfg"""
    goal_direction: str
    """minigrid: observe the direction to the goal too, in this form"""
    goal_velocity: float
    """classic: lowest velocity at which the goal counts as reached"""
    gravity: float
    """box2d: downwards, in units of length per s^2"""
    gray_scale: bool
    """atari: grey frames instead of three colour planes"""
    grey_dists: bool
    """minigrid: other objects are grey"""
    gymnasium_v5_render_camera: Any
    """mujoco: as in other packages"""
    hardcore: bool
    """box2d: stumps, stairs and pits are in the way"""
    healthy_angle_max: Any
    """mujoco: as in other packages"""
    healthy_angle_min: Any
    """mujoco: as in other packages"""
    healthy_angle_range: ArrayLike
    """mujoco: range of angles in which the robot is healthy"""
    healthy_reward: float
    """mujoco: reward of a step in which the robot is healthy; mujoco: reward of a step in which the
    poles stand; mujoco: reward of a step in which the pole stands"""
    healthy_state_max: Any
    """mujoco: as in other packages"""
    healthy_state_min: Any
    """mujoco: as in other packages"""
    healthy_state_range: ArrayLike
    """mujoco: range of positions and velocities, without the first two, in which the robot is
    healthy"""
    healthy_z_max: float
    """mujoco: height of the tip below which the poles have fallen; mujoco: highest angle of a
    standing pole, in radians"""
    healthy_z_min: float
    """mujoco: lowest angle of a standing pole, in radians"""
    healthy_z_range: ArrayLike
    """mujoco: range of heights in which the robot is healthy"""
    height: int
    """classic: number of rows of the board"""
    highlight: bool
    """minigrid: brighten what the agent sees in pictures of the grid"""
    hopping: bool
    """dmc: speed is rewarded; False: standing with little effort"""
    image: str
    """minigrid: what the image shows"""
    img_height: int
    """atari: height of a frame in pixels; vizdoom: height of observed pictures, resized by area; 0:
    the engine's"""
    img_width: int
    """atari: width of a frame in pixels; vizdoom: width of observed pictures, resized by area; 0:
    the engine's"""
    impact_cost_range: ArrayLike
    """mujoco: range to which the impact cost is clipped"""
    impact_cost_weight: float
    """mujoco: weight of the squared contact forces in the reward"""
    implicit_unlock: bool
    """minigrid: a door may have to be unlocked without being told"""
    in_box: bool
    """minigrid: the key is in a box"""
    include_cfrc_ext_in_observation: bool
    """mujoco: observe contact forces"""
    include_cinert_in_observation: bool
    """mujoco: observe inertias and masses"""
    include_cvel_in_observation: bool
    """mujoco: observe velocities of centres of mass"""
    include_qfrc_actuator_in_observation: bool
    """mujoco: observe forces of the actuators"""
    insert: bool
    """dmc: the target is in a slot or a cup"""
    instr_kinds: Any
    """minigrid: instructions, separated by commas: action, and, seq"""
    is_rainy: bool
    """classic: rain: moves may slip to either side"""
    is_slippery: bool
    """classic: moves may slip to either side"""
    iwad_path: Any
    """vizdoom: WAD file of the game; empty: that of the cfg, or freedoom2.wad of the vizdoom
    package"""
    key_in_box: bool
    """minigrid: keys are in boxes"""
    keys_last: bool
    """minigrid: keys are placed after balls, as in version 1"""
    labels_buffer: bool
    """vizdoom: observe the labels of pixels (their object); also if the cfg enables it"""
    lap_complete_percent: float
    """box2d: share of the tiles to visit before a lap counts, 1 is all"""
    large: float
    """classic: reward of going forward at the end of the chain"""
    lava: bool
    """minigrid: rivers of lava in place of walls; minigrid: lava in place of a wall"""
    legacy_healthy_reward: bool
    """mujoco: give healthy_reward in the terminating step too (v4 and older)"""
    legacy_step: bool
    """dmc: recompute positions and velocities after each step, as dm_control does by default"""
    level_seeds: ArrayLike
    """minigrid: seeds of resets, over and over, in place of the environment's own"""
    locations: bool
    """minigrid: objects may be described by where they are"""
    locked_room_prob: float
    """minigrid: probability that a room is locked"""
    main_body: Any
    """mujoco: name or number of the body whose velocity is rewarded"""
    map_id: Any
    """vizdoom: name of the map; empty: that of the cfg"""
    map_name: str
    """classic: name of the map; empty: a random map"""
    map_seed: int
    """classic: seed of the random map"""
    max_buttons_pressed: int
    """vizdoom: with binary actions: the action is the number of a combination of at most this many
    buttons; 0: a flag per button"""
    max_geom: int
    """dmc, mujoco: largest number of geometries in a picture"""
    max_num_frames_per_episode: int
    """atari: number of frames after which an episode is truncated; 0: no limit"""
    max_pool: bool
    """atari: observe the pixelwise maximum of the last two frames instead of the last frame"""
    max_room_size: int
    """minigrid: longest side of a room"""
    max_rooms: int
    """minigrid: greatest number of rooms"""
    max_steps: int
    """minigrid: steps of an episode; 0: as many as the level's rules say"""
    min_rooms: int
    """minigrid: least number of rooms"""
    mission: str
    """minigrid: a text, its bytes padded with zeros, or numbers of its words"""
    mode: int
    """atari: mode of the game; -1: the game's default"""
    model_overrides: Any
    """dmc, mujoco: values of the model to replace, such as {'opt.gravity': [0, 0, -3]}"""
    move_speed: float
    """dmc: speed in m/s at which the reward of moving is full; 0: only standing is rewarded; dmc:
    speed in m/s at which the reward of moving is full; 0: standing still is rewarded"""
    n: int
    """classic: length of the chain"""
    n_actuators: int
    """dmc: number of masses with an actuator, from the first on"""
    n_bodies: int
    """dmc: number of masses in the chain"""
    n_links: int
    """dmc: number of links of the chain"""
    n_obstacles: int
    """minigrid: number of balls; half of the size where that is less"""
    n_sub_steps: int
    """dmc: number of simulation steps between two actions; 0: that of control_timestep"""
    natural: bool
    """classic: a natural (ace and ten) wins 1.5 instead of 1; ignored if sab is set"""
    near_cost_weight: Any
    """mujoco: as in other packages"""
    new_match: str
    """vizdoom: start of a match without a seed. map: as DoomGame's new_episode; engines: with new
    engines, so that the match depends on its seed only"""
    no_death: Any
    """minigrid: kinds of cells that end no episode, separated by commas: lava, ball ..."""
    noop_max: int
    """atari: largest number of no-ops at the start of an episode; 0: none"""
    notifications_buffer: bool
    """vizdoom: observe messages as bytes, padded with zeros"""
    notifications_buffer_size: int
    """vizdoom: tics of messages in an observation; 0: the tics of a step"""
    notifications_length: int
    """vizdoom: number of bytes of messages; longer ones lose their beginning"""
    num_cols: int
    """minigrid: columns of rooms"""
    num_crossings: int
    """minigrid: number of rivers, at most as many as there is room for"""
    num_dists: int
    """minigrid: number of objects; minigrid: number of other objects"""
    num_doors: int
    """minigrid: number of doors"""
    num_objs: int
    """minigrid: number of objects"""
    num_players: int
    """vizdoom: number of players; each has an engine of its own"""
    num_poles: int
    """dmc: number of poles; 0: that of the task"""
    num_quarters: int
    """minigrid: quarters of the maze in use"""
    num_rooms_visited: int
    """minigrid: the time limit, in rooms of 144 steps"""
    num_rows: int
    """minigrid: rows of rooms"""
    objs_per_room: int
    """minigrid: objects in each of the two rooms"""
    obs_dtype: str
    """dmc, mujoco: dtype of observations; the simulation computes in float64"""
    obs_include_z_distance: bool
    """mujoco: observe the height of the tip above the target too (v4)"""
    obs_type: str
    """atari: kind of observation"""
    observation_key: Any
    """dmc, mujoco: with pixels_only=False: key of the pictures in the dict"""
    observation_max: float
    """mujoco: largest velocity and force in observations, which are clipped"""
    observation_min: float
    """mujoco: smallest velocity and force in observations, which are clipped"""
    on_warning: str
    """dmc, mujoco: reaction to a warning of MuJoCo, such as an unstable simulation or too many
    contacts"""
    one_door: bool
    """minigrid: two rooms with a door"""
    pixels_only: bool
    """dmc, mujoco: with from_pixels: observe pictures only; False: a dict that also has the task's
    own observation"""
    player_args: Any
    """vizdoom: additional arguments of the engines, one line or list element per player, such as
    '+name A +colorset 3'"""
    points: int
    """classic: number of points that wins the game"""
    position_bonus: float
    """minigrid: reward so many times 1 / sqrt(n) more for the n-th step at a place"""
    post_constraint: bool
    """mujoco: compute contact forces; False: they are zero, as in EnvPool's v2 to v4"""
    pure_state: bool
    """dmc: observe all positions and velocities, and nothing else"""
    rainy_probability: float
    """classic: probability of moving in the chosen direction in the rain"""
    random_action: int
    """minigrid: the action in place of the given one; -1: any"""
    random_length: bool
    """minigrid: the hallway's length is random"""
    random_start: bool
    """minigrid: start at a random place"""
    randomize_gains: bool
    """dmc: each control pushes in a random direction of the episode"""
    red_blue: bool
    """minigrid: the red door, then the blue one"""
    render_quality: str
    """dmc, mujoco: quality of pictures; fast: without shadows, reflections and antialiasing"""
    repeat_action_probability: float
    """atari: probability per frame that the previous action is repeated (sticky actions)"""
    reset_goal_scale: float
    """mujoco: largest distance of the target from the centre"""
    reset_noise_scale: float
    """mujoco: scale of the noise of initial positions (uniform) and velocities (normal); mujoco:
    scale of the noise of initial positions and velocities (uniform)"""
    reset_qpos_scale: float
    """mujoco: scale of the uniform noise of initial positions"""
    reset_qvel_scale: float
    """mujoco: scale of the uniform noise of initial velocities"""
    respawn_delay: int
    """vizdoom: seconds from a player's death to its return"""
    reward_after_step: bool
    """mujoco: compute rewards from the state after the action (v5)"""
    reward_clip: bool
    """atari: the reward is the sign of the change of the score"""
    reward_config: Any
    """vizdoom: rewards. scenario (or None): the scenario's; envpool: EnvPool's for changes of game
    variables; or a dict of rewards for rise and fall, such as {'HEALTH': (0.005, -0.003)}"""
    reward_control_weight: float
    """mujoco: weight of the squared controls in the reward"""
    reward_dist_weight: float
    """mujoco: weight of the distance between cylinder and goal in the reward; mujoco: weight of the
    distance between tip and target in the reward"""
    reward_if_not_terminated: bool
    """mujoco: no healthy_reward in the terminating step (v5); mujoco: no reward in the terminating
    step (v5); False: v4 and older"""
    reward_near_weight: float
    """mujoco: weight of the distance between arm and cylinder in the reward"""
    reward_schedule: ArrayLike
    """classic: rewards of reaching the goal, a hole and ice"""
    rom_path: Any
    """atari: path of the ROM; empty: the ROM of game"""
    room_size: int
    """minigrid: cells per side of a room"""
    sab: bool
    """classic: Sutton and Barto's rules: a natural wins unless the dealer has one too"""
    screen_format: str
    """vizdoom: gray or rgb; scenario: gray if the cfg has GRAY8, else rgb"""
    screen_resolution: Any
    """vizdoom: resolution in which the engine draws, such as '160x120'; empty: that of the cfg"""
    seeding: str
    """vizdoom: game: seeds as in DoomGame; gymnasium: the seed of each episode is drawn from
    np_random"""
    select_by: str
    """minigrid: how the door is described"""
    selected_weapon_reward_config: Any
    """vizdoom: with reward_config: reward of a step with the weapon of a slot in hand, such as {3:
    0.001}; envpool: EnvPool's"""
    size: int
    """classic: EnvPool's name of the map, 4 or 8; 0: the map of map_name; minigrid: cells per side,
    an odd number; minigrid: cells per side"""
    slip: float
    """classic: probability that the other action is executed"""
    small: float
    """classic: reward of going back to the start"""
    sparse: bool
    """dmc: the reward is 0 or 1"""
    stack_num: int
    """atari: number of stacked frames in an observation; vizdoom: number of stacked pictures in an
    observation"""
    stack_padding: str
    """atari: what fills the stack after a reset: copies of the first frame, or black frames"""
    start_carrying: bool
    """minigrid: what is to be put is carried from the start"""
    stochastic_actions: bool
    """minigrid: another action may take the place of the given one"""
    strict: bool
    """minigrid: another door first ends the episode"""
    strip2_row: int
    """minigrid: row of the second strip of lava"""
    success_rate: float
    """classic: probability of moving in the chosen direction"""
    sutton_barto_reward: bool
    """classic: reward 0 per step and -1 at termination, instead of 1 per step"""
    swimming: bool
    """dmc: swimming to a target is rewarded; False: only being upright"""
    swing_up: bool
    """dmc: the poles hang down at the start"""
    target_size: float
    """dmc: radius of the target in m; 0: no target, spinning is rewarded; dmc: radius of the target
    in m"""
    task: Any
    """atari: as in other packages"""
    task_kwargs: Any
    """dmc: as in other packages"""
    task_name: Any
    """dmc: as in other packages"""
    terminal_on_life_loss: bool
    """atari: a lost life terminates the episode, and the next episode is a new game, as in
    Gymnasium"""
    terminate_when_unhealthy: bool
    """mujoco: terminate the episode when the robot is unhealthy"""
    tile_size: int
    """minigrid: pixels per side of a cell in pictures"""
    time_limit: float
    """dmc: duration of an episode in seconds"""
    timeout_terminates: bool
    """vizdoom: the scenario's timeout terminates the episode instead of truncating it"""
    translation: str
    """atari: how our own emulator executes a game, with equal results: auto (machine code where the
    system lets a process make it, blocks elsewhere), blocks (portable), none (interpreted)"""
    turbulence_power: float
    """box2d: greatest torque of the wind, 0 to 2 advised"""
    unblock: bool
    """minigrid: something is in the way of an object"""
    unblocking: bool
    """minigrid: objects may have to be moved out of the way"""
    uph_cost_weight: float
    """mujoco: no effect, as in Gymnasium"""
    use_combined_action: bool
    """vizdoom: the action is the number of one of EnvPool's combinations of buttons"""
    use_contact_force: Any
    """mujoco: as in other packages"""
    use_contact_forces: bool
    """mujoco: subtract the contact cost from the reward, and allow contact forces in observations;
    mujoco: subtract the contact cost from the reward"""
    use_fire_reset: bool
    """atari: press FIRE at the start of an episode if the game has this action"""
    use_inter_area_resize: bool
    """atari: resize by area averaging instead of bilinear interpolation"""
    use_peg: bool
    """dmc: the object is a peg; False: a ball"""
    velocity_max: float
    """mujoco: largest velocity in observations, which are clipped"""
    velocity_min: float
    """mujoco: smallest velocity in observations, which are clipped"""
    version: int
    """classic: rules: 0 of OpenAI Gym's Pendulum-v0, 1 of Pendulum-v1; classic: rules of the rain:
    3 of Taxi-v3, 4 of Taxi-v4"""
    visual_options: Any
    """dmc, mujoco: visualisation flags (mjtVisFlag) of pictures, such as {10: True}"""
    visualize_reward: bool
    """dmc: colours in pictures show the reward"""
    vzd_path: Any
    """vizdoom: executable of the engine; empty: that of the vizdoom package"""
    wad_path: Any
    """vizdoom: WAD file of the scenario; empty: that of the cfg"""
    weapon_duration: int
    """vizdoom: number of consecutive steps after which the weapon in hand is rewarded"""
    weighted_reward_info: bool
    """mujoco: the terms of the reward in info include their weights (v5)"""
    width: int
    """classic: number of columns of the board"""
    wind_power: float
    """box2d: greatest force of the wind, 0 to 20 advised"""
    xml_file: Any
    """mujoco: XML file of the model; a name without a folder is a file of Gymnasium"""
    zero_discount_on_life_loss: bool
    """atari: discount 0 when a life is lost"""

@overload
def make(
    task_id: str | Sequence[str], env_type: Literal["gym"], *, num_envs: int = 1,
    batch_size: int | None = None, batch_order: str = "first", num_threads: int | None = None,
    thread_affinity_offset: int = -1, thread_affinity: Sequence[int] | None = None,
    numa_node: int | None = None, thread_pool: ThreadPool | None = None, seed: Any = None,
    rank: int | Literal["torchrun"] | None = None, world_size: int | None = None,
    max_episode_steps: int | None = None, reward_threshold: float | None = None,
    gym_reset_return_info: bool | None = None, render_mode: str | None = None,
    render_env_id: int = 0, render_width: int = 0, render_height: int = 0,
    render_camera_id: int = -1, render_camera_name: str | None = None,
    autoreset_mode: str | AutoresetMode | None = None, episode_statistics: bool | str | None = None,
    infos: str = "all", texts: str = "str", transform: Mapping[str, Any] | None = None,
    output: str = "numpy", isolation: str | None = None, env_options: Any = None,
    nan_action: str = "raise", out_of_bounds_action: str = "pass", check_obs: str = "error",
    seed_globals: bool | None = None, step_timeout: float | None = None, memory_check: bool = True,
    **options: Unpack[EnvOptions]
) -> GymPool: ...

@overload
def make(
    task_id: str | Sequence[str], env_type: Literal["dm"], *, num_envs: int = 1,
    batch_size: int | None = None, batch_order: str = "first", num_threads: int | None = None,
    thread_affinity_offset: int = -1, thread_affinity: Sequence[int] | None = None,
    numa_node: int | None = None, thread_pool: ThreadPool | None = None, seed: Any = None,
    rank: int | Literal["torchrun"] | None = None, world_size: int | None = None,
    max_episode_steps: int | None = None, reward_threshold: float | None = None,
    gym_reset_return_info: bool | None = None, render_mode: str | None = None,
    render_env_id: int = 0, render_width: int = 0, render_height: int = 0,
    render_camera_id: int = -1, render_camera_name: str | None = None,
    autoreset_mode: str | AutoresetMode | None = None, episode_statistics: bool | str | None = None,
    infos: str = "all", texts: str = "str", transform: Mapping[str, Any] | None = None,
    output: str = "numpy", isolation: str | None = None, env_options: Any = None,
    nan_action: str = "raise", out_of_bounds_action: str = "pass", check_obs: str = "error",
    seed_globals: bool | None = None, step_timeout: float | None = None, memory_check: bool = True,
    **options: Unpack[EnvOptions]
) -> DmPool: ...

@overload
def make(
    task_id: str | Sequence[str], env_type: Literal["gymnasium"] = "gymnasium", *,
    num_envs: int = 1, batch_size: int | None = None, batch_order: str = "first",
    num_threads: int | None = None, thread_affinity_offset: int = -1,
    thread_affinity: Sequence[int] | None = None, numa_node: int | None = None,
    thread_pool: ThreadPool | None = None, seed: Any = None,
    rank: int | Literal["torchrun"] | None = None, world_size: int | None = None,
    max_episode_steps: int | None = None, reward_threshold: float | None = None,
    gym_reset_return_info: bool | None = None, render_mode: str | None = None,
    render_env_id: int = 0, render_width: int = 0, render_height: int = 0,
    render_camera_id: int = -1, render_camera_name: str | None = None,
    autoreset_mode: str | AutoresetMode | None = None, episode_statistics: bool | str | None = None,
    infos: str = "all", texts: str = "str", transform: Mapping[str, Any] | None = None,
    output: str = "numpy", isolation: str | None = None, env_options: Any = None,
    nan_action: str = "raise", out_of_bounds_action: str = "pass", check_obs: str = "error",
    seed_globals: bool | None = None, step_timeout: float | None = None, memory_check: bool = True,
    **options: Unpack[EnvOptions]
) -> GymnasiumPool: ...

@overload
def make(
    task_id: str | Sequence[str], env_type: str, *, num_envs: int = 1,
    batch_size: int | None = None, batch_order: str = "first", num_threads: int | None = None,
    thread_affinity_offset: int = -1, thread_affinity: Sequence[int] | None = None,
    numa_node: int | None = None, thread_pool: ThreadPool | None = None, seed: Any = None,
    rank: int | Literal["torchrun"] | None = None, world_size: int | None = None,
    max_episode_steps: int | None = None, reward_threshold: float | None = None,
    gym_reset_return_info: bool | None = None, render_mode: str | None = None,
    render_env_id: int = 0, render_width: int = 0, render_height: int = 0,
    render_camera_id: int = -1, render_camera_name: str | None = None,
    autoreset_mode: str | AutoresetMode | None = None, episode_statistics: bool | str | None = None,
    infos: str = "all", texts: str = "str", transform: Mapping[str, Any] | None = None,
    output: str = "numpy", isolation: str | None = None, env_options: Any = None,
    nan_action: str = "raise", out_of_bounds_action: str = "pass", check_obs: str = "error",
    seed_globals: bool | None = None, step_timeout: float | None = None, memory_check: bool = True,
    **options: Unpack[EnvOptions]
) -> Any: ...

def make_gymnasium(
    task_id: str | Sequence[str], *, num_envs: int = 1, batch_size: int | None = None,
    batch_order: str = "first", num_threads: int | None = None, thread_affinity_offset: int = -1,
    thread_affinity: Sequence[int] | None = None, numa_node: int | None = None,
    thread_pool: ThreadPool | None = None, seed: Any = None,
    rank: int | Literal["torchrun"] | None = None, world_size: int | None = None,
    max_episode_steps: int | None = None, reward_threshold: float | None = None,
    gym_reset_return_info: bool | None = None, render_mode: str | None = None,
    render_env_id: int = 0, render_width: int = 0, render_height: int = 0,
    render_camera_id: int = -1, render_camera_name: str | None = None,
    autoreset_mode: str | AutoresetMode | None = None, episode_statistics: bool | str | None = None,
    infos: str = "all", texts: str = "str", transform: Mapping[str, Any] | None = None,
    output: str = "numpy", isolation: str | None = None, env_options: Any = None,
    nan_action: str = "raise", out_of_bounds_action: str = "pass", check_obs: str = "error",
    seed_globals: bool | None = None, step_timeout: float | None = None, memory_check: bool = True,
    **options: Unpack[EnvOptions]
) -> GymnasiumPool: ...

def make_gym(
    task_id: str | Sequence[str], *, num_envs: int = 1, batch_size: int | None = None,
    batch_order: str = "first", num_threads: int | None = None, thread_affinity_offset: int = -1,
    thread_affinity: Sequence[int] | None = None, numa_node: int | None = None,
    thread_pool: ThreadPool | None = None, seed: Any = None,
    rank: int | Literal["torchrun"] | None = None, world_size: int | None = None,
    max_episode_steps: int | None = None, reward_threshold: float | None = None,
    gym_reset_return_info: bool | None = None, render_mode: str | None = None,
    render_env_id: int = 0, render_width: int = 0, render_height: int = 0,
    render_camera_id: int = -1, render_camera_name: str | None = None,
    autoreset_mode: str | AutoresetMode | None = None, episode_statistics: bool | str | None = None,
    infos: str = "all", texts: str = "str", transform: Mapping[str, Any] | None = None,
    output: str = "numpy", isolation: str | None = None, env_options: Any = None,
    nan_action: str = "raise", out_of_bounds_action: str = "pass", check_obs: str = "error",
    seed_globals: bool | None = None, step_timeout: float | None = None, memory_check: bool = True,
    **options: Unpack[EnvOptions]
) -> GymPool: ...

def make_dm(
    task_id: str | Sequence[str], *, num_envs: int = 1, batch_size: int | None = None,
    batch_order: str = "first", num_threads: int | None = None, thread_affinity_offset: int = -1,
    thread_affinity: Sequence[int] | None = None, numa_node: int | None = None,
    thread_pool: ThreadPool | None = None, seed: Any = None,
    rank: int | Literal["torchrun"] | None = None, world_size: int | None = None,
    max_episode_steps: int | None = None, reward_threshold: float | None = None,
    gym_reset_return_info: bool | None = None, render_mode: str | None = None,
    render_env_id: int = 0, render_width: int = 0, render_height: int = 0,
    render_camera_id: int = -1, render_camera_name: str | None = None,
    autoreset_mode: str | AutoresetMode | None = None, episode_statistics: bool | str | None = None,
    infos: str = "all", texts: str = "str", transform: Mapping[str, Any] | None = None,
    output: str = "numpy", isolation: str | None = None, env_options: Any = None,
    nan_action: str = "raise", out_of_bounds_action: str = "pass", check_obs: str = "error",
    seed_globals: bool | None = None, step_timeout: float | None = None, memory_check: bool = True,
    **options: Unpack[EnvOptions]
) -> DmPool: ...

def make_spec(
    task_id: str | Sequence[str], *, num_envs: int = 1, batch_size: int | None = None,
    batch_order: str = "first", num_threads: int | None = None, thread_affinity_offset: int = -1,
    thread_affinity: Sequence[int] | None = None, numa_node: int | None = None,
    thread_pool: ThreadPool | None = None, seed: Any = None,
    rank: int | Literal["torchrun"] | None = None, world_size: int | None = None,
    max_episode_steps: int | None = None, reward_threshold: float | None = None,
    gym_reset_return_info: bool | None = None, render_mode: str | None = None,
    render_env_id: int = 0, render_width: int = 0, render_height: int = 0,
    render_camera_id: int = -1, render_camera_name: str | None = None,
    autoreset_mode: str | AutoresetMode | None = None, episode_statistics: bool | str | None = None,
    infos: str = "all", texts: str = "str", transform: Mapping[str, Any] | None = None,
    output: str = "numpy", isolation: str | None = None, env_options: Any = None,
    nan_action: str = "raise", out_of_bounds_action: str = "pass", check_obs: str = "error",
    seed_globals: bool | None = None, step_timeout: float | None = None, memory_check: bool = True,
    **options: Unpack[EnvOptions]
) -> PoolSpec: ...
