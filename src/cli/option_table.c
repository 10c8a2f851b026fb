/* SPDX-License-Identifier: MIT */
#include "cli/program.h"

#include <stddef.h>
#include <unistd.h>

#define KIB ((uint64_t)1 << 10)
#define MIB ((uint64_t)1 << 20)
#define TIB ((uint64_t)1 << 40)

/* OPTION_COUNT and OPTION_OCTAL store an unsigned, OPTION_CHOICE an enum of that size. */
_Static_assert(sizeof(uid_t) == sizeof(unsigned) && sizeof(gid_t) == sizeof(unsigned) &&
                   sizeof(mode_t) == sizeof(unsigned),
               "ids and modes are parsed as unsigned");
_Static_assert(sizeof(enum picture_encoding) == sizeof(unsigned), "choices are parsed as unsigned");

static const char *const png_choices[] = {"stored", "small", NULL};
static const char *const keep_choices[] = {"yes", "no", NULL};

#define AT(member) offsetof(struct program_options, member)

static const struct option_rule rules[] = {
    {"cache", "SIZE", "memory for produced files", "256M", OPTION_SIZE, AT(common.cache), NULL, MIB,
     TIB, NULL},
    {"png", "stored|small",
     "stored: sizes are known at once; small: compressed, rendered when listed", "stored",
     OPTION_CHOICE, AT(common.png), png_choices, 0, 0, NULL},
    {"shader-cache", "yes|no", "keep compiled shaders in $XDG_CACHE_HOME", "yes", OPTION_CHOICE,
     AT(common.shader_cache), keep_choices, 0, 0, NULL},
    {"index-cache", "yes|no", "keep indexes of dumps in $XDG_CACHE_HOME", "yes", OPTION_CHOICE,
     AT(common.index_cache), keep_choices, 0, 0, NULL},
    {"xattr", "yes|no", "extended attributes user.gpudumpfs.*; ls -l is faster without", "yes",
     OPTION_CHOICE, AT(mount.xattr), keep_choices, 0, 0, NULL},
    {"idle-unmount", "SECONDS", "unmount when the mount has not been used for this time", "never",
     OPTION_COUNT, AT(mount.idle_unmount), NULL, 1, 31536000, NULL},
    {"threads", "N", "threads that produce files", "number of processors", OPTION_COUNT,
     AT(common.threads), NULL, 1, 256, NULL},
    {"strict", NULL, "refuse a dump that has an error", "off", OPTION_FLAG, AT(common.strict), NULL,
     0, 0, NULL},
    {"follow", NULL, "the dump is still being written: show it as it grows", "off", OPTION_FLAG,
     AT(follow), NULL, 0, 0, NULL},
    {"dir", NULL, "DUMP is a folder: show each dump in it as a directory", "off", OPTION_FLAG,
     AT(dir), NULL, 0, 0, NULL},
    {"open-dumps", "N", "how many dumps of a folder stay open and share the cache", "4",
     OPTION_COUNT, AT(open_dumps), NULL, 1, 64, NULL},
    {"allow-remote", NULL, "let other machines connect to a stream's socket", "off", OPTION_FLAG,
     AT(allow_remote), NULL, 0, 0, NULL},
    {"max-expand", "SIZE", "maximum size of a dump after decompression, or of a stream",
     "1G, streams 8G", OPTION_SIZE, AT(max_expand), NULL, 1, UINT64_MAX, NULL},
    {"max-ratio", "N", "maximum ratio of decompression, beyond 64M; 0: no limit", "2000",
     OPTION_COUNT, AT(max_ratio), NULL, 0, UINT32_MAX, NULL},
    {"max-memory", "SIZE", "maximum memory for the index of a dump", "2G", OPTION_SIZE,
     AT(common.max_memory), NULL, MIB, UINT64_MAX, NULL},
    {"max-seconds", "N", "maximum processor time to produce a file, in seconds; 0: no limit",
     "by the dump's size", OPTION_COUNT, AT(common.max_seconds), NULL, 0, 1000000, NULL},
    {"max-text", "SIZE", "maximum length of a text", "by the dump's size", OPTION_SIZE,
     AT(common.max_text), NULL, 64 * KIB, 16 * TIB, NULL},
    {"max-resident", "SIZE", "maximum memory of the program and its workers; 0: no limit",
     "by the dump's size", OPTION_SIZE, AT(common.max_resident), NULL, 0, 16 * TIB, NULL},
    {"spool", "DIR", "where compressed dumps are expanded", "$TMPDIR, else /var/tmp", OPTION_TEXT,
     AT(spool), NULL, 0, 0, NULL},
    {"overlay", "DIR", "edited files, which replace those of the mount", "none", OPTION_TEXT,
     AT(overlay), NULL, 0, 0, NULL},
    {"confine", "yes|no", "give up all rights that are not needed before reading the dump", "yes",
     OPTION_CHOICE, AT(confine), keep_choices, 0, 0, NULL},
    {"run-as", "USER", "the user that the daemon becomes if root mounts", "nobody", OPTION_TEXT,
     AT(run_as), NULL, 0, 0, NULL},
    {"mount-namespace", "FILE", "mount in the mount namespace of this file; -: of standard input",
     "the program's own", OPTION_TEXT, AT(mount_namespace), NULL, 0, 0, NULL},
    {"digits", "N", "minimum number of digits of frame numbers", "as the dump needs", OPTION_COUNT,
     AT(common.digits), NULL, 1, 12, NULL},
    {"uid", "N", "owner of the files", "the user that mounts", OPTION_COUNT, AT(mount.uid), NULL, 0,
     UINT32_MAX, NULL},
    {"gid", "N", "group of the files", "the user that mounts", OPTION_COUNT, AT(mount.gid), NULL, 0,
     UINT32_MAX, NULL},
    {"umask", "OCTAL", "permissions to remove from those of the dump", "0", OPTION_OCTAL,
     AT(mount.umask), NULL, 0, 0777, NULL},
};

static const char *const of_mounts[] = {
    "follow", "dir",    "open-dumps",      "allow-remote", "uid", "gid",
    "umask",  "run-as", "mount-namespace", "overlay",      NULL};

/* gpudump has always accepted these. */
static const char *const idle[] = {"idle-unmount", "xattr", NULL};

static const struct option_table table = {.rules = rules,
                                          .count = sizeof(rules) / sizeof(rules[0]),
                                          .of_mounts = of_mounts,
                                          .idle = idle};

void program_options_init(struct program_options *options)
{
    *options = (struct program_options){.max_ratio = SOURCE_MAX_RATIO,
                                        .open_dumps = 4,
                                        .mount = {.uid = getuid(), .gid = getgid()}};
    options_init(&options->common);
    options->common.program = &table;
    options->common.program_values = options;
}

struct source_params program_source_params(const struct program_options *options)
{
    return (struct source_params){.max_expand = options->max_expand,
                                  .max_ratio = options->max_ratio,
                                  .spool_dir = options->spool};
}

void program_options_share(const struct program_options *options, struct program_options *out)
{
    *out = *options;
    out->common.cache /= options->open_dumps;
    out->common.program_values = out;
}
