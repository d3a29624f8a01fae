#!/usr/bin/env bats
# cmake/Architectures.cmake, run as a CMake script, with stand-ins for nvcc and nvidia-smi.

setup() {
  tools="$BATS_TEST_TMPDIR/tools"
  mkdir -p "$tools"
  cmake="$(command -v cmake)"
  # The installer's folder is looked at whatever PATH says.
  sed 's#/usr/local/cuda#/no/such/folder#' "$BATS_TEST_DIRNAME/../../cmake/Architectures.cmake" \
    >"$BATS_TEST_TMPDIR/Architectures.cmake"
  printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' 'include("${CMAKE_CURRENT_LIST_DIR}/Architectures.cmake")' \
    'message("architectures=${CMAKE_CUDA_ARCHITECTURES} compiler=${CMAKE_CUDA_COMPILER}")' \
    >"$BATS_TEST_TMPDIR/probe.cmake"
  unset CUDACXX CUDA_PATH CUDA_HOME CUDAARCHS
  nvcc 13.0 75 80 86 87 88 89 90 100 110 103 120 121
}

# nvcc RELEASE ARCHITECTURE...
nvcc() {
  local release="$1"
  shift
  stand_in nvcc "case \$1 in
    --version) echo 'Cuda compilation tools, release $release, V$release.88' ;;
    --list-gpu-arch) printf 'compute_%s\n' $* ;;
  esac"
}

stand_in() {
  printf '#!/bin/sh\n%s\n' "$2" >"$tools/$1"
  chmod +x "$tools/$1"
}

gpus() { stand_in nvidia-smi "printf '%s\n' $*"; }

probe() { run env PATH="$tools" "$cmake" "$@" -P "$BATS_TEST_TMPDIR/probe.cmake"; }

# CMake wraps a message unless it begins with a space; here every message must be one line.
says() { [[ "$output" == *"$1"* ]]; }

chose() { [ "$status" -eq 0 ] && says "architectures=$1 compiler="; }

refused() { [ "$status" -ne 0 ] && says "$1"; }

@test "no GPU: what nvcc builds of the usual ones, and PTX of its newest" {
  probe
  chose "75-real;80-real;86-real;89-real;90-real;100-real;120-real;121-virtual"
  nvcc 12.0 50 52 53 60 61 62 70 72 75 80 86 87 89 90
  probe
  chose "75-real;80-real;86-real;89-real;90-real;90-virtual"
}

@test "nvidia-smi that fails or speaks of no GPU counts as no GPU" {
  stand_in nvidia-smi 'echo "NVIDIA-SMI has failed because it could not talk to the driver 5.15"; exit 9'
  probe
  chose "75-real;80-real;86-real;89-real;90-real;100-real;120-real;121-virtual"
  stand_in nvidia-smi 'echo "No devices were found"'
  probe
  chose "75-real;80-real;86-real;89-real;90-real;100-real;120-real;121-virtual"
}

@test "installed GPUs: each once" {
  gpus 9.0 9.0
  probe
  chose "90-real"
  gpus 12.0 8.6 12.0
  probe
  chose "86-real;120-real"
}

@test "a GPU newer than nvcc gets PTX, beside the one that nvcc knows" {
  nvcc 12.0 75 80 86 87 89 90
  gpus 12.0 8.0
  probe
  chose "80-real;90-virtual"
}

@test "a GPU that this nvcc skips over gets the list" {
  nvcc 12.0 75 80 86 90
  gpus 8.7
  probe
  chose "75-real;80-real;86-real;90-real;90-virtual"
}

@test "a GPU below the floor is refused alone, and left out beside a good one" {
  gpus 7.0
  probe
  refused "sectorscope needs compute capability 7.5 or newer; this machine's GPUs have 70"
  gpus 7.0 9.0
  probe
  chose "90-real"
  says "left out"
}

@test "the user's value is never changed, not even by an installed GPU" {
  gpus 9.0
  local value
  for value in 80 "75-real;120-virtual" native all all-major OFF 90a 100f-real; do
    probe -D "CMAKE_CUDA_ARCHITECTURES=$value"
    chose "$value"
  done
  CUDAARCHS="80;86" probe
  chose "80;86"
  CUDAARCHS=native probe
  chose native
  CUDAARCHS=80 probe -D CMAKE_CUDA_ARCHITECTURES=90
  chose 90
}

@test "an architecture below 75 is refused, naming who asks for it" {
  probe -D "CMAKE_CUDA_ARCHITECTURES=90;70-real"
  refused "CMAKE_CUDA_ARCHITECTURES asks for 70-real"
  CUDAARCHS=61 probe
  refused "CUDAARCHS asks for 61"
}

@test "CUDA below 12.0 is refused with both versions, an nvcc that is none likewise" {
  nvcc 11.8 75 80 86 90
  probe
  refused "sectorscope needs CUDA 12.0 or newer; $tools/nvcc is CUDA 11.8"
  stand_in nvcc 'echo "clang version 17"'
  probe
  refused "names no CUDA release"
}

@test "no nvcc: one line that says how to get it" {
  rm "$tools/nvcc"
  probe
  refused "nvcc, the CUDA compiler, was not found"
  says "https://developer.nvidia.com/cuda-downloads"
  [ "$(grep -c 'was not found.*cuda-downloads' <<<"$output")" -eq 1 ]
}

@test "nvcc off the PATH: CMAKE_CUDA_COMPILER, CUDACXX, CUDA_PATH, in folders with a space" {
  local root="$BATS_TEST_TMPDIR/my cuda"
  mkdir -p "$root/bin"
  mv "$tools/nvcc" "$root/bin/nvcc"
  probe -D "CMAKE_CUDA_COMPILER=$root/bin/nvcc"
  [ "$status" -eq 0 ]
  CUDACXX="$root/bin/nvcc" probe
  [ "$status" -eq 0 ]
  CUDA_PATH="$root" probe
  says "compiler=$root/bin/nvcc"
  CUDACXX=/no/such/nvcc CUDA_PATH="$root" probe
  refused "was not found"
}
