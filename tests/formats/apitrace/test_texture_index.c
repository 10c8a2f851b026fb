/* SPDX-License-Identifier: MIT */
/*
 * Textures as found from calls: to which texture an upload goes, how its pixels are read, and which
 * levels exist
 */
#include "config.h"

#include "tests/formats/apitrace/open.h"
#include "tests/formats/apitrace/script.h"
#include "tests/support/support.h"

#include "formats/apitrace/index/object_index.h"
#include "tree/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CURRENT            "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0xC) = 1\n"
#define BIND(target, name) "glBindTexture(target=" #target ", texture=" #name ")\n"
#define ACTIVE(unit)       "glActiveTexture(texture=" #unit ")\n"
#define STORE(name, value) "glPixelStorei(pname=" #name ", param=" #value ")\n"
/*
 * To GL_TEXTURE_2D, two pixels wide and one high, with enough bytes for any pixel store used here
 */
#define UPLOAD                                                                                     \
    "glTexSubImage2D(target=3553, level=0, xoffset=0, yoffset=0, width=2, height=1, "              \
    "format=6408, type=5121, pixels=[00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f])\n"

/* An opened trace, and its objects */
struct objects {
    char *folder;
    struct apitrace_opened opened;
    const struct apitrace_object_index *index;
};

static void open_objects(const char *script, struct objects *out)
{
    char *path;

    out->folder = support_folder();
    path = support_path(out->folder, "textures.trace");
    apitrace_script(path, script);
    apitrace_open(path, &out->opened);
    assert_int_equal(apitrace_dump_objects(tree_dump(out->opened.tree), NULL, &out->index), 0);
    free(path);
}

static void close_objects(struct objects *objects)
{
    apitrace_close(&objects->opened);
    support_remove(&objects->folder);
}

/* Compares the textures to which the uploads go, in their order. */
static void expect_uploads(const char *script, const uint32_t *wanted, size_t count)
{
    struct objects objects;

    open_objects(script, &objects);
    assert_int_equal(objects.index->texture_count, count);
    for (size_t n = 0; n < count; n++)
        assert_int_equal(objects.index->textures[n].object, wanted[n]);
    close_objects(&objects);
}

static void uploads_go_to_what_units_have(void **state)
{
    static const uint32_t wanted[] = {1, 2, 1, 0, 2, 0, 0};

    (void)state;
    expect_uploads(CURRENT BIND(3553, 1) UPLOAD BIND(3553, 2) UPLOAD
                   "glBindTextures(first=0, count=2, textures={1, 2})\n" UPLOAD
                   "glBindTextures(first=0, count=1, textures=null)\n" UPLOAD ACTIVE(33985) UPLOAD
                   "glBindTextureUnit(unit=1, texture=0)\n" UPLOAD BIND(
                       3553, 5) "glDeleteTextures(n=1, textures={5})\n" UPLOAD,
                   wanted, COUNT_OF(wanted));
}

#define MAKE_CURRENT(context) "glXMakeCurrent(dpy=0x1, drawable=5, ctx=" #context ") = 1\n"
#define LET_GO                "glXMakeCurrent(dpy=0x1, drawable=0, ctx=null) = 1\n"
#define ON_1                  "@1 "

/* Units belong to contexts: to two of a thread, and to one that moves to another thread. */
static void units_belong_to_contexts(void **state)
{
    static const uint32_t wanted[] = {1, 0, 2, 1, 2, 1, 1, 0};

    (void)state;
    expect_uploads(
        MAKE_CURRENT(0xA) BIND(3553, 1) UPLOAD MAKE_CURRENT(0xB) UPLOAD BIND(3553, 2)
            UPLOAD MAKE_CURRENT(0xA) UPLOAD                         /* 1 */
                ON_1 MAKE_CURRENT(0xB) ON_1 UPLOAD                  /* 2 */
        "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0xB) = 0\n" UPLOAD /* 1: the call has failed */
            LET_GO ON_1 MAKE_CURRENT(0xA) ON_1 UPLOAD               /* 1 */
                ON_1 LET_GO
        "glXCreateContext(dpy=0x1, vis=0x2, shareList=null, direct=1) = 0xA\n" ON_1 MAKE_CURRENT(
            0xA) ON_1 UPLOAD, /* 0: a new context */
        wanted, COUNT_OF(wanted));
}

