# SPDX-License-Identifier: MIT
libgpudumpfs_a_SOURCES += \
	src/page/page.h \
	src/page/page_data.c

# The script's files, in their order.
page_scripts = \
	src/page/script/base.js \
	src/page/script/lists.js \
	src/page/script/charts.js \
	src/page/script/lives.js \
	src/page/script/dump_page.js \
	src/page/script/frame_page.js \
	src/page/script/start.js
page_files = $(page_scripts) src/page/page.css src/page/root.html src/page/frame.html
EXTRA_DIST += src/page/embed.awk $(page_files)

# Generated.
src/page/page_data.c: src/page/embed.awk $(page_files)
	$(AM_V_GEN)$(MKDIR_P) src/page && \
	LC_ALL=C $(AWK) -f $(srcdir)/src/page/embed.awk \
		root=$(srcdir)/src/page/root.html frame=$(srcdir)/src/page/frame.html \
		style=$(srcdir)/src/page/page.css \
		`for file in $(page_scripts); do echo script=$(srcdir)/$$file; done` >$@.tmp && \
	mv $@.tmp $@
MAINTAINERCLEANFILES += src/page/page_data.c
