/* SPDX-License-Identifier: MIT */
/*
 * Inside of an OpenGL session (worker.md 6): what its parts share. A call comes out of
 * the stream as values, is looked up once for what it is done by, has its names and
 * addresses changed to those of this process, is checked, and is made. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_GL_H
#define GPUDUMPFS_GLWORKER_GL_GL_H

#include "base/problems.h"
#include "formats/apitrace/decode/events.h"
#include "glworker/core/graphics.h"
#include "glworker/core/serve.h"
#include "glworker/gl/functions.h"
#include "worker/apitrace_protocol.h"

#include <ffi.h>

/* Numbers by numbers: old names and handles to what stands for them (names.c). */

#define RETRACE_NO_KEY UINT64_MAX

struct retrace_pair {
    uint64_t key; /* RETRACE_NO_KEY: a free place */
    uint64_t value;
};

/* All zero: empty. */
struct retrace_map {
    struct retrace_pair *pairs;
    uint32_t count, room; /* room: a power of two, or 0 */
};

/* Puts a value in place of what the key had. 0 or -ENOMEM; RETRACE_NO_KEY is not kept. */
int retrace_map_put(struct retrace_map *map, uint64_t key, uint64_t value);
/* Whether the key has a value. */
bool retrace_map_get(const struct retrace_map *map, uint64_t key, uint64_t *value);
void retrace_map_remove(struct retrace_map *map, uint64_t key);
void retrace_map_clear(struct retrace_map *map);

/*
 * The event stream as it arrives, and the calls that become whole in it (apitrace.md
 * 2.3 to 2.6, 3.1, 3.2), read with the format's decoders (stream.c). A call is a list of places
 * of its arguments, whose values are read when it is run.
 */

enum {
    RETRACE_PLACES = 32,        /* arguments that are kept; GL has 23 at most */
    RETRACE_HELD_MAX = 1 << 28, /* bytes that wait for the rest of their event or call */
    RETRACE_OPEN_MAX = 65536,   /* calls that have not returned */
};

/* A call from its enter event on. */
struct retrace_event {
    uint64_t number;
    uint32_t thread;
    const struct apitrace_function *function;
    uint64_t places[RETRACE_PLACES]; /* of the values in the stream; 0: not given */
    uint64_t result;
    bool returned;
    uint64_t enter, left; /* offsets of its two events; `left` 0: did not return */
    uint8_t *copy;        /* of the enter event, once its bytes have gone from the buffer */
    uint64_t copied;
    struct retrace_event *next; /* of those that are spare */
};

struct retrace_stream {
    uint8_t *bytes; /* from offset `begin` on */
    uint64_t begin, size, room;
    uint64_t end;   /* offset of the first byte that was not fed */
    uint64_t at;    /* of the next event */
    uint64_t retry; /* bytes from `at` on with which reading it is worth another try */
    bool headed, ended, broken;
    uint64_t calls; /* enter events so far */
    struct apitrace_definitions definitions;
    struct retrace_event **open; /* by number */
    uint32_t open_count, open_room;
    uint64_t held;               /* bytes of copies */
    struct retrace_event *ready; /* taken with retrace_stream_next(), not dropped yet */
    struct retrace_event *spare;
    char fault[100]; /* why it is broken */

    struct apitrace_stream window; /* the buffer, since the last feed … */
    struct apitrace_reader reader; /* … of whose events this one reads */
    struct apitrace_stream copy;   /* a call's enter event that has gone from there */
    struct apitrace_reader values; /* of calls, in the one or the other; of no stream: not begun */
};

int retrace_stream_init(struct retrace_stream *stream);
void retrace_stream_clear(struct retrace_stream *stream);

/* Takes bytes at the end; `last`: none will follow. 0, -ENOMEM, -EFBIG. */
int retrace_stream_feed(struct retrace_stream *stream, const uint8_t *bytes, size_t size,
                        bool last);

/*
 * The next call in listing order, the same until it is dropped. NULL: more bytes are
 * needed, or, once the stream has ended, there is none.
 */
struct retrace_event *retrace_stream_next(struct retrace_stream *stream);
void retrace_stream_drop(struct retrace_stream *stream);

/*
 * The event of that call begins at that place, from which bytes are due again. No call was open
 * there.
 */
void retrace_stream_rewind(struct retrace_stream *stream, uint64_t place, uint64_t call);

