"""Mistakes in an environment that is stepped alone."""

SCALAR = """#include <parallel_pool/env.hpp>

struct Walk {
  static constexpr const char* id = "walk/Walk-v0";
  struct Options {
    int64_t n;
    static constexpr auto declared = pp::options(pp::option(&Options::n, "n", 10, "steps"));
  };
  using Obs = pp::Box<float, 2>;
  using Action = pp::Discrete<2>;

  explicit Walk(const Options& options) : n_(options.n) {}
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

RESET = "void reset(pp::Rng& rng, Obs::Ref obs) { obs[0] = rng.uniform(0, 1) > 0.5 ? 1.0f : 0.0f; }"

RETURN = "return {1.0, obs[0] > static_cast<float>(n_)};"
STEP = f"""step(Action::Value action, Obs::Ref obs) {{
    obs[0] += static_cast<float>(action);
    {RETURN}
  }}"""

ID = 'static constexpr const char* id = "walk/Walk-v0";'
LISTED = "pp::scalar<Walk>()"
INFO = 'using Info = pp::Dict<pp::At<"fuel", float>>;'

BY_REFERENCE = "take the generator by reference, `pp::Rng& rng`"
DRAWN = "draw and frame_size come together"
LIMIT = "max_episode_steps is `static constexpr int64_t max_episode_steps = 500;`"

ADDED = {
    "a score that nothing returns": (
        "static constexpr bool has_score = true;",
        "with has_score, step returns a pp::ScoredOutcome and reset a pp::Score",
    ),
    "an info of the host's name": (
        'using Info = pp::Dict<pp::At<"elapsed_step", int32_t>>;',
        "Info has a member env_id or elapsed_step",
    ),
    "Info is no space": ("using Info = double;", "Info is a dict of spaces"),
    "two places for what is added": (
        'using Info = pp::Dict<pp::At<"fuel", pp::Fields>, pp::At<"mass", pp::Fields>>;',
        "Obs, Info and Action have one pp::Fields each, or none",
    ),
    "describe is another": (
        "static void describe(pp::Spec&, int) {}",
        "describe is `static void describe(pp::Spec& spec, const Options& options)`",
    ),
    "draw without a size": ("void draw(uint8_t*) const {}", DRAWN),
    "a size without draw": ("pp::FrameSize frame_size() const { return {1, 1}; }", DRAWN),
    "draw that may change things": (
        "void draw(uint8_t*) {} pp::FrameSize frame_size() const { return {1, 1}; }",
        "draw is `void draw(uint8_t* rgb) const`",
    ),
    "save without load": (
        "void save(pp::StateWriter& out) const { out(n_); }",
        "save and load come together",
    ),
    "save that may change things": (
        "void save(pp::StateWriter& out) { out(n_); } void load(pp::StateReader& in) { in(n_); }",
        "save is `void save(pp::StateWriter& out) const`",
    ),
    "reset options that nobody sets": (
        "struct ResetOptions { static constexpr auto declared = pp::options(); };",
        "with its declarations and set_reset_options come together",
    ),
    "arrays of a kernel": (
        "void arrays(uint32_t, pp::ArrayList&) {}",
        "arrays is `void arrays(pp::ArrayList& list)`",
    ),
    "another seed": ("void seed(const char*) {}", "seed is `void seed(uint64_t seed)`"),
    "two ways to a seed": (
        "Walk(const Options& options, pp::Seed) : n_(options.n) {} void seed(uint64_t) {}",
        "a reset makes an environment anew whose constructor takes a pp::Seed",
    ),
    "reset options of what resets make": (
        "Walk(const Options& options, pp::Seed) : n_(options.n) {}\n"
        "  struct ResetOptions { static constexpr auto declared = pp::options(); };\n"
        "  void set_reset_options(const ResetOptions&) {}",
        "so leave seed(uint64_t) and ResetOptions out",
    ),
    "a limit of every object": ("int64_t max_episode_steps = 100;", LIMIT),
    "a limit that is computed": ("static int64_t max_episode_steps() { return 100; }", LIMIT),
    "another summary": (
        "static constexpr int summary = 3;",
        "summary is `static constexpr const char* summary",
    ),
    "another threshold": (
        "double reward_threshold = 3;",
        "reward_threshold is `static constexpr double",
    ),
    "exclusive objects": ("bool exclusive = true;", "exclusive is `static constexpr bool"),
    "a key that the dict lacks": (
        'using Other = pp::Dict<pp::At<"fuel", float>, pp::At<"mass", float>>;\n'
        '  void look(Other::Ref other) { other.get<"feul">() = 1; }',
        "this dict has no member of that key",
    ),
}
"""Members that are written in addition, and the words of the sentence."""

# What is written instead of what, and the words of the sentence.
BAD_SCALAR = {
    **{name: ("// more", *added) for name, added in ADDED.items()},
    "reward and terminated swapped": (
        RETURN,
        "return {obs[0] > static_cast<float>(n_), 1.0};",
        "a pp::Outcome begins with the reward, and this is a bool",
    ),
    "a discount instead of truncated": (
        RETURN,
        "return {1.0, obs[0] > static_cast<float>(n_), 0.5};",
        "the second and third of a pp::Outcome say whether the episode is over",
    ),
    "no id": (ID, "", "no public id"),
    "id without a family": ('"walk/Walk-v0"', '"Walk-v0"', "id has the form family/Name-v0"),
    "id without a version": ('"walk/Walk-v0"', '"walk/Walk"', "id has the form family/Name-v0"),
    "id with a space": ('"walk/Walk-v0"', '"walk/My Walk-v0"', "id has the form family/Name-v0"),
    "id of another family": ('"walk/Walk-v0"', '"run/Walk-v0"', "each id begins with the plugin"),
    "an id twice": (LISTED, f"{LISTED}, {LISTED}", "have the same id"),
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
    "options that no constructor takes": (
        "explicit Walk(const Options& options) : n_(options.n) {}",
        "",
        "a public constructor that takes its own options, `const Options&`",
    ),
    "a constructor of its own": (
        "Walk(const Options& options) : n_",
        "Walk(const Options& options, int) : n_",
        "a public constructor that takes its own options, `const Options&`",
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
        'Action::Value action, Obs::Ref obs, pp::Dict<pp::At<"fuel", float>>::Ref)',
        "declare `using Info =",
    ),
    "step leaves info out": (
        RESET,
        f"{INFO}\n  void reset(pp::Rng&, Obs::Ref, Info::Ref) {{}}",
        "with Info, step is public and takes the action, the observation and the info",
    ),
    "reset leaves info out": ("using Action", f"{INFO}\n  using Action", "with Info, reset is"),
    "an id of every object": (ID, ID.removeprefix("static constexpr "), "no public id"),
    "a default out of its range": (
        '"steps")',
        '"steps", pp::Range{11, 20})',
        "the default of an option lies outside of its own range",
    ),
    "nothing to choose from": ("Discrete<2>", "Discrete<0>", "pp::Discrete<n> has n values"),
    "a row of nothing": ("Box<float, 2>", "Box<float, 0>", "a dimension of a space is 1 or"),
    "reset copies the generator": ("reset(pp::Rng& rng", "reset(pp::Rng rng", BY_REFERENCE),
    "step copies the generator": ("action, Obs", "action, pp::Rng, Obs", BY_REFERENCE),
    "a plugin of nothing": (f", {LISTED}", "", "PP_PLUGIN takes the family and then"),
    "a function that is not called": (
        LISTED,
        "pp::scalar<Walk>",
        "PP_PLUGIN takes the family and then environments",
    ),
    "a scalar environment as a kernel": (
        LISTED,
        "pp::batch<Walk, 64>()",
        "a batch kernel is built for many lanes at once",
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