/* What contexts have pushed counts in max-memory: 200 contexts, 16 times all units each. */
static void what_is_pushed_takes_memory(void **state)
{
    enum {
        CONTEXTS = 200,
        PUSHES = 16,
        TEXTURE_BIT = 1 << 18,
        ENOUGH = 64 << 20,
        TOO_LITTLE = 4 << 20
    };
    struct apitrace_object_index found;
    struct text script = TEXT_INIT;
    struct objects objects;
    const struct apitrace_index *index;

    (void)state;
    for (unsigned n = 1; n <= CONTEXTS; n++) {
        text_printf(&script, "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0x%x) = 1\n", n);
        for (unsigned i = 0; i < PUSHES; i++)
            text_printf(&script, "glPushAttrib(mask=%d)\n", TEXTURE_BIT);
    }
    text_add(&script, UPLOAD);
    text_add_char(&script, '\0');
    open_objects(script.bytes, &objects);
    index = apitrace_opened_index(&objects.opened);
    for (unsigned enough = 0; enough < 2; enough++) {
        assert_int_equal(apitrace_object_index_find(index, enough ? ENOUGH : TOO_LITTLE,
                                                    tree_dump(objects.opened.tree)->problems, NULL,
                                                    &found),
                         0);
        assert_int_equal(found.texture_count, enough);
        apitrace_object_index_clear(&found);
    }
    close_objects(&objects);
    text_clear(&script);
}

/* A texture that was created with a target is bound to that target. */
static void created_textures_have_their_target(void **state)
{
    static const uint32_t wanted[] = {0, 4, 3};
    struct objects objects;

    (void)state;
    expect_uploads(CURRENT "glCreateTextures(target=35866, n=1, textures={3})\n"
                           "glCreateTextures(target=3553, n=2, textures={4, 5})\n"
                           "glBindTextureUnit(unit=0, texture=3)\n" UPLOAD
                           "glBindTextures(first=0, count=1, textures={4})\n" UPLOAD
                           "glTextureSubImage2D(texture=3, level=0, xoffset=0, yoffset=0, width=1, "
                           "height=1, format=6408, type=5121, pixels=[00 00 00 00])\n",
                   wanted, COUNT_OF(wanted));
    open_objects(CURRENT "glCreateTextures(target=34067, n=1, textures={3})\n"
                         "glTextureSubImage3D(texture=3, level=0, xoffset=0, yoffset=0, zoffset=5, "
                         "width=1, height=1, depth=1, format=6408, type=5121, "
                         "pixels=[00 00 00 00])\n",
                 &objects);
    assert_int_equal(objects.index->textures[0].target, 34067);
    close_objects(&objects);
}

/* The mask includes textures or not, and there are more pops than pushes. */
static void attributes_bring_textures_back(void **state)
{
    static const uint32_t wanted[] = {2, 1, 2, 1, 1, 1};

    (void)state;
    expect_uploads(
        CURRENT BIND(3553, 1) "glPushAttrib(mask=262144)\n" BIND(3553, 2) UPLOAD ACTIVE(
            33985) "glPopAttrib()\n" UPLOAD
                   "glPushAttrib(mask=1)\n" BIND(3553, 2) "glPopAttrib()\n" UPLOAD BIND(
                       3553, 1) "glPopAttrib()\n" UPLOAD
                                "glPushAttrib(mask=1048575)\nglPushAttrib(mask=262144)\n" BIND(
                                    3553,
                                    2) "glPopAttrib()\n" UPLOAD BIND(3553,
                                                                     3) "glPopAttrib()\n" UPLOAD,
        wanted, COUNT_OF(wanted));
}

/*
 * Calls that are only compiled into a list bind textures for that list alone, and calls that OpenGL
 * always executes have their effect. What the list has not bound is not known.
 */
static void lists_bind_for_themselves(void **state)
{
    static const uint32_t wanted[] = {0, 2, 0, 1, 2, 2, 0};

    (void)state;
    expect_uploads(CURRENT BIND(3553, 1) "glNewList(list=1, mode=4864)\n" UPLOAD
                       BIND(3553, 2) "glNewList(list=9, mode=4864)\n" UPLOAD ACTIVE(
                           33985) "glPushAttrib(mask=262144)\n" UPLOAD "glEndList()\n" UPLOAD
                                  "glNewList(list=2, mode=4865)\n" BIND(3553, 2) UPLOAD
                   "glEndList()\n" UPLOAD "glNewList(list=3, mode=4864)\n"
                   "glDeleteTextures(n=1, textures={2})\nglEndList()\n" UPLOAD,
                   wanted, COUNT_OF(wanted));
}

