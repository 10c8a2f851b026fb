/* SPDX-License-Identifier: MIT */
/*
 * D3D9's render states and sampler states, by the numbers of d3d9types.h. They change the same
 * state as D3D11's commands; the last change counts.
 */
#include "config.h"

#include "glworker/d3d/state.h"

#include <errno.h>
#include <string.h>

enum {
    RS_ZENABLE = 7,
    RS_FILLMODE = 8,
    RS_ZWRITEENABLE = 14,
    RS_ALPHATESTENABLE = 15,
    RS_FRONTCOUNTERCLOCKWISE = 18, /* not D3D9's, but the driver's own */
    RS_SRCBLEND = 19,
    RS_DESTBLEND = 20,
    RS_CULLMODE = 22,
    RS_ZFUNC = 23,
    RS_ALPHAREF = 24,
    RS_ALPHAFUNC = 25,
    RS_ALPHABLENDENABLE = 27,
    RS_STENCILENABLE = 52,
    RS_STENCILFAIL = 53,
    RS_STENCILZFAIL = 54,
    RS_STENCILPASS = 55,
    RS_STENCILFUNC = 56,
    RS_STENCILREF = 57,
    RS_STENCILMASK = 58,
    RS_STENCILWRITEMASK = 59,
    RS_MULTISAMPLEMASK = 162,
    RS_COLORWRITEENABLE = 168,
    RS_BLENDOP = 171,
    RS_SCISSORTESTENABLE = 174,
    RS_SLOPESCALEDEPTHBIAS = 175,
    RS_TWOSIDEDSTENCILMODE = 185,
    RS_CCW_STENCILFAIL = 186,
    RS_CCW_STENCILZFAIL = 187,
    RS_CCW_STENCILPASS = 188,
    RS_CCW_STENCILFUNC = 189,
    RS_COLORWRITEENABLE1 = 190,
    RS_COLORWRITEENABLE3 = 192,
    RS_BLENDFACTOR = 193,
    RS_SRGBWRITEENABLE = 194,
    RS_DEPTHBIAS = 195,
    RS_SEPARATEALPHABLENDENABLE = 206,
    RS_SRCBLENDALPHA = 207,
    RS_DESTBLENDALPHA = 208,
    RS_BLENDOPALPHA = 209,
};

/* Indexed by D3DBLEND - 1. */
static const GLenum factors[] = {GL_ZERO,
                                 GL_ONE,
                                 GL_SRC_COLOR,
                                 GL_ONE_MINUS_SRC_COLOR,
                                 GL_SRC_ALPHA,
                                 GL_ONE_MINUS_SRC_ALPHA,
                                 GL_DST_ALPHA,
                                 GL_ONE_MINUS_DST_ALPHA,
                                 GL_DST_COLOR,
                                 GL_ONE_MINUS_DST_COLOR,
                                 GL_SRC_ALPHA_SATURATE,
                                 0,
                                 0,
                                 GL_CONSTANT_COLOR,
                                 GL_ONE_MINUS_CONSTANT_COLOR};
/* Indexed by D3DBLENDOP - 1. */
static const GLenum operations[] = {GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT, GL_MIN,
                                    GL_MAX};
/* Indexed by D3DSTENCILOP - 1. */
static const GLenum stencil_operations[] = {GL_KEEP, GL_ZERO,   GL_REPLACE,   GL_INCR,
                                            GL_DECR, GL_INVERT, GL_INCR_WRAP, GL_DECR_WRAP};

enum { BLEND_BOTH_SOURCE_ALPHA = 12, BLEND_BOTH_INVERSE_SOURCE_ALPHA = 13 };

/* Stores the table's entry for a number that counts from 1. Returns false if there is none. */
static bool pick(const GLenum *table, size_t count, uint32_t value, GLenum *out)
{
    if (value == 0 || value > count)
        return false;
    *out = table[value - 1];
    return true;
}

#define PICK(table, value, out) pick(table, sizeof(table) / sizeof((table)[0]), value, out)

/*
 * Stores GL's function for a D3DCMPFUNC, which counts from 1 in the order of GL's functions from
 * GL_NEVER on.
 */
static bool pick_function(uint32_t value, GLenum *out)
{
    if (value < 1 || value > 8)
        return false;
    *out = GL_NEVER + value - 1;
    return true;
}

static bool pick_factor(uint32_t value, GLenum *out)
{
    if (value == 0 || value > sizeof(factors) / sizeof(factors[0]) ||
        value == BLEND_BOTH_SOURCE_ALPHA || value == BLEND_BOTH_INVERSE_SOURCE_ALPHA)
        return false;
    *out = factors[value - 1];
    return true;
}

