/* SPDX-License-Identifier: MIT */
/* Parameters of calls as text: each kind, cut off, and with counts that no file can hold */
#include "config.h"

#include "formats/gfxreconstruct/decode/decode.h"

#include "tests/formats/gfxreconstruct/bytes.h"
#include "tests/support/support.h"

#include <string.h>

static void expect_call(uint32_t id, const struct text *bytes, enum gfxreconstruct_outcome outcome,
                        const char *expected)
{
    struct gfxreconstruct_reading reading = {.bytes = {data_of(bytes), bytes->length}};
    struct text text = TEXT_INIT;

    assert_int_equal(gfxreconstruct_read_call(gfxreconstruct_call_find(id), &reading, &text),
                     outcome);
    text_add_char(&text, 0);
    assert_string_equal(text.bytes, expected);
    text_clear(&text);
}

static void test_calls_by_id(void **state)
{
    (void)state;
    assert_string_equal(gfxreconstruct_call_name(gfxreconstruct_call_find(0x11000)),
                        "vkCreateInstance");
    assert_string_equal(gfxreconstruct_call_name(gfxreconstruct_call_find(0x110ae)),
                        "vkQueuePresentKHR");
    assert_null(gfxreconstruct_call_find(0x1000));  /* of no family */
    assert_null(gfxreconstruct_call_find(0x31000)); /* of Direct3D 12 */
    assert_null(gfxreconstruct_call_find(0x1ffff));
}

static void test_scalars(void **state)
{
    struct text bytes = TEXT_INIT;

    (void)state;
    add(&bytes, 8, 8);
    add(&bytes, 3, 4);
    add(&bytes, 1, 4);
    add(&bytes, 0, 8);
    expect_call(0x1106a, &bytes, GFXR_DECODED,
                "(commandBuffer=8, vertexCount=3, instanceCount=1, firstVertex=0, "
                "firstInstance=0)");
    bytes.length -= 6;
    expect_call(0x1106a, &bytes, GFXR_CUT_OFF,
                "(commandBuffer=8, vertexCount=3, instanceCount=1, firstVertex=<cut off>)");
    bytes.length = 0;
    expect_call(0x1106a, &bytes, GFXR_CUT_OFF, "(commandBuffer=<cut off>)");
    text_clear(&bytes);
}

static void test_pointer_whose_data_is_omitted(void **state)
{
    struct text bytes = TEXT_INIT;

    (void)state;
    add(&bytes, 1, 8);
    add(&bytes, 0x42, 4); /* a count, which is shown although the call failed */
    add(&bytes, 0xabc, 8);
    add(&bytes, 0x44, 4);
    add(&bytes, 0xdef, 8);
    add(&bytes, 2, 8);
    add(&bytes, (uint32_t)-3, 4);
    expect_call(0x11002, &bytes, GFXR_DECODED,
                "(instance=1, pPhysicalDeviceCount=0xabc, pPhysicalDevices=0xdef) = "
                "VK_ERROR_INITIALIZATION_FAILED");
    text_clear(&bytes);
}

/* Counts that no file can hold, of scalars and of structures */
static void test_hostile_arrays(void **state)
{
    struct text bytes = TEXT_INIT;

    (void)state;
    add(&bytes, 1, 8);
    add(&bytes, 0xc2, 4);
    add(&bytes, 0, 8);
    add(&bytes, 1, 4);
    add(&bytes, 0xc4, 4);
    add(&bytes, 0, 8);
    add(&bytes, UINT64_MAX / 4, 8);
    expect_call(0x11002, &bytes, GFXR_CUT_OFF,
                "(instance=1, pPhysicalDeviceCount=&1, pPhysicalDevices=[<cut off>])");
    bytes.length = 0;
    add(&bytes, 1, 8);
    add(&bytes, 0, 8);
    add(&bytes, 0xe4, 4);
    add(&bytes, 0, 8);
    add(&bytes, UINT64_MAX, 8);
    expect_call(0x1105e, &bytes, GFXR_CUT_OFF,
                "(commandBuffer=1, firstViewport=0, viewportCount=0, pViewports=[{x=<cut off>}])");
    text_clear(&bytes);
}