/* A reader that stands at a value of the event, until any of these functions is called again. */
struct apitrace_reader *retrace_stream_read(struct retrace_stream *stream,
                                            const struct retrace_event *event, uint64_t place);

/* Calls. */

struct retrace;
struct retrace_call;
struct retrace_recording;

/* What has become of a call. */
enum retrace_outcome {
    RETRACE_MADE,    /* all was done, there is nothing more to do */
    RETRACE_GO_ON,   /* of a rule: now make the call, with the arguments as they are now */
    RETRACE_LEFT,    /* left out, as it leaves no trace in pictures */
    RETRACE_REFUSED, /* could not be made; there is a note */
};

/* What a call is done by before, or in place of, being made. */
typedef enum retrace_outcome retrace_rule(struct retrace *retrace, struct retrace_call *call);
/* And after that. */
typedef void retrace_post_hook(struct retrace *retrace, struct retrace_call *call);

/* How calls of a function may be run while a mark stands (mark.h). */
enum retrace_marked {
    RETRACE_MARKED_NEVER,
    RETRACE_MARKED_ALWAYS,
    RETRACE_MARKED_SWITCH, /* these and the next by their first argument */
    RETRACE_MARKED_HINT,
    RETRACE_MARKED_UNIT,
    RETRACE_MARKED_BUFFER,
    RETRACE_MARKED_TEXTURE,
    RETRACE_MARKED_MATRIX_MODE,
    RETRACE_MARKED_PUSHES_MATRIX, /* by how deep the stack is */
    RETRACE_MARKED_POPS_MATRIX,
    RETRACE_MARKED_PUSHES_STATE,
    RETRACE_MARKED_POPS_STATE,
    RETRACE_MARKED_CALLS, /* by the list */
};

/* A function of the trace, and what it is done by; found out at its first call. */
struct retrace_binding {
    const struct apitrace_function *function;
    const struct retrace_function *gl; /* NULL: none of OpenGL's */
    retrace_rule *rule;                /* NULL: none */
    retrace_post_hook *post_hook;
    uint32_t detail;        /* of a rule that serves several functions */
    bool deletes;           /* names that go in are no more afterwards */
    uint8_t paints;         /* enum retrace_paints */
    uint8_t marked;         /* enum retrace_marked */
    int8_t location, owner; /* arguments: a uniform's location, its program (-1: the current) */
    void (*made)(void);     /* the driver's function */
    ffi_cif cif;
    ffi_type *types[RETRACE_ARGUMENTS_MAX];
};

enum retrace_kind {
    RETRACE_ABSENT,  /* the trace does not have it */
    RETRACE_NUMBER,  /* also null */
    RETRACE_ADDRESS, /* opaque: of the traced program, or an offset */
    RETRACE_MEMORY,  /* elements or bytes */
};

/* An argument or a result, as the trace has it. */
struct retrace_argument {
    uint8_t kind; /* enum retrace_kind */
    bool is_blob;
    bool checked;    /* by a rule: it goes to the driver as it is now */
    bool live;       /* MEMORY is a block's (heap.c), from here to its end; it may be written */
    uint64_t number; /* an integer, or the address; of floats see `real` */
    double real;
    uint8_t *memory; /* for this call alone; zeros behind it */
    uint64_t size;   /* bytes of the trace's */
    uint64_t count;  /* elements: of RETRACE_IN_POINTERS pointers, else of the type's size */
    uint64_t *sizes; /* of RETRACE_IN_POINTERS: bytes behind each */
};

struct retrace_call {
    const struct retrace_event *event;
    struct retrace_binding *binding;
    struct retrace_argument arguments[RETRACE_ARGUMENTS_MAX];
    unsigned count;
    struct retrace_argument result;
    union {
        ffi_arg integer;
        uint64_t wide;
        float single;
        double real;
        void *address;
    } returned; /* what the driver returned */
};

/* Memory for one call, all of it free for the next. */
struct retrace_scratch {
    uint8_t *block;
    size_t room, used;
    void **extra; /* of what did not fit */
    size_t extra_count, extra_room;
};

struct retrace_size {
    uint64_t call, handle;
    uint32_t width, height, samples;
};

/* Something to draw on. */
struct retrace_surface {
    uint64_t serial; /* of all that were made, from 1 */
    uint64_t handle, bytes;
    void *surface;                   /* EGLSurface */
    uint32_t width, height, samples; /* samples 0: one */
    unsigned users;                  /* the table of handles, and threads where it is current */
};

