#!/bin/bash
# SPDX-License-Identifier: MIT
# Does the same with GNU parallel, on this machine, or with -S on others that have the same folders:
#
#     PARALLEL='-S node1,node2' dataset-parallel.sh FOLDER DATASET [options of gpudump export]
set -u -o pipefail
dumps=${1:?the folder of dumps} dataset=${2:?the data set}
shift 2

find "$dumps" -mindepth 1 -maxdepth 1 ! -name '.*' -print0 | LC_ALL=C sort -z |
    parallel -0 --quote gpudump export -q -j 1 --dataset "$dataset" "$@" {}
