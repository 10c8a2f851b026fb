/* SPDX-License-Identifier: MIT */
/* Forged kept indexes of apitrace traces (formats/apitrace/index/kept_index.h; kept.h). */
#include "config.h"

#include "tests/fuzz/kept.h"

#include "formats/apitrace/dump.h"
#include "formats/apitrace/index/kept_index.h"
#include "tree/allowance.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_dump(const struct source *source)
{
    return apitrace_stream_probe(source) > 0;
}

static bool write_index(const struct source *source, const struct options *options,
                        struct problems *problems, struct kept_writer *writer, struct kept_key *key)
{
    const struct source_params source_params = {0};
    const struct apitrace_index_params params = {.source = source,
                                                 .source_params = &source_params,
                                                 .max_memory = allowance_index(options),
                                                 .problems = problems};
    struct apitrace_index index;
    bool is_whole =
        apitrace_index_open(&params, &index) == 0 && apitrace_kept_index_write(&index, writer) == 0;

    apitrace_kept_index_key(&index, key);
    apitrace_index_clear(&index);
    return is_whole;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct fuzz_kept format = {
        .path = "/fuzz.trace",
        .max_memory = 4 << 20,
        .is_dump = is_dump,
        .write = write_index,
    };

    setenv("GPUDUMPFS_GLWORKER", "/nonexistent", 1);
    apitrace_early_from = 1;
    fuzz_kept(&format, data, size);
    return 0;
}
