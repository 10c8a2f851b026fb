#include "formats/psx/frame/sampling.h"

#include <errno.h>
#include <stdlib.h>

/* A coordinate over all pixels of a draw, before it is cut to 8 bits. */
struct span {
    int64_t least, most;
};

static void widen_span(struct span *span, const struct raster_plane *plane, int x, int y)
{
    int64_t value =
        (plane->origin + (int64_t)x * plane->dx + (int64_t)y * plane->dy) >> RASTER_FRACTION;

    span->least = value < span->least ? value : span->least;
    span->most = value > span->most ? value : span->most;
}

/* What the window makes of a span's values. */
static void add_window(const struct span *span, uint8_t and, uint8_t or, uint8_t *least,
                       uint8_t *most)
{
    int64_t end = span->most - span->least < 256 ? span->most : span->least + 255;

    for (int64_t value = span->least; value <= end; value++) {
        uint8_t texel = (uint8_t)(((uint8_t)value & and) | or);

        *least = texel < *least ? texel : *least;
        *most = texel > *most ? texel : *most;
    }
}

/* Along a row both coordinates only grow or only fall: its ends tell. */
static bool note_job(struct psx_observer *observer, const struct psx_gpu *gpu, raster_shader *shade,
                     const struct raster_job *job)
{
    struct sampling *sampling = (struct sampling *)observer;
    struct span u = {INT64_MAX, INT64_MIN}, v = u;

    (void)gpu;
    (void)shade;
    for (int y = job->y0; y < job->y1; y++) {
        if (job->left[y] >= job->right[y])
            continue;
        sampling->pixels += (uint64_t)(job->right[y] - job->left[y]);
        widen_span(&u, &job->u, job->left[y], y);
        widen_span(&u, &job->u, job->right[y] - 1, y);
        widen_span(&v, &job->v, job->left[y], y);
        widen_span(&v, &job->v, job->right[y] - 1, y);
    }
    if (u.least <= u.most) {
        add_window(&u, job->and_u, job->or_u, &sampling->u0, &sampling->u1);
        add_window(&v, job->and_v, job->or_v, &sampling->v0, &sampling->v1);
    }
    return false;
}

int psx_sampling_create(struct sampling **out)
{
    struct sampling *sampling = calloc(1, sizeof(*sampling));

    if (sampling == NULL)
        return -ENOMEM;
    sampling->observer.job = note_job;
    sampling->gpu.observer = &sampling->observer;
    sampling->gpu.ops = &psx_raster_ops_c;
    *out = sampling;
    return 0;
}

void psx_sampling_destroy(struct sampling **sampling)
{
    free(*sampling);
    *sampling = NULL;
}

bool psx_sampling_of(struct sampling *sampling, const struct psx_walk *walk,
                     const struct psx_step *step, struct psx_draw *draw)
{
    if (step->kind != PSX_STEP_GP0 || step->event.type != GP0_EVENT_COMMAND ||
        (psx_gp0_table[step->event.op].kind != GP0_POLYGON &&
         psx_gp0_table[step->event.op].kind != GP0_RECTANGLE) ||
        !(step->event.op & GP0_TEXTURED))
        return false;
    psx_draw_decode(&step->event, &walk->at.state.registers, draw);
    sampling->gpu.state.registers = walk->at.state.registers;
    sampling->gpu.never_skip = walk->index->field_option == PSX_FIELD_BOTH;
    sampling->pixels = 0;
    sampling->u0 = sampling->v0 = 255;
    sampling->u1 = sampling->v1 = 0;
    psx_raster_draw(&sampling->gpu, draw);
    return sampling->pixels > 0;
}
