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

  set(root "${CMAKE_BINARY_DIR}/_sdist")
  set(stamp "${root}/${arg_SHA256}.unpacked")
  if(EXISTS "${stamp}")
    file(STRINGS "${stamp}" source LIMIT_COUNT 1)
    set(${arg_OUT_VAR} "${source}" PARENT_SCOPE)
    return()
  endif()

  set(looked "")
  set(archive "")
  foreach(folder IN ITEMS "${PP_SDIST_DIR}" "$ENV{PP_SDIST_DIR}" "${root}")
    if(folder AND NOT archive)
      _parallel_pool_find_sdist("${folder}" "${arg_NAME}" "${arg_VERSION}" archive)
      string(APPEND looked "\n  ${folder}")
    endif()
  endforeach()
  if(NOT archive)
    _parallel_pool_pip_download("${arg_NAME}" "${arg_VERSION}" "${arg_SHA256}" "${root}" "${looked}")
    _parallel_pool_find_sdist("${root}" "${arg_NAME}" "${arg_VERSION}" archive)
    if(NOT archive)
      message(FATAL_ERROR "pip fetched ${arg_NAME}==${arg_VERSION}, and ${root} has no archive of that "
        "name and version")
    endif()
  endif()

  file(SHA256 "${archive}" got)
  string(TOLOWER "${arg_SHA256}" expected)
  if(NOT got STREQUAL expected)
    message(FATAL_ERROR "${archive}\n  has sha256 ${got}\n  expected   ${expected}\n"
      "Delete the file and configure again; if it comes back, do not trust its source.")
  endif()
  # An archive has one folder, with a name of its own.
  set(unpacked "${root}/${arg_SHA256}")
  file(REMOVE_RECURSE "${unpacked}")
  file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${unpacked}")
  file(GLOB folders LIST_DIRECTORIES TRUE "${unpacked}/*")
  list(LENGTH folders count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "${archive} has ${count} files and folders, and a source distribution has one folder")
  endif()
  get_filename_component(name "${folders}" NAME)
  set(source "${root}/${name}")
  file(REMOVE_RECURSE "${source}")
  file(RENAME "${folders}" "${source}")
  file(REMOVE_RECURSE "${unpacked}")
  file(WRITE "${stamp}" "${source}\n")
  set(${arg_OUT_VAR} "${source}" PARENT_SCOPE)
endfunction()

# Sets <found> to the archive of a distribution in <folder>, or to "". Indexes write names as their
# authors do or did (PyEngine-2.3, py-engine-2.3) or normalised (py_engine-2.3): letters of either
# case, and any of -_. between words.
function(_parallel_pool_find_sdist folder name version found)
  set(${found} "" PARENT_SCOPE)
  string(REGEX REPLACE "[-_.]+" "-" wanted "${name}")
  string(TOLOWER "${wanted}" wanted)
  string(TOLOWER "${version}" wanted_version)
  file(GLOB archives "${folder}/*.tar.gz" "${folder}/*.tgz" "${folder}/*.zip" "${folder}/*.tar.bz2"
    "${folder}/*.tar.xz")
  foreach(archive IN LISTS archives)
    get_filename_component(file "${archive}" NAME)
    string(TOLOWER "${file}" file)
    string(REGEX REPLACE "\\.(tar\\.(gz|bz2|xz)|tgz|zip)$" "" stem "${file}")
    string(FIND "${stem}" "-${wanted_version}" at REVERSE)
    if(at LESS 1)
      continue()
    endif()
    string(SUBSTRING "${stem}" 0 ${at} of)
    string(SUBSTRING "${stem}" ${at} -1 rest)
    string(REGEX REPLACE "[-_.]+" "-" of "${of}")
    if(of STREQUAL wanted AND rest STREQUAL "-${wanted_version}")
      set(${found} "${archive}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

function(_parallel_pool_pip_download name version sha256 root looked)
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
  # read its metadata, and those can be large (jax). --no-binary must name the one package:
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
      "No archive of ${name} ${version} (${name}-${version}.tar.gz, say) lies in:${looked}\n"
      "For a build without an index, put it into a folder and pass that folder as PP_SDIST_DIR "
      "(environment variable or -DPP_SDIST_DIR=...).")
  endif()
endfunction()
