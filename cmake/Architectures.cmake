# Finds nvcc and chooses CMAKE_CUDA_ARCHITECTURES. Included before project(), which would fix nvcc's own default.
#
# The first that there is: the user's value (-D, preset, parent project), CUDAARCHS of the environment, the installed
# GPUs, a list that this nvcc can build, with PTX of its newest for GPUs that come later. The user's value is held against
# the floor and never changed. A message that begins with a space is printed as one line.

set(SECTORSCOPE_CUDA_FLOOR 12.0)
set(SECTORSCOPE_ARCHITECTURE_FLOOR 75)

# The compiler that project() will take, and a last look where the toolkit's installer puts it.
function(sectorscope_find_nvcc result)
  if(CMAKE_CUDA_COMPILER)
    get_filename_component(named "${CMAKE_CUDA_COMPILER}" PROGRAM)
  elseif(NOT "$ENV{CUDACXX}" STREQUAL "")
    get_filename_component(named "$ENV{CUDACXX}" PROGRAM)
  else()
    find_program(
      named
      NAMES nvcc
      PATHS ENV CUDA_PATH ENV CUDA_HOME /usr/local/cuda
      PATH_SUFFIXES bin
      NO_CACHE)
  endif()
  if(NOT named OR NOT EXISTS "${named}")
    message(FATAL_ERROR " nvcc, the CUDA compiler, was not found: install the CUDA Toolkit ${SECTORSCOPE_CUDA_FLOOR} or"
                        " newer (https://developer.nvidia.com/cuda-downloads), or name it with"
                        " -DCMAKE_CUDA_COMPILER=/path/to/nvcc")
  endif()
  set(${result} "${named}" PARENT_SCOPE)
endfunction()

function(sectorscope_check_cuda_version nvcc)
  execute_process(COMMAND "${nvcc}" --version OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status)
  if(NOT status EQUAL 0 OR NOT output MATCHES "release ([0-9]+\\.[0-9]+)")
    message(FATAL_ERROR " ${nvcc} --version names no CUDA release: is it nvcc?")
  endif()
  if(CMAKE_MATCH_1 VERSION_LESS SECTORSCOPE_CUDA_FLOOR)
    message(FATAL_ERROR " sectorscope needs CUDA ${SECTORSCOPE_CUDA_FLOOR} or newer; ${nvcc} is CUDA ${CMAKE_MATCH_1}")
  endif()
endfunction()

# native, all, all-major and OFF name no number and pass.
function(sectorscope_check_architectures origin)
  foreach(architecture IN LISTS ARGN)
    if(architecture MATCHES "^([0-9]+)[af]?(-real|-virtual)?$" AND CMAKE_MATCH_1 LESS SECTORSCOPE_ARCHITECTURE_FLOOR)
      message(FATAL_ERROR " sectorscope needs compute capability 7.5 or newer; ${origin} asks for ${architecture}")
    endif()
  endforeach()
endfunction()

# The numbers that nvcc can build for, ascending: 75;80;...;120;121.
function(sectorscope_nvcc_architectures nvcc result)
  execute_process(COMMAND "${nvcc}" --list-gpu-arch OUTPUT_VARIABLE output ERROR_QUIET RESULT_VARIABLE status)
  string(REGEX MATCHALL "compute_[0-9]+" architectures "${output}")
  list(TRANSFORM architectures REPLACE "compute_" "")
  list(REMOVE_DUPLICATES architectures)
  list(SORT architectures COMPARE NATURAL)
  if(NOT status EQUAL 0 OR NOT architectures)
    message(FATAL_ERROR " ${nvcc} --list-gpu-arch lists nothing: set CMAKE_CUDA_ARCHITECTURES")
  endif()
  set(${result} "${architectures}" PARENT_SCOPE)
endfunction()

