/* SPDX-License-Identifier: MIT */
/*
 * What replayed OpenGL calls read: as many bytes as there are, and none beyond.
 */
#include "config.h"

#include "tests/worker/hostile_trace.h"

#include "tests/support/support.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void calls_that_would_read_too_far_are_refused(void **state)
{
    static const uint8_t bytes[64];
    static const uint8_t indices[] = {0, 1, 200};
    static const uint32_t far[] = {3, 1, 6, 0, 0, 3, 1, 6, 0}, indirect[] = {3, 1, 0, 0, 0};
    struct hostile_trace hostile;
    unsigned refused = 0;

    (void)state;
    hostile_trace_open(&hostile);
    say("glTexImage2D", "uuuuuuuub", 0xDE1, 0, 0x1908, 8, 8, 0, 0x1908, 0x1401, bytes, 64);
    say("glTexImage2D", "uuuuuuuuo", 0xDE1, 0, 0x1908, 8, 8, 0, 0x1908, 0x1401, 4096);
    say("glTexImage2D", "uuuuuuuun", 0xDE1, 0, 0x1908, 30000, 30000, 0, 0x1908, 0x1401);
    say("glBitmap", "uuffffb", 64, 64, 0.0, 0.0, 0.0, 0.0, bytes, 64);
    say("glPolygonStipple", "b", bytes, 64);
    say("glDrawPixels", "uuuub", 32, 32, 0x1908, 0x1401, bytes, 64);
    say("glLoadMatrixf", "b", bytes, 60);
    say("glCallLists", "uub", 65, 0x1401, bytes, 64);
    say("glMap1f", "uffuub", 0xD97, 0.0, 1.0, 3, 200, bytes, 64);
    say("glGenTextures", "un", 1 << 30);
    refused += 10;
    say("glEnableClientState", "u", 0x8074);
    say("glVertexPointer", "uuub", 2, 0x1406, 0, bytes, 64);
    say("glDrawArrays", "uuu", 4, 0, 9);
    say("glDrawArrays", "uuu", 4, -1, 3);
    say("glDrawArrays", "uuu", 4, 0x7FFFFFF0, 0x7FFFFFF0);
    say("glDrawArraysInstanced", "uuuu", 4, 0, 3, 0x3FFFFFFF);
    say("glDrawElements", "uuub", 4, 3, 0x1401, indices, 3);
    say("glDrawElements", "uuub", 4, 4, 0x1401, indices, 3);
    say("glDrawElements", "uuuo", 4, 3, 0x1401, 4096);
    say("glDrawArraysIndirect", "ub", 4, far, 16);
    say("glMultiDrawArraysIndirect", "ubuu", 4, far, 36, 2, 20);
    say("glDrawElementsIndirect", "uub", 4, 0x1401, indirect, 20); /* no buffer of indices */
    refused += 10;
    say("glEnableVertexAttribArray", "u", 3);
    say("glVertexAttribPointer", "uuuuub", 3, 2, 0x1406, 0, 0, bytes, 16);
    say("glVertexAttribDivisor", "uu", 3, 1);
    say("glDrawArraysInstancedBaseInstance", "uuuuu", 4, 0, 3, 2, 1);
    say("glDrawElementsInstancedBaseInstance", "uuubuu", 4, 2, 0x1401, indices, 2, 2, 1);
    say("glDrawElementsInstancedBaseVertexBaseInstance", "uuubuuu", 4, 2, 0x1401, indices, 2, 1, 7,
        0);
    say("glDrawElementsBaseVertex", "uuubu", 4, 2, 0x1401, indices, 2, -1);
    refused += 4;
    say("glVertexPointer", "uuuo", 2, 0x1406, 0, 4096); /* noted, and no draw may read it */
    say("glDrawArrays", "uuu", 4, 0, 1);
    say("glUniform4fv", "uub", 0, 5, bytes, 64);
    say("glShaderSource", "uusn", 1, 2, "void main() {}");
    refused += 3;
    /*
     * Calls whose length the captured program computed, and calls with arguments in another form.
     */
    say("glDrawTransformFeedback", "uu", 4, 1);
    say("glMultiModeDrawArraysIBM", "bbbuu", bytes, 4, bytes, 8, bytes, 8, 2, 4);
    say("glMultiModeDrawElementsIBM", "bbusuu", bytes, 4, bytes, 8, 0x1401, "abc", 1, -4);
    say("glMultiModeDrawElementsIBM", "bbusuu", bytes, 4, far, 4, 0x1401, "ab", 1, 4);
    refused += 4;
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(hostile.played.progress.skipped, refused);
    assert_int_equal(playing.notes, refused + 1);
    hostile_trace_assert_colour(0, 255, 0);
    assert_int_equal(worker_starts(playing.worker), 1);
    hostile_trace_close(&hostile);
}

