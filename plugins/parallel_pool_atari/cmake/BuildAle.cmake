# Builds the Arcade Learning Environment's C++ library from the source distribution of ale-py and
# offers it as the target ParallelPoolAtari::ale. Nothing of ALE is kept in this repository.
#
# ale-py is pinned by hash: the emulator reaches private members (src/ale_private.hpp) and leaves
# out three source files, so another version is a change to review, not a version range.

include_guard(GLOBAL)

find_package(ZLIB)
if(NOT ZLIB_FOUND)
  message(FATAL_ERROR "zlib was not found; ALE reads ROM files through it. Install its development "
    "files and build again:\n"
    "  Debian, Ubuntu:   apt install zlib1g-dev\n"
    "  Fedora, manylinux: dnf install zlib-devel\n"
    "  macOS:            part of the Xcode command line tools (xcode-select --install)\n"
    "  Windows:          vcpkg install zlib:x64-windows-static, and set ZLIB_ROOT to its folder")
endif()

parallel_pool_fetch_sdist(NAME ale-py VERSION 0.12.1
  SHA256 c503d574c5983e1063b451201ccb779d935919c0f6bf116fb0f4f8aa4c86d249
  OUT_VAR ale_source)

foreach(option IN ITEMS BUILD_PYTHON_LIB SDL_SUPPORT BUILD_VECTOR_LIB BUILD_VECTOR_XLA_LIB
                        BUILD_WASM_LIB)
  set(${option} OFF CACHE BOOL "" FORCE)
endforeach()
set(BUILD_CPP_LIB ON CACHE BOOL "" FORCE)
set(ale_binary "${CMAKE_BINARY_DIR}/_ale")

# In a function, because ALE's project() sets variables in the scope it is read in.
# EXCLUDE_FROM_ALL keeps ALE's install rules out of the wheel.
function(_parallel_pool_add_ale)
  add_subdirectory("${ale_source}" "${ale_binary}" EXCLUDE_FROM_ALL)
endfunction()
_parallel_pool_add_ale()

# ALE asks for link-time optimisation. Measured here: stepping is not faster with it (within noise),
# compiling costs about twice the CPU time, and the archive then works with one compiler only.
#
# In units of sixty files, its 170 take a quarter of the CPU time; this program is the same.
#
# ALE's own code is left with its own warnings; ours are errors elsewhere.
foreach(target IN ITEMS ale ale-lib)
  set_target_properties(${target} PROPERTIES
    INTERPROCEDURAL_OPTIMIZATION OFF
    UNITY_BUILD ON
    UNITY_BUILD_BATCH_SIZE 60
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
  parallel_pool_compile_options(${target} PRIVATE -w)
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
endforeach()

# Two files of ALE's are replaced by our own, which say why. The third finds SDL's library when a program runs, which
# nothing here asks for, and does not compile for Windows with GCC.
get_target_property(ale_sources ale SOURCES)
list(FILTER ale_sources EXCLUDE REGEX "(phosphor_blend\\.cpp|/Random\\.cxx|/DynamicLoad\\.cpp)$")
list(APPEND ale_sources "${CMAKE_CURRENT_SOURCE_DIR}/src/phosphor_blend.cpp"
                        "${CMAKE_CURRENT_SOURCE_DIR}/src/ale_random.cpp")
set_target_properties(ale PROPERTIES SOURCES "${ale_sources}")
# The macros of the first do not compile beside other files; the others take as long as a unit.
list(FILTER ale_sources INCLUDE REGEX "/(NullDev|M6502Hi|M6502Low)\\.cxx$")
set_source_files_properties(${ale_sources} TARGET_DIRECTORY ale
  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
# Of ALE's two processors the one that a setting would choose, and nothing sets.
list(FILTER ale_sources INCLUDE REGEX "/M6502Hi\\.cxx$")
set_source_files_properties(${ale_sources} TARGET_DIRECTORY ale
  PROPERTIES COMPILE_OPTIONS "$<$<CXX_COMPILER_ID:GNU,Clang,AppleClang>:-O1>")
# Of that file only: where the SDK lies differs from build to build, and nothing else of ALE's, which
# is long to compile, should depend on it.
set_source_files_properties("${CMAKE_CURRENT_SOURCE_DIR}/src/ale_random.cpp" TARGET_DIRECTORY ale
  PROPERTIES INCLUDE_DIRECTORIES
  "$<TARGET_PROPERTY:ParallelPool::headers,INTERFACE_INCLUDE_DIRECTORIES>")

add_library(parallel_pool_atari_ale INTERFACE)
add_library(ParallelPoolAtari::ale ALIAS parallel_pool_atari_ale)
target_link_libraries(parallel_pool_atari_ale INTERFACE ale-lib)
# ALE's targets do not carry their include folders; the second holds the generated version.hpp.
target_include_directories(parallel_pool_atari_ale SYSTEM INTERFACE
  "${ale_source}/src" "${ale_binary}/src/ale")
