dist_noinst_DATA += \
	CONTRIBUTING.md \
	README.md \
	docs/aerogpu.md \
	docs/apitrace.md \
	docs/architecture.md \
	docs/follow.md \
	docs/fuse.md \
	docs/gapir.md \
	docs/glossary.md \
	docs/psx-dump.md \
	docs/psx-gpu.md \
	docs/psx.md \
	docs/vma.md \
	docs/worker.md
dist_noinst_DATA += docs/tour.png

# What programs take: below share/, since packagers compress what lies in docdir.
dist_pkgdata_DATA = docs/metadata.schema.json
tablesdir = $(pkgdatadir)/tables
dist_tables_DATA = \
	docs/tables/aerogpu.sql \
	docs/tables/apitrace.sql \
	docs/tables/dumps.sql \
	docs/tables/gapir.sql \
	docs/tables/psx.sql \
	docs/tables/vma.sql

# README's picture; it is in git, for it needs more than building does.
.PHONY: tour-picture
tour-picture: gpudump examples/mkexample
	examples/mkexample example-tour.psxgpu 600
	PATH="$$PWD:$$PATH" $(srcdir)/scripts/tour-picture.sh example-tour.psxgpu $(srcdir)/docs/tour.png
	rm -f example-tour.psxgpu