/* Bytes in place of a list of pointers are not used as pointers. */
static void bytes_are_no_pointers(void **state)
{
    static const uint8_t bytes[64] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    static const int32_t counts[] = {3, 3};
    struct hostile_trace hostile;
    unsigned refused = 0;

    (void)state;
    hostile_trace_open(&hostile);
    say("glMultiDrawElements", "ububu", 4, counts, 8, 0x1401, bytes, 64, 1);
    say("glMultiDrawElements", "ubusu", 4, counts, 8, 0x1401, "abc", 2);
    say("glMultiDrawElementsBaseVertex", "ububub", 4, counts, 8, 0x1401, bytes, 64, 2, counts, 8);
    say("glShaderSource", "uubn", 1, 1, bytes, 64);
    say("glTransformFeedbackVaryings", "uubu", 1, 2, bytes, 64, 0x8C8C);
    say("glCreateShaderProgramv", "uub", 0x8B31, 1, bytes, 64);
    refused += 6;
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(hostile.played.progress.skipped, refused);
    assert_int_equal(playing.notes, refused);
    hostile_trace_assert_colour(0, 255, 0);
    assert_int_equal(worker_starts(playing.worker), 1);
    hostile_trace_close(&hostile);
}

/* Calls that read exactly as much as there is are made. */
static void calls_that_read_just_enough_are_made(void **state)
{
    static const float vertices[] = {-1, -1, 3, -1, -1, 3};
    static const uint8_t indices[] = {0, 1, 2}, row[4 * 3] = {255, 0, 0, 255, 0, 0};
    struct hostile_trace hostile;

    (void)state;
    hostile_trace_open(&hostile);
    say("glEnableClientState", "u", 0x8074);
    say("glVertexPointer", "uuub", 2, 0x1406, 8, vertices, (int)sizeof(vertices));
    say("glColor3f", "fff", 0.0, 0.0, 1.0);
    say("glDrawElements", "uuub", 4, 3, 0x1401, indices, 3);
    say("glEnableVertexAttribArray", "u", 3);
    say("glVertexAttribPointer", "uuuuub", 3, 2, 0x1406, 0, 0, vertices, 16);
    say("glVertexAttribDivisor", "uu", 3, 1);
    say("glDrawArraysInstancedBaseInstance", "uuuuu", 4, 0, 3, 1, 1);
    say("glTexImage2D", "uuuuuuuub", 0xDE1, 0, 0x1907, 1, 3, 0, 0x1907, 0x1401, row, 11);
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(playing.notes, 0);
    assert_int_equal(hostile.played.progress.skipped, 0);
    hostile_trace_assert_colour(0, 0, 255);
    hostile_trace_close(&hostile);
}

enum { ARRAY_BUFFER = 0x8892, RGBA8 = 0x8058, VERTEX_ARRAY = 0x8074 };
enum { CLIENT_VERTEX_ARRAYS = 2 /* of glPushClientAttrib() */ };
enum { SLOTS = 64 /* the number of arrays of one kind that the worker keeps */ };

/*
 * Pointers whose lengths the registry lacks (lengths.tsv): of functions that get objects by name or
 * by texture unit.
 */
static void lengths_that_the_registry_lacks(void **state)
{
    enum { ARRAYS = 7, BLOCK = 8 /* bytes of 4x4 pixels */, DXT1 = 0x83F0 };
    static const float far[] = {-1, -1, -1, -1, -1, -1}, vertices[] = {-1, -1, 3, -1, -1, 3};
    static const uint8_t bytes[64];
    const int size = (int)sizeof(vertices);
    struct hostile_trace hostile;

    (void)state;
    hostile_trace_open(&hostile);
    say("glNamedBufferDataEXT", "uubu", ARRAYS, size, far, size, 0x88E4);
    say("glNamedBufferData", "uunu", ARRAYS, size, 0x88E4);
    say("glNamedBufferSubDataEXT", "uuub", ARRAYS, 0, 8, vertices, 8);
    say("glNamedBufferSubData", "uuub", ARRAYS, 8, size - 8, vertices + 2, size - 8);
    say("glNamedBufferSubData", "uuub", ARRAYS, 0, 64, bytes, 60);   /* refused */
    say("glNamedBufferData", "uubu", ARRAYS, 64, bytes, 60, 0x88E4); /* refused */
    say("glMultiTexImage2DEXT", "uuuuuuuuub", 0x84C1, 0xDE1, 0, RGBA8, 4, 4, 0, 0x1908, 0x1401,
        bytes, 64);
    say("glMultiTexSubImage2DEXT", "uuuuuuuuub", 0x84C1, 0xDE1, 0, 0, 0, 4, 4, 0x1908, 0x1401,
        bytes, 64);
    say("glMultiTexSubImage2DEXT", "uuuuuuuuub", 0x84C1, 0xDE1, 0, 0, 0, 4, 4, 0x1908, 0x1401,
        bytes, 63); /* refused */
    say("glTextureStorage2DEXT", "uuuuuu", 9, 0xDE1, 1, DXT1, 4, 4);
    say("glCompressedTextureSubImage2D", "uuuuuuuub", 9, 0, 0, 0, 4, 4, DXT1, BLOCK, bytes, BLOCK);
    say("glCompressedTextureSubImage2D", "uuuuuuuub", 9, 0, 0, 0, 4, 4, DXT1, BLOCK, bytes,
        BLOCK - 1); /* refused */
    say("glMultiTexCoordPointerEXT", "uuuub", 0x84C1, 2, 0x1406, 0, vertices, size);
    say("glBindBuffer", "uu", ARRAY_BUFFER, ARRAYS);
    say("glEnableClientState", "u", 0x8074);
    say("glVertexPointer", "uuuo", 2, 0x1406, 8, 0);
    say("glColor3f", "fff", 0.0, 0.0, 1.0);
    say("glDrawArrays", "uuu", 4, 0, 3);
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(hostile.played.progress.skipped, 4);
    assert_int_equal(playing.notes, 4);
    hostile_trace_assert_colour(0, 0, 255);
    hostile_trace_close(&hostile);
}

