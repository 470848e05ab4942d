# Box2D as the package `box2d` 2.3.10 has it, which Gymnasium steps. 2.3.10 has wheels only; the files of its engine are those
# of the source distribution 2.3.2, byte for byte. Nothing of them is kept in this repository.
#
# Sets box2d_source, the folder of the distribution, and box2d_numbers, the options that results depend on.

include_guard(GLOBAL)

parallel_pool_fetch_sdist(NAME Box2D VERSION 2.3.2
  SHA256 d1557dffdf9c1d6c796ec5df53e3d93227bb026c14b8411d22c295edaa2fb225
  OUT_VAR box2d_source)

# A product that is fused with a sum rounds once where the wheel rounds twice. GCC 12 fuses in vectorised code in spite of
# -ffp-contract=off, where the processor may.
set(box2d_numbers -O3 -fwrapv -ffp-contract=off)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  list(APPEND box2d_numbers -mno-fma)
endif()

if(MINGW)
  # GCC would call sincosf for sinf and cosf of one angle, which rounds in another way than both.
  list(APPEND box2d_numbers -fno-builtin-sinf -fno-builtin-cosf -fno-builtin-sin -fno-builtin-cos)
endif()

file(GLOB_RECURSE box2d_files
     "${box2d_source}/Box2D/Collision/*.cpp"
     "${box2d_source}/Box2D/Common/*.cpp"
     "${box2d_source}/Box2D/Dynamics/*.cpp")
# src/engine has its own memory and clock in place of these.
list(FILTER box2d_files EXCLUDE REGEX "/b2(Settings|StackAllocator|Timer)\\.cpp$")
list(FILTER box2d_files EXCLUDE REGEX "/b2(Distance|TimeOfImpact|Island)\\.cpp$")
# Two files count their calls in global variables, which threads would share.
foreach(file IN ITEMS b2Distance b2TimeOfImpact)
  file(READ "${box2d_source}/Box2D/Collision/${file}.cpp" text)
  string(REGEX REPLACE "\n[ \t]*[+]*b2_(gjk|toi)[A-Za-z]+( [+]?= [^;\n]*)?;" "\n" text "${text}")
  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/altered/${file}.cpp" CONTENT "${text}" @ONLY)
  list(APPEND box2d_files "${CMAKE_CURRENT_BINARY_DIR}/altered/${file}.cpp")
endforeach()
# The engine's loops of velocity iterations are for what src/engine/velocity_iterations.cpp does not know.
file(READ "${box2d_source}/Box2D/Dynamics/b2Island.cpp" text)
foreach(step IN ITEMS step subStep)
  set(loop "\n\tfor (int32 i = 0; i < ${step}.velocityIterations; ++i)\n")
  string(FIND "${text}" "${loop}" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "Box2D's b2Island.cpp has no loop of ${step}.velocityIterations")
  endif()
  string(REPLACE "${loop}" "\n\tif (!box2d::iterate_velocities(*this, contactSolver, ${step}))${loop}" text "${text}")
endforeach()
set(text "#include \"engine/velocity_iterations.hpp\"\n${text}")
file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/altered/b2Island.cpp" CONTENT "${text}" @ONLY)
list(APPEND box2d_files "${CMAKE_CURRENT_BINARY_DIR}/altered/b2Island.cpp")

add_library(box2d_engine OBJECT ${box2d_files})
target_compile_features(box2d_engine PRIVATE cxx_std_17)
target_include_directories(box2d_engine PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/src")
target_include_directories(box2d_engine SYSTEM PRIVATE
  "${CMAKE_CURRENT_SOURCE_DIR}/src/engine/shim" "${box2d_source}")
set_target_properties(box2d_engine PROPERTIES
  POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
# Its warnings are its own.
parallel_pool_compile_options(box2d_engine PRIVATE -w ${box2d_numbers})
target_compile_options(box2d_engine PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)

function(parallel_pool_link_box2d target)
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:box2d_engine>
    "${CMAKE_CURRENT_SOURCE_DIR}/src/engine/memory.cpp" "${CMAKE_CURRENT_SOURCE_DIR}/src/engine/shared_tables.cpp")
  target_include_directories(${target} SYSTEM PRIVATE
    "${CMAKE_CURRENT_SOURCE_DIR}/src/engine/shim" "${box2d_source}")
endfunction()
