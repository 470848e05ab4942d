"""Which environment an id means, and what is said when it means none or several."""

import pytest

from .sites import Site

ATARI = """
    'atari/Blackjack-v5'
    'atari/Pong-v5', native='atari/Game-v5', aliases=('ALE/Pong-v5', 'PongNoFrameskip-v4')
    'atari/Pong-v4', removed='use atari/Pong-v5'
    'atari/Breakout-v5'
"""
CLASSIC = """
    'classic/Blackjack-v1'
    'classic/CartPole-v0', deprecated='use classic/CartPole-v1'
    'classic/CartPole-v1', aliases=('phys2d/CartPole-v1',)
    'classic/CartPole-v10'
"""
LANDER = """
    'lander/Lander-v0', aliases=('Moon-v0',)
    'lander/CartPole-v1'
"""


@pytest.fixture
def three(site: Site) -> Site:
    """A site with two first-party families and a third party's."""
    site.install("atari", envs=ATARI, distribution="parallel-pool-atari")
    site.install("classic", envs=CLASSIC, distribution="parallel-pool-classic")
    site.install("lander", envs=LANDER)
    return site


def test_resolves(three: Site) -> None:
    ids = {
        "atari/Pong-v5": "atari/Pong-v5 Pong-v5 ALE/Pong-v5 PongNoFrameskip-v4 Pong atari/Pong",
        "atari/Blackjack-v5": "Blackjack-v5",
        "classic/Blackjack-v1": "Blackjack-v1",
        "classic/CartPole-v10": "classic/CartPole CartPole-v10",
        "classic/CartPole-v1": "phys2d/CartPole-v1",
        "lander/Lander-v0": "Moon-v0",
    }
    cases = {each: meant for meant, names in ids.items() for each in names.split()}
    three.answers(cases, f"answer = {{id: r.resolve(id).spec.id for id in {list(cases)}}}")


AMBIGUOUS = {
    "CartPole-v1": "classic/CartPole-v1 or lander/CartPole-v1",
    "CartPole": "classic/CartPole-v10 or lander/CartPole-v1",
    "Blackjack": "atari/Blackjack-v5 or classic/Blackjack-v1",
}
UNKNOWN = {
    "Pnog-v5": "Did you mean atari/Pong-v5?",
    "pong-v5": "Did you mean atari/Pong-v5? Upper and lower case differ in ids",
    "ale/PONG-v5": "Did you mean atari/Pong-v5? Upper",
    "atari/Brekout-v5": "atari/Breakout-v5",
    "ALE/Pog-v5": "atari/Pong-v5",
    "Breakout-v4": "there is no 'Breakout-v4'; there is atari/Breakout-v5",
    "breakout-v4": "there is atari/Breakout-v5. Upper and lower case differ in ids",
    "ATARI/breakout": "there is atari/Breakout-v5. Upper and lower case differ in ids",
    "atari/Pong-v4": "atari/Pong-v4 was removed: use atari/Pong-v5",
    "Pong-v4": "atari/Pong-v4 was removed: use atari/Pong-v5",
    "dmc/WalkerWalk-v1": "pip install 'parallel-pool[dmc]'",
    "Ant-v5": "pip install 'parallel-pool[mujoco]'",
    "WalkerWalk-v1": "pip install 'parallel-pool[dmc]'",
    "VizdoomBasic-v0": "pip install 'parallel-pool[vizdoom]'",
    "D1Basic-v1": "pip install 'parallel-pool[vizdoom]'",
    "CoinrunHard-v0": "EnvPool's family procgen, which has no plugin here. docs/",
    "FetchReach-v4": "make('gym:gymnasium_robotics:ID') steps the originals",
    "": "unknown environment ''",
    "a b/c": "`parallel-pool list` shows all 9",
}


def test_what_is_no_id_is_explained(three: Site) -> None:
    said = three.errors([*AMBIGUOUS, *UNKNOWN])
    kinds = ["AmbiguousEnvError"] * len(AMBIGUOUS) + ["UnknownEnvError"] * len(UNKNOWN)
    assert [kind for kind, _ in said] == kinds
    for (_, text), part in zip(said, (AMBIGUOUS | UNKNOWN).values(), strict=True):
        assert part in text


def test_a_plugin_answers_for_ids_of_its_past(site: Site) -> None:
    hook = "from parallel_pool.plugin_api import OldIds\n@hookimpl\ndef parallel_pool_old_ids(): return "
    old = "[OldIds(('Sun', 'Moon'), {'Old{name}-v2': 'use Lander-v0 with at={name}'})]"
    site.install("lander", hook + old, envs=LANDER)
    assert site.unknown("OldMOON-v2") == "there is no 'OldMOON-v2'; use Lander-v0 with at=Moon"
    site.unknown("Mars-v2", "parallel-pool list")
    site.install("broken", hook + "1 / 0", envs="'broken/A-v0'")
    site.install("number", hook + "[3]", envs="'number/A-v0'")
    for family, part in (("broken", "ZeroDivisionError"), ("number", "not 3")):
        others = ",".join({"broken", "number"} - {family})
        disabled = {"PARALLEL_POOL_DISABLE_PLUGINS": others}
        site.unknown("Mars-v2", f"plugin {family} (", part, **disabled)