/* Lists that may be null, and strings whose list of lengths may be null. */
static void what_may_be_null(void **state)
{
    struct hostile_trace hostile;

    (void)state;
    hostile_trace_open(&hostile);
    say("glBindTextures", "uun", 0, 2);
    say("glBindVertexBuffers", "uunnn", 0, 2);
    say("glCompileShaderIncludeARB", "uusn", 1, 1, "/");
    say("glDrawPixels", "uuuun", 32, 32, 0x1908, 0x1401);
    say("glDrawPixels", "uuuun", 32, 32, 0x1903, 0x8032); /* an error */
    say("glTexImage2D", "uuuuuuuun", 0xDE1, 0, RGBA8, 8, 8, 0, 0x1908, 0x1401);
    say("glTexSubImage2D", "uuuuuuuun", 0xDE1, 0, 0, 0, 8, 8, 0x1908, 0x1401);
    say("glTexSubImage2D", "uuuuuuuun", 0xDE1, 0, 0, 0, 8, 8, 0x1907, 0x8363);
    /* A proxy texture: too large for an image, it only queries the driver. */
    say("glTexImage2D", "uuuuuuuun", 0x8064, 0, RGBA8, 30000, 30000, 0, 0x1908, 0x1401);
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(playing.notes, 0);
    hostile_trace_assert_colour(0, 255, 0);
    assert_int_equal(worker_starts(playing.worker), 1);
    hostile_trace_close(&hostile);
}

/* Memory of the captured program at its addresses: calls see as much as there is. */
static void addresses_in_blocks_reach_to_their_end(void **state)
{
    enum { BLOCK = 0x100000, SIZE = 256, VERTICES = BLOCK + SIZE - 24, PIXELS = 8 };
    static const float vertices[] = {-1, -1, 3, -1, -1, 3};
    struct hostile_trace hostile;
    struct blob *memory;

    (void)state;
    hostile_trace_open(&hostile);
    say("malloc", "u=o", SIZE, BLOCK);
    say("malloc", "u=o", 1 << 30, BLOCK + SIZE); /* refused */
    say("memcpy", "obu", VERTICES, vertices, 24, 24);
    say("glReadPixels", "uuuuuuo", 0, 0, PIXELS, PIXELS, 0x1908, 0x1401, BLOCK);
    say("glReadPixels", "uuuuuuo", 0, 0, PIXELS, PIXELS, 0x1908, 0x1401, BLOCK + 1); /* refused */
    say("glReadPixels", "uuuuuuo", 0, 0, 32, 32, 0x1908, 0x1401, BLOCK);             /* refused */
    say("glLoadMatrixf", "o", BLOCK + SIZE - 60);                                    /* refused */
    say("glShaderSource", "uuon", 1, 2, BLOCK + SIZE - 4);                           /* refused */
    say("glTexImage2D", "uuuuuuuuo", 0xDE1, 0, 0x1908, 8, 8, 0, 0x1908, 0x1401,
        BLOCK + 4);                                                /* refused */
    say("glDrawElements", "uuuo", 4, 2, 0x1401, BLOCK + SIZE - 1); /* refused */
    say("glDrawElements", "uuuo", 4, 1, 0x1401, BLOCK + SIZE);     /* refused */
    say("memcpy", "obu", VERTICES, vertices, 24, 24);
    say("glEnableClientState", "u", 0x8074);
    say("glVertexPointer", "uuuo", 2, 0x1406, 0, VERTICES);
    say("glColor3f", "fff", 0.0, 0.0, 1.0);
    say("glDrawArrays", "uuu", 4, 0, 4); /* refused */
    say("glDrawArrays", "uuu", 4, 0, 3);
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(playing.notes, 9);
    hostile_trace_assert_colour(0, 0, 255);
    assert_int_equal(apitrace_session_memory(playing.session, BLOCK, SIZE, NULL, &memory), 0);
    for (size_t n = 0; n < SIZE - 24; n += 4)
        assert_memory_equal(memory->data + n, ((const uint8_t[]){0, 255, 0, 255}), 4);
    blob_unref(&memory);
    assert_int_equal(apitrace_session_memory(playing.session, BLOCK + 1, SIZE, NULL, &memory),
                     -ENOENT);
    assert_int_equal(worker_starts(playing.worker), 1);
    hostile_trace_close(&hostile);
}

/*
 * free() is not traced: malloc() may return an address again, for memory that is zero and has a
 * size of its own.
 */
