# SPDX-License-Identifier: MIT
libgpudumpfs_a_SOURCES += \
	src/cache/cache.c \
	src/cache/cache.h \
	src/cache/cache_key.h \
	src/cache/cache_lru.c \
	src/cache/cache_lru.h \
	src/cache/checkpoint_list.c \
	src/cache/checkpoint_list.h \
	src/cache/follow.c \
	src/cache/follow.h \
	src/cache/index_task.c \
	src/cache/index_task.h \
	src/cache/instance_pool.c \
	src/cache/instance_pool.h \
	src/cache/pool.c \
	src/cache/pool.h \
	src/cache/lookout.c \
	src/cache/lookout.h
