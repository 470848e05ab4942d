// The plugin's one environment, and the table of operations for the tracer in Python.

#include <string>
#include <string_view>

#include "fields.hpp"
#include "members.hpp"
#include "ops.hpp"
#include "parallel_pool/env.hpp"
#include "traced_task.hpp"

// Lines "name form", in the order of ops.hpp.
extern "C" PP_EXPORT const char* parallel_pool_call_ops() {
#define TASKS_LINE(name, form) #name " " form "\n"
  return TASKS_OPS(TASKS_LINE);
#undef TASKS_LINE
}

// The names of numpy's functions whose loops Python hands over, in lines.
extern "C" PP_EXPORT const char* parallel_pool_call_loops() {
#define TASKS_LINE(name, form) #name "\n"
  return TASKS_NUMPY(TASKS_LINE);
#undef TASKS_LINE
}

// The names of mjData that a task may write, in lines.
extern "C" PP_EXPORT const char* parallel_pool_call_inputs() {
  static const std::string lines = [] {
    std::string names;
    for (const std::string_view each : tasks::written_fields) names.append(each).append("\n");
    return names;
  }();
  return lines.c_str();
}

// The names of mjModel that a task may write, separated by blanks.
extern "C" PP_EXPORT const char* parallel_pool_call_members() {
  return tasks::written_members;
}

// A call of four costs a light task less than four calls, as in the family dmc.
PP_PLUGIN("tasks", pp::scalar<tasks::TracedTask, 4>());
