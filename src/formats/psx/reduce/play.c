/* SPDX-License-Identifier: MIT */
#include "formats/psx/reduce/play.h"

#include "formats/psx/gpu/scanout.h"
#include "formats/psx/index/indexing.h"

#include <errno.h>
#include <stdlib.h>

/* Makes the picture like that of the dump's last frame: with the display of that frame's end. */
static int show(struct psx_player_of_tries *player, struct format_picture *picture)
{
    const struct psx_gpu *gpu = player->instance->gpu;
    struct psx_screen screen;
    size_t row, size;

    psx_display_screen(&gpu->state.registers.display, &screen);
    row = 3 * (size_t)screen.width;
    size = row * screen.height;
    if (size > player->room) {
        free(player->rgb);
        player->room = 0;
        player->rgb = malloc(size);
        if (player->rgb == NULL)
            return -ENOMEM;
        player->room = size;
    }
    for (uint32_t y = 0; y < screen.height; y++)
        psx_scanout_row(&screen, gpu->vram, gpu->lines, y, player->rgb + row * y);
    *picture = (struct format_picture){screen.width, screen.height, player->rgb};
    return 1;
}

static int play(struct psx_player_of_tries *player, const struct psx_index *index,
                const struct cancel *cancel)
{
    bool lost;
    int status = 0;

    if (player->instance == NULL)
        status = psx_gpu_instance_create(index, &player->instance);
    else
        psx_gpu_instance_rewind(player->instance, index);
    if (status == 0)
        status = psx_gpu_instance_run(player->instance, index, index->packets, cancel, &lost);
    return status;
}

int psx_try_play(struct psx_player_of_tries *player, const void *dump, size_t size,
                 const struct cancel *cancel, struct format_picture *picture)
{
    char path[] = "try.psxgpu";
    struct source source = {.data = dump, .size = size, .file_size = size, .path = path};
    struct problems *problems = NULL;
    struct psx_index index;
    int status = problems_create(&problems);

    if (status != 0)
        return status;
    status = psx_index_open(&source, player->options, problems, cancel, &index);
    if (status == 0) {
        if (index.frame_count > 0)
            status = play(player, &index, cancel);
        if (status == 0 && index.frame_count > 0)
            status = show(player, picture);
        psx_index_close(&index);
    }
    problems_destroy(&problems);
    return status;
}

void psx_try_clear(struct psx_player_of_tries *player)
{
    psx_gpu_instance_destroy(&player->instance);
    free(player->rgb);
    *player = (struct psx_player_of_tries){0};
}
