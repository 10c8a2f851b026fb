# SPDX-License-Identifier: MIT
# The package for Python, as it is: nothing of it is built. What fsspec finds the file system by is
# beside it, as pip would write it.
python_files = \
	python/gpudumpfs/__init__.py \
	python/gpudumpfs/dump.py \
	python/gpudumpfs/filesystem.py \
	python/gpudumpfs/png.py \
	python/gpudumpfs/tables.py \
	python/gpudumpfs/trees.py
EXTRA_DIST += $(python_files) python/METADATA.in python/entry_points.txt python/pyproject.toml

noinst_DATA += python/METADATA
# In brackets, for config.status would replace it here, too.
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