/* A program's numbers that the driver may have given otherwise. */
struct retrace_numbers {
    struct retrace_map locations, blocks, storage, subroutines;
};

/* What a context is to be. */
struct retrace_context_config {
    uint64_t handle, share;
    bool es, core, forward;
    unsigned major, minor;
};

/* A display list that the trace compiles (lists.h). */
struct retrace_list_state {
    uint64_t name;            /* here */
    bool plain;               /* so far */
    int matrices, attributes; /* that are pushed in it */
};

struct retrace_context {
    uint64_t handle;
    void *context; /* EGLContext */
    struct retrace_context *next;
    unsigned users;                       /* the list, and threads where it is current */
    uint32_t group;                       /* of contexts that share objects */
    struct retrace_context_config config; /* what it was made for */
    bool es;
    GLint major, minor;                      /* of what the driver gave */
    bool begun;                              /* it was current once */
    struct retrace_map names[RETRACE_NAMES]; /* of those that are its own */
    uint64_t program, pipeline;              /* current, as the trace names them */
    struct retrace_map pipeline_programs;
    uint64_t list_base;
    bool in_list, in_begin;
    struct retrace_list_state list;      /* where it is in one */
    struct retrace_recording *recording; /* of calls that are made later (recording.h) */
    bool conditional;                    /* rendering is, by … */
    GLuint condition;                    /* … this query, by its name here */
    GLenum condition_mode;
    bool discards;   /* by the trace's own will */
    bool discarding; /* as it is set */
    void *feedback, *selection;
    struct retrace_array *arrays; /* memory that draws read from */
};

/* Where a thread of the trace stands. */
struct retrace_thread {
    uint32_t number;
    unsigned api; /* EGL's, for contexts that it makes */
    struct retrace_context *context;
    struct retrace_surface *draw, *read;
};

/* Memory that the traced program has, as the stream writes it. */
struct retrace_block {
    uint64_t address, size; /* in the traced program */
    uint8_t *memory;        /* here; zeros behind it */
};

/* Memory of a buffer that is mapped. */
struct retrace_region {
    uint64_t address, length; /* in the traced program */
    uint8_t *memory;          /* here */
    GLuint buffer;            /* its name here */
};

struct retrace {
    struct retrace_stream stream;
    struct retrace_binding **bindings; /* by the function's number */
    uint32_t binding_count;
    struct retrace_scratch scratch;

    struct retrace_size *sizes; /* by call and handle */
    uint32_t size_count;
    uint64_t *bad; /* calls that are left out */
    uint32_t bad_count;
    uint64_t texture_bytes;

    uint64_t listed, skipped, last;
    uint32_t last_thread; /* of the last call */
    bool discard;         /* of the feed at hand */
    bool watching;        /* the same */
    bool effects;         /* draws do more than leave pixels: none is discarded */
    bool stores;          /* as shaders may write to memory */
    bool complained;      /* of no context */
    bool implicit;        /* threads without a context have one that the trace never makes */
    bool told;            /* where the stream is damaged */

    struct retrace_context *contexts;
    struct retrace_thread **threads;
    uint32_t thread_count;
    struct retrace_thread *current; /* whose context is the process's; NULL: none */
    struct retrace_map surfaces;    /* by handle */
    struct retrace_map aliases;     /* a WGL pbuffer's device context: its pbuffer */
    struct retrace_map images;      /* EGLImages by handle */
    struct retrace_map formats;     /* pixel formats of CGL: their profiles */

    struct retrace_map names[RETRACE_NAMES];
    struct retrace_map plain_lists; /* lists.h */
    bool calls_plain;               /* the lists that were called last were such */
    struct retrace_map programs;    /* struct retrace_numbers by the program's old name */
    struct retrace_map linked;      /* what programs were linked of (sources.h) */
    uint64_t source_bytes;          /* in that */
    struct retrace_region *regions;
    uint32_t region_count, region_room;
    struct retrace_block *blocks;
    uint32_t block_count;

    struct retrace_watch *watch; /* NULL: none */
    struct retrace_mark *mark;   /* the same (mark.h) */
    bool crossed;                /* a call that may not be run while it stands is next */

    uint64_t old_program; /* of the call at hand: as the trace names it */
    bool behind;          /* the stream's call has been run, and is kept: it may be asked about */

