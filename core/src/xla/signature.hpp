// Describes what a compiled program and the pool of its handle must have in common.
//
// A program is traced for one pool, and the handle says of which pool it is run. A signature is the
// lines that xla/signature.py writes of a pool, "num_envs is 4" and so on; the program has those of
// the pool that it was traced for, and every call compares them with those of the handle's pool
// before it does anything.
#pragma once

#include <string>
#include <string_view>

namespace pp::xla {

// Throws host::Error that names the first difference, if there is one.
void expect_same_signature(std::string_view program, const std::string& pool);

}  // namespace pp::xla
