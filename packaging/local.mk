# SPDX-License-Identifier: MIT
# Recipes for packages of other systems.
EXTRA_DIST += \
	packaging/APKBUILD \
	packaging/PKGBUILD \
	packaging/README \
	packaging/gpudumpfs.spec \
	packaging/package.nix