static void blocks_give_way_to_later_ones(void **state)
{
    enum { BLOCK = 0x100000, BEFORE = 24, SIZE = 256, LATE = BLOCK + SIZE - 24 };
    static const float vertices[] = {-1, -1, 3, -1, -1, 3};
    static const uint8_t zeros[SIZE - 24];
    struct hostile_trace hostile;
    struct blob *memory;

    (void)state;
    hostile_trace_open(&hostile);
    say("malloc", "u=o", BEFORE, BLOCK);
    say("memcpy", "obu", BLOCK, vertices, BEFORE, BEFORE);
    say("malloc", "u=o", SIZE, BLOCK);
    say("memcpy", "obu", LATE, vertices, 24, 24);
    say("glEnableClientState", "u", 0x8074);
    say("glVertexPointer", "uuuo", 2, 0x1406, 0, LATE);
    say("glColor3f", "fff", 0.0, 0.0, 1.0);
    say("glDrawArrays", "uuu", 4, 0, 3);
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(playing.notes, 0);
    hostile_trace_assert_colour(0, 0, 255);
    assert_int_equal(apitrace_session_memory(playing.session, BLOCK, SIZE - 24, NULL, &memory), 0);
    assert_memory_equal(memory->data, zeros, sizeof(zeros));
    blob_unref(&memory);
    hostile_trace_close(&hostile);
}

/*
 * When a pointer to the same memory is set again, the address does not show whether the driver
 * accepted it.
 */
static void a_pointer_said_again_has_the_last_layout(void **state)
{
    enum { BLOCK = 0x100000, SIZE = 256, NUMBER = 3 };
    static const float vertices[] = {-1, -1, 3, -1, -1, 3};
    struct hostile_trace hostile;

    (void)state;
    hostile_trace_open(&hostile);
    say("malloc", "u=o", SIZE, BLOCK);
    say("memcpy", "obu", BLOCK, vertices, 24, 24);
    say("glEnableClientState", "u", 0x8074);
    say("glColor3f", "fff", 0.0, 0.0, 1.0);
    say("glVertexPointer", "uuuo", 2, 0x1406, 8, BLOCK);
    say("glVertexPointer", "uuuo", 4, 0x1406, 64, BLOCK);
    say("glDrawArrays", "uuu", 0, 0, 5); /* refused */
    say("glVertexPointer", "uuuo", 2, 0x1406, 8, BLOCK);
    say("glDrawArrays", "uuu", 0, 3, 29);
    say("glVertexPointer", "uuuo", 2, 0x1406, -8, BLOCK); /* refused */
    say("glVertexPointer", "uuuo", 9, 0x1406, 64, BLOCK); /* the driver refuses it */
    say("glDrawArrays", "uuu", 4, 0, 3);
    say("glEnableVertexAttribArray", "u", NUMBER);
    say("glVertexAttribPointer", "uuuuuo", NUMBER, 2, 0x1406, 0, 8, BLOCK);
    say("glVertexAttribPointer", "uuuuuo", NUMBER, 4, 0x1406, 0, 64, BLOCK);
    say("glColor3f", "fff", 1.0, 0.0, 0.0);
    say("glDrawArrays", "uuu", 4, 0, 6); /* refused */
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(playing.notes, 3);
    assert_int_equal(hostile.played.progress.skipped, 3);
    hostile_trace_assert_colour(0, 0, 255);
    hostile_trace_close(&hostile);
}

/* Each of several draws has its own mode. */
static void draws_may_have_modes_of_their_own(void **state)
{
    static const float vertices[] = {-1, -1, 3, -1, -1, 3};
    static const uint32_t modes[] = {0, 4}, first[] = {0, 0}, counts[] = {0, 3};
    struct hostile_trace hostile;

    (void)state;
    hostile_trace_open(&hostile);
    say("glEnableClientState", "u", 0x8074);
    say("glVertexPointer", "uuub", 2, 0x1406, 8, vertices, (int)sizeof(vertices));
    say("glColor3f", "fff", 0.0, 0.0, 1.0);
    say("glMultiModeDrawArraysIBM", "bbbuu", modes, 8, first, 8, counts, 8, 2, 4);
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(playing.notes, 0);
    hostile_trace_assert_colour(0, 0, 255);
    hostile_trace_close(&hostile);
}

/* … and its own indices. */
static void indexed_draws_may_have_modes_of_their_own(void **state)
{
    static const float vertices[] = {0, 0, -1, -1, 3, -1, -1, 3};
    static const uint32_t modes[] = {4}, counts[] = {3}, more[] = {4};
    struct hostile_trace hostile;

    (void)state;
    hostile_trace_open(&hostile);
    say("glEnableClientState", "u", 0x8074);
    say("glVertexPointer", "uuub", 2, 0x1406, 8, vertices, (int)sizeof(vertices));
    say("glColor3f", "fff", 0.0, 0.0, 1.0);
    say("glMultiModeDrawElementsIBM", "bbusuu", modes, 4, counts, 4, 0x1401, "\1\2\3", 1, 4);
    say("glColor3f", "fff", 1.0, 0.0, 0.0);
    say("glMultiModeDrawElementsIBM", "bbusuu", modes, 4, more, 4, 0x1401, "\1\2\3", 1, 4);
    say("glMultiModeDrawElementsIBM", "bbusuu", modes, 4, counts, 4, 0x1401, "\1\2\4", 1, 4);
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(playing.notes, 2);
    assert_int_equal(hostile.played.progress.skipped, 2);
    hostile_trace_assert_colour(0, 0, 255);
    hostile_trace_close(&hostile);
}

