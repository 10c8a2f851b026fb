/*
 * Inside of an OpenGL session (worker.md 6): what its parts share. A call comes out of
 * the stream as values, is looked up once for what it is done by, has its names and
 * addresses changed to those of this process, is checked, and is made. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_RETRACE_H
#define GPUDUMPFS_GLWORKER_RETRACE_H

#include "base/problems.h"
#include "glworker/graphics.h"
#include "glworker/retrace_functions.h"
#include "glworker/retrace_map.h"
#include "glworker/retrace_stream.h"
#include "glworker/serve.h"

#include <ffi.h>

struct retrace;
struct retrace_call;

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
typedef void retrace_sequel(struct retrace *retrace, struct retrace_call *call);

/* A function of the trace, and what it is done by; found out at its first call. */
struct retrace_binding {
    const struct apitrace_function *function;
    const struct retrace_function *gl; /* NULL: none of OpenGL's */
    retrace_rule *rule;                /* NULL: none */
    retrace_sequel *sequel;
    uint32_t detail;        /* of a rule that serves several functions */
    bool deletes;           /* names that go in are no more afterwards */
    int8_t location, owner; /* arguments: a uniform's location, its program (-1: the current) */
    void (*made)(void);     /* the driver's function */
    ffi_cif cif;
    ffi_type *types[RETRACE_ARGUMENTS_MOST];
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
    struct retrace_argument arguments[RETRACE_ARGUMENTS_MOST];
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
    uint64_t handle;
    void *surface;                   /* EGLSurface */
    uint32_t width, height, samples; /* samples 0: one */
    unsigned users;                  /* the table of handles, and threads where it is current */
};

/* A program's numbers that the driver may have given otherwise. */
struct retrace_numbers {
    struct retrace_map locations, blocks, storage, subroutines;
};

/* What a context is to be. */
struct retrace_wish {
    uint64_t handle, share;
    bool es, core, forward;
    unsigned major, minor;
};

struct retrace_context {
    uint64_t handle;
    void *context; /* EGLContext */
    struct retrace_context *next;
    unsigned users;           /* the list, and threads where it is current */
    struct retrace_wish wish; /* what it was made for */
    bool es;
    GLint major, minor;                      /* of what the driver gave */
    bool begun;                              /* it was current once */
    struct retrace_map names[RETRACE_NAMES]; /* of those that are its own */
    uint64_t program, pipeline;              /* current, as the trace names them */
    struct retrace_map pipeline_programs;
    uint64_t list_base;
    bool in_list, in_begin;
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
    bool effects;         /* draws do more than leave pixels: none is discarded */
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
    struct retrace_map programs; /* struct retrace_numbers by the program's old name */
    struct retrace_region *regions;
    uint32_t region_count, region_room;

    uint64_t old_program; /* of the call at hand: as the trace names it */

    struct message_writer notes;
    uint32_t note_count; /* in this message */
    uint32_t note_total;
    uint64_t note_call;
};

enum {
    RETRACE_NOTES_MOST = 1000, /* of a session */
    RETRACE_THREADS_MOST = 1024,
    RETRACE_PAD = 256, /* zeros behind memory that goes to the driver */
};

/* retrace.c */

/* Tells of the call at hand. Always RETRACE_REFUSED. */
enum retrace_outcome retrace_refuse(struct retrace *retrace, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void retrace_note(struct retrace *retrace, enum problem_severity severity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* retrace_values.c */

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

/* retrace_dispatch.c */

/* The function's binding, made at its first call. NULL: no memory. */
struct retrace_binding *retrace_bind(struct retrace *retrace,
                                     const struct apitrace_function *function);
/* Does all that there is to do for a call that has been read. */
enum retrace_outcome retrace_run(struct retrace *retrace, struct retrace_call *call);
/* Changes names, checks memory, makes the call. */
enum retrace_outcome retrace_make(struct retrace *retrace, struct retrace_call *call);

/* retrace_names.c */

/* What an old name is here; itself if nobody knows. */
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

/* retrace_rules.c, retrace_windows.c */

/* A function's rule: one with that name, or with the name less its vendor's letters. */
struct retrace_rule_row {
    const char *name;
    retrace_rule *rule;
    retrace_sequel *sequel;
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

/* retrace_contexts.c */

struct retrace_thread *retrace_thread(struct retrace *retrace, uint32_t number);
/* The context that the trace made; NULL: it cannot be had, and there is a note. */
struct retrace_context *retrace_context_create(struct retrace *retrace,
                                               const struct retrace_wish *wish);
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
void retrace_contexts_clear(struct retrace *retrace);

/* retrace_memory.c */

/* The bytes from an address of the traced program on that are mapped here; NULL: none. */
uint8_t *retrace_mapped(const struct retrace *retrace, uint64_t address, uint64_t *length);
/* A number that the driver tells. */
GLint retrace_get(GLenum what);

/* retrace_arrays.c */

void retrace_arrays_clear(struct retrace_context *context);
/* Before a draw: whether it can be left out, as nobody will see it. */
bool retrace_unseen(struct retrace *retrace);
/* Before what cannot: tells the driver whether pixels of framebuffer 0 are wanted from here on. */
void retrace_discard_update(struct retrace *retrace);

/* retrace_mipmaps.c */

/* Before an upload of pixels: holds the driver back from making mipmaps; false: no need to. */
bool retrace_mipmap_hold(const struct retrace *retrace, const struct retrace_call *call);
/* Behind one that was held, and made or refused: the same levels, without pixels. */
void retrace_mipmap_release(bool made, GLenum format, GLenum type);
/* The rule of glGenerateMipmap. */
retrace_rule retrace_mipmap_generate;

/* retrace_images.c */

/* Bytes from the first to the last that the driver reads for an image. UINT64_MAX: unknown. */
uint64_t retrace_image_bytes(GLenum format, GLenum type, uint64_t width, uint64_t height,
                             uint64_t depth);

/* retrace_pictures.c, and the handlers of messages */

int retrace_handle_reset(struct message_reader *request, struct serve_answer *answer);
int retrace_handle_feed(struct message_reader *request, struct serve_answer *answer);
int retrace_handle_picture(struct message_reader *request, struct serve_answer *answer);
int retrace_handle_texture(struct message_reader *request, struct serve_answer *answer);
/* Sorts what the daemon found, and whether a context is implicit is known. */
void retrace_sizes_sort(struct retrace *retrace);
/* The session; NULL: there is none. */
struct retrace *retrace_session(void);
/* Ends the session, if there is one. */
void retrace_end(void);

#endif
