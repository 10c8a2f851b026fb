# SPDX-License-Identifier: MIT
# The Python package, installed unchanged: nothing is compiled. Its metadata, with the entry point
# by which fsspec finds the file system, is installed beside it, as pip would do.
python_files = \
	python/gpudumpfs/__init__.py \
	python/gpudumpfs/dump.py \
	python/gpudumpfs/filesystem.py \
	python/gpudumpfs/png.py \
	python/gpudumpfs/tables.py \
	python/gpudumpfs/trees.py
EXTRA_DIST += $(python_files) python/METADATA.in python/entry_points.txt python/pyproject.toml

noinst_DATA += python/METADATA
# @ is in brackets because config.status would substitute @VERSION@ here, too.
python/METADATA: python/METADATA.in python/local.mk VERSION
	$(AM_V_GEN)$(MKDIR_P) python && \
	sed 's/[@]VERSION[@]/$(VERSION)/' $(srcdir)/python/METADATA.in >$@.tmp && mv $@.tmp $@
CLEANFILES += python/METADATA

python_info = $(pythondir)/gpudumpfs-$(VERSION).dist-info
.PHONY: install-python uninstall-python
install-python: python/METADATA
if INSTALL_PYTHON
	$(MKDIR_P) '$(DESTDIR)$(pythondir)/gpudumpfs' '$(DESTDIR)$(python_info)'
	for file in $(python_files); do \
		$(INSTALL_DATA) "$(srcdir)/$$file" '$(DESTDIR)$(pythondir)/gpudumpfs' || exit; \
	done
	$(INSTALL_DATA) python/METADATA $(srcdir)/python/entry_points.txt '$(DESTDIR)$(python_info)'
endif
uninstall-python:
if INSTALL_PYTHON
	rm -rf '$(DESTDIR)$(pythondir)/gpudumpfs' '$(DESTDIR)$(python_info)'
endif