static void client_attributes_bring_the_pixel_store_back(void **state)
{
    static const uint32_t wanted[] = {3, 1, 1, 2};
    struct objects objects;

    (void)state;
    open_objects(CURRENT BIND(3553, 1) STORE(3316, 1) /* skipped pixels */
                 "glPushClientAttrib(mask=1)\n" STORE(3316, 3) UPLOAD
                 "glPopClientAttrib()\n" UPLOAD "glPopClientAttrib()\n" UPLOAD
                 "glPushClientAttrib(mask=2)\n" STORE(3316, 2) "glPopClientAttrib()\n" UPLOAD,
                 &objects);
    assert_int_equal(objects.index->texture_count, COUNT_OF(wanted));
    for (size_t n = 0; n < COUNT_OF(wanted); n++)
        assert_int_equal(objects.index->textures[n].image.unpack.skip_pixels, wanted[n]);
    close_objects(&objects);
}

/* Compares all levels, as "NAME:LEVEL WIDTHxHEIGHTxSLICES", in their order. */
static void expect_levels(const char *script, const char *const *wanted, size_t count)
{
    struct objects objects;

    open_objects(script, &objects);
    assert_int_equal(objects.index->levels.count, count);
    for (size_t n = 0; n < count; n++) {
        const struct apitrace_level *level = &objects.index->levels.list[n];
        char found[64];

        snprintf(found, sizeof(found), "%u:%u %ux%ux%u", level->object, level->level, level->width,
                 level->height, level->slices);
        assert_string_equal(found, wanted[n]);
    }
    close_objects(&objects);
}

/*
 * The number of slices decreases from level to level, that of layers does not: for textures by name
 * as for bound ones.
 */
static void levels_have_the_layers_of_their_target(void **state)
{
    static const char *const wanted[] = {"1:0 4x2x5", "1:1 2x1x5", "2:0 4x4x6", "2:1 2x2x6",
                                         "3:0 4x3x1", "3:1 2x3x1", "3:2 1x3x1", "4:0 4x3x1",
                                         "4:1 2x3x1", "4:2 1x3x1", "5:0 2x2x4", "5:1 1x1x2"};

    (void)state;
    expect_levels(
        CURRENT
        "glCreateTextures(target=35866, n=1, textures={1})\n"
        "glTextureStorage3D(texture=1, levels=2, internalformat=32856, width=4, height=2, "
        "depth=5)\n"
        "glCreateTextures(target=34067, n=1, textures={2})\n"
        "glTextureStorage2D(texture=2, levels=2, internalformat=32856, width=4, height=4)\n"
        "glCreateTextures(target=35864, n=1, textures={3})\n"
        "glTextureStorage2D(texture=3, levels=9, internalformat=32856, width=4, height=3)\n" BIND(
            35864, 4) "glTexImage2D(target=35864, level=0, internalformat=6408, width=4, "
                      "height=3, border=0, format=6408, type=5121, pixels=null)\n"
                      "glGenerateMipmap(target=35864)\n"
                      "glCreateTextures(target=32879, n=1, textures={5})\n"
                      "glTextureStorage3D(texture=5, levels=2, internalformat=32856, width=2, "
                      "height=2, depth=4)\n",
        wanted, COUNT_OF(wanted));
}

static void storage_has_no_more_levels_with_a_mipmap(void **state)
{
    static const char *const wanted[] = {"1:0 8x8x1", "1:1 4x4x1"};

    (void)state;
    expect_levels(CURRENT BIND(3553, 1) "glTexStorage2D(target=3553, levels=2, "
                                        "internalformat=32856, width=8, height=8)\n"
                                        "glGenerateMipmap(target=3553)\n",
                  wanted, COUNT_OF(wanted));
}

#define IMAGE_2D(level, size)                                                                      \
    "glTexImage2D(target=3553, level=" #level ", internalformat=6408, width=" #size                \
    ", height=" #size ", border=0, format=6408, type=5121, pixels=null)\n"
#define PARAMETER(name, value) "glTexParameteri(target=3553, pname=" #name ", param=" #value ")\n"

static void levels_in_lists_are_of_what_the_list_binds(void **state)
{
    static const char *const wanted[] = {"1:0 8x8x1", "2:0 4x4x1"};

    (void)state;
    expect_levels(CURRENT BIND(3553, 1) "glNewList(list=1, mode=4864)\n" BIND(3553, 2)
                      IMAGE_2D(0, 4) "glEndList()\n" IMAGE_2D(0, 8),
                  wanted, COUNT_OF(wanted));
}

