"""What a plugin may say of its players: refused by the compiler, in sentences, or by the host."""

from pathlib import Path

import pytest
from parallel_pool import _core
from test_envs.checks import refused
from test_envs.compiling import compile_plugin

ENV = """
#include "parallel_pool/env.hpp"
struct E {
  static constexpr const char* id = "wrong/E-v0";
  @MEMBERS@
  using Obs = @OBS@;
  using Action = pp::PerPlayer<pp::Discrete<2>>;
  void reset(pp::Rng&, Obs::Ref) {}
  @STEP@
};
PP_PLUGIN("wrong", pp::scalar<E>());
"""
EACH = "pp::PerPlayer<pp::Scalar<float>>"
MOST = "static constexpr uint32_t max_players = 2;"
STEP = "pp::Ending step(Action::Value, Obs::Ref, pp::Players<E> players) { @BODY@ return {}; }"


def source(
    tmp_path: Path, members: str = MOST, obs: str = EACH, body: str = "(void)players;"
) -> Path:
    step = body if "step" in body else STEP.replace("@BODY@", body)
    text = ENV.replace("@MEMBERS@", members).replace("@OBS@", obs).replace("@STEP@", step)
    path = tmp_path / "wrong.cpp"
    path.write_text(text)
    return path


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
    tmp_path: Path, arguments: dict[str, str], sentence: str
) -> None:
    with pytest.raises(AssertionError) as caught:
        compile_plugin(source(tmp_path, **arguments), tmp_path / "wrong.so")
    assert sentence in str(caught.value)


def test_kernels_have_one_player(tmp_path: Path) -> None:
    path = source(tmp_path)
    path.write_text(path.read_text().replace("pp::scalar<E>()", "pp::batch<E, 8>()"))
    with pytest.raises(AssertionError, match="written one at a time, with pp::scalar"):
        compile_plugin(path, tmp_path / "wrong.so")


DESCRIBE = MOST + "static void describe(pp::Spec& spec, const pp::Options&) { @BODY@ }"


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (
            'spec.add(PP_ROLE_INFO, "acting", PP_KIND_BOX, PP_INT32).flags = PP_FIELD_PER_PLAYER;',
            "info field 'acting' per player has a name that the host gives itself",
        ),
        (
            "for (auto& f : spec.fields) if (f.role == PP_ROLE_REWARD) f.flags = 0; "
            'spec.add(PP_ROLE_DISCOUNT, "", PP_KIND_BOX, PP_FLOAT64).flags = PP_FIELD_PER_PLAYER;',
            "discounts are per player, but there is one reward for all",
        ),
        (
            "for (auto& f : spec.fields) if (f.role == PP_ROLE_REWARD) f.shape = {2};",
            "per player it is flagged PP_FIELD_PER_PLAYER",
        ),
        ("spec.max_players = 65537;", "max_players is not in 1 .. 65536"),
    ],
)
def test_the_host_says_what_is_wrong(tmp_path: Path, body: str, sentence: str) -> None:
    path = source(tmp_path, members=DESCRIBE.replace("@BODY@", body))
    plugin = _core.Plugin(str(compile_plugin(path, tmp_path / "wrong.so")))
    from parallel_pool import PluginError

    with refused(PluginError, "describes itself wrongly", sentence):
        plugin.describe("wrong/E-v0", {})
