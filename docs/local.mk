dist_noinst_DATA += \
	CONTRIBUTING.md \
	README.md \
	docs/aerogpu.md \
	docs/apitrace.md \
	docs/architecture.md \
	docs/fuse.md \
	docs/gapir.md \
	docs/psx-dump.md \
	docs/psx-gpu.md \
	docs/psx.md \
	docs/vma.md \
	docs/worker.md
