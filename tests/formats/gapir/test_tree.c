/* SPDX-License-Identifier: MIT */
/* GAPIR payloads as trees: every path and its contents, from folders as users have them */
#include "config.h"

#include "formats/format.h"
#include "formats/gapir/decode/gl_names.h"
#include "formats/gapir/options.h"

#include "examples/gapir_build.h"
#include "tests/support/options.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <errno.h>
#include <jansson.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VK   "vulkan_v3.3.1"
#define GLES "gles_v1.6.1"

struct opened {
    struct options options;
    struct format_dump dump;
    struct tree *tree;
};

/* Opens with options in one string, `name=value` separated by commas; NULL means none. */
static int open_with(const char *path, const char *options, struct opened *out)
{
    struct source_params source = {0};
    struct text message = TEXT_INIT;
    int status;

    *out = (struct opened){0};
    assert_int_equal(format_options_init(&out->options), 0);
    support_take_common_options(&out->options);
    if (options != NULL) {
        char *copy = strdup(options), *rest = copy, *option;
        while ((option = strsep(&rest, ",")) != NULL)
            assert_int_equal(options_parse(&out->options, option, &message), 1);
        free(copy);
    }
    status = format_open(path, &out->options, &source, &message, &out->dump);
    if (status == 0)
        status = format_tree(&out->dump, 2, &out->tree);
    else
        assert_int_not_equal(message.length, 0);
    text_clear(&message);
    return status;
}

static void close_tree(struct opened *opened)
{
    if (opened->tree != NULL)
        tree_destroy(&opened->tree);
    format_close(&opened->dump);
    options_clear(&opened->options);
}

static void open_tree(const char *path, const char *options, struct opened *out)
{
    assert_int_equal(open_with(path, options, out), 0);
    assert_string_equal(out->dump.format->name, "gapir");
}

static bool exists(const struct opened *opened, const char *path)
{
    uint64_t inode;

    return tree_find(opened->tree, path, false, &inode) == 0;
}

static void expect_in(const struct opened *opened, const char *path, const char *wanted)
{
    size_t size;
    char *text = walk_read(opened->tree, path, &size);

    if (strstr(text, wanted) == NULL)
        fail_msg("no '%s' in %s:\n%s", wanted, path, text);
    free(text);
}

static void expect_file(const struct opened *opened, const char *path, const char *wanted)
{
    size_t size;
    char *text = walk_read(opened->tree, path, &size);

    assert_string_equal(text, wanted);
    free(text);
}

/* Builds a small payload with a bit of everything. */
static void build_sample(struct build *build)
{
    *build = (struct build){.stack_size = 64, .volatile_size = 256};
    build_constant(build, "hello", 6);
    build_resource(build, "a/b", "pixels of a frame", 16);
    build_resource(build, "gone", NULL, 9);
    build_push(build, GAPIR_UINT32, 1);
    build_op(build, GAPIR_POP, 1);
    build_op(build, GAPIR_LABEL, 7);
    build_push(build, GAPIR_VOLATILE_POINTER, 64);
    build_op(build, GAPIR_RESOURCE, 0);
    build_inline(build, 16, "inline", 6);
    BUILD_CALL(build, GLES, "glUniform1f", 3, 0x3fc00000);
    build_push(build, GAPIR_UINT32, 5);
    build_push(build, GAPIR_CONSTANT_POINTER, 0);
    build_word(build, gapir_encode_call(1, 0x288, true)); /* glGetUniformLocation */
    build_op(build, GAPIR_STORE_V, 0);
    build_op(build, GAPIR_LABEL, 8);
    BUILD_CALL(build, GLES, "glReadPixels", 0, 0, 2, 2, 0x1908, 0x1401, 64);
    build_post(build, GAPIR_VOLATILE_POINTER, 64, 16);
    build_push(build, GAPIR_VOLATILE_POINTER, 16);
    build_push(build, GAPIR_UINT32, 3);
    build_push(build, GAPIR_UINT32, 6);
    build_op(build, GAPIR_NOTIFICATION, 0);
    build_op(build, GAPIR_WAIT, 4);
    build_end(build);
}

static char *write_sample(void)
{
    struct build build;
    char *folder = support_folder();

    build_sample(&build);
    assert_int_equal(build_write(&build, folder), 0);
    build_clear(&build);
    return folder;
}

