#!/bin/sh
# SPDX-License-Identifier: MIT
# bootstrap.sh [ARGUMENT...]: prepares a fresh clone for make: installs packages and runs configure
# with the arguments. GNUmakefile runs it if there is no Makefile.
set -eu
cd "$(dirname "$0")/.."

scripts/setup-debian.sh
[ -x configure ] || autoreconf -fi
./configure "$@"