/* A pointer to memory that the trace does not have is noted, but set all the same. */
static void vertices_that_the_trace_lacks_are_told(void **state)
{
    static const float vertices[] = {-1, -1, 3, -1, -1, 3};
    struct hostile_trace hostile;

    (void)state;
    hostile_trace_open(&hostile);
    say("glEnableClientState", "u", 0x8074);
    say("glVertexPointer", "uuub", 2, 0x1406, 8, vertices, (int)sizeof(vertices));
    say("glMultiTexCoordPointerEXT", "uuuuo", 0x84C1, 2, 0x1404, 4, 4096);
    say("glColor3f", "fff", 0.0, 0.0, 1.0);
    say("glDrawArrays", "uuu", 4, 0, 3);
    say("glColor3f", "fff", 1.0, 0.0, 0.0);
    say("glClientActiveTexture", "u", 0x84C1);
    say("glEnableClientState", "u", 0x8078);
    say("glDrawArrays", "uuu", 4, 0, 3); /* reads from it */
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(playing.notes, 2);
    assert_int_equal(hostile.played.progress.skipped, 1);
    hostile_trace_assert_colour(0, 0, 255);
    hostile_trace_close(&hostile);
}

/*
 * Indirect draws whose parameters and indices are in buffers or in memory, with vertices in memory.
 */
static void indirect_draws_read_vertices_in_memory(void **state)
{
    static const float vertices[] = {-1, -1, 3, -1, -1, 3};
    static const uint32_t numbers[] = {3, 1, 0, 0, 0, 3, 1, 1, 0, 0};
    static const uint8_t indices[] = {0, 1, 2, 1};
    struct hostile_trace hostile;

    (void)state;
    hostile_trace_open(&hostile);
    say("glEnableClientState", "u", 0x8074);
    say("glVertexPointer", "uuub", 2, 0x1406, 8, vertices, (int)sizeof(vertices));
    say("glColor3f", "fff", 1.0, 0.0, 0.0);
    say("glDrawArraysIndirect", "ub", 4, numbers, 16);
    say("glBindBuffer", "uu", 0x8893, 3);
    say("glBufferData", "uubu", 0x8893, (int)sizeof(indices), indices, (int)sizeof(indices),
        0x88E4);
    say("glBindBuffer", "uu", 0x8F3F, 4);
    say("glBufferData", "uubu", 0x8F3F, 40, numbers, 40, 0x88E4);
    say("glMultiDrawElementsIndirect", "uuouu", 4, 0x1401, 20, 1, 0);
    say("glColor3f", "fff", 0.0, 0.0, 1.0);
    say("glDrawElementsIndirect", "uun", 4, 0x1401);
    say("glDrawElementsIndirect", "uuo", 4, 0x1401, 24); /* beyond the buffer */
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(playing.notes, 1);
    assert_int_equal(hostile.played.progress.skipped, 1);
    hostile_trace_assert_colour(0, 0, 255);
    hostile_trace_close(&hostile);
}

/* Vertices of a program that restores its pointers after it has used others. */
static void pointers_that_were_pushed_come_back(void **state)
{
    static const float vertices[] = {-1, -1, 3, -1, -1, 3}, none[24];
    struct hostile_trace hostile;

    (void)state;
    hostile_trace_open(&hostile);
    say("glEnableClientState", "u", VERTEX_ARRAY);
    say("glVertexPointer", "uuub", 2, 0x1406, 0, vertices, (int)sizeof(vertices));
    say("glPushClientAttrib", "u", CLIENT_VERTEX_ARRAYS);
    for (int n = 0; n < 4; n++) /* they may be where the first ones were */
        say("glVertexPointer", "uuub", 2, 0x1406, 0, none, (int)sizeof(vertices));
    say("glPushClientAttrib", "u", CLIENT_VERTEX_ARRAYS);
    say("glVertexPointer", "uuub", 2, 0x1406, 0, none, (int)sizeof(none));
    say("glPopClientAttrib", "");
    say("glPopClientAttrib", "");
    say("glPopClientAttrib", ""); /* there is none left */
    say("glColor3f", "fff", 0.0, 0.0, 1.0);
    say("glDrawArrays", "uuu", 4, 0, 3);
    say("glDrawArrays", "uuu", 4, 0, 4); /* refused */
    say("glPushClientAttrib", "u", CLIENT_VERTEX_ARRAYS);
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(hostile.played.progress.skipped, 1);
    assert_int_equal(playing.notes, 1);
    hostile_trace_assert_colour(0, 0, 255);
    hostile_trace_close(&hostile);
}

/* A list may contain glBegin() without glEnd(): outside of the list, no primitive has begun. */
static void a_list_that_begins_leaves_pointers_alone(void **state)
{
    static const float vertices[] = {-1, -1, 3, -1, -1, 3};
    struct hostile_trace hostile;

    (void)state;
    hostile_trace_open(&hostile);
    say("glEnableClientState", "u", VERTEX_ARRAY);
    say("glNewList", "uu", 1, 0x1300);
    say("glBegin", "u", 4);
    say("glEndList", "");
    say("glVertexPointer", "uuub", 2, 0x1406, 0, vertices, (int)sizeof(vertices));
    say("glColor3f", "fff", 0.0, 0.0, 1.0);
    say("glDrawArrays", "uuu", 4, 0, 3);
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(hostile.played.progress.skipped, 0);
    hostile_trace_assert_colour(0, 0, 255);
    hostile_trace_close(&hostile);
}

