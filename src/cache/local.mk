# SPDX-License-Identifier: MIT
libgpudumpfs_a_SOURCES += \
	src/cache/cache.h \
	src/cache/cache_failures.c \
	src/cache/cache_failures.h \
	src/cache/cache_items.c \
	src/cache/cache_key.h \
	src/cache/cache_limits.c \
	src/cache/cache_limits.h \
	src/cache/cache_lru.c \
	src/cache/cache_lru.h \
	src/cache/cache_making.c \
	src/cache/checkpoint_list.c \
	src/cache/checkpoint_list.h \
	src/cache/follow.c \
	src/cache/follow.h \
	src/cache/index_task.c \
	src/cache/index_task.h \
	src/cache/instance_pool.c \
	src/cache/instance_pool.h \
	src/cache/internal.h \
	src/cache/pool.c \
	src/cache/pool.h \
	src/cache/watchdog.c \
	src/cache/watchdog.h
