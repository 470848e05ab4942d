// One of the libraries that conftest.py compiles as one unit: TABLE is the plugin's table there.
#include "parallel_pool/abi.h"

extern "C" const pp_plugin TABLE;
const pp_plugin parallel_pool_plugin = TABLE;