/*
 * If the driver rejects a pointer, it goes on reading the previous array, so that array must be
 * kept, too.
 */
static void pointers_that_are_no_good_take_no_place(void **state)
{
    static const float vertices[] = {-1, -1, 3, -1, -1, 3}, none[64];
    struct hostile_trace hostile;

    (void)state;
    hostile_trace_open(&hostile);
    say("glEnableClientState", "u", VERTEX_ARRAY);
    say("glVertexPointer", "uuub", 2, 0x1406, 0, vertices, (int)sizeof(vertices));
    say("glVertexPointer", "uuub", 9, 0x1406, 0, none, (int)sizeof(none));
    for (int n = 1; n < 5; n++)
        say("glVertexAttribPointer", "uuuuub", n, 2, 0x1406, 0, 0, none, (int)sizeof(vertices));
    say("glBegin", "u", 4);
    say("glVertexPointer", "uuub", 2, 0x1406, 0, none, (int)sizeof(none)); /* refused */
    say("glEnd", "");
    say("glColor3f", "fff", 0.0, 0.0, 1.0);
    say("glDrawArrays", "uuu", 4, 0, 3);
    say("glDrawArrays", "uuu", 4, 0, 4); /* refused */
    say("glEnableVertexAttribArray", "u", 5);
    say("glVertexAttribPointer", "uuuuub", 5, 2, 0x1406, 0, 0, vertices, (int)sizeof(vertices));
    say("glVertexAttribPointer", "uuuuub", 5 + SLOTS, 2, 0x1406, 0, 0, none, (int)sizeof(none));
    say("glBindBuffer", "uu", ARRAY_BUFFER, 1);
    say("glVertexAttribPointer", "uuuuuo", 5, 9, 0x1406, 0, 0, 0);
    say("glDisableClientState", "u", VERTEX_ARRAY);
    say("glDrawArrays", "uuu", 4, 0, 4); /* refused */
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(hostile.played.progress.skipped, 3);
    assert_int_equal(playing.notes, 3);
    hostile_trace_assert_colour(0, 0, 255);
    hostile_trace_close(&hostile);
}

/*
 * Attributes in memory that take their stride from another attribute's binding, or have another
 * format.
 */
static void attributes_in_memory_are_read_as_their_pointers_say(void **state)
{
    static const float vertices[] = {-1, -1, 3, -1, -1, 3};
    static const uint8_t many[1 << 18];
    struct hostile_trace hostile;

    (void)state;
    hostile_trace_open(&hostile);
    say("glEnableVertexAttribArray", "u", 0);
    say("glVertexAttribPointer", "uuuuub", 3, 1, 0x1406, 0, 2048, many, (int)sizeof(many));
    say("glVertexAttribPointer", "uuuuub", 0, 1, 0x1406, 0, 4, many, (int)sizeof(many));
    say("glVertexAttribBinding", "uu", 0, 3);
    say("glDrawArrays", "uuu", 4, 0, 65535); /* refused */
    say("glVertexAttribPointer", "uuuuub", 0, 1, 0x1406, 0, 4, many, (int)sizeof(many));
    say("glBindVertexBuffer", "uuuu", 0, 0, 0, 2048);
    say("glDrawArrays", "uuu", 4, 0, 65535); /* refused */
    say("glVertexAttribPointer", "uuuuub", 0, 1, 0x1406, 0, 4, many, (int)sizeof(many));
    say("glVertexAttribFormat", "uuuuu", 0, 1, 0x1406, 0, 2040);
    say("glDrawArrays", "uuu", 4, 0, 65535); /* refused */
    say("glVertexAttribPointer", "uuuuub", 0, 1, 0x1406, 0, 4, many, (int)sizeof(many));
    say("glVertexAttribFormat", "uuuuu", 0, 4, 0x1406, 0, 0);
    say("glDrawArrays", "uuu", 4, 0, 65535); /* refused */
    say("glColor3f", "fff", 0.0, 0.0, 1.0);
    say("glVertexAttribPointer", "uuuuub", 0, 2, 0x1406, 0, 8, vertices, (int)sizeof(vertices));
    say("glDrawArrays", "uuu", 4, 0, 3);
    /* A buffer replaces the array that was in memory. */
    say("glColor3f", "fff", 1.0, 0.0, 0.0);
    say("glVertexAttribPointer", "uuuuub", 0, 2, 0x1406, 0, 8, vertices, 8);
    say("glBindBuffer", "uu", ARRAY_BUFFER, 1);
    say("glBufferData", "uubu", ARRAY_BUFFER, (int)sizeof(vertices), vertices,
        (int)sizeof(vertices), 0x88E4);
    say("glBindVertexBuffer", "uuuu", 0, 1, 0, 8);
    say("glDrawArrays", "uuu", 4, 0, 3);
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(hostile.played.progress.skipped, 4);
    assert_int_equal(playing.notes, 4);
    hostile_trace_assert_colour(255, 0, 0);
    assert_int_equal(worker_starts(playing.worker), 1);
    hostile_trace_close(&hostile);
}

