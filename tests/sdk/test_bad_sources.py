"""A half-edited source gives a sentence that says what to write, with a line of the author's file."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import parallel_pool
import pytest

SCALAR = """#include <parallel_pool/env.hpp>

PP_KEY(fuel);

struct Walk {
  static constexpr const char* id = "walk/Walk-v0";
  static constexpr pp_option options[] = {pp::option("n", 10, "steps")};
  using Obs = pp::Box<float, 2>;
  using Action = pp::Discrete<2>;

  explicit Walk(const pp::Options& options) : n_(options.integer("n")) {}
  void reset(pp::Rng& rng, Obs::Ref obs) { obs[0] = rng.uniform(0, 1) > 0.5 ? 1.0f : 0.0f; }
  pp::Outcome step(Action::Value action, Obs::Ref obs) {
    obs[0] += static_cast<float>(action);
    return {1.0, obs[0] > static_cast<float>(n_)};
  }
  // more

 private:
  int64_t n_;
};

PP_PLUGIN("walk", pp::scalar<Walk>());
"""

TYPED = """#include <parallel_pool/env.hpp>

enum class Ground { flat, steep };

struct Walk {
  struct Options {
    int64_t n;
    uint8_t legs;
    Ground ground;
    pp::Range wind;
    static constexpr auto declared = pp::options(
        pp::option(&Options::n, "n", 10, "steps", pp::Range{1, 1000}),
        pp::option(&Options::legs, "legs", 2, "that it has", pp::Range{0, 255}),
        pp::option(&Options::ground, "ground", Ground::flat, "that it walks on",
                   {{"flat", Ground::flat}, {"steep", Ground::steep}}),
        pp::option(&Options::wind, "wind", {-1, 1}, "least and most"));
  };
  struct ResetOptions {
    double low;
    static constexpr auto declared =
        pp::options(pp::option(&ResetOptions::low, "low", 0.0, "first value"));
  };
  static constexpr const char* id = "walk/Walk-v0";
  using Obs = pp::Box<float, 2>;
  using Action = pp::Discrete<2>;

  static void describe(pp::Spec& spec, const Options& options) { spec.obs().bounds(0, options.n); }
  explicit Walk(const Options& options) : n_(options.n) {}
  void set_reset_options(const ResetOptions& options) { low_ = options.low; }
  void reset(pp::Rng&, Obs::Ref obs) { obs[0] = static_cast<float>(low_); }
  pp::Outcome step(Action::Value action, Obs::Ref obs) {
    obs[0] += static_cast<float>(action);
    return {1.0, obs[0] > static_cast<float>(n_)};
  }
  // more

 private:
  int64_t n_;
  double low_ = pp::default_options<ResetOptions>().low;
};

PP_PLUGIN("walk", pp::scalar<Walk>());
"""

TYPED_BATCH = """#include <parallel_pool/env.hpp>

struct Common {
  double gravity;
  static constexpr auto declared =
      pp::options(pp::option(&Common::gravity, "gravity", 9.8, "m/s^2"));
};

struct Fall {
  struct Options : Common {
    double height;
    static constexpr auto declared =
        pp::options(Common::declared.with_default(&Options::gravity, 1.6),
                    pp::option(&Options::height, "height", 3, "m"));
  };
  static constexpr const char* id = "walk/Fall-v0";
  using Obs = pp::Scalar<float>;
  using Action = pp::Discrete<2>;

  explicit Fall(const std::vector<Options>& options) {
    for (const Options& lane : options) height_.push_back(lane.height);
  }
  void reset(const pp::Rows<Fall>&) {}
  void step(const pp::Rows<Fall>&) {}

 private:
  std::vector<double> height_;
};

PP_PLUGIN("walk", pp::batch<Fall, 64>());
"""

BATCH = """#include <parallel_pool/env.hpp>

#include <vector>

struct Walk {
  static constexpr const char* id = "walk/Walk-v0";
  using Obs = pp::Scalar<float>;
  using Action = pp::Discrete<2>;

