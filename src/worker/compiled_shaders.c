/* SPDX-License-Identifier: MIT */
#include "worker/compiled_shaders.h"

#include "base/log.h"
#include "worker/worker_program.h"

#include <stdlib.h>
#include <string.h>

void compiled_shaders_init(struct compiled_shaders *shaders, const struct source *kept_for,
                           struct cache *const *cache)
{
    *shaders = (struct compiled_shaders){.kept_for = kept_for, .cache = cache};
    shader_disk_cache_init(&shaders->database);
}

static struct cache *payer(const struct compiled_shaders *shaders)
{
    return shaders->cache == NULL ? NULL : *shaders->cache;
}

static void clear(struct compiled_shaders *shaders)
{
    shader_disk_cache_clear(&shaders->database);
    shaders->over_budget = false;
    if (payer(shaders) != NULL)
        cache_charge(payer(shaders), &shaders->charged, 0, 0);
}

void compiled_shaders_pay(struct compiled_shaders *shaders)
{
    if (payer(shaders) != NULL)
        shaders->over_budget =
            cache_charge(payer(shaders), &shaders->charged,
                         shader_disk_cache_bytes(&shaders->database), UINT64_MAX) < 0;
}

/* Loads what the last mount has left, at the first start of a process. */
static void load(struct compiled_shaders *shaders)
{
    if (shaders->loaded)
        return;
    shaders->loaded = true;
    if (shaders->kept_for != NULL)
        shaders->path = shader_disk_cache_path(shaders->kept_for);
    if (shaders->path != NULL && shader_disk_cache_load(shaders->path, &shaders->database) == 0)
        shaders->loaded_bytes = shader_disk_cache_stored(&shaders->database);
}

bool compiled_shaders_begin(struct compiled_shaders *shaders, const char *program)
{
    if (shaders->folder == NULL)
        shaders->folder = worker_program_folder(program);
    if (shaders->over_budget)
        clear(shaders);
    if (shaders->folder == NULL || shader_disk_cache_make(&shaders->database) < 0)
        return false;
    load(shaders);
    return true;
}

/* Saves the shaders for the next mount, if there are new ones. */
static void save(const struct compiled_shaders *shaders)
{
    uint64_t stored = shader_disk_cache_stored(&shaders->database);
    int status;

    if (shaders->path == NULL || stored == 0 || stored == shaders->loaded_bytes)
        return;
    status = shader_disk_cache_save(shaders->path, &shaders->database);
    if (status < 0)
        log_write(LOG_INFO, "compiled shaders are not kept in %s: %s", shaders->path,
                  strerror(-status));
}

void compiled_shaders_drop(struct compiled_shaders *shaders)
{
    clear(shaders);
    if (shaders->path != NULL && shaders->loaded_bytes > 0)
        shader_disk_cache_drop(shaders->path);
    shaders->loaded_bytes = 0;
}

void compiled_shaders_end(struct compiled_shaders *shaders)
{
    save(shaders);
    clear(shaders);
    free(shaders->path);
    free(shaders->folder);
}
