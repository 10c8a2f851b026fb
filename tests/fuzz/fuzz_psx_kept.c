/* SPDX-License-Identifier: MIT */
/* Forged kept indexes of PSX GPU dumps (formats/psx/index/kept_index.h; kept.h). */
#include "config.h"

#include "tests/fuzz/kept.h"

#include "formats/psx/index/indexing.h"
#include "formats/psx/index/kept_index.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_dump(const struct source *source)
{
    return psx_magic_length(psx_magic_read(source->data, source->size)) > 0;
}

static bool write_index(const struct source *source, const struct options *options,
                        struct problems *problems, struct kept_writer *writer, struct kept_key *key)
{
    struct psx_index index;
    bool is_whole;

    if (psx_index_open(source, options, problems, NULL, &index) != 0)
        return false;
    is_whole = psx_index_wait_all(&index, NULL) == 0;
    if (is_whole)
        psx_kept_index_write(&index, writer);
    psx_index_close(&index);
    psx_kept_index_key(source, options, key);
    return is_whole;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct fuzz_kept format = {
        .path = "/fuzz.psxgpu",
        .max_memory = 1 << 20,
        .is_dump = is_dump,
        .write = write_index,
    };

    psx_kept_index_from = 0;
    fuzz_kept(&format, data, size);
    return 0;
}
