/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/dump.h"

#include "formats/apitrace/views/draws.h"
#include "formats/apitrace/views/views.h"

#include <errno.h>

static int make_commands_link(struct dump *dump, uint64_t key, const struct cancel *cancel,
                              struct blob **out)
{
    struct text text = TEXT_INIT;

    (void)dump, (void)key, (void)cancel;
    text_add(&text, "calls.txt");
    return text_blob(&text, out);
}

/* What follows from all of the trace is there once no more can come. */
static int has_all(struct dump *dump, uint64_t key)
{
    (void)key;
    return apitrace_index_grows(apitrace_index_of(dump)) ? -ENOENT : 0;
}

#define APITRACE(what, own_id, in, pattern)                                                        \
    .kind = RULE_##what, .id = APITRACE_RULE_##own_id, .parent = in, .name = pattern

const struct rule apitrace_rules[APITRACE_RULES] = {
    {APITRACE(FILE, CALLS, RULE_FRAME, "calls.txt"), .listing = &apitrace_calls_listing,
     .ahead = true, .help = "its calls, as `apitrace dump --color=never` prints them"},
    {APITRACE(LINK, COMMANDS, RULE_FRAME, "commands.txt"), .make = make_commands_link},
    {APITRACE(FILE, CALLS_RAW, RULE_FRAME, "calls-raw.txt"), .listing = &apitrace_calls_raw_listing,
     .ahead = true, .help = "the same to the byte: names are not escaped"},
    {APITRACE(FILE, CALLS_ONELINE, RULE_FRAME, "calls-oneline.txt"),
     .listing = &apitrace_calls_oneline_listing, .ahead = true,
     .help = "the same with --multiline=no"},
    {APITRACE(FILE, CALLS_VERBOSE, RULE_FRAME, "calls-verbose.txt"),
     .listing = &apitrace_calls_verbose_listing, .ahead = true,
     .help = "the same with -v --thread-ids=yes: hidden calls and threads are shown"},
    {APITRACE(FILE, SUMMARY, RULE_FRAME, "summary.txt"), .exists = has_all,
     .make = apitrace_summary_make, .help = "what the frame did, counted"},
    {APITRACE(FILE, FRAME_CUT, RULE_FRAME, "frame.trace"), .exists = has_all,
     .size = apitrace_frame_cut_size, .piece = apitrace_frame_cut_piece, .slow = true,
     .help = "the calls that its picture is made of, as a trace that apitrace reads"},
    {APITRACE(DIRECTORY, FRAME_BLOBS, RULE_FRAME, "blobs"), .exists = has_all,
     .help = "its part of blobs/"},
    {APITRACE(FILE, FRAME_BLOB, APITRACE_RULE_FRAME_BLOBS, "NNNNNNNN-K.bin"),
     .family = &apitrace_frame_blob_family, .alias = APITRACE_RULE_BLOB},
    {APITRACE(DIRECTORY, FRAME_SHADERS, RULE_FRAME, "shaders"), .exists = has_all,
     .help = "its part of shaders/"},
    {APITRACE(FILE, FRAME_SHADER, APITRACE_RULE_FRAME_SHADERS, "NNNNNNNN-STAGE.glsl"),
     .family = &apitrace_frame_shader_family, .alias = APITRACE_RULE_SHADER},
    {APITRACE(DIRECTORY, FRAME_UPLOADS, RULE_FRAME, "uploads"), .exists = has_all,
     .help = "its part of textures/"},
    {APITRACE(FILE, FRAME_UPLOAD, APITRACE_RULE_FRAME_UPLOADS, "NNNNNNNN-WxH.png"),
     .family = &apitrace_frame_upload_family, .alias = APITRACE_RULE_TEXTURE},
    {APITRACE(DIRECTORY, FRAME_TEXTURES, RULE_FRAME, "textures"), .exists = has_all},
    {APITRACE(FILE, FRAME_TEXTURE, APITRACE_RULE_FRAME_TEXTURES, "NNNNN-LL.png"),
     .family = &apitrace_level_family, .size = apitrace_level_size, .make = apitrace_level_make,
     .work = CACHE_RENDER, .slow = true,
     .help = "level LL of texture NNNNN as it is at its end; slices one below the other"},
    {APITRACE(FILE, FRAME_DRAWS_TSV, RULE_FRAME, "draws.tsv"), .exists = has_all,
     .listing = &apitrace_draws_listing, .help = "its draws, and what each is drawn on"},
    {APITRACE(DIRECTORY, FRAME_DRAWS, RULE_FRAME, "draws"), .exists = has_all},
    {APITRACE(FILE, FRAME_DRAW, APITRACE_RULE_FRAME_DRAWS, "NNNNNNNN.png"),
     .family = &apitrace_draw_family, .counts = "draw", .size = apitrace_draw_size,
     .make = apitrace_draw_make, .finish = apitrace_draw_finish, .work = CACHE_RENDER, .slow = true,
     .help = "what is there right after draw NNNNNNNN: step through the frame"},
    {APITRACE(DIRECTORY, DRAW, APITRACE_RULE_FRAME_DRAWS, "NNNNNNNN"),
     .family = &apitrace_draw_folder_family, .counts = "draw", .unlisted = true,
     .help = "what draw NNNNNNNN saw and left; not listed, since looking into each would draw it"},
    {APITRACE(FILE, DRAW_STATE, APITRACE_RULE_DRAW, "state.txt"), .make = apitrace_draw_state_make,
     .work = CACHE_RENDER, .slow = true,
     .help = "the state of OpenGL in sections, one `name = value` a line"},
    {APITRACE(FILE, DRAW_IDS_BIN, RULE_FRAME, "draw-ids.bin"), .exists = apitrace_has_pixels,
     .size = apitrace_draw_ids_bin_size, .make = apitrace_draw_ids_bin_make, .work = CACHE_RENDER,
     .slow = true,
     .help = "the frame and the call that wrote each pixel of its picture last: 32 bits each"},
    {APITRACE(FILE, DRAW_IDS_PNG, RULE_FRAME, "draw-ids.png"), .exists = apitrace_has_pixels,
     .size = apitrace_draw_ids_png_size, .make = apitrace_draw_ids_png_make, .work = CACHE_RENDER,
     .slow = true, .help = "the same as a picture: a colour for each call"},
    {APITRACE(DIRECTORY, PIXEL, RULE_FRAME, "pixel"), .exists = apitrace_has_pixels},
    {APITRACE(FILE, PIXEL_TSV, APITRACE_RULE_PIXEL, "X,Y.tsv"), .family = &apitrace_pixel_family,
     .unlisted = true, .make = apitrace_pixel_make, .work = CACHE_RENDER, .slow = true,
     .help = "what made pixel X,Y of its picture what it is, call by call; not listed"},
    {APITRACE(FILE, PIXEL_JS, APITRACE_RULE_PIXEL, "X,Y.js"), .family = &apitrace_pixel_js_family,
     .unlisted = true, .make = apitrace_pixel_js_make, .work = CACHE_RENDER, .slow = true,
     .help = "the same as a script for pages: a call of gpudumpfsHistory()"},
    {APITRACE(FILE, BLOBS_TSV, RULE_ROOT, "blobs.tsv"), .exists = has_all,
     .listing = &apitrace_blobs_listing,
     .help = "one blob a line: ordinal within its call, call, frame, function, argument, bytes"},
    {APITRACE(DIRECTORY, BLOBS, RULE_ROOT, "blobs"), .exists = has_all},
    {APITRACE(DIRECTORY, BLOB_GROUP, APITRACE_RULE_BLOBS, "BBBBB"),
     .family = &apitrace_blob_group_family,
     .help = "of a thousand calls: BBBBB is the call's number divided by 1000"},
    {APITRACE(FILE, BLOB, APITRACE_RULE_BLOB_GROUP, "NNNNNNNN-K.bin"),
     .family = &apitrace_blob_family, .counts = "packet", .size = apitrace_blob_size,
     .make = apitrace_blob_make,
     .help = "blob K of call NNNNNNNN, from 0, in the order of printing"},
    {APITRACE(FILE, SHADERS_TSV, RULE_ROOT, "shaders.tsv"), .exists = has_all,
     .listing = &apitrace_shaders_listing, .help = "one shader or program a line"},
    {APITRACE(DIRECTORY, SHADERS, RULE_ROOT, "shaders"), .exists = has_all},
    {APITRACE(FILE, SHADER, APITRACE_RULE_SHADERS, "NNNNNNNN-STAGE.glsl"),
     .family = &apitrace_shader_family, .counts = "packet", .size = apitrace_shader_size,
     .make = apitrace_shader_make, .help = "what call NNNNNNNN handed over; also .asm, .spv, .bin"},
    {APITRACE(FILE, TEXTURES_TSV, RULE_ROOT, "textures.tsv"), .exists = has_all,
     .listing = &apitrace_textures_listing,
     .help = "one upload to a texture a line; status tells why one has no picture"},
    {APITRACE(DIRECTORY, TEXTURES, RULE_ROOT, "textures"), .exists = has_all},
    {APITRACE(FILE, TEXTURE, APITRACE_RULE_TEXTURES, "NNNNNNNN-WxH.png"),
     .family = &apitrace_texture_family, .counts = "packet", .size = apitrace_texture_size,
     .make = apitrace_texture_make, .work = CACHE_RENDER,
     .help = "the pixels that call NNNNNNNN uploaded; slices stand one below the other"},
    {APITRACE(FILE, MARKERS, RULE_ROOT, "markers.tsv"), .grows = true,
     .listing = &apitrace_markers_listing, .help = "debug markers and groups that the program set"},
    {APITRACE(FILE, ERRORS, RULE_ROOT, "errors.tsv"), .grows = true,
     .listing = &apitrace_errors_listing, .help = "glGetError calls whose result is not 0"},
    {APITRACE(FILE, THREADS, RULE_ROOT, "threads.tsv"), .exists = has_all,
     .listing = &apitrace_threads_listing, .help = "one thread a line"},
    {APITRACE(DIRECTORY, SIGNATURES, RULE_ROOT, "signatures"), .exists = has_all},
    {APITRACE(FILE, FUNCTIONS, APITRACE_RULE_SIGNATURES, "functions.txt"),
     .listing = &apitrace_functions_listing, .help = "functions, with what they are named by"},
    {APITRACE(FILE, ENUMS, APITRACE_RULE_SIGNATURES, "enums.txt"),
     .listing = &apitrace_enums_listing, .help = "enumerations: id, name = value"},
    {APITRACE(FILE, BITMASKS, APITRACE_RULE_SIGNATURES, "bitmasks.txt"),
     .listing = &apitrace_bitmasks_listing, .help = "bit masks: id, name = bits"},
    {APITRACE(FILE, STRUCTS, APITRACE_RULE_SIGNATURES, "structs.txt"),
     .listing = &apitrace_structs_listing, .help = "structs: id, name, members"},
};
