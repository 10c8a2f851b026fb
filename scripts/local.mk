dist_noinst_SCRIPTS += \
	scripts/bootstrap.sh \
	scripts/demo.sh \
	scripts/setup-debian.sh

# Mounts the example dump at ./mnt and leaves it mounted.
.PHONY: demo
demo: all
	@top_builddir=. $(srcdir)/scripts/demo.sh
