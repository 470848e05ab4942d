// parallel_pool/host/workers/isolated_spec.hpp: what an environment in a worker process looks like.
//
// Its own spec, and behind it what the loss of a worker needs: a truncated flag, where it has none,
// and the info "worker_crashed".
#pragma once

#include <string>

#include "parallel_pool/abi.h"
#include "parallel_pool/host/base/error.hpp"
#include "parallel_pool/host/plugin/spec.hpp"

namespace pp::host::workers {

inline constexpr const char* crashed_name = "worker_crashed";

// The fields of `spec` keep their numbers.
inline EnvSpec isolated_spec(EnvSpec spec, const std::string& env_id) {
  for (const FieldSpec& field : spec.fields) {
    if (field.role == PP_ROLE_INFO && field.name == crashed_name) {
      throw Error(ErrorKind::plugin, env_id + " has an info named '" + crashed_name +
                                         "', which isolation=\"process\" needs for itself");
    }
  }
  FieldSpec flag;
  flag.dtype = PP_BOOL;
  flag.kind = PP_KIND_BOX;
  flag.row_bytes = 1;
  if (spec.find(PP_ROLE_TRUNCATED) < 0) {
    flag.role = PP_ROLE_TRUNCATED;
    spec.fields.push_back(flag);
  }
  flag.role = PP_ROLE_INFO;
  flag.name = crashed_name;
  spec.fields.push_back(flag);
  return spec;
}

}  // namespace pp::host::workers