static void test_sample_to_the_letter(void **state)
{
    char *folder;
    struct opened opened;

    (void)state;
    if (gapir_gl_constant_count == 0)
        support_skip("no registry of OpenGL");
    folder = write_sample();
    open_tree(folder, NULL, &opened);
    expect_file(&opened, "disassembly.txt",
                "00000000 - 04700001  PUSH_I Uint32 0x1  ; 1\n"
                "00000001 - 14000001  POP 1\n"
                "00000002 7 3c000007  LABEL 7\n"
                "00000003 7 04d00040  PUSH_I VolatilePointer 0x40  ; VOL+0x40\n"
                "00000004 7 20000000  RESOURCE 0  ; a/b, 16 bytes\n"
                "00000005 7 04d00010  PUSH_I VolatilePointer 0x10  ; VOL+0x10\n"
                "00000006 7 58000006  INLINE_RESOURCE size=6 vals=0 ptrs=0\n"
                "00000010 7 04300003  PUSH_I Int32 0x3  ; 3\n"
                "00000011 7 0490007f  PUSH_I Float 0x7f\n"
                "00000012 7 34400000  EXTEND 4194304  ; 1.5\n"
                "00000013 7 000102bb  CALL api=1 fn=0x02bb  ; glUniform1f\n"
                "00000014 7 04700005  PUSH_I Uint32 0x5  ; 5\n"
                "00000015 7 04c00000  PUSH_I ConstantPointer 0x0  ; CONST+0x0 \"hello\"\n"
                "00000016 7 01010288  CALL api=1 fn=0x0288 push  ; glGetUniformLocation\n"
                "00000017 7 18000000  STORE_V 0\n"
                "00000018 8 3c000008  LABEL 8\n"
                "00000019 8 04300000  PUSH_I Int32 0x0  ; 0\n"
                "00000020 8 04300000  PUSH_I Int32 0x0  ; 0\n"
                "00000021 8 04300002  PUSH_I Int32 0x2  ; 2\n"
                "00000022 8 04300002  PUSH_I Int32 0x2  ; 2\n"
                "00000023 8 04701908  PUSH_I Uint32 0x1908  ; 6408\n"
                "00000024 8 04701401  PUSH_I Uint32 0x1401  ; 5121\n"
                "00000025 8 04d00040  PUSH_I VolatilePointer 0x40  ; VOL+0x40\n"
                "00000026 8 0001024c  CALL api=1 fn=0x024c  ; glReadPixels\n"
                "00000027 8 04d00040  PUSH_I VolatilePointer 0x40  ; VOL+0x40\n"
                "00000028 8 04700010  PUSH_I Uint32 0x10  ; 16\n"
                "00000029 8 24000000  POST  ; post 0\n"
                "00000030 8 04d00010  PUSH_I VolatilePointer 0x10  ; VOL+0x10\n"
                "00000031 8 04700003  PUSH_I Uint32 0x3  ; 3\n"
                "00000032 8 04700006  PUSH_I Uint32 0x6  ; 6\n"
                "00000033 8 50000000  NOTIFICATION\n"
                "00000034 8 54000004  WAIT 4\n"
                "00000035 none 3fffffff  LABEL 67108863\n"
                "00000036 none 04c00008  PUSH_I ConstantPointer 0x8  ; CONST+0x8\n"
                "00000037 none 04700004  PUSH_I Uint32 0x4  ; 4\n"
                "00000038 none 24000000  POST  ; post 1\n");
    expect_file(&opened, "packets/00000/00000000-start.txt",
                "00000000 - 04700001  PUSH_I Uint32 0x1  ; 1\n"
                "00000001 - 14000001  POP 1\n");
    expect_file(&opened, "calls.txt",
                "00000001 00000013 7 0 glUniform1f(location=3, value=1.5)\n"
                "00000001 00000016 7 0 glGetUniformLocation(program=5, name=CONST+0x0 \"hello\")"
                " = 0\n"
                "00000002 00000026 8 0 glReadPixels(x=0, y=0, width=2, height=2, format=GL_RGBA, "
                "type=GL_UNSIGNED_BYTE, data=VOL+0x40)\n");
    expect_file(&opened, "posts.tsv",
                "post\tpacket\tpc\tlabel\tbytes\tregion\toffset\tkind\twidth\theight\tformat\t"
                "frame\n"
                "0\t2\t29\t8\t16\tvolatile\t64\timage\t2\t2\tRGBA8\t0\n"
                "1\t3\t38\t-\t4\tconstants\t8\tend-of-replay\t-\t-\t-\t-\n");
    expect_file(&opened, "frames.tsv",
                "frame\tfirst\tlast\ttime\twidth\theight\tpost\tpc\tlabel\tformat\trows\tbytes\t"
                "content\tend\n"
                "0\t0\t2\t-\t2\t2\t0\t29\t8\tRGBA8\tbottom-up\t16\tvm\tpost\n");
    expect_file(&opened, "resources.tsv",
                "resource\tid\tbytes\tdata_offset\tstatus\tuses\tfirst\n"
                "0\ta/b\t16\t0\tok\t1\t1\n"
                "1\tgone\t9\t-\tmissing\t0\t-\n");
    expect_file(&opened, "functions.tsv",
                "api\tid\tname\tcalls\tfirst\n"
                "1\t0x024c\tglReadPixels\t1\t2\n"
                "1\t0x0288\tglGetUniformLocation\t1\t1\n"
                "1\t0x02bb\tglUniform1f\t1\t1\n");
    expect_file(&opened, "notifications.tsv",
                "notification\tpacket\tpc\tlabel\tid\tbytes\tregion\toffset\n"
                "0\t2\t33\t8\t3\t6\tvolatile\t16\n");
    expect_file(&opened, "fences.tsv", "fence\tpacket\tpc\tlabel\tid\n0\t2\t34\t8\t4\n");
    expect_file(&opened, "notifications/000000.bin", "inline");
    expect_file(&opened, "resources/inline/00000006.bin", "inline");
    expect_file(&opened, "resources/00000-a_b.bin", "pixels of a fram");
    expect_file(&opened, "posts/000000.bin", "pixels of a fram");
    expect_file(&opened, "fault.txt", "");
    expect_in(&opened, "constants.txt",
              "00000000  68 65 6c 6c 6f 00 00 00 51 fa 60 60              |hello...Q.``|\n");
    expect_in(&opened, "problems.txt", "resource 1 of 9 bytes cannot be read: missing");
    expect_in(&opened, "metadata.txt", "\nresources_missing: 1\n");
    expect_in(&opened, "metadata.txt", "\nresult: ok\n");
    expect_in(&opened, "by-frame/000000/info.txt", "\nresource: 0\ncalls.glReadPixels: 1\n");
    expect_in(&opened, "by-frame/000000/state.txt", "\nstack: 0\n");
    expect_in(&opened, "by-frame/000000/state.txt", "\nvolatile_crc32: 0x");
    expect_in(&opened, "README.txt", "null driver");
    close_tree(&opened);
    support_remove(&folder);
}

