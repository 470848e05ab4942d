# parallel_pool_export_headers(<package>)
#
# Makes the plugin a library for other plugins. <package> is the name of its Python package, of the folder
# include/<package> with the headers, and of the CMake package:
#
#   find_package(<package> CONFIG REQUIRED)
#   target_link_libraries(<plugin> PRIVATE <package>::headers)
#
# Builds by scikit-build-core find it through an entry point of the wheel, in the group "cmake.root":
# <package> = "<package>". The target is also there for the calling project's own plugin. Which version a
# plugin needs is said in its build-system.requires; find_package accepts any newer one too.
function(parallel_pool_export_headers package)
  add_library(${package}_headers INTERFACE)
  add_library(${package}::headers ALIAS ${package}_headers)
  target_include_directories(${package}_headers INTERFACE "${CMAKE_CURRENT_SOURCE_DIR}/include")
  target_link_libraries(${package}_headers INTERFACE ParallelPool::headers)

  set(version "${SKBUILD_PROJECT_VERSION}")
  if(NOT version)
    set(version "${PROJECT_VERSION}")
  endif()
  if(NOT version)
    set(version 0)
  endif()
  set(config "${CMAKE_CURRENT_BINARY_DIR}/${package}Config")
  file(WRITE "${config}.cmake" "include(CMakeFindDependencyMacro)
find_dependency(ParallelPool CONFIG)
if(NOT TARGET ${package}::headers)
  add_library(${package}::headers INTERFACE IMPORTED)
  set_target_properties(${package}::headers PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES \"\${CMAKE_CURRENT_LIST_DIR}/../../../include\"
    INTERFACE_LINK_LIBRARIES ParallelPool::headers)
endif()
")
  file(WRITE "${config}Version.cmake" "set(PACKAGE_VERSION ${version})
if(NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
")
  # A component, so that the headers can be installed without building the plugin.
  install(DIRECTORY include/${package} DESTINATION include COMPONENT headers)
  install(FILES "${config}.cmake" "${config}Version.cmake" DESTINATION share/cmake/${package}
          COMPONENT headers)
endfunction()