/* A call that ends at a damage must not look as if it were complete. */
static void test_damage_is_shown(void **state)
{
    enum { LEVELS = 600 };
    struct text bytes = TEXT_INIT, text = TEXT_INIT;
    struct gfxreconstruct_reading reading = {0};

    (void)state;
    add(&bytes, 1, 8);
    add(&bytes, 0x82, 4); /* a string without a length */
    add(&bytes, 0, 8);
    expect_call(0x11009, &bytes, GFXR_CUT_OFF, "(instance=1, pName=&<damaged>)");
    bytes.length = 0;
    add(&bytes, 1, 8);
    add(&bytes, 0xa2, 4);
    add(&bytes, 8, 4); /* VkFenceCreateInfo */
    for (unsigned i = 0; i < LEVELS; i++) {
        add(&bytes, 0xa2, 4);
        add(&bytes, 1000113000, 4); /* VkExportFenceCreateInfo */
    }
    reading.bytes = (struct gfxreconstruct_slice){data_of(&bytes), bytes.length};
    assert_int_equal(gfxreconstruct_read_call(gfxreconstruct_call_find(0x11023), &reading, &text),
                     GFXR_CUT_OFF);
    text_add_char(&text, 0);
    assert_non_null(strstr(text.bytes, "{pNext=<damaged>}}"));
    text_clear(&text);
    text_clear(&bytes);
}

/* Adds the parameters of a call up to 70 of 100 strings, all of which are NULL. */
static void add_names(struct text *bytes)
{
    bytes->length = 0;
    add(bytes, 1, 8);
    add(bytes, 0x86, 4);
    add(bytes, 100, 8);
    for (unsigned i = 0; i < 70; i++)
        add(bytes, 1, 4);
}

/* Checks that the text of a call ends like that. */
static void expect_end(const struct text *bytes, const char *end)
{
    struct gfxreconstruct_reading reading = {.bytes = {data_of(bytes), bytes->length}};
    struct text text = TEXT_INIT;

    assert_int_equal(gfxreconstruct_read_call(gfxreconstruct_call_find(0x11009), &reading, &text),
                     GFXR_CUT_OFF);
    text_add_char(&text, 0);
    assert_in_range(text.length, strlen(end) + 1, SIZE_MAX);
    assert_string_equal(text.bytes + text.length - strlen(end) - 1, end);
    text_clear(&text);
}

/* The same if the damage is in an element that is not shown. */
static void test_hidden_damage_is_shown(void **state)
{
    struct text bytes = TEXT_INIT;

    (void)state;
    add_names(&bytes);
    add(&bytes, 0x82, 4); /* a string without a length */
    expect_end(&bytes, "NULL, ... 36 more, <damaged>])");
    add_names(&bytes);
    add(&bytes, 0x8a, 4);
    add(&bytes, 1000, 8); /* a string that goes on beyond the end */
    expect_end(&bytes, "NULL, ... 36 more, <cut off>])");
    text_clear(&bytes);
}

/* The chain of pNext does not end. */
static void test_depth_is_limited(void **state)
{
    struct text bytes = TEXT_INIT;
    struct gfxreconstruct_reading reading = {0};

    (void)state;
    add(&bytes, 1, 8);
    add(&bytes, 0xa2, 4);
    for (unsigned i = 0; i < 100000; i++) {
        add(&bytes, 1000059000, 4); /* VkPhysicalDeviceFeatures2 */
        add(&bytes, 0xa2, 4);
    }
    reading.bytes = (struct gfxreconstruct_slice){data_of(&bytes), bytes.length};
    assert_int_equal(gfxreconstruct_read_call(gfxreconstruct_call_find(0x11093), &reading, NULL),
                     GFXR_CUT_OFF);
    text_clear(&bytes);
}

/* The bytes of an array give its number of structures, and a hole provides them at no cost. */
static void test_long_arrays_are_cancelled(void **state)
{
    enum { COUNT = 1 << 20, VIEWPORT = 24 };
    struct cancel cancel;
    struct gfxreconstruct_reading reading = {.cancel = &cancel};
    struct text bytes = TEXT_INIT;

    (void)state;
    add(&bytes, 8, 8);
    add(&bytes, 0, 4);
    add(&bytes, COUNT, 4);
    add(&bytes, 0xe4, 4); /* structures with address and data */
    add(&bytes, 0xabc, 8);
    add(&bytes, COUNT, 8);
    for (unsigned i = 0; i < COUNT; i++)
        add(&bytes, 0, VIEWPORT);
    reading.bytes = (struct gfxreconstruct_slice){data_of(&bytes), bytes.length};
    cancel_init(&cancel, NULL);
    assert_int_equal(gfxreconstruct_read_call(gfxreconstruct_call_find(0x1105e), &reading, NULL),
                     GFXR_DECODED);
    cancel_raise(&cancel);
    assert_int_equal(gfxreconstruct_read_call(gfxreconstruct_call_find(0x1105e), &reading, NULL),
                     GFXR_CANCELLED);
    text_clear(&bytes);
}

static void test_strings_are_escaped(void **state)
{
    static const uint8_t bytes[] = {'a', '"', '\\', '\n', 0xff};
    struct text text = TEXT_INIT;

    (void)state;
    gfxreconstruct_write_quoted(bytes, sizeof(bytes), &text);
    gfxreconstruct_write_quoted(NULL, 0, &text);
    text_add_char(&text, 0);
    assert_string_equal(text.bytes, "\"a\\\"\\\\\\x0A\\xFF\"\"\"");
    text_clear(&text);
}