/* Constants, bits, lists and strings as in calls; what has no name stays a number. */
static void test_calls_by_name(void **state)
{
    static const float matrix[] = {1, 0, 0.5F, 0, 1, 0, 0, 0, 1};
    static const uint32_t buffers[] = {0x8ce0, 0, 0x77777};
    struct build build = {.stack_size = 64, .volatile_size = 256};
    struct opened opened;

    (void)state;
    if (gapir_gl_constant_count == 0)
        support_skip("no registry of OpenGL");
    build_op(&build, GAPIR_LABEL, 1);
    BUILD_CALL(&build, GLES, "glClear", 0x4500);
    BUILD_CALL(&build, GLES, "glClear", 0x40000100);
    BUILD_CALL(&build, GLES, "glBlendFunc", 1, 0x303);
    build_inline(&build, 0, matrix, sizeof(matrix));
    BUILD_CALL(&build, GLES, "glUniformMatrix3fv", 2, 1, 0, 0);
    BUILD_CALL(&build, GLES, "glUniformMatrix3fv", 2, 8, 1, 0); /* more than is there */
    build_inline(&build, 64, buffers, sizeof(buffers));
    BUILD_CALL(&build, GLES, "glDrawBuffers", 3, 64);
    build_push(&build, GAPIR_CONSTANT_POINTER, build_constant(&build, "void main()", 12));
    build_op(&build, GAPIR_STORE_V, 80);
    BUILD_CALL(&build, GLES, "glShaderSource", 4, 1, 80, BUILD_NULL);
    BUILD_CALL(&build, GLES, "glGenBuffers", 2, 96);
    char *folder = support_folder();
    assert_int_equal(build_write(&build, folder), 0);
    build_clear(&build);
    open_tree(folder, NULL, &opened);
    expect_in(&opened, "calls.txt",
              " glClear(mask=GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT | "
              "GL_COLOR_BUFFER_BIT)\n");
    expect_in(&opened, "calls.txt", " glClear(mask=GL_DEPTH_BUFFER_BIT | 0x40000000)\n");
    expect_in(&opened, "calls.txt", "=GL_ONE, ");
    expect_in(&opened, "calls.txt", "=GL_ONE_MINUS_SRC_ALPHA)\n");
    expect_in(&opened, "calls.txt", "=GL_FALSE, values=VOL+0x0 {1, 0, 0.5, 0, 1, 0, 0, 0, 1})\n");
    expect_in(&opened, "calls.txt", "=GL_TRUE, values=VOL+0x0)\n");
    expect_in(&opened, "calls.txt", " {GL_COLOR_ATTACHMENT0, GL_NONE, 0x77777})\n");
    expect_in(&opened, "calls.txt", " {CONST+0x0 \"void main()\"}, ");
    expect_in(&opened, "calls.txt", "=VOL+0x60 {1, 2})\n");
    close_tree(&opened);
    support_remove(&folder);
}