  explicit Walk(const pp::LaneOptions& options) : at_(options.size()) {}
  void reset(const pp::Rows<Walk>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      if (rows.selected(i)) rows.obs()[i] = at_[rows.first() + i] = 0;
    }
  }
  void step(const pp::Rows<Walk>& rows) {
    for (uint32_t i = 0; i < rows.size(); ++i) {
      rows.obs()[i] = at_[rows.first() + i] += static_cast<float>(rows.action()[i]);
      rows.reward()[i] = 1;
      rows.terminated()[i] = rows.truncated()[i] = 0;
    }
  }
  // more

 private:
  std::vector<float> at_;
};

PP_PLUGIN("walk", pp::batch<Walk, 64>());
"""

RESET = "void reset(pp::Rng& rng, Obs::Ref obs) { obs[0] = rng.uniform(0, 1) > 0.5 ? 1.0f : 0.0f; }"
STEP = """step(Action::Value action, Obs::Ref obs) {
    obs[0] += static_cast<float>(action);
    return {1.0, obs[0] > static_cast<float>(n_)};
  }"""
INFO = "using Info = pp::Dict<pp::At<fuel, pp::Scalar<float>>>;"

# What is written instead of what, and the words of the sentence.
BAD_SCALAR = {
    "no id": ('static constexpr const char* id = "walk/Walk-v0";', "", "no public id"),
    "id without a family": ('"walk/Walk-v0"', '"Walk-v0"', "id has the form family/Name-v0"),
    "id without a version": ('"walk/Walk-v0"', '"walk/Walk"', "id has the form family/Name-v0"),
    "id with a space": ('"walk/Walk-v0"', '"walk/My Walk-v0"', "id has the form family/Name-v0"),
    "id of another family": ('"walk/Walk-v0"', '"run/Walk-v0"', "each id begins with the plugin"),
    "an id twice": (
        "pp::scalar<Walk>()",
        "pp::scalar<Walk>(), pp::scalar<Walk>()",
        "have the same id",
    ),
    "Obs is no space": (
        "using Obs = pp::Box<float, 2>;",
        "struct Obs { using Ref = float*; };",
        "say what is observed: `using Obs =",
    ),
    "Action is no space": (
        "using Action = pp::Discrete<2>;",
        "struct Action { using Value = int; };",
        "say what an action is: `using Action =",
    ),
    "an info of the host's name": (
        "// more",
        'struct elapsed_step { static constexpr const char* name = "elapsed_step"; };\n'
        "  using Info = pp::Dict<pp::At<elapsed_step, pp::Scalar<int32_t>>>;",
        "Info has a member env_id or elapsed_step",
    ),
    "Info is no space": ("// more", "using Info = double;", "Info is a dict of spaces"),
    "options is no array": (
        'options[] = {pp::option("n", 10, "steps")};',
        'options = pp::option("n", 10, "steps");',
        "options is an array of pp_option",
    ),
    "options of numbers": (
        'pp_option options[] = {pp::option("n", 10, "steps")}',
        "int options[] = {10}",
        "options is an array of pp_option",
    ),
    "options of every object": (
        'static constexpr pp_option options[] = {pp::option("n", 10, "steps")};',
        'const pp_option options[1] = {pp::option("n", 10, "steps")};',
        "options is an array of pp_option",
    ),
    "describe is another": (
        "// more",
        "static void describe(pp::Spec&) {}",
        "describe is `static void describe(pp::Spec& spec, const pp::Options& options)`",
    ),
    "a constructor of its own": (
        "Walk(const pp::Options& options) : n_(options.integer(",
        "Walk(const pp::Options& options, int) : n_(options.integer(",
        "a public constructor that takes `const pp::Options&`",
    ),
    "no reset": (RESET, "", "reset is missing: `void reset(pp::Rng& rng, Obs::Ref obs)`"),
    "reset without the generator": (
        RESET,
        "void reset(Obs::Ref obs) { obs[0] = 0; }",
        "`void reset(pp::Rng& rng, Obs::Ref obs)`",
    ),
    "no step": ("pp::Outcome step(", "pp::Outcome stop(", "step is missing: `pp::Outcome step("),
    "step takes something else": (
        f"pp::Outcome {STEP}",
        "pp::Outcome step(const char*, Obs::Ref) { return {}; }",
        "`pp::Outcome step(Action::Value action, Obs::Ref obs)`, with `pp::Rng& rng`",
    ),
    "step returns a number": (
        f"pp::Outcome {STEP}",
        "double step(Action::Value, Obs::Ref) { return 1.0; } //",
        "step returns a pp::Outcome: `return {reward, terminated};`",
    ),
    "step returns nothing": (
        f"pp::Outcome {STEP}",
        "void step(Action::Value, Obs::Ref) {} //",
        "step returns a pp::Outcome",
    ),
    "step takes info that is not declared": (
        "Action::Value action, Obs::Ref obs)",
        "Action::Value action, Obs::Ref obs, pp::Dict<pp::At<fuel, pp::Scalar<float>>>::Ref)",
        "declare `using Info =",
    ),
    "step leaves info out": (
        RESET,
        f"{INFO}\n  void reset(pp::Rng&, Obs::Ref, Info::Ref) {{}}",
        "with Info, step is public and takes the action, the observation and the info",
    ),
    "reset leaves info out": ("using Action", f"{INFO}\n  using Action", "with Info, reset is"),
    "draw without a size": (
        "// more",
        "void draw(uint8_t*) const {}",
        "draw and frame_size come together",
    ),
    "a size without draw": (
        "// more",
        "pp::FrameSize frame_size() const { return {1, 1}; }",
        "draw and frame_size come together",
    ),
    "draw that may change things": (
        "// more",
        "void draw(uint8_t*) {} pp::FrameSize frame_size() const { return {1, 1}; }",
        "draw is `void draw(uint8_t* rgb) const`",
    ),
    "save without load": (
        "// more",
        "void save(pp::StateWriter& out) const { out(n_); }",
        "save and load come together",
    ),
    "save that may change things": (
        "// more",
        "void save(pp::StateWriter& out) { out(n_); } void load(pp::StateReader& in) { in(n_); }",
        "save is `void save(pp::StateWriter& out) const`",
    ),
    "reset options that nobody sets": (
        "// more",
        'static constexpr pp_option reset_options[] = {pp::option("low", 0.0, "least")};',
        "reset_options[]` and set_reset_options come together",
    ),
    "arrays of a kernel": (
        "// more",
        "void arrays(uint32_t, pp::ArrayList&) {}",
        "arrays is `void arrays(pp::ArrayList& list)`",
    ),
    "another seed": ("// more", "void seed(const char*) {}", "seed is `void seed(uint64_t seed)`"),
    "an id of every object": (
        'static constexpr const char* id = "walk/Walk-v0";',
        'const char* id = "walk/Walk-v0";',
        "no public id",
    ),
    "a limit of every object": (
        "// more",
        "int64_t max_episode_steps = 100;",
        "max_episode_steps is `static constexpr int64_t max_episode_steps = 500;`",
    ),
    "a limit that is computed": (
        "// more",
        "static int64_t max_episode_steps() { return 100; }",
        "max_episode_steps is `static constexpr int64_t max_episode_steps = 500;`",
    ),
    "another summary": (
        "// more",
        "static constexpr int summary = 3;",
        "summary is `static constexpr const char* summary",
    ),
    "another threshold": (
        "// more",
        "double reward_threshold = 3;",
        "reward_threshold is `static constexpr double",
    ),
    "exclusive objects": (
        "// more",
        "bool exclusive = true;",
        "exclusive is `static constexpr bool",
    ),
    "an option twice": (
        'pp::option("n", 10, "steps")',
        'pp::option("n", 10, "steps"), pp::option("n", 11, "steps")',
        "two options have the same name",
    ),
    "a default out of its range": (
        '"steps")',
        '"steps", pp::Range{11, 20})',
        "the default of an option lies outside of its own range",
    ),
    "a range the wrong way round": (
        '"steps")',
        '"steps", pp::Range{20, 1})',
        "the default of an option lies outside of its own range",
    ),
    "nothing to choose from": (
        "pp::Discrete<2>",
        "pp::Discrete<0>",
        "pp::Discrete<n> has n values",
    ),
    "a row of nothing": (
        "pp::Box<float, 2>",
        "pp::Box<float, 0>",
        "a dimension of a space is 1 or",
    ),
    "a key that the dict lacks": (
        "// more",
        "PP_KEY(mass); using Other = pp::Dict<pp::At<fuel, pp::Scalar<float>>>;\n"
        "  void look(Other::Ref other) { other.get<mass>() = 1; }",
        "this dict has no member of that key",
    ),
    "reset copies the generator": (
        "reset(pp::Rng& rng,",
        "reset(pp::Rng rng,",
        "take the generator by reference, `pp::Rng& rng`",
    ),
    "step copies the generator": (
        "step(Action::Value action, Obs",
        "step(Action::Value action, pp::Rng, Obs",
        "take the generator by reference, `pp::Rng& rng`",
    ),
    "a plugin of nothing": (", pp::scalar<Walk>()", "", "PP_PLUGIN takes the family and then"),
    "a function that is not called": (
        "pp::scalar<Walk>()",
        "pp::scalar<Walk>",
        "PP_PLUGIN takes the family and then environments",
    ),
    "a scalar environment as a kernel": (
        "pp::scalar<Walk>()",
        "pp::batch<Walk, 64>()",
        "a batch kernel is built for many lanes at once",
    ),
}

BAD_TYPED = {
    "a list of nothing": (
        "static constexpr auto declared = pp::options(\n        pp::option(&Options::n",
        "static constexpr auto declared = (pp::option(&Options::n",
        "`declared` is a list: `static constexpr auto declared = pp::options(",
    ),
    "no list": (
        "declared = pp::options(\n        pp::option(&Options::n",
        "declares = pp::options(\n        pp::option(&Options::n",
        "the struct Options does not say which options it holds",
    ),
    "a member that nobody declares": (
        "int64_t n;",
        "int64_t n;\n    bool forgotten;",
        "a member of these options is not declared",
    ),
    "a member twice": (
        "pp::option(&Options::legs,",
        'pp::option(&Options::n, "m", 10, "steps"),\n        pp::option(&Options::legs,',
        "two options are read into the same member",
    ),
    "a name twice": ('"legs"', '"n"', "two options have the same name"),
    "declared as an array too": (
        "// more",
        'static constexpr pp_option options[] = {pp::option("n", 10, "steps")};',
        "the options are declared twice",
    ),
    "local options by name": (
        "// more",
        'static constexpr const char* const local_options[] = {"n"};',
        "which options are local is said where they are declared",
    ),
    "a small integer without a range": (
        '"that it has", pp::Range{0, 255}',
        '"that it has"',
        "an option whose member is a smaller integer than int64_t needs a",
    ),
    "a small integer with a wide range": (
        "pp::Range{0, 255}",
        "pp::Range{0, 256}",
        "an option whose member is a smaller integer than int64_t needs a",
    ),
    "a default out of its range": (
        '"n", 10',
        '"n", 0',
        "the default of an option lies outside of its own range",
    ),
    "a default that is no choice": (
        '"ground", Ground::flat',
        '"ground", static_cast<Ground>(7)',
        "is none of its choices",
    ),
    "a default of another kind": (
        '"n", 10',
        '"n", 9.5',
        "the default of an option that is an integer is an integer",
    ),
    "a bool as a number": ('"n", 10', '"n", true', "a bool member has the default true or false"),
    "too many numbers": (
        "{-1, 1}",
        "{-1, 0, 1}",
        "the default of an option that holds so many numbers has as many",
    ),
    "a member of no kind": ("pp::Range wind", "double wind[2]", "the member of an option is a"),
    "a misnamed member": ("n_(options.n)", "n_(options.m)", "m"),
    "a misnamed declaration": ("&Options::n,", "&Options::m,", "m"),
    "the reader instead": (
        "Walk(const Options& options) : n_(options.n)",
        'Walk(const pp::Options& options) : n_(options.integer("n"))',
        "takes its own options, `const Options&`",
    ),
    "describe of the reader": (
        "describe(pp::Spec& spec, const Options& options) { spec.obs().bounds(0, options.n); }",
        "describe(pp::Spec&, const pp::Options&) {}",
        "with the struct Options of this environment",
    ),
    "reset options that nobody sets": (
        "set_reset_options(const",
        "take_reset_options(const",
        "and set_reset_options come together",
    ),
    "reset options of the reader": (
        "set_reset_options(const ResetOptions& options) { low_ = options.low; }",
        "set_reset_options(const pp::Options&) {}",
        "set_reset_options is `void set_reset_options(const ResetOptions& options)`",
    ),
    "a reset option that nobody declares": (
        "double low;",
        "double low;\n    double high;",
        "a member of these options is not declared",
    ),
}
BAD_TYPED_BATCH = {
    "an object of one lane": (
        "const std::vector<Options>& options) {\n    for (const Options& lane : options)",
        "const Options& lane) {\n    ",
        "takes the options of each, `const std::vector<Options>&`",
    ),
    "a base that nobody declares": (
        "pp::options(Common::declared.with_default(&Options::gravity, 1.6),",
        "pp::options(",
        "a member of these options is not declared",
    ),
    "a member of the base that nobody declares": (
        "double gravity;",
        "double gravity;\n  bool forgotten;",
        "a member of these options is not declared",
    ),
    "a default of nothing": (
        "with_default(&Options::gravity, 1.6)",
        "with_default(&Options::height, 1.6)",
        "none of these options is read into this member",
    ),
}

BAD_BATCH = {
    "no step": ("void step(", "void stop(", "step is missing: `void step(const pp::Rows<Kernel>&"),
    "another step": (
        "void step(const pp::Rows<Walk>& rows) {",
        "void step(const pp::Rows<Walk>& rows, int) {",
        "step of a batch kernel is public and `void step(const pp::Rows<Kernel>& rows)`",
    ),
    "no lanes": ("batch<Walk, 64>", "batch<Walk, 0>", "steps that many environments at a time"),
    "private": ("explicit Walk", "private: explicit Walk", "by a public constructor"),
    "save without the lane": (
        "// more",
        "void save(pp::StateWriter& out) const {} void load(pp::StateReader& in) {}",
        "in a batch kernel `void save(uint32_t lane, pp::StateWriter& out) const`",
    ),
    "draw without the lane": (
        "// more",
        "void draw(uint8_t*) const {} pp::FrameSize frame_size() const { return {1, 1}; }",
        "in a batch kernel `void draw(uint32_t lane, uint8_t* rgb) const`",
    ),
    "a kernel as a scalar environment": (
        "pp::batch<Walk, 64>()",
        "pp::scalar<Walk>()",
        "by a public constructor that takes `const pp::Options&`",
    ),
}
SAME_NAMES = SCALAR.replace(
    "// more",
    """double draw(pp::Rng& rng) { return rng.random(); }
  void load(const char*) {}
  void save() const {}
  void seed() {}
  void describe() const {}
  double arrays[3] = {0, 0, 0};""",
)
"""Members of its own that are called as some of ours."""

PLAYERS = """#include <parallel_pool/env.hpp>

