// In place of Python's header, which Box2D's b2Settings.h includes: the package's assertions set a
// Python error before they throw. Here the error itself is the exception.
#ifndef PARALLEL_POOL_BOX2D_ENGINE_SHIM_PYTHON_H_
#define PARALLEL_POOL_BOX2D_ENGINE_SHIM_PYTHON_H_

#include <cfloat>
#include <stdexcept>
#include <string>

#define PyErr_SetString(type, text) throw std::runtime_error(std::string("Box2D asserts ") + (text))

#endif