static void test_sample_walked(void **state)
{
    static const char *const broken[] = {"00001-gone.bin", NULL};
    const struct walk_params params = {.broken = broken};
    char *folder = write_sample();
    struct walk_result result, again;
    struct opened opened;

    (void)state;
    open_tree(folder, NULL, &opened);
    walk_tree(opened.tree, &params, &result);
    close_tree(&opened);
    assert_int_equal(result.broken, 1);
    open_tree(folder, "threads=1", &opened);
    walk_tree(opened.tree, &params, &again);
    close_tree(&opened);
    assert_int_equal(again.digest, result.digest);
    support_remove(&folder);
}

/* The picture's rows go from the top, those of the post from the bottom. */
static void test_picture_is_turned_over(void **state)
{
    char *folder = write_sample();
    struct opened opened;
    png_image image = {.version = PNG_IMAGE_VERSION};
    uint8_t pixels[16];
    size_t size;

    (void)state;
    for (unsigned small = 0; small < 2; small++) {
        open_tree(folder, small ? "png=small" : NULL, &opened);
        char *png = walk_read(opened.tree, "latest.png", &size);
        assert_int_equal(png_image_begin_read_from_memory(&image, png, size), 1);
        assert_int_equal(image.format, PNG_FORMAT_RGBA);
        assert_int_equal(png_image_finish_read(&image, NULL, pixels, 0, NULL), 1);
        assert_memory_equal(pixels, "f a fram", 8);
        assert_memory_equal(pixels + 8, "pixels o", 8);
        free(png);
        close_tree(&opened);
    }
    support_remove(&folder);
}

/* Memory after packets, in any order, and its final state */
static void test_memory_in_any_order(void **state)
{
    static const unsigned orders[][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}};
    char *folder = write_sample(), *seen[4] = {NULL};
    struct opened opened;
    char path[64];
    size_t size;

    (void)state;
    for (unsigned order = 0; order < COUNT_OF(orders); order++) {
        open_tree(folder, NULL, &opened);
        for (unsigned n = 0; n < 4; n++) {
            unsigned packet = orders[order][n];
            snprintf(path, sizeof(path), "memory/00000/%08u.bin", packet);
            char *memory = walk_read(opened.tree, path, &size);
            assert_int_equal(size, 256);
            if (seen[packet] == NULL)
                seen[packet] = memory;
            else
                assert_memory_equal(memory, seen[packet], size);
            if (memory != seen[packet])
                free(memory);
        }
        close_tree(&opened);
    }
    assert_memory_equal(seen[0] + 64, "\0\0\0\0", 4);
    assert_memory_equal(seen[1] + 64, "pixe", 4);
    for (unsigned n = 0; n < 4; n++)
        free(seen[n]);
    support_remove(&folder);
}

