/* SPDX-License-Identifier: MIT */
/*
 * Options: each line of the input is an option of the program or of a format. After all lines have
 * been parsed, the options in force are written.
 */
#include "config.h"

#include "cli/program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BYTES_MAX = 1 << 10 };

static void parse_line(struct options *options, const char *line)
{
    struct text message = TEXT_INIT;
    int status = options_parse(options, line, &message);

    if (status != 1 && status != 0 && status != -ENOMEM &&
        (status != -EINVAL || message.length == 0))
        abort();
    text_clear(&message);
}

static void use(struct options *options)
{
    struct text text = TEXT_INIT;

    options_write(options, NULL, &text);
    for (size_t i = 0; formats_table[i].name != NULL; i++)
        if (formats_table[i].ops->options != NULL)
            options_write(options, formats_table[i].ops->options, &text);
    if (text_status(&text) < 0)
        abort();
    text_clear(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct program_options options;
    char *lines, *at;

    if (size > BYTES_MAX || (lines = malloc(size + 1)) == NULL)
        return 0;
    memcpy(lines, data, size);
    lines[size] = '\0';
    program_options_init(&options);
    if (format_options_add(&options.common) == 0) {
        for (at = lines; at != NULL;) {
            char *line = strsep(&at, "\n");

            parse_line(&options.common, line);
        }
        use(&options.common);
    }
    options_clear(&options.common);
    free(lines);
    return 0;
}
