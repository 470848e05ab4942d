"""The meanings of the numbers of these environments. Imported when a user asks."""

from dataclasses import replace

from parallel_pool.plugin_api import About, EnvSpec, Part

_NEVER = "only by the time limit"
_FOUR_WAYS = ("left", "down", "right", "up")


def _parts(*meanings: str) -> tuple[Part, ...]:
    return tuple(map(Part, meanings))


_CARTPOLE = About(
    observation=(
        Part("position of the cart, 0 in the middle", "m"),
        Part("velocity of the cart", "m/s"),
        Part("angle of the pole, 0 upright", "rad"),
        Part("angular velocity of the pole", "rad/s"),
    ),
    action=_parts("push the cart to the left", "push the cart to the right"),
    reward="1 for every step, the last included",
    ends="the cart is more than 2.4 m from the middle, or the pole leans by more than 12 degrees",
)
_PENDULUM = About(
    observation=(
        Part("cosine of the angle, which is 0 upright"),
        Part("sine of the angle"),
        Part("angular velocity", "rad/s"),
    ),
    action=(Part("torque at the hinge", "N m"),),
    reward="-(angle**2 + 0.1 * velocity**2 + 0.001 * torque**2), with the angle from -pi to pi",
    ends=_NEVER,
)
_CAR = (Part("position along the track"), Part("velocity"))
_FROZEN_LAKE = About(
    observation=(Part("row * 4 + column of the field", count=16),),
    action=_parts(*_FOUR_WAYS),
    reward="1 at the goal, else 0; on ice, a third of the moves goes as chosen, and a third to either side",
    ends="in a hole or at the goal",
)
_TAXI = About(
    observation=(
        Part(
            "((row * 5 + column) * 5 + passenger) * 4 + destination; the passenger is at place 0 to 3 (red, "
            "green, yellow, blue) or 4, in the taxi",
            count=500,
        ),
    ),
    action=_parts("south", "north", "east", "west", "pick up the passenger", "drop the passenger"),
    reward="-1 for a step, -10 for picking up or dropping at a wrong place, 20 for the delivery",
    ends="the passenger is dropped at the destination",
)
_CLIFF = About(
    observation=(Part("row * 12 + column of the field; 36 is the start, 47 the goal", count=48),),
    action=_parts("up", "right", "down", "left"),
    reward="-1 for a step, -100 for one into the cliff, which leads back to the start",
    ends="at the goal",
)
_BLACKJACK = About(
    observation=_parts(
        "sum of the player's cards", "the dealer's open card, 1 is an ace", "1: an ace counts as 11"
    ),
    action=_parts("take no more cards", "take a card"),
    reward="at the end 1 for a win, -1 for a loss, 0 for a draw",
    ends="the player takes no more cards, or has more than 21",
    original="Gymnasium Blackjack-v1",
)

_ABOUT = {
    "CartPole-v0": replace(_CARTPOLE, original="Gymnasium CartPole-v0"),
    "CartPole-v1": replace(_CARTPOLE, original="Gymnasium CartPole-v1"),
    "Pendulum-v0": replace(_PENDULUM, original="OpenAI Gym Pendulum-v0"),
    "Pendulum-v1": replace(_PENDULUM, original="Gymnasium Pendulum-v1"),
    "MountainCar-v0": About(
        observation=_CAR,
        action=_parts("accelerate to the left", "do not accelerate", "accelerate to the right"),
        reward="-1 for every step",
        ends="the car is at position 0.5 or beyond",
        original="Gymnasium MountainCar-v0",
    ),
    "MountainCarContinuous-v0": About(
        observation=_CAR,
        action=(Part("force on the car, positive to the right"),),
        reward="-0.1 * action**2, and 100 at the goal",
        ends="the car is at position 0.45 or beyond",
        original="Gymnasium MountainCarContinuous-v0",
    ),
    "Acrobot-v1": About(
        observation=(
            Part("cosine of the first link's angle, which is 0 hanging down"),
            Part("sine of the first link's angle"),
            Part("cosine of the second link's angle to the first"),
            Part("sine of the second link's angle to the first"),
            Part("angular velocity of the first link", "rad/s"),
            Part("angular velocity of the second link", "rad/s"),
        ),
        action=_parts(
            "torque of -1 N m at the joint of the links",
            "no torque",
            "torque of 1 N m at the joint",
        ),
        reward="-1 for a step, 0 for the one that ends the episode",
        ends="the tip is higher than the length of a link above the fixed end",
        original="Gymnasium Acrobot-v1",
    ),
    "Catch-v0": About(
        observation=(
            Part("fields of the board by rows: 1 for the ball and for the paddle", count=50),
        ),
        action=_parts("paddle to the left", "stay", "paddle to the right"),
        reward="at the end 1 if the ball is caught, else -1",
        ends="the ball is in the last row",
        original="bsuite catch",
    ),
    "FrozenLake-v1": replace(_FROZEN_LAKE, original="Gymnasium FrozenLake-v1"),
    "FrozenLake8x8-v1": replace(
        _FROZEN_LAKE,
        observation=(Part("row * 8 + column of the field", count=64),),
        original="Gymnasium FrozenLake8x8-v1",
    ),
    "Taxi-v3": replace(_TAXI, original="Gymnasium Taxi-v3"),
    "Taxi-v4": replace(_TAXI, original="Gymnasium Taxi-v4"),
    "NChain-v0": About(
        observation=(Part("place on the chain", count=5),),
        action=_parts("forward", "back to the first place"),
        reward="10 for going forward at the end, 2 for going back; a fifth of the actions is exchanged",
        ends=_NEVER,
        original="OpenAI Gym NChain-v0",
    ),
    "CliffWalking-v0": replace(_CLIFF, original="Gymnasium CliffWalking-v1"),
    "CliffWalking-v1": replace(_CLIFF, original="Gymnasium CliffWalking-v1"),
    "CliffWalkingSlippery-v1": replace(
        _CLIFF,
        reward=f"{_CLIFF.reward}; a third of the moves goes as chosen, and a third to either side",
        original="Gymnasium CliffWalkingSlippery-v1",
    ),
    "Blackjack-v1": _BLACKJACK,
    "BlackjackBox-v1": _BLACKJACK,
    "TwoPlayerPong-v0": About(
        observation=_parts(
            "middle of the own paddle",
            "middle of the other's paddle",
            "x of the ball, from the own side",
            "y of the ball",
            "speed of the ball along x",
            "speed of the ball along y",
        ),
        action=_parts("stay", "up", "down"),
        reward="1 for a point, -1 for a point of the other player",
        ends="a player has three points",
    ),
}
"""By the id without the family."""


def about(spec: EnvSpec) -> About | None:
    """See `parallel_pool.plugin_api.About`."""
    return _ABOUT.get(spec.id.partition("/")[2])
