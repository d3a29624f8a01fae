# Which headers of the layer reach CUDA? Told by their text, so that no list has to be kept.
#
# sectorscope_header_sides(DIRECTORY REPORT DEVICE) sets REPORT and DEVICE to the header names (units.hpp) of each side: a
# header is on the device side when it includes a CUDA or NVTX header, itself or through another header of the layer.

# These must never reach CUDA: what they do is tested, and works, without it.
set(SECTORSCOPE_REPORT_HEADERS
    units.hpp
    statistics.hpp
    sectors.hpp
    verify.hpp
    record.hpp
    options.hpp
    parse.hpp
    csv.hpp
    table.hpp
    reporter.hpp)

function(sectorscope_header_sides directory report device)
  file(GLOB headers RELATIVE "${directory}" "${directory}/*.hpp")
  set(reaching "")
  foreach(header IN LISTS headers)
    file(STRINGS "${directory}/${header}" includes REGEX "^[ \t]*#[ \t]*include")
    if(includes MATCHES "[<\"](cuda|nvtx3/|nvml|driver_types|device_|vector_types|vector_functions|cooperative_groups|cub/|thrust/)")
      list(APPEND reaching "${header}")
    endif()
    string(REGEX MATCHALL "[A-Za-z0-9_]+\\.hpp" included_${header} "${includes}")
  endforeach()

  set(changed TRUE)
  while(changed)
    set(changed FALSE)
    foreach(header IN LISTS headers)
      foreach(included IN LISTS included_${header})
        if(included IN_LIST reaching AND NOT header IN_LIST reaching)
          list(APPEND reaching "${header}")
          set(changed TRUE)
        endif()
      endforeach()
    endforeach()
  endwhile()

  set(others ${headers})
  list(REMOVE_ITEM others ${reaching})
  set(${report} "${others}" PARENT_SCOPE)
  set(${device} "${reaching}" PARENT_SCOPE)
endfunction()