    uint64_t object_bytes;           /* that objects take, of which … */
    struct retrace_map object_sizes; /* … these can be given back (budget.c) */
    uint64_t asked_key, asked_bytes; /* of the call at hand */
    uint64_t walled;                 /* confine_memory() was told so much */
    uint32_t groups;                 /* of contexts, so far */
    uint64_t surfaces_made;

    struct message_writer notes;
    uint32_t note_count; /* in this message */
    uint32_t note_total;
    uint64_t note_call;
    bool quiet; /* a call is made once more: what there is to tell has been told */
};

enum {
    RETRACE_NOTES_MAX = 1000, /* of a session */
    RETRACE_THREADS_MAX = 1024,
    RETRACE_VERTICES_MAX = 1 << 26, /* of a draw, all instances together */
    RETRACE_PAD = 256,              /* zeros behind memory that goes to the driver */
};

/* session.c */

/* Tells of the call at hand. Always RETRACE_REFUSED. */
enum retrace_outcome retrace_refuse(struct retrace *retrace, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void retrace_note(struct retrace *retrace, enum problem_severity severity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* values.c */

/* `size` bytes until the next call, zero; NULL: there are not so many. */
void *retrace_scratch_take(struct retrace_scratch *scratch, uint64_t size);
void retrace_scratch_reset(struct retrace_scratch *scratch);
void retrace_scratch_clear(struct retrace_scratch *scratch);

/* Reads what the trace has of a call. 0 or -ENOMEM. */
int retrace_call_read(struct retrace *retrace, struct retrace_event *event,
                      struct retrace_binding *binding, struct retrace_call *call);

/* The integer that an argument is; of floats the nearest. */
int64_t retrace_integer(const struct retrace_call *call, unsigned n);
/* Element `n` of an argument's memory, of integers; 0 beyond its end. */
int64_t retrace_element(const struct retrace_call *call, unsigned argument, uint64_t n);
/* What the call returned in the trace. */
uint64_t retrace_result(const struct retrace_call *call);

/* dispatch.c */

/* The function's binding, made at its first call. NULL: no memory. */
struct retrace_binding *retrace_bind(struct retrace *retrace,
                                     const struct apitrace_function *function);
/* Does all that there is to do for a call that has been read. */
enum retrace_outcome retrace_run(struct retrace *retrace, struct retrace_call *call);
/* Elements that the driver takes for granted behind a pointer; UINT64_MAX: nobody knows. */
uint64_t retrace_needed(const struct retrace_call *call, const struct retrace_parameter *parameter);
/* Changes names, checks memory, makes the call. */
enum retrace_outcome retrace_make(struct retrace *retrace, struct retrace_call *call);

/* names.c */

/* What an old name is here; itself if it is not known. */
uint64_t retrace_name(const struct retrace *retrace, enum retrace_names space, uint64_t old);
void retrace_name_put(struct retrace *retrace, enum retrace_names space, uint64_t old,
                      uint64_t name);
void retrace_name_remove(struct retrace *retrace, enum retrace_names space, uint64_t old);
/* The numbers of a program, by its old name; NULL: none, or no memory to begin some. */
struct retrace_numbers *retrace_numbers(struct retrace *retrace, uint64_t program, bool begin);
void retrace_numbers_clear(struct retrace *retrace);
/* A uniform's location here. */
int64_t retrace_location(struct retrace *retrace, uint64_t program, int64_t old);
/* The program, by its old name, that calls of glUniform… are about. */
uint64_t retrace_program(const struct retrace *retrace);

/* rules.c, windows.c */

/* A function's rule: one with that name, or with the name less its vendor's letters. */
struct retrace_rule_row {
    const char *name;
    retrace_rule *rule;
    retrace_post_hook *post_hook;
    uint32_t detail;
};
const struct retrace_rule_row *retrace_rule_find(const char *name);
/* The rule of what leaves no trace in pictures. */
retrace_rule retrace_leave_out;
/* The rule of whatever swaps a drawable, which is the argument `detail`. */
retrace_rule retrace_swap;
extern const struct retrace_rule_row retrace_window_rules[];
extern const size_t retrace_window_rule_count;
extern const struct retrace_rule_row retrace_memory_rules[];
extern const size_t retrace_memory_rule_count;
extern const struct retrace_rule_row retrace_array_rules[];
extern const size_t retrace_array_rule_count;
extern const struct retrace_rule_row retrace_image_rules[];
extern const size_t retrace_image_rule_count;

/* contexts.c */

struct retrace_thread *retrace_thread(struct retrace *retrace, uint32_t number);
/* The context that the trace made; NULL: it cannot be had, and there is a note. */
struct retrace_context *retrace_context_create(struct retrace *retrace,
                                               const struct retrace_context_config *config);
struct retrace_context *retrace_context_find(struct retrace *retrace, uint64_t handle);
/*
 * A context that the trace makes current and has not made, as the rest of a longer trace does:
 * one of OpenGL, or OpenGL ES 2, that shares with what there is. NULL as above.
 */
struct retrace_context *retrace_context_assume(struct retrace *retrace, uint64_t handle, bool es);
void retrace_context_destroy(struct retrace *retrace, uint64_t handle);
/* Something to draw on, of the size that the daemon found, or else this one. */
struct retrace_surface *retrace_surface_create(struct retrace *retrace, uint64_t handle,
                                               uint32_t width, uint32_t height);
struct retrace_surface *retrace_surface_find(struct retrace *retrace, uint64_t handle);
void retrace_surface_destroy(struct retrace *retrace, uint64_t handle);
/* Makes these current in a thread of the trace; NULL: none. */
enum retrace_outcome retrace_make_current(struct retrace *retrace, struct retrace_thread *thread,
                                          struct retrace_context *context,
                                          struct retrace_surface *draw,
                                          struct retrace_surface *read);
/* Makes the thread's context that of the process; false: it has none, or it was lost. */
bool retrace_enter(struct retrace *retrace, struct retrace_thread *thread);
/* The context that calls go to. */
struct retrace_context *retrace_context(const struct retrace *retrace);
/* Whether its version, ten times the major one and the minor one, is so of OpenGL, or of OpenGL ES.
 */
bool retrace_is_new(const struct retrace_context *context, int desktop, int es);
void retrace_contexts_clear(struct retrace *retrace);
/*
 * Has the driver read what the thread, which is the current one, draws on, whatever it reads by the
 * trace's will; retrace_read_own() is called afterwards. False: that cannot be had.
 */
bool retrace_read_drawn(struct retrace *retrace, struct retrace_thread *thread);
void retrace_read_own(struct retrace *retrace, struct retrace_thread *thread);

/* memory.c */

/* The bytes from an address of the traced program on that are mapped here; NULL: none. */
uint8_t *retrace_mapped(const struct retrace *retrace, uint64_t address, uint64_t *length);
/* A number that the driver tells. */
GLint retrace_get(GLenum what);

/*
 * heap.c: memory of the program whose contents the stream brings, by malloc() and memcpy()
 * (worker.md 6.10). It lives as long as the session.
 */

/* The bytes of a block from an address on; NULL: none has it. */
uint8_t *retrace_heap_find(const struct retrace *retrace, uint64_t address, uint64_t *left);
/* Of a call that has been read: what its addresses in blocks point to takes their place. */
void retrace_heap_resolve(struct retrace *retrace, struct retrace_call *call);
void retrace_heap_clear(struct retrace *retrace);
retrace_rule retrace_heap_allocate;
serve_handler retrace_handle_memory;

/* images.c: bytes that glReadPixels() writes, as the pixel store has it; UINT64_MAX: unknown. */
uint64_t retrace_packed_bytes(const struct retrace_call *call);

/* budget.c */

/* Whether objects may take so much more; else the call at hand is refused, with a note. */
bool retrace_budget_fits(struct retrace *retrace, uint64_t more);
void retrace_budget_take(struct retrace *retrace, uint64_t bytes);
void retrace_budget_give(struct retrace *retrace, uint64_t bytes);
/* A context: whether there may be one more, which is counted then. */
bool retrace_budget_context(struct retrace *retrace);
void retrace_budget_context_ends(struct retrace *retrace);
/* What so many objects take by their being there. */
uint64_t retrace_budget_names(enum retrace_names space, uint64_t count);
/*
 * Before a call that gives an object (by its name here) memory in place of what it had: whether
 * it may. `image`: retrace_budget_image() of a texture, or RETRACE_ALL_IMAGES; else 0. What the
 * driver made of it is noted by retrace_budget_settle(), which is the call's post hook.
 */
bool retrace_budget_ask(struct retrace *retrace, enum retrace_names space, uint32_t name,
                        unsigned image, uint64_t bytes);
retrace_post_hook retrace_budget_settle;
enum { RETRACE_ALL_IMAGES = 127 };
unsigned retrace_budget_image(GLenum target, int64_t level);
/* Bytes of so many texels of an internal format. */
uint64_t retrace_budget_texels(GLenum format, uint64_t count);
/* An object, by its name here, is no more. */
void retrace_budget_forget(struct retrace *retrace, enum retrace_names space, uint32_t name);

/* arrays.c */

void retrace_arrays_clear(struct retrace_context *context);

/* Slots of arrays: fixed functions' from 0 on, and from these on. */
enum { RETRACE_SLOT_TEXTURES = 64, RETRACE_SLOT_NUMBERS = 128 };
/* The memory of the trace that an array of the bound vertex array object has. False: none. */
bool retrace_array_memory(const struct retrace_context *context, unsigned slot,
                          const uint8_t **bytes, uint64_t *size);

/* What a draw says of its vertices. */
struct retrace_vertices {
    int64_t mode, count, first, type, base, instances, first_instance;
    bool indexed;
    const struct retrace_argument *indices; /* memory, or an offset into the bound buffer */
};
/* False: it is none of glDrawArrays, glDrawElements and those that tell as much. */
bool retrace_draw_vertices(const struct retrace_call *call, struct retrace_vertices *out);
/* Whether a function's calls do. */
bool retrace_tells_vertices(const struct retrace_binding *binding);
/* Before a draw: whether it can be left out, as it will not be seen. */
bool retrace_can_skip_draw(struct retrace *retrace);
/* Before what cannot: tells the driver whether pixels of framebuffer 0 are wanted from here on. */
void retrace_discard_update(struct retrace *retrace);

/* reading.c: pixels are read, and the state of the trace's context is left as it was. */

enum { RETRACE_STORES = 8, RETRACE_TRANSFERS = 14 };

/* What is set otherwise while pixels are read. */
struct retrace_reading {
    GLint stores[RETRACE_STORES]; /* the pixel store */
    GLint framebuffer, buffer, read_buffer;
    GLfloat transfers[RETRACE_TRANSFERS]; /* what is done to pixels on their way */
};

/* Whether framebuffers for reading and buffers for packing are there. */
bool retrace_reads_apart(const struct retrace_context *context);
/*
 * From here on glReadPixels() reads that framebuffer, by its name here, into memory, row by row.
 * The context is current.
 */
void retrace_reading_begin(const struct retrace_context *context, GLuint framebuffer,
                           struct retrace_reading *saved);
/* glReadBuffer() meanwhile. */
void retrace_read_buffer(const struct retrace_context *context, GLenum buffer);
/* All as it was before; errors are forgotten. */
void retrace_reading_end(const struct retrace_context *context,
                         const struct retrace_reading *saved);

/*
 * blits.c: copies of our own between the framebuffers that are bound, which nothing that the trace
 * has set keeps from being made, and all of which is afterwards as it was. The context is current.
 */
struct retrace_rectangle {
    GLint x, y, width, height;
};
void retrace_blit(const struct retrace_context *context, const struct retrace_rectangle *from,
                  const struct retrace_rectangle *to, GLbitfield planes);

/* Clears the first colour of what is drawn on, but for what its mask leaves out, in the same way.
 */
void retrace_clear(const struct retrace_context *context, const GLfloat colour[4]);

/* Rendering is conditional from here on, by the trace's will. */
void retrace_condition_begin(struct retrace_context *context, GLuint query, GLenum mode);
/* It is not, for a while, if it was; true: then it is to be resumed. */
bool retrace_condition_suspend(const struct retrace_context *context);
void retrace_condition_resume(const struct retrace_context *context, bool suspended);

/*
 * pixel_watch.c: what calls do to a drawable, looked at behind each that may draw on it
 * (worker.md 6.8).
 */

/* How a function's calls may change what framebuffer 0 holds. */
enum retrace_paints {
    RETRACE_PAINTS_NOTHING,
    RETRACE_PAINTS_FRAGMENTS, /* of primitives */
    RETRACE_PAINTS_PIXELS,    /* colours, depths or stencil values that it brings or copies */
    RETRACE_PAINTS_CLEAR,     /* glClear() */
    RETRACE_PAINTS_BLIT,
    RETRACE_PAINTS_NAMED, /* a framebuffer that it names */
    RETRACE_PAINTS_BLIT_NAMED,
    RETRACE_PAINTS_LIST,  /* whatever is in a list; state, too */
    RETRACE_PAINTS_BEGIN, /* glBegin(): nothing yet, and nobody can look until glEnd() */
};
uint8_t retrace_watch_paints(const struct apitrace_function *function);

/* A call as it was made, to be made once more. */
struct retrace_repeat {
    const struct retrace_call *call;
    struct retrace_binding *binding;
    void **values;                             /* as libffi takes them */
    const struct retrace_recording *recording; /* what it ends, instead; NULL: none */
};

/* Before what libffi makes, in its midst. */
void retrace_watch_making(struct retrace *retrace, const struct retrace_call *call,
                          const struct retrace_repeat *repeat);
/* Before and behind such a call, if the feed watches; and at once behind what is made by libffi. */
void retrace_watch_before(struct retrace *retrace, const struct retrace_call *call);
void retrace_watch_made(struct retrace *retrace, const struct retrace_call *call,
                        const struct retrace_repeat *repeat);
void retrace_watch_after(struct retrace *retrace, const struct retrace_call *call);
/* The watch ends, if there is one. */
void retrace_watch_end(struct retrace *retrace);
serve_handler retrace_handle_watch, retrace_handle_watched;

/*
 * probe.c: what has become of the fragments that a draw had for a pixel which is as it was. The
 * draw is made again for that pixel alone, counting, with nothing written and tests left out.
 */

/* Whether draws of the context leave pixels, and at once. */
bool retrace_draws_pixels(const struct retrace_context *context);
/* Whether a function's calls, made with libffi once more, draw what they drew, and nothing else. */
bool retrace_can_repeat(const struct retrace *retrace, const struct retrace_binding *binding);
/* Whether that has no effect on anything that the trace can see. */
bool retrace_can_probe(const struct retrace *retrace, const struct retrace_call *call);
/* enum apitrace_pixel_outcome; APITRACE_PIXEL_OUTCOMES: it had none, or nobody can tell. */
uint32_t retrace_probe(const struct retrace *retrace, const struct retrace_repeat *repeat,
                       uint32_t x, uint32_t y);

/* samples.c */

/* A texture of several samples, by its name here, whose layer is read. */
struct retrace_resolved {
    GLuint name;
    GLint width, height, layer, layers;
    bool is_depth;
};

/* Its pixels, resolved, from the first row on, as the pixel store has it; false: they cannot be
 * had. What is bound for reading is none then. */
bool retrace_read_resolved(const struct retrace_resolved *texture, GLenum type, void *pixels);

/* pictures.c and session.c */

/* The thread that the call at hand, or the last one, draws in; NULL: none has a context. */
struct retrace_thread *retrace_drawing_thread(struct retrace *retrace);
/* draw_message.c */
serve_handler retrace_handle_draw_text, retrace_handle_draw_parts, retrace_handle_draw_part;
/* A format of depths and stencil values that a blit from the framebuffer for reading copies without
 * a change, and which of the two it has. */
GLenum retrace_depth_format(GLbitfield *planes);
/*
 * Depths of the framebuffer for reading, from below; OpenGL ES, which does not tell them, has them
 * copied to a texture. The pixel store is that of retrace_reading_begin(). False: there are none.
 */
bool retrace_read_depths(struct retrace *retrace, GLsizei width, GLsizei height, uint8_t *to);
/* A layer or face of a level of a texture, by its name here. */
struct retrace_texture_part {
    GLuint name;
    GLint level, layer;
};
/* Its depths, by a context that OpenGL ES shares with. */
bool retrace_texture_depths(struct retrace *retrace, const struct retrace_texture_part *texture,
                            GLsizei width, GLsizei height, uint8_t *to);
/* How large a level of a texture is, by its name here; the context stays current. */
bool retrace_texture_size(struct retrace *retrace, GLuint name, GLint level, GLint *width,
                          GLint *height);

serve_handler retrace_handle_picture, retrace_handle_texture;
extern const struct serve_kind retrace_kinds[];
/* Sorts what the daemon found, and whether a context is implicit is known. */
void retrace_sizes_sort(struct retrace *retrace);
/* The session; NULL: there is none. */
struct retrace *retrace_session(void);
/* Ends the session, if there is one. */
void retrace_end(void);

#endif