static float as_float(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* Blends alpha as colour, unless alpha has factors of its own. */
static void settle_alpha(struct aero_state *state)
{
    state->blend.source_alpha =
        state->blend.separate ? state->blend.own_source : state->blend.source;
    state->blend.destination_alpha =
        state->blend.separate ? state->blend.own_destination : state->blend.destination;
    state->blend.operation_alpha =
        state->blend.separate ? state->blend.own_operation : state->blend.operation;
}

static bool set_source(struct aero_state *state, uint32_t value)
{
    bool inverse = value == BLEND_BOTH_INVERSE_SOURCE_ALPHA;

    if (value != BLEND_BOTH_SOURCE_ALPHA && !inverse)
        return pick_factor(value, &state->blend.source);
    state->blend.source = inverse ? GL_ONE_MINUS_SRC_ALPHA : GL_SRC_ALPHA;
    state->blend.destination = inverse ? GL_SRC_ALPHA : GL_ONE_MINUS_SRC_ALPHA;
    return true;
}

static bool set_blend(struct aero_state *state, uint32_t number, uint32_t value)
{
    bool known = true;

    switch (number) {
    case RS_ALPHABLENDENABLE:
        state->blend.enabled = value != 0;
        return true;
    case RS_SRCBLEND:
        known = set_source(state, value);
        break;
    case RS_DESTBLEND:
        known = pick_factor(value, &state->blend.destination);
        break;
    case RS_BLENDOP:
        known = PICK(operations, value, &state->blend.operation);
        break;
    case RS_SEPARATEALPHABLENDENABLE:
        state->blend.separate = value != 0;
        break;
    case RS_SRCBLENDALPHA:
        known = pick_factor(value, &state->blend.own_source);
        break;
    case RS_DESTBLENDALPHA:
        known = pick_factor(value, &state->blend.own_destination);
        break;
    default:
        known = PICK(operations, value, &state->blend.own_operation);
    }
    settle_alpha(state);
    return known;
}

static bool set_face(struct aero_stencil_face *face, uint32_t which, uint32_t value)
{
    switch (which) {
    case 0:
        return PICK(stencil_operations, value, &face->fail);
    case 1:
        return PICK(stencil_operations, value, &face->depth_fail);
    case 2:
        return PICK(stencil_operations, value, &face->pass);
    default:
        return pick_function(value, &face->function);
    }
}

/*
 * D3DCULL names the winding, as seen, that is culled; clockwise faces are front faces unless
 * front_counter is set.
 */
static bool set_cull(struct aero_state *state, uint32_t value)
{
    if (value < 1 || value > 3)
        return false;
    state->raster.cull = value == 1                                    ? AEROGPU_CULL_NONE
                         : (value == 2) != state->raster.front_counter ? AEROGPU_CULL_FRONT
                                                                       : AEROGPU_CULL_BACK;
    return true;
}

static bool set_raster(struct aero_state *state, uint32_t number, uint32_t value)
{
    switch (number) {
    case RS_FILLMODE:
        state->raster.fill = value == 2 ? AEROGPU_WIREFRAME : AEROGPU_SOLID;
        return value >= 1 && value <= 3;
    case RS_FRONTCOUNTERCLOCKWISE:
        state->raster.front_counter = value != 0;
        return true;
    case RS_CULLMODE:
        return set_cull(state, value);
    case RS_SCISSORTESTENABLE:
        state->raster.scissor = value != 0;
        return true;
    case RS_SLOPESCALEDEPTHBIAS:
        state->raster.slope = as_float(value);
        return true;
    default:
        /* D3D9's unit is the complete depth range; GL's is the smallest step of 24 bits. */
        state->raster.bias = as_float(value) * 16777216.0f;
        return true;
    }
}

static void set_factor_colour(struct aero_state *state, uint32_t argb)
{
    static const unsigned shifts[4] = {16, 8, 0, 24};

    for (int i = 0; i < 4; i++)
        state->blend.constant[i] = (float)(argb >> shifts[i] & 255) / 255.0f;
}

static bool set_depth_or_stencil(struct aero_state *state, uint32_t number, uint32_t value)
{
    switch (number) {
    case RS_ZENABLE:
        state->depth.enabled = value != 0;
        return true;
    case RS_ZWRITEENABLE:
        state->depth.written = value != 0;
        return true;
    case RS_ZFUNC:
        return pick_function(value, &state->depth.function);
    case RS_STENCILENABLE:
        state->stencil.enabled = value != 0;
        return true;
    case RS_STENCILREF:
        state->stencil.reference = (uint8_t)value;
        return true;
    case RS_STENCILMASK:
        state->stencil.read_mask = (uint8_t)value;
        return true;
    case RS_STENCILWRITEMASK:
        state->stencil.write_mask = (uint8_t)value;
        return true;
    case RS_TWOSIDEDSTENCILMODE:
        state->stencil.two_sided = value != 0;
        return true;
    default:
        return number >= RS_CCW_STENCILFAIL
                   ? set_face(&state->stencil.counter, number - RS_CCW_STENCILFAIL, value)
                   : set_face(&state->stencil.clockwise, number - RS_STENCILFAIL, value);
    }
}

static bool set_other(struct aero_state *state, uint32_t number, uint32_t value)
{
    switch (number) {
    case RS_ALPHATESTENABLE:
        state->alpha.test = value != 0;
        return true;
    case RS_ALPHAREF:
        state->alpha.reference = (float)(value & 255) / 255.0f;
        return true;
    case RS_ALPHAFUNC:
        return pick_function(value, &state->alpha.function);
    case RS_MULTISAMPLEMASK:
        state->blend.sample_mask = value;
        return true;
    case RS_COLORWRITEENABLE:
        state->blend.masks[0] = value & 15;
        return true;
    case RS_BLENDFACTOR:
        set_factor_colour(state, value);
        return true;
    case RS_SRGBWRITEENABLE:
        state->srgb_write = value != 0;
        return true;
    default:
        if (number >= RS_COLORWRITEENABLE1 && number <= RS_COLORWRITEENABLE3)
            state->blend.masks[number - RS_COLORWRITEENABLE1 + 1] = value & 15;
        /* The other states control D3D9's fixed pipeline, which draws nothing here. */
        return true;
    }
}

int aero_set_render_state(struct aero *aero, const struct aerogpu_command *command)
{
    uint32_t number = aerogpu_u32(command, AEROGPU_AT_SET_RENDER_STATE_STATE);
    uint32_t value = aerogpu_u32(command, AEROGPU_AT_SET_RENDER_STATE_VALUE);
    bool known;

    switch (number) {
    case RS_SRCBLEND:
    case RS_DESTBLEND:
    case RS_ALPHABLENDENABLE:
    case RS_BLENDOP:
    case RS_SEPARATEALPHABLENDENABLE:
    case RS_SRCBLENDALPHA:
    case RS_DESTBLENDALPHA:
    case RS_BLENDOPALPHA:
        known = set_blend(&aero->state, number, value);
        break;
    case RS_FILLMODE:
    case RS_FRONTCOUNTERCLOCKWISE:
    case RS_CULLMODE:
    case RS_SCISSORTESTENABLE:
    case RS_SLOPESCALEDEPTHBIAS:
    case RS_DEPTHBIAS:
        known = set_raster(&aero->state, number, value);
        break;
    case RS_ZENABLE:
    case RS_ZWRITEENABLE:
    case RS_ZFUNC:
    case RS_STENCILENABLE ... RS_STENCILWRITEMASK:
    case RS_TWOSIDEDSTENCILMODE ... RS_CCW_STENCILFUNC:
        known = set_depth_or_stencil(&aero->state, number, value);
        break;
    default:
        known = set_other(&aero->state, number, value);
    }
    return known ? 0
                 : aero_note(aero, PROBLEM_ERROR, "render state %u has no value %u", number, value);
}

/* Sets D3D9's initial sampler states: addresses wrap, filters are point, and there are no mips. */
static void begin_sampler(struct aero_sampler_slot *slot)
{
    memset(slot->states, 0, sizeof(slot->states));
    slot->states[1] = slot->states[2] = slot->states[3] = 1;
    slot->states[5] = slot->states[6] = 1;
    slot->states[10] = 1;
}

int aero_set_sampler_state(struct aero *aero, const struct aerogpu_command *command)
{
    uint32_t number = aerogpu_u32(command, AEROGPU_AT_SET_SAMPLER_STATE_STATE);
    uint32_t index = aerogpu_u32(command, AEROGPU_AT_SET_SAMPLER_STATE_SLOT);
    uint32_t stage = aerogpu_u32(command, AEROGPU_AT_SET_SAMPLER_STATE_STAGE);
    enum dxbc_program program;
    struct aero_sampler_slot *slot;

    if (!aerogpu_program_of(command, stage, 0, &program) || index >= AERO_SAMPLER_SLOTS ||
        number >= AERO_D3D9_SAMPLER_STATES)
        return aero_note(aero, PROBLEM_ERROR, "there is no sampler state %u of slot %u, stage %u",
                         number, index, stage);
    slot = &aero->state.stages[program].samplers[index];
    if (slot->states[10] == 0)
        begin_sampler(slot);
    slot->d3d9 = true;
    slot->states[number] = aerogpu_u32(command, AEROGPU_AT_SET_SAMPLER_STATE_VALUE);
    return 0;
}
