libgpudumpfs_a_SOURCES += \
	src/tree/dump.h \
	src/tree/names.h \
	src/tree/rule.h \
	src/tree/tree.h