static const char mipmaps[] = CURRENT BIND(3553, 1) PARAMETER(33084, 1) PARAMETER(33085, 2)
    IMAGE_2D(0, 16) IMAGE_2D(1, 8) "glGenerateMipmap(target=3553)\n" BIND(3553, 2)
        PARAMETER(33169, 1) IMAGE_2D(0, 4)
            BIND(3553, 3) "glTexParameteriv(target=3553, pname=33085, params={0})\n" IMAGE_2D(
                0, 4) "glGenerateMipmap(target=3553)\n" BIND(3553, 4) PARAMETER(33169, 1)
                PARAMETER(33169, 0) IMAGE_2D(0, 2) BIND(3553, 5) IMAGE_2D(
                    0, 2) "glTextureParameteriEXT(texture=5, target=3553, pname=33084, param=0)\n"
                          "glGenerateMipmap(target=3553)\n";

/*
 * From the base level to the last level that the texture may have; also if mipmaps are generated
 * automatically.
 */
static void mipmaps_have_the_levels_that_parameters_say(void **state)
{
    static const char *const wanted[] = {"1:0 16x16x1", "1:1 8x8x1", "1:2 4x4x1", "2:0 4x4x1",
                                         "2:1 2x2x1",   "2:2 1x1x1", "3:0 4x4x1", "4:0 2x2x1",
                                         "5:0 2x2x1",   "5:1 1x1x1"};

    (void)state;
    expect_levels(mipmaps, wanted, COUNT_OF(wanted));
}

#define VIEW(name, target, of, levels, layers)                                                     \
    "glTextureView(texture=" #name ", target=" #target ", origtexture=" #of                        \
    ", internalformat=32856, " levels ", " layers ")\n"

#define STORAGE_2D(target, levels, width, height)                                                  \
    "glTexStorage2D(target=" #target ", levels=" #levels ", internalformat=32856, width=" #width   \
    ", height=" #height ")\n"
#define STORAGE_3D(target, levels, width, height, depth)                                           \
    "glTexStorage3D(target=" #target ", levels=" #levels ", internalformat=32856, width=" #width   \
    ", height=" #height ", depth=" #depth ")\n"

static const char views[] = CURRENT BIND(36873, 1) STORAGE_3D(36873, 3, 8, 8, 12)
    VIEW(2, 35866, 1, "minlevel=1, numlevels=9", "minlayer=9, numlayers=7")
        VIEW(3, 34067, 1, "minlevel=0, numlevels=1", "minlayer=6, numlayers=6")
            VIEW(4, 3553, 1, "minlevel=2, numlevels=1", "minlayer=1, numlayers=1") BIND(35864, 5)
                STORAGE_2D(35864, 1, 8, 3)
                    VIEW(6, 3552, 5, "minlevel=0, numlevels=1", "minlayer=2, numlayers=1")
                        BIND(32879, 7) STORAGE_3D(32879, 2, 4, 4, 4)
                            VIEW(8, 32879, 7, "minlevel=1, numlevels=1", "minlayer=0, numlayers=1");

static void views_have_levels_of_another_texture(void **state)
{
    static const char *const wanted[] = {
        "1:0 8x8x12", "1:1 4x4x12", "1:2 2x2x12", "2:0 4x4x3", "2:1 2x2x3", "3:0 8x8x6",
        "4:0 2x2x1",  "5:0 8x3x1",  "6:0 8x1x1",  "7:0 4x4x4", "7:1 2x2x2", "8:0 2x2x2",
    };

    (void)state;
    expect_levels(views, wanted, COUNT_OF(wanted));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uploads_go_to_what_units_have),
        cmocka_unit_test(units_belong_to_contexts),
        cmocka_unit_test(what_is_pushed_takes_memory),
        cmocka_unit_test(created_textures_have_their_target),
        cmocka_unit_test(attributes_bring_textures_back),
        cmocka_unit_test(lists_bind_for_themselves),
        cmocka_unit_test(levels_in_lists_are_of_what_the_list_binds),
        cmocka_unit_test(client_attributes_bring_the_pixel_store_back),
        cmocka_unit_test(levels_have_the_layers_of_their_target),
        cmocka_unit_test(storage_has_no_more_levels_with_a_mipmap),
        cmocka_unit_test(views_have_levels_of_another_texture),
        cmocka_unit_test(mipmaps_have_the_levels_that_parameters_say),
    };

    if (getenv("GPUDUMPFS_TEST") != NULL)
        cmocka_set_test_filter(getenv("GPUDUMPFS_TEST"));
    return cmocka_run_group_tests_name("apitrace_texture_index", tests, NULL, NULL);
}