# Compute capabilities of the installed GPUs, each once, as in 90; empty without a GPU or a driver.
function(sectorscope_installed_gpus result)
  set(${result} "" PARENT_SCOPE)
  find_program(nvidia_smi NAMES nvidia-smi NO_CACHE)
  if(NOT nvidia_smi)
    return()
  endif()
  execute_process(
    COMMAND "${nvidia_smi}" --query-gpu=compute_cap --format=csv,noheader
    OUTPUT_VARIABLE output
    ERROR_QUIET
    RESULT_VARIABLE status
    TIMEOUT 30)
  if(NOT status EQUAL 0)
    return()
  endif()
  string(REGEX MATCHALL "[0-9]+\\.[0-9]+" gpus "${output}")
  list(TRANSFORM gpus REPLACE "\\." "")
  list(REMOVE_DUPLICATES gpus)
  list(SORT gpus COMPARE NATURAL)
  set(${result} "${gpus}" PARENT_SCOPE)
endfunction()

function(sectorscope_detect_architectures nvcc result origin)
  sectorscope_nvcc_architectures("${nvcc}" supported)
  list(GET supported -1 newest)
  sectorscope_installed_gpus(gpus)

  set(architectures "")
  set(usable "")
  foreach(gpu IN LISTS gpus)
    if(gpu LESS SECTORSCOPE_ARCHITECTURE_FLOOR)
      message(WARNING " this machine's GPU of compute capability ${gpu} (7.5 is the least) is left out")
    else()
      list(APPEND usable "${gpu}")
      if(gpu IN_LIST supported)
        list(APPEND architectures "${gpu}-real")
      elseif(gpu GREATER newest)
        list(APPEND architectures "${newest}-virtual") # its driver compiles the PTX
      endif()
    endif()
  endforeach()
  if(gpus AND NOT usable)
    message(FATAL_ERROR " sectorscope needs compute capability 7.5 or newer; this machine's GPUs have ${gpus}"
                        " (to build for another machine: -DCMAKE_CUDA_ARCHITECTURES=...)")
  endif()

  list(REMOVE_DUPLICATES architectures)
  list(LENGTH architectures covered)
  list(LENGTH usable wanted)
  if(architectures AND covered EQUAL wanted)
    set(${result} "${architectures}" PARENT_SCOPE)
    set(${origin} "the installed GPU" PARENT_SCOPE)
    return()
  endif()

  # The GPUs that people have; a binary also runs on later minor revisions of its major one.
  set(architectures "")
  foreach(architecture IN ITEMS 75 80 86 89 90 100 120)
    if(architecture IN_LIST supported)
      list(APPEND architectures "${architecture}-real")
    endif()
  endforeach()
  list(APPEND architectures "${newest}-virtual")
  set(${result} "${architectures}" PARENT_SCOPE)
  set(${origin} "what ${nvcc} builds" PARENT_SCOPE)
endfunction()

sectorscope_find_nvcc(sectorscope_nvcc)
sectorscope_check_cuda_version("${sectorscope_nvcc}")
if(NOT CMAKE_CUDA_COMPILER AND "$ENV{CUDACXX}" STREQUAL "" AND NOT CMAKE_GENERATOR MATCHES "Visual Studio")
  set(CMAKE_CUDA_COMPILER "${sectorscope_nvcc}" CACHE FILEPATH "CUDA compiler")
endif()

if(DEFINED CMAKE_CUDA_ARCHITECTURES)
  sectorscope_check_architectures("CMAKE_CUDA_ARCHITECTURES" ${CMAKE_CUDA_ARCHITECTURES})
elseif(NOT "$ENV{CUDAARCHS}" STREQUAL "")
  sectorscope_check_architectures("CUDAARCHS" $ENV{CUDAARCHS})
  set(CMAKE_CUDA_ARCHITECTURES "$ENV{CUDAARCHS}" CACHE STRING "CUDA architectures")
else()
  # Kept out of CMAKE_CUDA_ARCHITECTURES' cache entry, so that a later -D or CUDAARCHS still counts as the user's; kept in
  # an entry of its own, so that a configuration stays as it was when the GPU is busy or away.
  if(NOT SECTORSCOPE_DETECTED_ARCHITECTURES)
    sectorscope_detect_architectures("${sectorscope_nvcc}" detected detected_from)
    set(SECTORSCOPE_DETECTED_ARCHITECTURES "${detected}" CACHE INTERNAL "CUDA architectures found")
    message(STATUS "CUDA architectures: ${detected} (from ${detected_from})")
  endif()
  set(CMAKE_CUDA_ARCHITECTURES "${SECTORSCOPE_DETECTED_ARCHITECTURES}")
endif()
