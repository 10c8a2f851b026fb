# SPDX-License-Identifier: MIT
# Dumps in file managers: file types, thumbnails, and the program that opens them.
dist_bin_SCRIPTS = desktop/gpudumpfs-open
applicationsdir = $(datadir)/applications
nodist_applications_DATA = desktop/gpudumpfs.desktop
thumbnailersdir = $(datadir)/thumbnailers
nodist_thumbnailers_DATA = desktop/gpudumpfs.thumbnailer
mimepackagesdir = $(datadir)/mime/packages
nodist_mimepackages_DATA = desktop/gpudumpfs.xml

# The file types are those of the formats, each of which defines its own in its folder.
desktop/gpudumpfs.xml: $(format_types) desktop/local.mk
	$(AM_V_GEN)$(MKDIR_P) desktop && { \
		echo '<?xml version="1.0" encoding="UTF-8"?>'; \
		echo '<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">'; \
		(cd $(srcdir) && cat $(format_types)); \
		echo '</mime-info>'; } >$@.tmp && mv $@.tmp $@
add_types = \
	$(MKDIR_P) desktop && types=`cd $(srcdir) && \
		sed -n 's/.*<mime-type type="\(.*\)">/\1/p' $$types | LC_ALL=C sort | tr '\n' ';'` && \
	sed "s|@TYPES@|$$types|" $(srcdir)/$@.in >$@.tmp && mv $@.tmp $@
desktop/gpudumpfs.desktop: desktop/gpudumpfs.desktop.in $(format_types)
	$(AM_V_GEN)types='$(format_types)'; $(add_types)
# A dump without pictures has no thumbnail.
desktop/gpudumpfs.thumbnailer: desktop/gpudumpfs.thumbnailer.in $(pictured_types)
	$(AM_V_GEN)types='$(pictured_types)'; $(add_types)
CLEANFILES += desktop/gpudumpfs.desktop desktop/gpudumpfs.thumbnailer desktop/gpudumpfs.xml
EXTRA_DIST += \
	$(format_types) \
	desktop/gpudumpfs.desktop.in \
	desktop/gpudumpfs.thumbnailer.in
