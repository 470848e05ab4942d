// The plugin's one environment, and the table of operations for the tracer in Python.

#include <string>

#include "ops.hpp"
#include "parallel_pool/env.hpp"
#include "traced_task.hpp"

// Lines "name form", in the order of ops.hpp.
extern "C" PP_EXPORT const char* parallel_pool_call_ops() {
#define TASKS_LINE(name, form) #name " " form "\n"
  return TASKS_OPS(TASKS_LINE);
#undef TASKS_LINE
}

PP_PLUGIN("tasks", pp::scalar<tasks::TracedTask>());
