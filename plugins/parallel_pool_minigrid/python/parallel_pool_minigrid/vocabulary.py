"""The words of all missions, and their numbers in observations with `mission="words"`.

    import parallel_pool
    from parallel_pool_minigrid.vocabulary import NUMBERS, WORDS, text_of

    envs = parallel_pool.make("BabyAI-GoToLocal-v0", mission="words")
    obs, info = envs.reset()
    text_of(obs["mission"][0])  # "go to the grey key"
    embedding = torch.nn.Embedding(len(WORDS) + 1, 32, padding_idx=0)

A word's number is its place in WORDS, from 1; 0 stands behind the end of a mission. A comma is a word. Missions
that minigrid's DictObservationSpaceWrapper can say have the numbers that it gives them.
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

WORDS: tuple[str, ...] = (
    *("red", "green", "blue", "yellow", "purple", "grey"),
    *("unseen", "empty", "wall", "floor", "box", "key", "ball", "door", "goal", "agent", "lava"),
    *("pick", "avoid", "get", "find", "put", "use", "open", "go", "fetch", "reach", "unlock"),
    *("traverse", "up", "the", "a", "at", ",", "square", "and", "then", "to", "of", "rooms"),
    *("near", "opening", "must", "you", "matching", "end", "hallway", "object", "from", "room"),
    *("maze", "next", "on", "your", "left", "right", "in", "front", "behind", "after"),
)
"""The words of all levels, in the order of their numbers."""

NUMBERS: Mapping[str, int] = MappingProxyType(
    {word: number for number, word in enumerate(WORDS, 1)}
)
"""The number of each word."""


def text_of(numbers: Iterable[int]) -> str:
    """The mission that these numbers stand for, a row of an observation."""
    words = (WORDS[int(number) - 1] for number in numbers if number)
    return " ".join(words).replace(" ,", ",")