static void test_fault(void **state)
{
    struct build build;
    char *folder = support_folder();
    struct opened opened;

    (void)state;
    build_sample(&build);
    build_push(&build, GAPIR_DOUBLE, 0);
    build_op(&build, GAPIR_STORE_V, 1000);
    build_op(&build, GAPIR_LABEL, 9);
    assert_int_equal(build_write(&build, folder), 0);
    build_clear(&build);
    open_tree(folder, NULL, &opened);
    expect_in(&opened, "fault.txt", "fault: range\npc: 40\n");
    expect_in(&opened, "fault.txt",
              "\ninstruction: STORE_V 1000\ncall: -\nstack: 1\n"
              "slots.0: Double 0 (0x0)\nlast_instructions: 16\n");
    expect_in(&opened, "problems.txt", "the run ends with err:range@40");
    expect_in(&opened, "packets.tsv", "\tlabel-9\t-\t41\t1\t1\t0\t0\t0\tno\n");
    assert_true(exists(&opened, "frames/000000.png"));
    assert_true(exists(&opened, "memory/00000/00000003.bin"));
    assert_false(exists(&opened, "memory/00000/00000004.bin")); /* never reached */
    close_tree(&opened);
    assert_int_equal(open_with(folder, "strict", &opened), -EBADMSG);
    close_tree(&opened);
    support_remove(&folder);
}

/* Where a limit of the index ends the run, all runs end, with the stack at that point. */
static void test_too_many_fences(void **state)
{
    struct build build = {.stack_size = 8, .volatile_size = 8};
    char *folder = support_folder();
    struct opened opened;

    (void)state;
    build_op(&build, GAPIR_JUMP_LABEL, 1);
    for (unsigned n = 0; n < 20000; n++) {
        build_op(&build, GAPIR_WAIT, n);
        build_push(&build, GAPIR_UINT32, 1);
        build_op(&build, GAPIR_POP, 1);
    }
    build_push(&build, GAPIR_INT32, 1);
    build_op(&build, GAPIR_JUMP_NZ, 1);
    assert_int_equal(build_write(&build, folder), 0);
    build_clear(&build);
    open_tree(folder, NULL, &opened);
    expect_in(&opened, "problems.txt", "more posts, notifications, fences");
    expect_in(&opened, "fault.txt", "fault: steps\n");
    expect_in(&opened, "fault.txt", "\nstack: 0\n");
    close_tree(&opened);
    support_remove(&folder);
}

static void test_options(void **state)
{
    char *folder = write_sample(), *resources = support_folder(), *option, *from, *to;
    struct opened opened;

    (void)state;
    open_tree(folder, "gapir-fences=fail", &opened);
    expect_in(&opened, "fault.txt", "fault: fence\n");
    close_tree(&opened);
    open_tree(folder, "gapir-max-instructions=10", &opened);
    expect_in(&opened, "fault.txt", "fault: steps\n");
    close_tree(&opened);
    open_tree(folder, "gapir-max-moved=18", &opened);
    expect_in(&opened, "metadata.txt", "result: err:steps@6\n");
    close_tree(&opened);
    open_tree(folder, "gapir-table=v1.2.0", &opened);
    expect_in(&opened, "metadata.txt", "api_table: gles_v1.2.0 (option: ");
    close_tree(&opened);
    open_tree(folder, "gapir-dialect=gapid16", &opened);
    expect_in(&opened, "metadata.txt", "dialect: gapid16 (option)\n");
    expect_in(&opened, "metadata.txt", "result: err:opcode@6\n");
    close_tree(&opened);
    open_tree(folder, "gapir-ptrsize=4", &opened);
    expect_in(&opened, "metadata.txt", "pointer_size: 4\n");
    close_tree(&opened);
    assert_true(asprintf(&option, "gapir-resources=%s", resources) > 0);
    open_tree(folder, option, &opened);
    expect_in(&opened, "metadata.txt", "result: err:resource@4\n");
    expect_in(&opened, "problems.txt", "no resources.index: the 2 resources");
    close_tree(&opened);
    from = support_path(folder, "resources.index");
    to = support_path(resources, "resources.index");
    assert_int_equal(rename(from, to), 0);
    free(from);
    free(to);
    from = support_path(folder, "resources.data");
    to = support_path(resources, "resources.data");
    assert_int_equal(rename(from, to), 0);
    open_tree(folder, option, &opened);
    expect_in(&opened, "metadata.txt", "result: ok\n");
    close_tree(&opened);
    free(from);
    free(to);
    free(option);
    support_remove(&folder);
    support_remove(&resources);
}

