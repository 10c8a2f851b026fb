# SPDX-License-Identifier: MIT
dist_noinst_SCRIPTS += \
	scripts/bootstrap.sh \
	scripts/build-deb.sh \
	scripts/bump.sh \
	scripts/check-commits.sh \
	scripts/clean-root.sh \
	scripts/demo.sh \
	scripts/manual.sh \
	scripts/musl-libraries.sh \
	scripts/portable.sh \
	scripts/release.sh \
	scripts/sbom.py \
	scripts/setup-debian.sh \
	scripts/tour-picture.sh \
	scripts/tour.sh

# Mounts the example dump at ./mnt and leaves it mounted.
.PHONY: demo
demo: all
	@top_builddir=. $(srcdir)/scripts/demo.sh

# Builds Debian packages from the tarball, in build-deb/.
.PHONY: deb
deb: dist
	$(srcdir)/scripts/build-deb.sh $(distdir).tar.xz

# Writes the manual as HTML, with the tour's pictures, to manual/.
.PHONY: manual
manual: all
	top_builddir=. $(srcdir)/scripts/tour.sh manual
	$(srcdir)/scripts/manual.sh manual

# Writes what is published of a release, signed, to build-release/ (docs/VERIFY.md).
.PHONY: release
release:
	$(srcdir)/scripts/bump.sh --release
	$(MAKE) dist
	RELEASE_KEY='$(RELEASE_KEY)' $(srcdir)/scripts/release.sh $(distdir).tar.xz
