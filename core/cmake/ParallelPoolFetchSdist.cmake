# parallel_pool_fetch_sdist(NAME <dist> VERSION <v> SHA256 <hash> OUT_VAR <var>)
#
# Sets <var> to a folder holding the unpacked source distribution <dist> <v>. It promises that the
# archive had the given hash, and that nothing of it leaves the build tree: third-party engines are
# built from their own packages and never copied into a repository of ours.
#
# Where the archive comes from, first match wins:
#   1. PP_SDIST_DIR (CMake variable, then environment variable): a folder of archives, for builds
#      without a network;
#   2. the build tree, when it was fetched before (a persistent build folder fetches once);
#   3. `pip download`, with the index, proxy and certificate settings the user gave to pip. pip is
#      the only tool that knows all of those.
#
# The calling project must have found Python (component Interpreter) and must list pip>=23.1 among
# its build requirements, and the build back end of <dist> too: pip asks the archive for its
# metadata, which runs that back end.

include_guard(GLOBAL)

function(parallel_pool_fetch_sdist)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;VERSION;SHA256;OUT_VAR" "")
  foreach(required NAME VERSION SHA256 OUT_VAR)
    if(NOT arg_${required})
      message(FATAL_ERROR "parallel_pool_fetch_sdist: ${required} is missing")
    endif()
  endforeach()

  string(REGEX REPLACE "[-_.]+" "_" stem "${arg_NAME}")
  string(TOLOWER "${stem}" stem)
  set(file "${stem}-${arg_VERSION}.tar.gz")
  set(root "${CMAKE_BINARY_DIR}/_sdist")
  set(tree "${root}/${stem}-${arg_VERSION}")
  set(stamp "${tree}.${arg_SHA256}.unpacked")
  set(${arg_OUT_VAR} "${tree}" PARENT_SCOPE)
  if(EXISTS "${stamp}")
    return()
  endif()

  set(archive "")
  foreach(folder IN ITEMS "${PP_SDIST_DIR}" "$ENV{PP_SDIST_DIR}" "${root}")
    if(folder AND EXISTS "${folder}/${file}")
      set(archive "${folder}/${file}")
      break()
    endif()
  endforeach()
  if(NOT archive)
    _parallel_pool_pip_download("${arg_NAME}" "${arg_VERSION}" "${arg_SHA256}" "${root}")
    set(archive "${root}/${file}")
  endif()

  file(SHA256 "${archive}" got)
  if(NOT got STREQUAL arg_SHA256)
    message(FATAL_ERROR "${archive}\n  has sha256 ${got}\n  expected   ${arg_SHA256}\n"
      "Delete the file and configure again; if it comes back, do not trust its source.")
  endif()
  file(REMOVE_RECURSE "${tree}")
  file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${root}")
  file(TOUCH "${stamp}")
endfunction()

function(_parallel_pool_pip_download name version sha256 root)
  if(NOT Python_EXECUTABLE)
    message(FATAL_ERROR "parallel_pool_fetch_sdist: call find_package(Python COMPONENTS Interpreter)"
      " first")
  endif()
  file(MAKE_DIRECTORY "${root}")
  set(requirement "${root}/${name}.txt")
  file(WRITE "${requirement}" "${name}==${version} --hash=sha256:${sha256}\n")

  # uv runs the build without telling pip which index it was given.
  set(index "")
  if(NOT DEFINED ENV{PIP_INDEX_URL})
    foreach(variable IN ITEMS UV_DEFAULT_INDEX UV_INDEX_URL)
      if(DEFINED ENV{${variable}})
        set(index "PIP_INDEX_URL=$ENV{${variable}}")
        break()
      endif()
    endforeach()
  endif()

  # Settings meant for the user's own pip command that would stop or redirect this one.
  set(unset "")
  foreach(variable IN ITEMS NO_BINARY ONLY_BINARY REQUIRE_VIRTUALENV USER TARGET PREFIX CONSTRAINT
                            BUILD_CONSTRAINT)
    list(APPEND unset "--unset=PIP_${variable}")
  endforeach()

  # --no-build-isolation: otherwise pip would install the build requirements of the archive only to
  # read its metadata, and those can be large (ale-py: jax). --no-binary must name the one package:
  # `:all:` would reach the build requirements.
  message(STATUS "Fetching the source of ${name} ${version} with pip")
  execute_process(
    COMMAND "${CMAKE_COMMAND}" -E env ${unset} ${index}
            "${Python_EXECUTABLE}" -m pip download --quiet --disable-pip-version-check --no-deps
            --no-build-isolation --no-binary "${name}" --require-hashes -r "${requirement}"
            --dest "${root}"
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "pip could not fetch the source of ${name}==${version}:\n${output}${errors}\n"
      "For a build without an index, put the archive into a folder and pass that folder as "
      "PP_SDIST_DIR (environment variable or -DPP_SDIST_DIR=...).")
  endif()
endfunction()
