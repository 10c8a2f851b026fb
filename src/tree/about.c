/* SPDX-License-Identifier: MIT */
/*
 * .gpudumpfs/: about the program, not the dump. The numbers in cache.txt have a fixed width, so
 * that the reported size is always right.
 */
#include "config.h"

#include "base/confinement.h"
#include "tree/internal.h"
#include "tree/readahead.h"

#include <inttypes.h>
#include <string.h>

enum { VALUE_END = 30 }; /* column where the values end; wide enough for any 64-bit number */

int about_make_version(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out)
{
    struct text text = TEXT_INIT;

    (void)dump, (void)key, (void)cancel;
    text_add(&text, PACKAGE_STRING "\n");
    return common_finish(&text, 0, out);
}

int about_make_options(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out)
{
    struct text text = TEXT_INIT;

    (void)key, (void)cancel;
    options_write(dump->options, dump->own_options, &text);
    return common_finish(&text, 0, out);
}

int about_make_confinement(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           struct blob **out)
{
    struct text text = TEXT_INIT;

    (void)dump, (void)key, (void)cancel;
    confinement_write(&text);
    return common_finish(&text, 0, out);
}

int about_make_overlay(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out)
{
    struct text text = TEXT_INIT;

    (void)key, (void)cancel;
    text_add(&text, dump->overlay);
    return common_finish(&text, 0, out);
}

int about_make_cache(struct dump *dump, uint64_t key, const struct cancel *cancel,
                     struct blob **out)
{
    struct text text = TEXT_INIT;
    struct cache_statistics now;

    (void)key, (void)cancel;
    cache_statistics(dump->cache, &now);
    const struct {
        const char *name;
        uint64_t value;
    } lines[] = {
        {"budget", now.budget},
        {"held", now.held},
        {"pinned", now.pinned},
        {"charged", now.charged},
        {"beyond", now.beyond},
        {"hits", now.hits},
        {"misses", now.misses},
        {"evictions", now.evictions},
        {"renders", now.made[CACHE_RENDER]},
        {"ahead", readahead_pictures(dump->tree)},
        {"texts", now.made[CACHE_TEXT]},
        {"texts_ahead", readahead_texts(dump->tree)},
        {"failed", now.failed},
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        text_field(&text, lines[i].name, "%*" PRIu64, VALUE_END - (int)strlen(lines[i].name),
                   lines[i].value);
    return common_finish(&text, 0, out);
}