/*
 * When a buffer is deleted or unbound, its offset remains, which the driver then takes for an
 * address: no draw may read there.
 */
static void draw_from_no_buffer(void (*say_pointer)(int offset), void (*say_loss)(void))
{
    static const float vertices[] = {9, 9, -1, -1, 3, -1, -1, 3};
    static const uint32_t seventh = 7;
    struct hostile_trace hostile;

    hostile_trace_open(&hostile);
    say("glGenVertexArrays", "ub", 1, &seventh, 4);
    say("glBindVertexArray", "u", 7);
    say("glBindBuffer", "uu", ARRAY_BUFFER, 1);
    say("glBufferData", "uubu", ARRAY_BUFFER, (int)sizeof(vertices), vertices,
        (int)sizeof(vertices), 0x88E4);
    say("glColor3f", "fff", 0.0, 0.0, 1.0);
    say_pointer(8);
    say("glDrawArrays", "uuu", 4, 0, 3);
    say_loss();
    say("glColor3f", "fff", 1.0, 0.0, 0.0);
    say("glDrawArrays", "uuu", 4, 0, 3); /* refused */
    say("glBegin", "u", 0);
    say("glArrayElement", "u", 0); /* refused */
    say("glEnd", "");
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(hostile.played.progress.skipped, 2);
    assert_int_equal(playing.notes, 2);
    hostile_trace_assert_colour(0, 0, 255);
    assert_int_equal(worker_starts(playing.worker), 1);
    hostile_trace_close(&hostile);
}

static void say_vertices(int offset)
{
    say("glEnableClientState", "u", VERTEX_ARRAY);
    say("glVertexPointer", "uuuo", 2, 0x1406, 8, offset);
}

static void say_attribute(int offset)
{
    say("glEnableVertexAttribArray", "u", 0);
    say("glVertexAttribPointer", "uuuuuo", 0, 2, 0x1406, 0, 8, offset);
}

static void say_deletion(void)
{
    static const uint32_t first = 1;

    say("glDeleteBuffers", "ub", 1, &first, 4);
}

static void say_no_binding(void)
{
    say("glBindVertexBuffer", "uuuu", 0, 0, 0, 8);
}

static void say_no_buffer(void)
{
    say("glVertexArrayVertexAttribOffsetEXT", "uuuuuuuu", 7, 0, 0, 2, 0x1406, 0, 8, 4096);
}

static void offsets_into_no_buffer_are_no_addresses(void **state)
{
    (void)state;
    draw_from_no_buffer(say_vertices, say_deletion);
    draw_from_no_buffer(say_attribute, say_deletion);
    draw_from_no_buffer(say_attribute, say_no_binding);
    draw_from_no_buffer(say_attribute, say_no_buffer);
}

/*
 * An attribute that no program reads does not prevent a draw; and a matrix has several attributes.
 */
static void offsets_that_no_program_reads_do_no_harm(void **state)
{
    static const char source[] = "attribute mat2 moved; void main() { gl_FrontColor = gl_Color;"
                                 "gl_Position = gl_Vertex + vec4(moved[1], 0.0, 0.0); }";
    static const float vertices[] = {-1, -1, 3, -1, -1, 3};
    static const uint32_t first = 1;
    struct hostile_trace hostile;

    (void)state;
    hostile_trace_open(&hostile);
    say("glCreateShader", "u=u", 0x8B31, 2);
    say("glShaderSource", "uusn", 2, 1, source);
    say("glCompileShader", "u", 2);
    say("glCreateProgram", "=u", 3);
    say("glAttachShader", "uu", 3, 2);
    say("glBindAttribLocation", "uub", 3, 4, "moved", 6);
    say("glLinkProgram", "u", 3);
    say("glUseProgram", "u", 3);
    say("glEnableClientState", "u", VERTEX_ARRAY);
    say("glVertexPointer", "uuub", 2, 0x1406, 0, vertices, (int)sizeof(vertices));
    say("glBindBuffer", "uu", ARRAY_BUFFER, 1);
    say("glBufferData", "uubu", ARRAY_BUFFER, (int)sizeof(vertices), vertices,
        (int)sizeof(vertices), 0x88E4);
    for (int n = 5; n < 7; n++)
        say("glVertexAttribPointer", "uuuuuo", n, 2, 0x1406, 0, 0, 8);
    say("glDeleteBuffers", "ub", 1, &first, 4);
    say("glColor3f", "fff", 0.0, 0.0, 1.0);
    say("glEnableVertexAttribArray", "u", 6);
    say("glDrawArrays", "uuu", 4, 0, 3);
    say("glColor3f", "fff", 1.0, 0.0, 0.0);
    say("glEnableVertexAttribArray", "u", 5);
    say("glDrawArrays", "uuu", 4, 0, 3); /* refused */
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(hostile.played.progress.skipped, 1);
    assert_int_equal(playing.notes, 1);
    hostile_trace_assert_colour(0, 0, 255);
    hostile_trace_close(&hostile);
}

/*
 * After glBegin() the driver does not report whether an array is enabled, and checks no element
 * against its end.
 */
