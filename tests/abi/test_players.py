"""What a plugin may say of its players: refused by the compiler, in sentences, or by the host."""

from pathlib import Path

import pytest
from parallel_pool import PluginError, _core
from test_envs.checks import refused
from test_envs.compiling import check_text, compile_plugin, once

ENV = """
struct @NAME@ {
  static constexpr const char* id = "wrong/@NAME@-v0";
  @MEMBERS@
  using Obs = @OBS@;
  using Action = pp::PerPlayer<pp::Discrete<2>>;
  void reset(pp::Rng&, Obs::Ref) {}
  @STEP@
};
"""
PLUGIN = """
#include "parallel_pool/env.hpp"
@ENVS@
PP_PLUGIN("wrong", @BUILT@);
"""
EACH = "pp::PerPlayer<pp::Scalar<float>>"
MOST = "static constexpr uint32_t max_players = 2;"
STEP = "pp::Ending step(Action::Value, Obs::Ref, pp::Players<@NAME@> players) { @BODY@ return {}; }"


def env(members: str = MOST, obs: str = EACH, body: str = "(void)players;", name: str = "E") -> str:
    """The source of one environment."""
    step = body if "step" in body else STEP.replace("@BODY@", body)
    text = ENV.replace("@MEMBERS@", members).replace("@OBS@", obs).replace("@STEP@", step)
    return text.replace("@NAME@", name)


def plugin(envs: str, *built: str) -> str:
    return PLUGIN.replace("@ENVS@", envs).replace("@BUILT@", ", ".join(built))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"members": ""}, "pp::PerPlayer and `static constexpr uint32_t max_players` come together"),
        ({"obs": f"pp::PerPlayer<{EACH}>"}, "a player has no players of its own"),
        ({"body": "players.terminate(0);"}, "`static constexpr bool players_end_alone = true`; to end the"),
        ({"body": "players.truncate(0);"}, "players.truncate() needs"),
        ({"body": "players.join(0);"}, "needs `static constexpr bool players_vary = true`"),
        ({"body": "players.leave(0);"}, "needs `static constexpr bool players_vary = true`"),
        ({"body": "players.discount(0) = 1;"}, "declare `static constexpr bool has_discount = true`"),
        (
            {"body": "pp::Outcome step(Action::Value, Obs::Ref, pp::Players<E>) { return {}; }"},
            "and returns pp::Ending",
        ),
    ],
    ids=str,
)  # fmt: skip
def test_the_compiler_says_what_is_wrong(
    tmp_path: Path, compilers: list[list[str]], arguments: dict[str, str], sentence: str
) -> None:
    for command in compilers:
        text = plugin(env(**arguments), "pp::scalar<E>()")
        done = check_text(text, tmp_path / "wrong.cpp", command)
        assert done.returncode != 0
        assert sentence in done.stderr


def test_kernels_have_one_player(tmp_path: Path, compilers: list[list[str]]) -> None:
    for command in compilers:
        done = check_text(plugin(env(), "pp::batch<E, 8>()"), tmp_path / "wrong.cpp", command)
        assert done.returncode != 0
        assert "written one at a time, with pp::scalar" in done.stderr


DESCRIBE = MOST + "static void describe(pp::Spec& spec, const pp::Options&) { @BODY@ }"


WRONG = {
    "NamedAsTheHosts": (
        'spec.add(PP_ROLE_INFO, "acting", PP_KIND_BOX, PP_INT32).flags = PP_FIELD_PER_PLAYER;',
        "info field 'acting' per player has a name that the host gives itself",
    ),
    "OwnDiscounts": (
        "for (auto& f : spec.fields) if (f.role == PP_ROLE_REWARD) f.flags = 0; "
        'spec.add(PP_ROLE_DISCOUNT, "", PP_KIND_BOX, PP_FLOAT64).flags = PP_FIELD_PER_PLAYER;',
        "discounts are per player, but there is one reward for all",
    ),
    "ManyRewards": (
        "for (auto& f : spec.fields) if (f.role == PP_ROLE_REWARD) f.shape = {2};",
        "per player it is flagged PP_FIELD_PER_PLAYER",
    ),
    "TooManyPlayers": ("spec.max_players = 65537;", "max_players is not in 1 .. 65536"),
}


@pytest.fixture(scope="module")
def wrong(shared_folder: Path) -> _core.Plugin:
    """A plugin of all of them: it is described to the host environment by environment."""

    def build(new: Path) -> None:
        envs = [
            env(DESCRIBE.replace("@BODY@", body), name=name) for name, (body, _) in WRONG.items()
        ]
        source = new.with_suffix(".cpp")
        source.write_text(plugin("".join(envs), *(f"pp::scalar<{name}>()" for name in WRONG)))
        compile_plugin(source, new)

    return _core.Plugin(str(once(shared_folder / "wrong_players.so", build)))


@pytest.mark.parametrize("name", WRONG)
def test_the_host_says_what_is_wrong(wrong: _core.Plugin, name: str) -> None:
    with refused(PluginError, "describes itself wrongly", WRONG[name][1]):
        wrong.describe(f"wrong/{name}-v0", {})
