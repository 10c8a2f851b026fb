/* SPDX-License-Identifier: MIT */
/*
 * What the backends stand on: the main loop and the breadcrumb (serve.c), the confinement
 * (confine.c), and the graphics context (graphics.c). One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_CORE_CORE_H
#define GPUDUMPFS_GLWORKER_CORE_CORE_H

#define GL_GLEXT_PROTOTYPES
#include <GL/glcorearb.h>

#include "worker/breadcrumb.h"
#include "worker/message.h"
#include "worker/worker.h"

#include <stdbool.h>
#include <stdint.h>

/* Messages. */

/* What a handler answers with. */
struct serve_answer {
    struct message_writer body;
    struct blob *bulk;          /* stands behind the body: a picture; or NULL */
    char reason[WORKER_REASON]; /* when the handler fails: a sentence */
};

/* 0, or a negative errno that the daemon gets with the reason. */
typedef int serve_handler(struct message_reader *request, struct serve_answer *answer);

struct serve_kind {
    uint16_t kind;
    serve_handler *handle;
};

/*
 * Has one message handled, by tables whose last row has no handler; NULL ends their list. 0, or a
 * negative errno with a reason in `answer`, which the caller frees.
 */
int serve_one(const struct serve_kind *const *kinds, uint16_t kind, struct blob *payload,
              struct serve_answer *answer);
void serve_answer_free(struct serve_answer *answer);

/*
 * Serves the kinds until the other end closes, which is 0, or speaks no protocol of ours. The
 * first message is an empty HELLO; what comes behind it is looked at once the process is confined
 * for good (graphics_start()).
 */
int serve(int socket, const struct serve_kind *const *kinds);

/*
 * A backend begins its session: ends the one that there is, of whatever backend, and notes how
 * this one is ended. What was ended already may be ended again.
 */
void serve_begin_session(void (*end)(void));

/* The payload of the message that is being handled, for a handler that keeps it. */
struct blob *serve_payload(void);

/* Fills in the reason of a failing handler, and returns `status`. */
int serve_refuse(struct serve_answer *answer, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The breadcrumb (worker/breadcrumb.h): what the worker is about. */

/* Maps the page that the daemon reads. 0 or a negative errno. */
int breadcrumb_open(int fd);

/* From here on this, about these (NULL: nothing), until the next call. */
void breadcrumb_set(enum breadcrumb_activity activity,
                    const uint64_t subjects[BREADCRUMB_SUBJECTS]);

/* The same about one. */
void breadcrumb_set_one(enum breadcrumb_activity activity, uint64_t subject);

/*
 * Whether nothing waits for the message at hand any more: a handler that may take long asks
 * between two pieces of its work, and leaves off. What it answers is dropped.
 */
bool serve_is_withdrawn(void);

/* Tells how much memory is held; whether it is more than it may be, which is told as well. */
bool breadcrumb_tell_memory(uint64_t held);

/* The command that is run, by its offset in the stream. */
void breadcrumb_move(uint32_t offset);

/*
 * The confinement: what the worker takes from itself, so that code that takes it over through
 * a driver or a shader compiler gains nothing (worker.md 4).
 */

/* Layers that hold, as bits. */
enum confine_layer {
    CONFINE_LIMITS = 1,       /* memory, no core files, no files written */
    CONFINE_FILES = 2,        /* Landlock: files of drivers can be read, nothing else */
    CONFINE_LOADING = 4,      /* seccomp: a list of calls, with those that loading needs */
    CONFINE_SYSTEM_CALLS = 8, /* seccomp: the list without them, no file can be opened */
    CONFINE_NAMESPACES = 16,  /* a network and System V objects of its own: none */
    CONFINE_PRIVILEGES = 32,  /* no capabilities, nor any to gain */
};

/*
 * At the start, with one thread, before a byte from outside is read. memory_limit in bytes, 0: a
 * default; whether the process was given files for compiled shaders. Returns the layers
 * that this kernel grants.
 */
unsigned confine_start(uint64_t memory_limit, bool shaders);

/*
 * Once drivers are loaded, or there are none: only what computing needs. Returns 0 or a negative
 * errno, where the kernel has no seccomp.
 */
int confine_finish(void);

/* All layers that hold now. */
unsigned confine_layers(void);

/*
 * What the process may take beside what drivers and we need for ourselves: so many bytes of
 * objects. What is beyond fails, and ends the process at worst.
 */
void confine_memory(uint64_t objects);

/* Before each message: renews the processor time that it may take. */
void confine_time(void);

/*
 * A thread that ends the process when the socket's other end is closed, or when more memory is
 * held than the daemon allows; to that end it looks while the process is busy.
 */
int confine_watch(int socket);

/* A message is handled from now on, or has been. */
void confine_be_busy(bool busy);

/*
 * The graphics context: desktop GL 4.5 core on EGL without a surface or a window system
 * (worker.md 5.1); in a process that is started for Vulkan, its driver alone. Made once, behind the
 * first message; then the process is confined for good, whether there is a driver or not.
 */

/* 0, also when it is there already, or -ENODEV with a reason, the same one each time. */
int graphics_start(char reason[WORKER_REASON]);

/* The display, once graphics_start() was 0: an EGLDisplay. */
void *graphics_display(void);

/* Makes the context of graphics_start() current again, where others were. 0 or -ENODEV. */
int graphics_enter(char reason[WORKER_REASON]);

/* "llvmpipe (LLVM 15.0.6, 256 bits)". */
const char *graphics_renderer(void);

/* Whether this process draws no pixels (worker.md 4.3). */
bool graphics_is_compile_only(void);

/* Forgets errors; whether there was one. */
bool graphics_failed(void);

/*
 * A program of one stage that can be drawn with others, or 0 with the driver's words
 * in `reason`.
 */
GLuint graphics_stage(GLenum stage, const char *text, char reason[WORKER_REASON]);

/* A vertex and a fragment shader in one; attributes[i] is bound to location i. */
GLuint graphics_program(const char *vertex, const char *fragment, const char *const *attributes,
                        unsigned attribute_count, char reason[WORKER_REASON]);

#endif
