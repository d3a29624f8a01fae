#!/usr/bin/env bash
# Every variant x element width x items per thread at small awkward sizes: no mismatch, no write outside.
export bin="${SECTORSCOPE_BIN:?the folder of the executables}"
# shellcheck source-path=SCRIPTDIR source=lib/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/lib/common.bash"
require_gpu
lines=$(mktemp)
trap 'rm -f "$lines"' EXIT

for u in 1 2 4 8; do
  for e in 1 2 4 8 16; do
    for n in 1 33 257 1003; do
      echo "offset -n $n -u $u -e $e -i 2 -r 2 --offsets 0,1,7,31 --access read,write"
      echo "stride -n $n -u $u -e $e -i 2 -r 2 --strides 1,5,37 --access gather,scatter,both"
      echo "stride -n $n -u $u -e $e -i 2 -r 2 --strides 0,1,2,9 --mapping disjoint"
    done
  done
  for n in 1 33 257 1003; do
    echo "aos_soa -n $n -u $u -i 2 -r 2 --fields 1:4 --lanes 1,2,4,8,16,32,64 --conversion"
    echo "aos_soa -n $n -u $u -i 2 -r 2 --struct-bytes 24 --fields 1:6 --lanes 1,32,64 --conversion"
    echo "aos_soa -n $n -u $u -i 2 -r 2 --op step --lanes 1,2,32,64"
  done
done >"$lines"
{
  for n in 2 31 32 255 256; do
    echo "offset -n $n -i 2 -b 32"
    echo "stride -n $n -i 2 -b 1024 --strides 1"
    echo "aos_soa -n $n -i 2 -b 96"
  done
  for e in 1 2 4 8 16; do
    for rows in 31 32 33 63 64 65; do
      for cols in 31 32 33 63 64 65; do
        echo "transpose --rows $rows --cols $cols -e $e -i 2 -r 2"
      done
    done
    for shape in "1 1" "1 257" "257 1" "100 200" "250 200" "289 289" "1000 1"; do
      read -r rows cols <<<"$shape"
      echo "transpose --rows $rows --cols $cols -e $e -i 2 -r 2"
    done
    echo "transpose --rows 100 --cols 200 --ld-in 208 --ld-out 304 -e $e -i 2 -r 2"
    echo "transpose --rows 100 --cols 200 --ld-in 207 --ld-out 211 -e $e -i 2 -r 2"
  done
  # Rows 128 KiB apart or more, and no more than 8192: the vectorized transpose goes through strips.
  for e in 1 4 16; do
    echo "transpose --rows 100 --cols $((100000 / e)) --ld-in $((131072 / e)) -e $e -i 2 -r 2 --variants vectorized"
    echo "transpose --rows 70 --cols $((131072 / e)) --ld-in $((262144 / e)) --ld-out 71 -e $e -i 2 -r 2 --variants vectorized"
  done
} >>"$lines"
run_all "$lines"
finish "small sizes"
