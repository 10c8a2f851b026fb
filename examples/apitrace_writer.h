/* SPDX-License-Identifier: MIT */
/*
 * Writes apitrace traces, event by event (docs/apitrace.md 2): in Snappy chunks or as the bare
 * stream, in every version, with every type of value. A definition is written where it is first
 * used. The first failure is kept; trace_writer_close() returns it. Only one thread may use a
 * writer.
 *
 *     trace_writer_open("x.trace", &params, &writer);
 *     call = trace_enter(writer, 0, &glClear);
 *     trace_argument(writer, 0);
 *     trace_bitmask(writer, &clear_bits, 0x4000);
 *     trace_end(writer);
 *     trace_leave(writer, call);
 *     trace_end(writer);
 */
#ifndef GPUDUMPFS_EXAMPLES_APITRACE_WRITER_H
#define GPUDUMPFS_EXAMPLES_APITRACE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_writer;

struct trace_params {
    unsigned version;              /* 0 to 6 */
    bool bare;                     /* without a container */
    size_t chunk;                  /* raw bytes of a chunk; 0 for 1 MiB */
    const char *const *properties; /* alternating names and values, ending with NULL; may be NULL */
};

/*
 * What a trace defines. The caller chooses the ids, below 4096; each kind has a space of its own.
 */
struct trace_function {
    unsigned id;
    const char *name;
    unsigned count;
    const char *arguments[12];
};

struct trace_names {
    unsigned id;
    unsigned count;
    const struct trace_constant {
        const char *name;
        int64_t value;
    } * constants;
};

struct trace_struct {
    unsigned id;
    const char *name;
    unsigned count;
    const char *members[8];
};

/* Creates the file. Returns 0 or -errno. */
int trace_writer_open(const char *path, const struct trace_params *params,
                      struct trace_writer **out);
/* Writes what is left, and frees the writer even if this fails. Returns 0 or the first failure. */
int trace_writer_close(struct trace_writer **writer);

/* Begins the enter event of a call; its details follow. Returns the number of the call. */
uint64_t trace_enter(struct trace_writer *writer, unsigned thread,
                     const struct trace_function *function);

/* Begins the leave event of a call; its details follow. */
void trace_leave(struct trace_writer *writer, uint64_t call);

/* Begins an argument; its value follows. */
void trace_argument(struct trace_writer *writer, unsigned number);

/* Begins the result; its value follows. */
void trace_result(struct trace_writer *writer);

/* Adds the flags of a call. */
void trace_flags(struct trace_writer *writer, unsigned flags);

/* Ends the details of an event. */
void trace_end(struct trace_writer *writer);

/* Writes a backtrace of one frame. The frame's id may be new or known. */
void trace_backtrace(struct trace_writer *writer, unsigned id, const char *module,
                     const char *function, unsigned line);

/* Write values, each after trace_argument() or trace_result(), or within another value. */
void trace_null(struct trace_writer *writer);
void trace_bool(struct trace_writer *writer, bool value);
void trace_int(struct trace_writer *writer, int64_t value);
void trace_uint(struct trace_writer *writer, uint64_t value);
void trace_float(struct trace_writer *writer, float value);
void trace_double(struct trace_writer *writer, double value);
void trace_string(struct trace_writer *writer, const char *string);
void trace_blob(struct trace_writer *writer, const void *bytes, size_t size);
void trace_enum(struct trace_writer *writer, const struct trace_names *names, int64_t value);
void trace_bitmask(struct trace_writer *writer, const struct trace_names *names, uint64_t value);
void trace_array(struct trace_writer *writer, uint64_t count); /* the values follow */
void trace_structure(struct trace_writer *writer, const struct trace_struct *structure);
void trace_opaque(struct trace_writer *writer, uint64_t value);
void trace_representation(struct trace_writer *writer); /* the human's and the machine's follow */
void trace_wide_string(struct trace_writer *writer, const char *string);

/* Writes bytes unchanged, for what the other functions cannot write. */
void trace_raw(struct trace_writer *writer, const void *bytes, size_t size);

/* Ends the details of a call and writes an empty leave event. */
void trace_call_end(struct trace_writer *writer, uint64_t call);

#endif
