/* SPDX-License-Identifier: MIT */
/*
 * Texts of PSX GPU dumps: the input is a text or a dump. The dump, or the result of assembling the
 * text, is disassembled; assembling that text must give the same bytes.
 */
#include "formats/psx/assembly/assembly.h"
#include "formats/psx/index/indexing.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BYTES_MAX = 1 << 14, INDEX_MEMORY = 1 << 22 };

static int append(void *context, const void *bytes, size_t length)
{
    text_add_bytes(context, bytes, length);
    return 0;
}

struct lines {
    const char *next;
    size_t left;
};

static int next_line(void *context, const char **line, size_t *length)
{
    struct lines *lines = context;
    const char *newline = lines->left > 0 ? memchr(lines->next, '\n', lines->left) : NULL;
    size_t taken;

    if (lines->left == 0)
        return 0;
    *line = lines->next;
    *length = newline != NULL ? (size_t)(newline - lines->next) : lines->left;
    taken = *length + (newline != NULL);
    lines->next += taken;
    lines->left -= taken;
    return 1;
}

static int assemble(const char *bytes, size_t length, struct text *dump)
{
    struct lines lines = {bytes, length};
    struct format_text_error error = {0};
    int status = psx_assemble(&(struct format_lines){next_line, &lines},
                              &(struct format_sink){append, dump}, &error);

    if (status != 0 && (error.column == 0 || error.message[0] == '\0'))
        abort();
    return status;
}

/* Returns false if no index could be built. */
static bool disassemble(const void *dump, size_t size, struct text *text)
{
    static struct options options;
    char path[] = "/fuzz.psxgpu";
    struct source source = {.data = dump, .size = size, .file_size = size, .path = path};
    struct problems *problems = NULL;
    struct psx_index index = {0};
    bool opened;

    if (options.own == NULL) {
        if (format_options_init(&options) < 0)
            return false;
        options.max_memory = INDEX_MEMORY;
    }
    if (problems_create(&problems) < 0)
        return false;
    opened = psx_index_open(&source, &options, problems, NULL, &index) == 0;
    if (opened) {
        opened = index.size == size;
        if (opened && psx_disassemble(&index, NULL, &(struct format_sink){append, text}) != 0)
            abort();
        psx_index_close(&index);
    }
    problems_destroy(&problems);
    return opened;
}

static void check_round_trip(const void *bytes, size_t size)
{
    struct text text = TEXT_INIT, dump = TEXT_INIT;

    if (disassemble(bytes, size, &text) &&
        (assemble(text.bytes, text.length, &dump) != 0 || dump.length != size ||
         memcmp(dump.bytes, bytes, size) != 0))
        abort();
    text_clear(&text);
    text_clear(&dump);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum psx_magic magic = psx_magic_read(data, size);
    struct text dump = TEXT_INIT;

    if (size > BYTES_MAX)
        return 0;
    if (magic == PSX_MAGIC_14 || magic == PSX_MAGIC_16)
        check_round_trip(data, size);
    else if (assemble((const char *)data, size, &dump) == 0)
        check_round_trip(dump.bytes, dump.length);
    text_clear(&dump);
    return 0;
}
