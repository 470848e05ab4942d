#include <wchar.h>

int Py_Main(int n_argument, wchar_t** argument);

int wmain(int n_argument, wchar_t** argument) {
  return Py_Main(n_argument, argument);
}
