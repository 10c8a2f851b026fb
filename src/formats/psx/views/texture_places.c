/* SPDX-License-Identifier: MIT */
/*
 * Where textures are used: find/texture/IDENTITY/, by the identities of the catalog, and the frame
 * of each texture in textures/, which the tree needs for pictures that look alike.
 */
#include "formats/psx/views/views.h"

#include "formats/psx/frame/textures.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The ordinal is the highest bits of the identity, as many as a key has. */
enum { REST_BITS = 64 - RULE_KEY_BITS, IDENTITY_DIGITS = 16 };

uint64_t psx_texture_frame(struct dump *dump, uint64_t number)
{
    const struct psx_texture_catalog *catalog = psx_dump_of(dump)->catalog;

    return number < catalog->texture_count ? catalog->textures[number].frame : DUMP_NO_FRAME;
}

static bool parse_identity(struct dump *dump, uint64_t parent_key, const char *name,
                           uint64_t *ordinal)
{
    (void)dump, (void)parent_key;
    if (strncmp(name, "0x", 2) != 0 || strspn(name + 2, "0123456789ABCDEF") != IDENTITY_DIGITS ||
        name[2 + IDENTITY_DIGITS] != '\0')
        return false;
    *ordinal = strtoull(name, NULL, 16) >> REST_BITS;
    return true;
}

/*
 * Returns the first texture whose identity begins with these bits, or NULL if there is none. The
 * catalog must be complete.
 */
static const struct psx_catalog_texture *find_texture(const struct psx_texture_catalog *catalog,
                                                      uint64_t ordinal)
{
    for (uint32_t i = 0; i < catalog->texture_count; i++)
        if (catalog->textures[i].identity >> REST_BITS == ordinal)
            return &catalog->textures[i];
    return NULL;
}

/* The family is not listed, so this only has to find out whether there is such a texture. */
static int next_identity(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *ordinal)
{
    struct psx_texture_catalog *catalog = psx_dump_of(dump)->catalog;

    (void)parent_key;
    if (!psx_texture_catalog_is_complete(catalog))
        return -EAGAIN;
    *ordinal = from;
    return find_texture(catalog, from) != NULL ? 0 : -ENOENT;
}

static int name_identity(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name)
{
    const struct psx_catalog_texture *texture;
    int status = next_identity(dump, parent_key, ordinal, &ordinal);

    if (status < 0)
        return status;
    texture = find_texture(psx_dump_of(dump)->catalog, ordinal);
    snprintf(name, RULE_NAME_MAX + 1, "0x%016" PRIX64, texture->identity);
    return 0;
}

const struct rule_family psx_identity_family = {RULE_KEY_BITS, next_identity, name_identity,
                                                parse_identity};

int psx_identity_prepare(struct dump *dump, uint64_t key, const struct cancel *cancel)
{
    (void)key;
    return psx_texture_catalog_wait(psx_dump_of(dump), cancel);
}

/*
 * Adds the path of the texture's picture in the dump's textures/. The picture in a frame is no
 * substitute: it shows what the first draw of the frame finds, which may be another texture.
 */
static int add_picture(struct dump *dump, const struct psx_catalog_texture *texture,
                       struct text *text)
{
    const struct psx_texture_catalog *catalog = psx_dump_of(dump)->catalog;
    char name[RULE_NAME_MAX + 1];
    int status =
        psx_all_texture_family.name(dump, 0, (uint64_t)(texture - catalog->textures), name);

    if (status == 0)
        text_printf(text, "textures/%s", name);
    return status;
}

static int finish(struct text *text, int status, struct blob **out)
{
    if (status == 0)
        return text_blob(text, out);
    text_clear(text);
    return status;
}

int psx_identity_first_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            struct blob **out)
{
    const struct psx_catalog_texture *texture;
    struct text text = TEXT_INIT;
    int status = next_identity(dump, 0, key, &key);

    (void)cancel;
    if (status < 0)
        return status;
    texture = find_texture(psx_dump_of(dump)->catalog, key);
    text_add(&text, "../../../");
    status = add_picture(dump, texture, &text);
    return finish(&text, status, out);
}

int psx_identity_where_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            struct blob **out)
{
    const struct psx_texture_catalog *catalog = psx_dump_of(dump)->catalog;
    const struct psx_catalog_texture *texture;
    struct text text = TEXT_INIT;
    int status = psx_identity_prepare(dump, key, cancel);

    texture = status == 0 ? find_texture(catalog, key) : NULL;
    if (texture == NULL)
        return status == 0 ? -ENOENT : status;
    text_add(&text, "frame\tpicture\n");
    for (uint32_t i = 0; i < texture->frames && status == 0; i++) {
        text_printf(&text, "%" PRIu32 "\t", catalog->frames[texture->first_frame + i]);
        status = add_picture(dump, texture, &text);
        text_add_char(&text, '\n');
        if (cancel_requested(cancel))
            status = -EINTR;
    }
    return finish(&text, status, out);
}
