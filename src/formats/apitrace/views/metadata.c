/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/views/views.h"

#include "formats/apitrace/index/call.h"
#include "tree/tables.h"

#include <errno.h>
#include <stdlib.h>

enum { STRINGS_LOOKED_AT = 1024, KEY_NAME_MAX = 128, TEXT_MAX = 4096 };

static void add_properties(const struct apitrace_index *index, struct metadata *out)
{
    for (uint64_t n = 0; n < index->property_count; n++) {
        const struct apitrace_property *property = &index->properties[n];
        struct text key = TEXT_INIT;

        text_add(&key, "property.");
        text_add_escaped(&key, property->name.bytes,
                         property->name.shown < KEY_NAME_MAX ? property->name.shown
                                                             : (uint32_t)KEY_NAME_MAX);
        text_add_char(&key, '\0');
        if (text_status(&key) == 0)
            metadata_add_list(out, key.bytes);
        if (text_status(&key) == 0)
            metadata_add_bytes(out, key.bytes, property->value.bytes, property->value.length);
        else
            metadata_fail(out, text_status(&key));
        text_clear(&key);
    }
}

/* What glGetString() returned on the machine where the trace was recorded. */
static const struct gl_string {
    int64_t name;
    const char *key;
} gl_strings[] = {{0x1F00, "vendor"}, {0x1F01, "renderer"}, {0x1F02, "gl_version"}};

enum { GL_STRINGS = sizeof(gl_strings) / sizeof(gl_strings[0]) };

/*
 * Keeps the string that a call returned, once for each name. Returns true if it was a missing one.
 */
static bool keep_gl_string(struct apitrace_call *call, struct text found[GL_STRINGS],
                           bool is_found[GL_STRINGS])
{
    int64_t name = apitrace_call_integer(call, 0, 0);
    char bytes[TEXT_MAX];
    struct apitrace_value value;

    for (unsigned n = 0; n < GL_STRINGS; n++) {
        if (gl_strings[n].name != name || is_found[n] || call->result == 0)
            continue;
        apitrace_reader_seek(&call->reader, call->result);
        apitrace_read_value(&call->reader, call->definitions, &value);
        if (value.type != APITRACE_STRING)
            return false;
        if (value.number > sizeof(bytes))
            value.number = sizeof(bytes);
        if (!apitrace_read_bytes(&call->reader, bytes, (size_t)value.number))
            return false;
        text_add_bytes(&found[n], bytes, (size_t)value.number);
        is_found[n] = true;
        return true;
    }
    return false;
}

/* `count` is the number of noted calls that are known. */
static int add_gl_strings(const struct apitrace_index *index, uint64_t count,
                          const struct cancel *cancel, struct metadata *out)
{
    const struct apitrace_notes *notes = &index->notes[APITRACE_NOTE_STRINGS];
    struct text found[GL_STRINGS] = {TEXT_INIT};
    bool is_found[GL_STRINGS] = {false};
    unsigned missing = GL_STRINGS;
    struct apitrace_call call;
    int status = 0;

    apitrace_call_init(&call, index, cancel);
    for (uint64_t n = 0; n < count && n < STRINGS_LOOKED_AT && missing > 0; n++) {
        status = apitrace_call_read(&call, notes->numbers[n]);
        if (status < 0)
            break;
        missing -= keep_gl_string(&call, found, is_found);
    }
    apitrace_call_clear(&call);
    for (unsigned n = 0; n < GL_STRINGS; n++) {
        if (is_found[n])
            metadata_add_text(out, gl_strings[n].key, &found[n]);
        else
            metadata_add_none(out, gl_strings[n].key);
        text_clear(&found[n]);
    }
    return status == -EINTR || status == -ENOMEM ? status : 0;
}

static void add_known(struct metadata *out, const char *key, bool known, uint64_t value)
{
    if (known)
        metadata_add_u64(out, key, value);
    else
        metadata_add_none(out, key);
}

int apitrace_metadata(struct dump *dump, const struct cancel *cancel, struct metadata *out)
{
    const struct apitrace_index *index = apitrace_index_of(dump);
    const struct source *source = dump->source;
    bool grows = apitrace_index_grows(index), headed = index->headed;
    struct apitrace_totals totals = apitrace_index_totals(index);
    struct tables_totals shown = {
        .packets = totals.packets,
        .frames = index->follow.frames,
        .unfinished = !grows && index->follow.frames > index->finished_frames,
        .duration = -1,
    };
    int status;

    metadata_add(out, "format", "apitrace");
    add_known(out, "version", headed || !grows, index->version);
    metadata_add(out, "container", "%s", apitrace_stream_container(&index->stream));
    metadata_add_bytes(out, "source", source_basename(source), strlen(source_basename(source)));
    metadata_add_u64(out, "size", source_file_size(source));
    metadata_add_u64(out, "expanded_size", grows ? totals.end : index->stream.size);
    status = tables_totals(dump, &shown, cancel, out);
    if (status < 0)
        return status;
    add_known(out, "semantic_version", headed || !grows, index->semantic_version);
    metadata_add(out, "api", "%s", apitrace_api_name(totals.api));
    metadata_add_u64(out, "hidden_calls", totals.hidden);
    metadata_add_u64(out, "fake_calls", totals.fake);
    metadata_add_u64(out, "incomplete_calls", totals.incomplete);
    metadata_add_u64(out, "threads", totals.threads);
    metadata_add_u64(out, "functions", totals.functions);
    /* Blobs are sorted and counted at the end of the trace. */
    add_known(out, "blobs", !grows, index->blob_count);
    metadata_add_u64(out, "gl_errors", totals.notes[APITRACE_NOTE_ERRORS]);
    if (headed || !grows)
        add_properties(index, out);
    return add_gl_strings(index, totals.notes[APITRACE_NOTE_STRINGS], cancel, out);
}
