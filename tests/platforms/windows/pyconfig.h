/* What CPython's headers ask about 64-bit Windows, so that a module can be compiled for it where
 * there is no Windows. */
#ifndef PARALLEL_POOL_TESTS_PYCONFIG_H_
#define PARALLEL_POOL_TESTS_PYCONFIG_H_

#include <io.h>
#include <stddef.h>

#define MS_WINDOWS 1
#define MS_WIN32 1
#define MS_WIN64 1
#define NT_THREADS 1
#define WITH_THREAD 1
#define Py_ENABLE_SHARED 1
#define MS_COREDLL 1
#define HAVE_DECLSPEC_DLL 1
#define HAVE_DYNAMIC_LOADING 1
#define WITH_DOC_STRINGS 1
#define PY_SUPPORT_TIER 1
#define PLATFORM "win32"

#define HAVE_ERRNO_H 1
#define HAVE_STDDEF_H 1
#define HAVE_STDLIB_H 1
#define HAVE_SYS_STAT_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_WCHAR_H 1
#define HAVE_PROTOTYPES 1
#define HAVE_LONG_LONG 1

#define ALIGNOF_MAX_ALIGN_T 8
#define SIZEOF_SHORT 2
#define SIZEOF_INT 4
#define SIZEOF_LONG 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_FLOAT 4
#define SIZEOF_DOUBLE 8
#define SIZEOF_SIZE_T 8
#define SIZEOF_VOID_P 8
#define SIZEOF_UINTPTR_T 8
#define SIZEOF_OFF_T 4
#define SIZEOF_FPOS_T 8
#define SIZEOF_HKEY 8
#define SIZEOF_PID_T 4
#define SIZEOF_TIME_T 8
#define SIZEOF_WCHAR_T 2
#define SIZEOF__BOOL 1

#endif
