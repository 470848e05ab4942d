# parallel_pool_add_plugin(<target> <sources>...)
#
# A loadable module that exports the one symbol of the plugin ABI and, for Python of its own that calls it
# with ctypes, functions named parallel_pool_call_*. It carries its own C++ runtime, so that two plugins built
# by different compilers live in one process:
#  - hidden visibility and a version script, because templates of the standard library leak as weak
#    symbols even with hidden visibility;
#  - -fno-gnu-unique, because STB_GNU_UNIQUE would merge the inline statics of two plugins in spite of
#    RTLD_LOCAL;
#  - libstdc++ and libgcc linked statically (GCC on Linux and Windows): PP_STATIC_RUNTIME=OFF to switch off.
# The library's file name is the target's name without a prefix; PP_PLUGIN_VERSION is the version of
# the calling project. Windows knows a loaded library by its file name alone, so that a plugin named
# after its engine would pass for the engine's own: there the file's suffix is .plugin.dll.
option(PP_STATIC_RUNTIME "Link libstdc++ and libgcc statically into plugins" ON)
# For builds that are done again and again: `parallel-pool dev`.
option(PP_PRECOMPILE_SDK "Compile parallel_pool/env.hpp once for all builds of a plugin" OFF)

# A wheel's build asks the library, once it is installed, for the index (`parallel-pool index`); a library that
# this Python cannot load, such as one with sanitizers, gets none, and is asked when its plugin is used.
set(_parallel_pool_can_ask OFF)
if(SKBUILD AND NOT CMAKE_CROSSCOMPILING)
  set(_parallel_pool_can_ask ON)
endif()
option(PP_INDEX "Write the index of a plugin beside its library" ${_parallel_pool_can_ask})

set(_parallel_pool_cmake_dir "${CMAKE_CURRENT_LIST_DIR}")

# parallel_pool_add_index(<name>)
#
# The index is written beside the library, a file of this name, when it is installed. parallel_pool_add_plugin does
# it; this is for libraries that another compiler made.
function(parallel_pool_add_index name)
  if(PP_INDEX)
    # Deferred to the end of the caller's file: behind its install(), which may strip the library. EVAL: deferred calls
    # look their variables up when they are made.
    cmake_language(EVAL CODE "cmake_language(DEFER CALL _parallel_pool_install_index [[${name}]])")
  endif()
endfunction()

function(_parallel_pool_install_index library)
  install(CODE "
    foreach(file IN LISTS CMAKE_INSTALL_MANIFEST_FILES)
      cmake_path(GET file FILENAME name)
      if(name STREQUAL \"${library}\")
        execute_process(
          COMMAND \"${Python_EXECUTABLE}\" -m parallel_pool.cli index \"\$ENV{DESTDIR}\${file}\"
                  --project \"${CMAKE_SOURCE_DIR}\"
          RESULT_VARIABLE failed)
        if(failed)
          message(FATAL_ERROR \"the index of \${file} was not written. Where this Python cannot load it, \"
                              \"switch that off: -DPP_INDEX=OFF\")
        endif()
      endif()
    endforeach()")
endfunction()

function(parallel_pool_add_plugin target)
  add_library(${target} MODULE ${ARGN})
  target_link_libraries(${target} PRIVATE ParallelPool::headers)
  if(PP_PRECOMPILE_SDK)
    target_precompile_headers(${target} PRIVATE
                              "$<$<COMPILE_LANGUAGE:CXX>:<parallel_pool/env.hpp$<ANGLE-R>>")
  endif()
  # The full one: the other has numbers only, and lacks the rc1 of 1.0rc1.
  if(SKBUILD_PROJECT_VERSION_FULL)
    target_compile_definitions(${target} PRIVATE PP_PLUGIN_VERSION="${SKBUILD_PROJECT_VERSION_FULL}")
  elseif(PROJECT_VERSION)
    target_compile_definitions(${target} PRIVATE PP_PLUGIN_VERSION="${PROJECT_VERSION}")
  endif()
  set_target_properties(
    ${target} PROPERTIES PREFIX "" C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden
                         VISIBILITY_INLINES_HIDDEN ON)
  if(WIN32)
    set_target_properties(${target} PROPERTIES SUFFIX ".plugin.dll")
  endif()
  if(UNIX AND NOT APPLE)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fno-gnu-unique>)
    target_link_options(
      ${target} PRIVATE "LINKER:--version-script=${_parallel_pool_cmake_dir}/plugin.map"
      "LINKER:--exclude-libs,ALL" "LINKER:-z,defs")
    if(PP_STATIC_RUNTIME)
      target_link_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-static-libgcc>
                          $<$<CXX_COMPILER_ID:GNU>:-static-libstdc++>)
    endif()
  elseif(MINGW AND PP_STATIC_RUNTIME)
    # That of threads too, which is a library of its own there.
    target_link_options(${target} PRIVATE -static)
  endif()
  # Fused multiply-adds round once where numpy, Python and the originals round twice.
  parallel_pool_compile_options(${target} PRIVATE -ffp-contract=off)
  parallel_pool_add_index($<TARGET_FILE_NAME:${target}>)
endfunction()

# parallel_pool_compile_options(<target> PRIVATE|PUBLIC <options>...)
#
# Options in the words of GCC and Clang, for these two. clang-cl gets them in its own way (it would take -Wall for
# every warning there is), without -Werror, since Windows' own headers are not ours; MSVC gets none. Where there is memory for
# it, GCC looks for garbage only from a gigabyte on: a tenth of its time for large files, which grow by a third.
function(parallel_pool_compile_options target scope)
  set(options ${ARGN})
  if(MSVC)
    list(REMOVE_ITEM options -Werror)
    list(TRANSFORM options PREPEND "/clang:")
  endif()
  foreach(language C CXX)
    target_compile_options(${target} ${scope} "$<$<COMPILE_LANG_AND_ID:${language},GNU,Clang,AppleClang>:${options}>")
  endforeach()
  cmake_host_system_information(RESULT megabytes QUERY TOTAL_PHYSICAL_MEMORY)
  if(megabytes GREATER 12000)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=1000000>)
  endif()
endfunction()
