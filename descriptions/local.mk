# SPDX-License-Identifier: MIT
# Descriptions of the formats for other programs: file(1), Kaitai Struct, ImHex.
descriptionsdir = $(pkgdatadir)/descriptions
dist_descriptions_DATA = \
	descriptions/aerogputrace.hexpat \
	descriptions/aerogputrace.ksy \
	descriptions/magic \
	descriptions/psxgpu.hexpat \
	descriptions/psxgpu.ksy