struct Duel {
  static constexpr const char* id = "walk/Duel-v0";
  static constexpr uint32_t max_players = 2;
  using Obs = pp::PerPlayer<pp::Scalar<float>>;
  using Action = pp::PerPlayer<pp::Discrete<3>>;
  void reset(pp::Rng&, Obs::Ref obs) { obs[0] = obs[1] = 0; }
  pp::Ending step(Action::Value action, Obs::Ref obs, pp::Players<Duel>) {
    obs[0] = static_cast<float>(action[0]);
    return {};
  }
};

PP_PLUGIN("walk", pp::scalar<Duel>());
"""
BAD_PLAYERS = {
    "step without the players": (", pp::Players<Duel>)", ")", "pp::Players<E> players)`"),
    "another reset": ("pp::Rng&, Obs::Ref obs", "Obs::Ref obs", "reset of a multi-player"),
    "reset copies the generator": (
        "reset(pp::Rng&,",
        "reset(pp::Rng,",
        "take the generator by reference, `pp::Rng& rng`",
    ),
}
CASES = [
    pytest.param(source, *change, id=f"{kind}: {name}".replace(" ", "_"))
    for kind, source, changes in (
        ("scalar", SCALAR, BAD_SCALAR),
        ("batch", BATCH, BAD_BATCH),
        ("typed", TYPED, BAD_TYPED),
        ("typed batch", TYPED_BATCH, BAD_TYPED_BATCH),
        ("players", PLAYERS, BAD_PLAYERS),
    )
    for name, change in changes.items()
]


@pytest.fixture(scope="module")
def compilers(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """The commands to check a unit with: the compiler's, which gets our header precompiled, and clang's."""
    folder = tmp_path_factory.mktemp("precompiled")
    include = parallel_pool.get_include()
    first = [os.environ.get("CXX", "c++"), "-std=c++17", f"-I{include}"]
    compiled = folder / "parallel_pool" / "env.hpp.gch"
    compiled.parent.mkdir()
    header = Path(include, "parallel_pool", "env.hpp")
    subprocess.run([*first, "-x", "c++-header", str(header), "-o", str(compiled)], check=True)
    commands = [[first[0], f"-I{folder}", *first[1:]]]
    if clang := shutil.which("clang++"):
        commands.append([clang, *first[1:]])
    return commands


def compile_text(text: str, folder: Path, command: list[str]) -> subprocess.CompletedProcess[str]:
    unit = folder / "walk.cpp"
    unit.write_text(text)
    return subprocess.run([*command, "-fsyntax-only", str(unit)], capture_output=True, text=True)


@pytest.mark.parametrize(
    "source",
    [SCALAR, TYPED, BATCH, TYPED_BATCH, PLAYERS, SAME_NAMES],
    ids=["scalar", "typed", "batch", "typed_batch", "players", "same_names"],
)
def test_the_sources_are_right_as_they_stand(
    source: str, tmp_path: Path, compilers: list[list[str]]
) -> None:
    for command in compilers:
        done = compile_text(source, tmp_path, [*command, "-Wall", "-Wextra"])
        assert done.returncode == 0, done.stderr
        assert not done.stderr


@pytest.mark.parametrize(("source", "right", "wrong", "sentence"), CASES)
def test_a_mistake_gives_a_sentence(
    source: str,
    right: str,
    wrong: str,
    sentence: str,
    tmp_path: Path,
    compilers: list[list[str]],
) -> None:
    assert right in source
    for command in compilers:
        done = compile_text(source.replace(right, wrong, 1), tmp_path, command)
        assert done.returncode != 0
        errors = re.findall(r"^.*\berror: .*$", done.stderr, re.MULTILINE)
        # The sentence comes first; what follows shows the author's line and is no flood.
        assert sentence in errors[0], done.stderr
        assert len(errors) <= 3, done.stderr
        assert re.search(r"walk\.cpp:\d+:\d+", done.stderr), done.stderr


def test_where_no_signature_fits_the_authors_line_is_shown(
    tmp_path: Path, compilers: list[list[str]]
) -> None:
    text = SCALAR.replace("Action::Value action, Obs::Ref", "const char* action, Obs::Ref")
    line = 1 + text[: text.index("pp::Outcome step")].count("\n")
    for command in compilers:
        assert f"walk.cpp:{line}:" in compile_text(text, tmp_path, command).stderr