def test_missing_extras_are_named(site: Site) -> None:
    of_extras = {
        "atari": "Pong-v5 ALE/Pong-v5 PongNoFrameskip-v4 ALE-Pong-v5 TicTacToe3D-v5 Blackjack-v5",
        "classic": "TwoPlayerPong-v0 CartPole-v1 phys2d/CartPole-v0 FrozenLake8x8-v1 Blackjack-v1",
        "atari classic": "Blackjack",
        "dmc": "HumanoidRun-v1",
        "mujoco": "Humanoid-v4",
    }
    for extras, ids in of_extras.items():
        commands = " or ".join(f"pip install 'parallel-pool[{extra}]'" for extra in extras.split())
        for kind, said in site.errors(ids.split()):
            assert kind == "UnknownEnvError"
            assert said.endswith(commands)


def test_errors_are_of_familiar_kinds(site: Site) -> None:
    answer = site.ask("""
        import pickle
        from parallel_pool import errors
        try:
            r.resolve("Nope-v0")
        except KeyError as error:
            again = pickle.loads(pickle.dumps(error))
            answer = [isinstance(error, ValueError), str(again) == str(error), again.suggestions]
    """)
    assert answer.value == [True, True, []]


def test_deprecated_env_works_and_warns_when_asked_to(three: Site) -> None:
    answer = three.ask("""
        import warnings; warnings.simplefilter("always")
        env = r.resolve("CartPole-v0")
        env.warn_if_deprecated()
        r.resolve("CartPole-v10").warn_if_deprecated()
        answer = env.spec.id
    """)
    assert answer.value == "classic/CartPole-v0"
    assert answer.warnings == ["classic/CartPole-v0 is deprecated: use classic/CartPole-v1"]


def test_listing(three: Site) -> None:
    answer = three.ask("""
        answer = [r.list_all_envs(), r.list_all_envs("atari"), r.list_all_envs("atari", True),
                  r.list_all_envs(aliases=True)]
    """)
    all_ids, atari, atari_aliases, everything = answer.value
    assert all_ids == sorted(all_ids)
    assert len(all_ids) == 9  # without the tombstone
    assert atari == ["atari/Blackjack-v5", "atari/Breakout-v5", "atari/Pong-v5"]
    short = {"Blackjack-v5", "Breakout-v5", "Pong-v5"}
    assert set(atari_aliases) - set(atari) == short | {"ALE/Pong-v5", "PongNoFrameskip-v4"}
    assert "CartPole-v1" not in everything  # ambiguous
    resolvable = three.ask(f"answer = [r.resolve(id).spec.id for id in {everything}]")
    assert len(resolvable.value) == len(everything)


def test_alias_collisions_inside_a_plugin_are_refused(site: Site) -> None:
    site.install(
        "lander",
        envs="""
            'lander/A-v0', aliases=('Same-v0', 'lander/B-v0', 'atari/Pong-v5', 'Mine-v0')
            'lander/B-v0', aliases=('Same-v0', 'A-v0')
        """,
    )
    answer = site.ask("""
        answer = [[p.reason for p in r.problems], r.resolve("Mine-v0").spec.id,
                  r.resolve("Same-v0").spec.id]
    """)
    assert answer.value == [
        [
            "lander/A-v0: alias lander/B-v0 already means lander/B-v0",
            "lander/A-v0: alias atari/Pong-v5 belongs to the first-party family atari",
            "lander/B-v0: alias Same-v0 already means lander/A-v0",
            "lander/B-v0: alias A-v0 already means lander/A-v0",
        ],
        "lander/A-v0",
        "lander/A-v0",
    ]
    assert len(answer.warnings) == 1


def test_alias_shared_by_two_plugins_is_ambiguous_and_noted(site: Site) -> None:
    site.install("one", envs="'one/A-v0', aliases=('Shared-v0',)")
    site.install("two", envs="'two/B-v0', aliases=('Shared-v0', 'one/Mine-v0')")
    site.refuses("r.resolve('Shared-v0')", "one/A-v0 or two/B-v0", kind="AmbiguousEnvError")
    notes = [
        ["alias Shared-v0 of one/A-v0 also means two/B-v0"],
        [
            "alias Shared-v0 of two/B-v0 also means one/A-v0",
            "alias one/Mine-v0 of two/B-v0 is ignored: another plugin has the family",
        ],
    ]
    site.answers(notes, "answer = [p.notes for p in r.plugins]")
    site.unknown("one/Mine-v0")


def test_hidden_ones_can_be_made_and_are_in_no_list(site: Site) -> None:
    site.install(
        "maze",
        envs="""
            'maze/Corridor-v0', hidden=True, aliases=('Way-v0',)
            'maze/Long-v0', native='maze/Corridor-v0', options={'length': 64}
            'maze/Cave-v0', options={'depth': 3}
        """,
    )
    answer = site.ask("""
        answer = [r.list_all_envs(), r.list_all_envs(aliases=True), r.short_ids(),
                  [spec.id for spec in r.specs('maze')],
                  [spec.id for spec in r.specs('maze', hidden=True)],
                  [r.resolve(id).spec.id for id in
                   ('maze/Corridor-v0', 'maze/Corridor', 'Corridor', 'Way-v0', 'Long')]]
    """)
    shown = ["maze/Cave-v0", "maze/Long-v0"]
    short = ["Cave-v0", "Long-v0"]
    hidden = "maze/Corridor-v0"
    assert answer.value == [
        shown,
        sorted(shown + short),
        short,
        shown,
        ["maze/Cave-v0", hidden, "maze/Long-v0"],
        [hidden] * 4 + ["maze/Long-v0"],
    ]
    assert answer.warnings == []