static void test_framebuffer_by_option(void **state)
{
    struct build build = {.stack_size = 8, .volatile_size = 64};
    char *folder = support_folder();
    struct opened opened;

    (void)state;
    build_inline(&build, 0, "12345678", 8);
    build_post(&build, GAPIR_VOLATILE_POINTER, 0, 8);
    assert_int_equal(build_write(&build, folder), 0);
    build_clear(&build);
    open_tree(folder, NULL, &opened);
    assert_false(exists(&opened, "frames/000000.png"));
    assert_false(exists(&opened, "latest.png"));
    close_tree(&opened);
    open_tree(folder, "gapir-framebuffer=2x2:r5g6b5_unorm_pack16:flip", &opened);
    expect_in(&opened, "frames.tsv",
              "\t2\t2\t0\t7\t-\tVK_FORMAT_R5G6B5_UNORM_PACK16\tbottom-up\t8\t");
    assert_true(exists(&opened, "frames/000000.png"));
    close_tree(&opened);
    support_remove(&folder);
}

static void test_framebuffer_option_syntax(void **state)
{
    static const char *const bad[] = {
        "",           "2x2",          "2x:RGBA8",   "x2:RGBA8",      "0x2:RGBA8",      "2x2:RGBA9",
        "2x2:RGBA8:", "2x2:RGBA8:up", "-2x2:RGBA8", "2x20000:RGBA8", "2x2:RGBA8:flip:"};
    struct gapir_framebuffer out;

    (void)state;
    assert_true(gapir_options_framebuffer("640x360:RGBA8", &out));
    assert_int_equal(out.width, 640);
    assert_int_equal(out.height, 360);
    assert_false(out.bottom_up);
    assert_true(gapir_options_framebuffer("1x16384:bgra8:flip", &out));
    assert_true(out.bottom_up);
    for (size_t n = 0; n < COUNT_OF(bad); n++)
        assert_false(gapir_options_framebuffer(bad[n], &out));
}

/* More volatile memory than is allowed: nothing is run, static files are still there. */
static void test_refused(void **state)
{
    struct build build;
    char *folder = support_folder();
    struct walk_result result;
    struct opened opened;

    (void)state;
    build_sample(&build);
    build.volatile_size = 2 << 20;
    build.resource_count = 1;
    assert_int_equal(build_write(&build, folder), 0);
    build_clear(&build);
    open_tree(folder, "max-memory=1M", &opened);
    expect_in(&opened, "metadata.txt", "result: refused\n");
    expect_in(&opened, "problems.txt", "more than max-memory allows");
    expect_in(&opened, "fault.txt", "refused");
    expect_in(&opened, "disassembly.txt", "LABEL 7");
    assert_false(exists(&opened, "memory"));
    walk_tree(opened.tree, NULL, &result);
    close_tree(&opened);
    support_remove(&folder);
}

/* How payloads are recognized */

static int format_of(const char *path)
{
    struct opened opened;
    int status = open_with(path, NULL, &opened);

    if (status == 0)
        assert_string_equal(opened.dump.format->name, "gapir");
    close_tree(&opened);
    return status;
}

static void test_recognition(void **state)
{
    char *folder = write_sample();
    char *payload = support_path(folder, "payload.bin"), *other = support_path(folder, "other");
    char *index = support_path(folder, "resources.index");

    (void)state;
    assert_int_equal(format_of(folder), 0);
    assert_int_equal(format_of(payload), 0);
    assert_int_equal(format_of(index), -ENOEXEC);
    assert_int_equal(rename(index, other), 0);
    assert_int_equal(format_of(folder), 0);
    assert_int_equal(format_of(payload), 0);
    assert_int_equal(rename(payload, other), 0);
    assert_int_equal(format_of(folder), -ENOEXEC);
    assert_int_equal(format_of(other), 0);
    support_write(payload, "", 0);
    assert_int_equal(format_of(payload), 0); /* an empty message is valid */
    support_write(payload, "\x2a\x30\x01", 3);
    assert_int_equal(format_of(payload), 0); /* cut off, but recognized by its name */
    support_write(payload, "text", 4);
    assert_int_equal(format_of(payload), -ENOEXEC);
    support_write(index, "", 0);
    assert_int_equal(format_of(payload), 0);
    support_write(other, "a text of some length, no payload\n", 34);
    assert_int_equal(format_of(other), -ENOEXEC);
    free(payload);
    free(other);
    free(index);
    support_remove(&folder);
}

static void test_empty_payload(void **state)
{
    char *folder = write_sample(), *path = support_path(folder, "payload.bin");
    struct opened opened;

    (void)state;
    support_write(path, "", 0);
    open_tree(folder, NULL, &opened);
    expect_in(&opened, "problems.txt", "warning: the payload is empty");
    expect_in(&opened, "metadata.txt", "\nproblems: 1\n");
    close_tree(&opened);
    support_remove(&folder);
    free(path);
}

