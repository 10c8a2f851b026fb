/* SPDX-License-Identifier: MIT */
/*
 * Runs the programs on standard input, one a line: parameters, words and budget separated by tabs,
 * as machine.h describes them. Writes each outcome as one line. gapir/random_programs.py compares
 * the outcomes with those of another machine.
 */
#include "config.h"

#include "tests/formats/gapir/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void run(char *parameters, char *words, uint64_t steps, struct text *out)
{
    struct machine machine;

    machine_init(&machine, parameters);
    machine_run(&machine, words, steps);
    machine_outcome(&machine, out);
    text_add_char(out, '\n');
    machine_clear(&machine);
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;

    while ((length = getline(&line, &room, stdin)) > 0) {
        struct text out = TEXT_INIT;
        char *rest = line;
        line[length - 1] = 0;
        char *parameters = strsep(&rest, "\t"), *words = strsep(&rest, "\t");
        if (rest == NULL)
            abort();
        run(parameters, words, strtoull(rest, NULL, 10), &out);
        fwrite(out.bytes, 1, out.length, stdout);
        text_clear(&out);
    }
    free(line);
    return 0;
}
