# SPDX-License-Identifier: MIT
libgpudumpfs_a_SOURCES += \
	src/base/blob.c \
	src/base/blob.h \
	src/base/budget.c \
	src/base/budget.h \
	src/base/bytes.h \
	src/base/cancel.h \
	src/base/cancellable_mutex.c \
	src/base/cancellable_mutex.h \
	src/base/hash.c \
	src/base/hash.h \
	src/base/landlock.c \
	src/base/landlock.h \
	src/base/locks.h \
	src/base/log.c \
	src/base/log.h \
	src/base/memory.c \
	src/base/memory.h \
	src/base/metadata.c \
	src/base/metadata.h \
	src/base/privileges.c \
	src/base/privileges.h \
	src/base/problems.c \
	src/base/problems.h \
	src/base/process.c \
	src/base/process.h \
	src/base/sha256.c \
	src/base/sha256.h \
	src/base/syscall_filter.c \
	src/base/syscall_filter.h \
	src/base/text.c \
	src/base/text.h \
	src/base/thread.c \
	src/base/thread.h \
	src/base/utf8.c \
	src/base/utf8.h