static void test_damaged_payload(void **state)
{
    char *folder = write_sample(), *path = support_path(folder, "payload.bin");
    struct opened opened;
    size_t size;
    uint8_t *bytes = support_read(path, &size);

    (void)state;
    support_write(path, bytes, size - 9);
    open_tree(folder, NULL, &opened);
    expect_in(&opened, "problems.txt", "error: field 5 of the payload claims");
    expect_in(&opened, "metadata.txt", "trailing_bytes: 3\n");
    expect_in(&opened, "disassembly.txt", "LABEL 8");
    close_tree(&opened);
    assert_int_equal(open_with(folder, "strict", &opened), -EBADMSG);
    close_tree(&opened);
    free(bytes);
    free(path);
    support_remove(&folder);
}

/* Constants are searched for the end of a text no further than they are shown. */
static void test_texts_among_constants(void **state)
{
#define FORTY "0123456789012345678901234567890123456789"
    static const char *const texts[] = {FORTY, FORTY "-", "\n0123456789"};
    struct build build = {.stack_size = 64};
    char *folder = support_folder();
    struct opened opened;

    (void)state;
    for (unsigned n = 0; n < 3; n++)
        build_push(&build, GAPIR_CONSTANT_POINTER,
                   build_constant(&build, texts[n], strlen(texts[n]) + 1));
    /* Neither has a NUL: 50 bytes, and the last 40 of them. */
    uint32_t last = build_constant(&build, FORTY "0123456789", 50);
    build_push(&build, GAPIR_CONSTANT_POINTER, last);
    build_push(&build, GAPIR_CONSTANT_POINTER, last + 10);
    assert_int_equal(build_write(&build, folder), 0);
    build_clear(&build);
    open_tree(folder, NULL, &opened);
    expect_in(&opened, "disassembly.txt", "  ; CONST+0x0 \"" FORTY "\"\n");
    expect_in(&opened, "disassembly.txt", "  ; CONST+0x30 \"" FORTY "...\"\n");
    expect_in(&opened, "disassembly.txt", "  ; CONST+0x60\n");
    expect_in(&opened, "disassembly.txt", "  ; CONST+0x70 \"" FORTY "...\"\n");
    expect_in(&opened, "disassembly.txt", "  ; CONST+0x7a\n");
    close_tree(&opened);
    support_remove(&folder);
#undef FORTY
}

/* Millions of them would take seconds and hide the others. */
static void test_many_defects_are_counted(void **state)
{
    struct build build = {.stack_size = 8, .volatile_size = 64};
    char *folder = support_folder(), *path = support_path(folder, "payload.bin");
    struct text payload = TEXT_INIT;
    struct opened opened;
    size_t size;

    (void)state;
    for (uint32_t n = 0; n < 20000; n++)
        build_op(&build, GAPIR_LABEL, n);
    for (unsigned n = 0; n < 1500; n++)
        build_word(&build, UINT32_MAX);
    assert_int_equal(build_write(&build, folder), 0);
    build_clear(&build);
    char *bytes = (char *)support_read(path, &size);
    text_add_bytes(&payload, bytes, size);
    free(bytes);
    for (unsigned n = 0; n < 1500; n++)
        text_add(&payload, "\x22\5\x0a\1A\x10\1"); /* resource "A", one byte */
    support_write(path, payload.bytes, payload.length);
    text_clear(&payload);
    free(path);
    open_tree(folder, "max-memory=1M", &opened);
    expect_in(&opened, "metadata.txt", "\npackets: 16384\n");
    expect_in(&opened, "problems.txt", " 3616 labels, jump targets");
    expect_in(&opened, "problems.txt", " 500 more words are not instructions\n");
    expect_in(&opened, "problems.txt", " 500 more resources cannot be read");
    close_tree(&opened);
    support_remove(&folder);
}

/* It is read in pieces, of which one is held at a time. */
static void test_memory_beyond_the_cache(void **state)
{
    struct build build = {.stack_size = 8, .volatile_size = 80 << 20};
    char *folder = support_folder();
    struct walk_result result;
    struct opened opened;

    (void)state;
    build_op(&build, GAPIR_LABEL, 1);
    assert_int_equal(build_write(&build, folder), 0);
    build_clear(&build);
    open_tree(folder, "cache=1M", &opened);
    walk_tree(opened.tree, NULL, &result);
    assert_true(result.bytes > 2 * (UINT64_C(80) << 20));
    close_tree(&opened);
    support_remove(&folder);
}

