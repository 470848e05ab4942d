// Names of fields in findings.
#pragma once

#include <string>

#include "parallel_pool/host/plugin/spec.hpp"

namespace pp::python {

// obs 'position', reward
inline std::string field_label(const host::FieldSpec& field) {
  return std::string(host::role_name(field.role)) +
         (field.name.empty() ? "" : " '" + field.name + "'");
}

}  // namespace pp::python