/* A message of a block may be as long as the file; its line of text ends at 64 KiB. */
static void test_long_messages_are_cut(void **state)
{
    enum { LONG = 1 << 20, LINE = 64 << 10 };
    static uint8_t bytes[LONG];
    struct text text = TEXT_INIT;

    (void)state;
    memset(bytes, 1, sizeof(bytes)); /* shown as four characters each */
    assert_true(gfxreconstruct_write_meta(gfxreconstruct_meta_find(GFXR_META_MESSAGE),
                                          (struct gfxreconstruct_slice){bytes, LONG}, &text));
    assert_in_range(text.length, LINE / 2, LINE);
    assert_memory_equal(text.bytes + text.length - 5, "\"...)", 5);
    text_clear(&text);
}

/*
 * A string among the parameters, of which every byte is escaped: the result is still shown after
 * it.
 */
static void test_long_strings_are_cut(void **state)
{
    enum { LONG = 1 << 20, LINE = 64 << 10 };
    static const char end[] = "\"...) = VK_SUCCESS";
    struct gfxreconstruct_reading reading = {0};
    struct text bytes = TEXT_INIT, text = TEXT_INIT;

    (void)state;
    add(&bytes, 1, 8);
    add(&bytes, 0xc8, 4); /* a string with address and data */
    add(&bytes, 0xabc, 8);
    add(&bytes, LONG, 8);
    for (unsigned i = 0; i < LONG; i++)
        add(&bytes, 1, 1);
    add(&bytes, 1, 4);
    add(&bytes, 1, 4);
    add(&bytes, 0, 4);
    reading.bytes = (struct gfxreconstruct_slice){data_of(&bytes), bytes.length};
    assert_int_equal(gfxreconstruct_read_call(gfxreconstruct_call_find(0x1100e), &reading, &text),
                     GFXR_DECODED);
    assert_in_range(text.length, LINE / 2, LINE + sizeof(end));
    assert_memory_equal(text.bytes + text.length - (sizeof(end) - 1), end, sizeof(end) - 1);
    text_clear(&text);
    text_clear(&bytes);
}

static void add_name(struct text *bytes, const char *name)
{
    add(bytes, 0x8a, 4); /* a string with data, without an address */
    add(bytes, strlen(name), 8);
    text_add(bytes, name);
}

/*
 * The properties of a device that is made of another one: vkGetPhysicalDeviceProperties2 with a
 * VkPhysicalDeviceLayeredApiPropertiesListKHR as pNext, whose members precede the device's own.
 */
static void test_members_of_extensions_are_not_found(void **state)
{
    enum { PROPERTIES2 = 1000059001, LAYERED_LIST = 1000562002, LAYERED = 1000562003 };
    struct text bytes = TEXT_INIT;
    struct gfxreconstruct_reading reading = {.watched = "deviceName"};

    (void)state;
    add(&bytes, 1, 8);    /* physicalDevice */
    add(&bytes, 0xa2, 4); /* pProperties: a structure with data */
    add(&bytes, PROPERTIES2, 4);
    add(&bytes, 0xa2, 4);
    add(&bytes, LAYERED_LIST, 4);
    add(&bytes, 1, 4); /* pNext: NULL */
    add(&bytes, 1, 4);
    add(&bytes, 0xa4, 4);
    add(&bytes, 1, 8);
    add(&bytes, LAYERED, 4);
    add(&bytes, 1, 4);
    add(&bytes, 0, 12);
    add_name(&bytes, "below");
    add(&bytes, 0, 20); /* apiVersion to deviceType */
    add_name(&bytes, "device");
    reading.bytes = (struct gfxreconstruct_slice){data_of(&bytes), bytes.length};
    gfxreconstruct_read_call(gfxreconstruct_call_find(0x11094), &reading, NULL);
    assert_int_equal(reading.found.size, strlen("device"));
    assert_memory_equal(reading.found.data, "device", strlen("device"));
    text_clear(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls_by_id),
        cmocka_unit_test(test_scalars),
        cmocka_unit_test(test_pointer_whose_data_is_omitted),
        cmocka_unit_test(test_hostile_arrays),
        cmocka_unit_test(test_damage_is_shown),
        cmocka_unit_test(test_hidden_damage_is_shown),
        cmocka_unit_test(test_depth_is_limited),
        cmocka_unit_test(test_long_arrays_are_cancelled),
        cmocka_unit_test(test_strings_are_escaped),
        cmocka_unit_test(test_long_messages_are_cut),
        cmocka_unit_test(test_long_strings_are_cut),
        cmocka_unit_test(test_members_of_extensions_are_not_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
