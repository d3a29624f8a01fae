# Warnings of our own targets: link sectorscope_warnings PRIVATE. Never exported.

add_library(sectorscope_warnings INTERFACE)

set(gnu_warnings -Wall -Wextra -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wvla)
set(gnu_cxx_warnings ${gnu_warnings} -Wpedantic -Wold-style-cast) # the code that nvcc generates has both
set(msvc_warnings /W4 /permissive- /utf-8)
set(werror "$<BOOL:${SECTORSCOPE_WERROR}>")

target_compile_options(
  sectorscope_warnings
  INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>:${gnu_cxx_warnings}>"
            "$<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU,Clang,AppleClang>,${werror}>:-Werror>"
            "$<$<COMPILE_LANG_AND_ID:CXX,MSVC>:${msvc_warnings}>"
            "$<$<AND:$<COMPILE_LANG_AND_ID:CXX,MSVC>,${werror}>:/WX>"
            "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:--display-error-number>"
            "$<$<AND:$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>,${werror}>:--Werror=all-warnings>")

# nvcc hands these to the host compiler, which is the C++ one unless the user says otherwise.
if(CMAKE_CXX_COMPILER_ID STREQUAL "MSVC")
  list(JOIN msvc_warnings "," host_warnings)
else()
  list(JOIN gnu_warnings "," host_warnings)
endif()
target_compile_options(sectorscope_warnings
                       INTERFACE "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=${host_warnings}>")
