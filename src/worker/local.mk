# SPDX-License-Identifier: MIT
libgpudumpfs_a_SOURCES += \
	src/worker/apitrace_protocol.h \
	src/worker/apitrace_session.c \
	src/worker/apitrace_session.h \
	src/worker/breadcrumb.c \
	src/worker/breadcrumb.h \
	src/worker/compiled_shaders.c \
	src/worker/compiled_shaders.h \
	src/worker/idle_watch.c \
	src/worker/idle_watch.h \
	src/worker/internal.h \
	src/worker/launch.c \
	src/worker/launch.h \
	src/worker/launcher.c \
	src/worker/launcher.h \
	src/worker/message.c \
	src/worker/message.h \
	src/worker/session.c \
	src/worker/session.h \
	src/worker/shader_disk_cache.c \
	src/worker/shader_disk_cache.h \
	src/worker/shader_translation.c \
	src/worker/shader_translation.h \
	src/worker/worker.h \
	src/worker/worker_call.c \
	src/worker/worker_create.c \
	src/worker/worker_exchange.c \
	src/worker/worker_process.c \
	src/worker/worker_program.c \
	src/worker/worker_program.h \
	src/worker/worker_tenure.c
