// Names of fields in findings.
#ifndef PARALLEL_POOL_SRC_CONFORMANCE_FIELD_LABEL_HPP_
#define PARALLEL_POOL_SRC_CONFORMANCE_FIELD_LABEL_HPP_

#include <string>

#include "parallel_pool/host/plugin/spec.hpp"

namespace pp::python {

// obs 'position', reward
inline std::string field_label(const host::FieldSpec& field) {
  return std::string(host::role_name(field.role)) +
         (field.name.empty() ? "" : " '" + field.name + "'");
}

}  // namespace pp::python
#endif  // PARALLEL_POOL_SRC_CONFORMANCE_FIELD_LABEL_HPP_
