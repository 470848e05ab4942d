"""The games, as data: the ROMs of ale-py 0.12 that have a game for one player.

Left out, as by ale-py and EnvPool, which register no environment for them: combat, joust,
maze_craze, warlords (two players only).
"""

_NAMES = """
    adventure air_raid alien amidar assault asterix asteroids atlantis atlantis2 backgammon
    bank_heist basic_math battle_zone beam_rider berzerk blackjack bowling boxing breakout
    carnival casino centipede chopper_command crazy_climber crossbow darkchambers defender
    demon_attack donkey_kong double_dunk earthworld elevator_action enduro entombed et
    fishing_derby flag_capture freeway frogger frostbite galaxian gopher gravitar hangman
    haunted_house hero human_cannonball ice_hockey jamesbond journey_escape kaboom kangaroo
    keystone_kapers king_kong klax koolaid krull kung_fu_master laser_gates lost_luggage
    mario_bros miniature_golf montezuma_revenge mr_do ms_pacman name_this_game othello pacman
    phoenix pitfall pitfall2 pong pooyan private_eye qbert riverraid road_runner robotank
    seaquest sir_lancelot skiing solaris space_invaders space_war star_gunner superman surround
    tennis tetris tic_tac_toe_3d time_pilot trondead turmoil tutankham up_n_down venture
    video_checkers video_chess video_cube video_pinball wizard_of_wor word_zapper yars_revenge
    zaxxon
"""

ROMS = tuple(_NAMES.split())
# Those in which our own machine was shown to equal ALE (src/proven_games.cpp).
FAST = frozenset(ROMS)


def envpool_name(rom: str) -> str:
    """`TicTacToe3d`: EnvPool's spelling, which is ours too."""
    return "".join(word.capitalize() for word in rom.split("_"))


def ale_name(rom: str) -> str:
    """`TicTacToe3D`: ale-py's spelling, which differs for this one game."""
    return rom.title().replace("_", "")
