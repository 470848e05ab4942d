"""Seeds of Python environments in the parts of a RayPool: None where the user chose none."""

from test_envs.libraries import needed

needed("ray")

from parallel_pool_ray.sharding import Sharding  # noqa: E402

TOLD = "gym:CartPole-v1"


def test_the_parts_of_a_ray_pool() -> None:
    unseeded = Sharding("RayPool", TOLD, 4, 2, None, {})
    assert [unseeded.shard(1, generation).arguments["seed"] for generation in (0, 1)] == [
        [None] * 2
    ] * 2
    some = Sharding("RayPool", TOLD, 4, 2, [1, None, None, 4], {})
    assert some.shard(0, 0).arguments["seed"] == [1, None]
    again, none = some.shard(0, 1).arguments["seed"]
    assert again not in (1, None)
    assert none is None
    native = Sharding("RayPool", "CartPole-v1", 4, 2, None, {})
    assert None not in native.shard(0, 0).arguments["seed"]
