#!/bin/sh
# SPDX-License-Identifier: MIT
# bootstrap.sh: makes a fresh clone ready for make: packages, configure, Makefile.
# Arguments go to configure. GNUmakefile runs it when there is no Makefile.
set -eu
cd "$(dirname "$0")/.."

scripts/setup-debian.sh
[ -x configure ] || autoreconf -fi
./configure "$@"