static void elements_between_begin_and_end_are_held_to_their_arrays(void **state)
{
    static const float vertices[] = {-1, -1, 3, -1, -1, 3};
    struct hostile_trace hostile;

    (void)state;
    hostile_trace_open(&hostile);
    say("glColor3f", "fff", 0.0, 0.0, 1.0);
    say("glVertexPointer", "uuub", 2, 0x1406, 0, vertices, (int)sizeof(vertices));
    say("glEnableClientState", "u", VERTEX_ARRAY);
    say("glBegin", "u", 4);
    for (int n = 0; n < 3; n++)
        say("glArrayElement", "u", n);
    say("glColor3f", "fff", 1.0, 0.0, 0.0);
    say("glArrayElement", "u", 3);           /* refused */
    say("glArrayElement", "u", 1 << 28);     /* refused */
    say("glEnableClientState", "u", 0x8076); /* refused */
    say("glEnd", "");
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(hostile.played.progress.skipped, 3);
    assert_int_equal(worker_starts(playing.worker), 1);
    hostile_trace_assert_colour(0, 0, 255);
    hostile_trace_close(&hostile);
}

/* The driver would read elements anywhere, even outside of their buffers. */
static void elements_are_held_to_their_buffers(void **state)
{
    static const float vertices[] = {-1, -1, 3, -1, -1, 3};
    struct hostile_trace hostile;

    (void)state;
    hostile_trace_open(&hostile);
    say("glColor3f", "fff", 0.0, 0.0, 1.0);
    say("glBindBuffer", "uu", ARRAY_BUFFER, 1);
    say("glBufferData", "uubu", ARRAY_BUFFER, (int)sizeof(vertices), vertices,
        (int)sizeof(vertices), 0x88E4);
    say("glVertexPointer", "uuuo", 2, 0x1406, 0, 0);
    say("glEnableClientState", "u", VERTEX_ARRAY);
    say("glArrayElement", "u", 1 << 28); /* refused */
    say("glNewList", "uu", 1, 0x1300);
    say("glArrayElement", "u", 1 << 28); /* refused */
    say("glEndList", "");
    say("glBegin", "u", 4);
    for (int n = 0; n < 3; n++)
        say("glArrayElement", "u", n);
    say("glColor3f", "fff", 1.0, 0.0, 0.0);
    for (int n = 0; n < 3; n++)
        say("glArrayElement", "u", 3 << (12 * n)); /* refused */
    say("glArrayElement", "u", -1);                /* refused */
    say("glEnd", "");
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(hostile.played.progress.skipped, 6);
    assert_int_equal(worker_starts(playing.worker), 1);
    hostile_trace_assert_colour(0, 0, 255);
    hostile_trace_close(&hostile);
}

/* For example, arrays whose pointer the tracer has not recorded, since it looks only at draws. */
static void elements_of_arrays_without_a_pointer_are_refused(void **state)
{
    struct hostile_trace hostile;

    (void)state;
    hostile_trace_open(&hostile);
    say("glEnableClientState", "u", VERTEX_ARRAY);
    say("glBegin", "u", 4);
    for (int n = 0; n < 3; n++)
        say("glArrayElement", "u", n); /* refused */
    say("glEnd", "");
    hostile_trace_replay(&hostile);
    replay_to(&hostile.played, APITRACE_NO_CALL, 0);
    assert_int_equal(hostile.played.progress.skipped, 3);
    assert_int_equal(worker_starts(playing.worker), 1);
    hostile_trace_assert_colour(0, 255, 0);
    hostile_trace_close(&hostile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(elements_between_begin_and_end_are_held_to_their_arrays,
                                        replay_begin, replay_end),
        cmocka_unit_test_setup_teardown(elements_are_held_to_their_buffers, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(elements_of_arrays_without_a_pointer_are_refused,
                                        replay_begin, replay_end),
        cmocka_unit_test_setup_teardown(offsets_that_no_program_reads_do_no_harm, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(offsets_into_no_buffer_are_no_addresses, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(attributes_in_memory_are_read_as_their_pointers_say,
                                        replay_begin, replay_end),
        cmocka_unit_test_setup_teardown(pointers_that_were_pushed_come_back, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(a_list_that_begins_leaves_pointers_alone, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(pointers_that_are_no_good_take_no_place, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(calls_that_would_read_too_far_are_refused, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(bytes_are_no_pointers, replay_begin, replay_end),
        cmocka_unit_test_setup_teardown(calls_that_read_just_enough_are_made, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(lengths_that_the_registry_lacks, replay_begin, replay_end),
        cmocka_unit_test_setup_teardown(what_may_be_null, replay_begin, replay_end),
        cmocka_unit_test_setup_teardown(addresses_in_blocks_reach_to_their_end, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(blocks_give_way_to_later_ones, replay_begin, replay_end),
        cmocka_unit_test_setup_teardown(a_pointer_said_again_has_the_last_layout, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(draws_may_have_modes_of_their_own, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(indexed_draws_may_have_modes_of_their_own, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(vertices_that_the_trace_lacks_are_told, replay_begin,
                                        replay_end),
        cmocka_unit_test_setup_teardown(indirect_draws_read_vertices_in_memory, replay_begin,
                                        replay_end),
    };

    if (getenv("GPUDUMPFS_TEST") != NULL)
        cmocka_set_test_filter(getenv("GPUDUMPFS_TEST"));
    return cmocka_run_group_tests_name("worker_calls", tests, NULL, NULL);
}
