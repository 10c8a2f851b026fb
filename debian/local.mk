# The files from which Debian packages are built; `make deb` builds them (scripts/build-deb.sh).
EXTRA_DIST += \
	debian/changelog \
	debian/control \
	debian/copyright \
	debian/gpudumpfs-glworker.install \
	debian/gpudumpfs.docs \
	debian/gpudumpfs.install \
	debian/libpsxgpudump-dev.examples \
	debian/libpsxgpudump-dev.install \
	debian/python3-gpudumpfs.install \
	debian/rules \
	debian/source/format \
	debian/tests/control \
	debian/tests/mount \
	debian/tests/opengl \
	debian/tests/recorder