/* Resources may look like containers, but are not expanded. */
static void test_resources_are_not_expanded(void **state)
{
    struct build build = {.stack_size = 8, .volatile_size = 64};
    char *folder = support_folder();
    struct opened opened;

    (void)state;
    build_resource(&build, "gz", "\x1f\x8b\x08\x00\x00\x00\x00\x00", 8);
    build_op(&build, GAPIR_LABEL, 1);
    assert_int_equal(build_write(&build, folder), 0);
    build_clear(&build);
    open_tree(folder, NULL, &opened);
    expect_in(&opened, "resources.tsv", "\t8\t0\tok\t");
    close_tree(&opened);
    support_remove(&folder);
}

/* Checks the payloads that the corpus's tool writes, through their trees. */

static void check_generated(const char *folder, const char *name, const char *options)
{
    char *path = support_path(folder, name), *json = support_path(path, "expected.json"), file[64];
    json_t *expected = json_load_file(json, 0, NULL), *post;
    struct opened opened;
    size_t n, size;
    struct text line = TEXT_INIT;

    assert_non_null(expected);
    open_tree(path, options, &opened);
    json_array_foreach (json_object_get(expected, "posts"), n, post) {
        snprintf(file, sizeof(file), "posts/%06zu.bin", n);
        char *bytes = walk_read(opened.tree, file, &size);
        assert_int_equal(size, json_integer_value(json_object_get(post, "size")));
        assert_int_equal(support_crc32(bytes, size),
                         strtoul(json_string_value(json_object_get(post, "crc32")), NULL, 16));
        free(bytes);
    }
    char *memory = walk_read(opened.tree, "memory/end.bin", &size);
    assert_int_equal(
        support_crc32(memory, size),
        strtoul(json_string_value(json_object_get(expected, "volatile_crc32_at_end")), NULL, 16));
    free(memory);
    text_printf(&line, "\nresult: %s\nexecuted: %lld\n%c",
                json_string_value(json_object_get(expected, "result")),
                (long long)json_integer_value(json_object_get(expected, "executed")), 0);
    expect_in(&opened, "metadata.txt", line.bytes);
    text_clear(&line);
    json_decref(expected);
    close_tree(&opened);
    free(json);
    free(path);
}

static void test_generated(void **state)
{
    static const char *const names[] = {"gles_big",
                                        "gles_small",
                                        "vulkan_readback",
                                        "small/allops_ends_in_wait",
                                        "small/fault_missing_resource",
                                        "small/fault_endless_loop_budget"};
    static const char *const broken[] = {"00000-0000000000000000000000000000000000000001.bin",
                                         NULL};
    char *folder = support_folder(), *tool = support_corpus("../tools/mkgapir.py"), *command;

    (void)state;
    assert_true(asprintf(&command, "python3 '%s' '%s' 2 9000 >/dev/null", tool, folder) > 0);
    assert_int_equal(system(command), 0);
    for (size_t n = 0; n < COUNT_OF(names); n++) {
        struct walk_params params = {.max_entries = 6,
                                     .broken = strstr(names[n], "missing") ? broken : NULL};
        char *path = support_path(folder, names[n]);
        struct walk_result result;
        struct opened opened;
        check_generated(folder, names[n], "gapir-fences=fail,gapir-max-instructions=2000000");
        open_tree(path, NULL, &opened);
        walk_tree(opened.tree, &params, &result);
        close_tree(&opened);
        free(path);
    }
    free(command);
    free(tool);
    support_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sample_to_the_letter),
        cmocka_unit_test(test_calls_by_name),
        cmocka_unit_test(test_sample_walked),
        cmocka_unit_test(test_picture_is_turned_over),
        cmocka_unit_test(test_memory_in_any_order),
        cmocka_unit_test(test_fault),
        cmocka_unit_test(test_too_many_fences),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_framebuffer_by_option),
        cmocka_unit_test(test_framebuffer_option_syntax),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_recognition),
        cmocka_unit_test(test_empty_payload),
        cmocka_unit_test(test_damaged_payload),
        cmocka_unit_test(test_texts_among_constants),
        cmocka_unit_test(test_many_defects_are_counted),
        cmocka_unit_test(test_memory_beyond_the_cache),
        cmocka_unit_test(test_resources_are_not_expanded),
        cmocka_unit_test(test_generated),
    };

    return cmocka_run_group_tests_name("gapir_tree", tests, NULL, NULL);
}
