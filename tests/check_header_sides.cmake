# cmake -D DIRECTORY=include/sectorscope -P check_header_sides.cmake: fails when a header of the report side reaches CUDA.

cmake_minimum_required(VERSION 3.25)
include("${CMAKE_CURRENT_LIST_DIR}/../cmake/HeaderSides.cmake")
get_filename_component(DIRECTORY "${DIRECTORY}" ABSOLUTE)
sectorscope_header_sides("${DIRECTORY}" report device)

message(STATUS "report side: ${report}")
message(STATUS "device side: ${device}")

foreach(header IN LISTS SECTORSCOPE_REPORT_HEADERS)
  if(header IN_LIST device)
    message(SEND_ERROR " ${header} is a header of the report side and reaches a CUDA header")
  elseif(NOT header IN_LIST report)
    message(STATUS "no such header: ${header}")
  endif()
endforeach()
if(NOT report)
  message(SEND_ERROR " no header of the report side in ${DIRECTORY}")
endif()
