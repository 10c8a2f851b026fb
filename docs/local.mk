dist_noinst_DATA += \
	CONTRIBUTING.md \
	docs/VERIFY.md \
	docs/architecture.md \
	docs/comparison.md \
	docs/compatibility.md \
	docs/confinement.md \
	docs/follow.md \
	docs/fuse.md \
	docs/glossary.md \
	docs/hostile.md \
	docs/overlay.md \
	docs/portability.md \
	docs/programs.md \
	docs/testing.md \
	docs/threads.md \
	docs/tour.md \
	docs/tour-real.md \
	docs/upgrading.md \
	docs/tour.png \
	docs/worker.md

# Documents that the manual pages refer to. psx-*.md are listed with their format.
dist_doc_DATA += \
	NEWS \
	README.md \
	docs/clusters.md \
	docs/dataset.md \
	docs/python.md

# Schemas for programs: below share/, since packagers compress files in docdir.
dist_pkgdata_DATA = docs/metadata.schema.json docs/reports.schema.json docs/dataset.schema.json
tablesdir = $(pkgdatadir)/tables
dist_tables_DATA += docs/tables/comparison.sql docs/tables/dumps.sql

# README's picture. It is in git, since making it needs more programs than building does.
.PHONY: tour-picture
tour-picture: gpudump examples/mkexample
	examples/mkexample example-tour.psxgpu 600
	PATH="$$PWD:$$PATH" $(srcdir)/scripts/tour-picture.sh example-tour.psxgpu $(srcdir)/docs/tour.png
	rm -f example-tour.psxgpu
