/* SPDX-License-Identifier: MIT */
#include "tests/worker/shaders.h"

#include "tests/support/support.h"
#include "tests/worker/scene.h"

#include <string.h>

struct blob *shader_constant_pixel(void)
{
    static const struct scene_parameter output[] = {{"SV_Target", 0, 0, 3, 0, 15}};
    static const uint32_t tokens[] = {
        0x04000059, 0x00208E46, 0, 2, /* dcl_constantbuffer cb0[2] */
        0x03000065, 0x001020F2, 0,    /* dcl_output o0 */
        0x06000036, 0x001020F2, 0, 0x00208E46, 0, 1, 0x0100003E,
    };

    return scene_assemble(DXBC_PS, 0x40, NULL, 0, output, 1, tokens, COUNT_OF(tokens));
}

struct blob *shader_two_targets(void)
{
    static const struct scene_parameter inputs[] = {{"SV_Position", 0, 1, 3, 0, 15},
                                                    {"COLOR", 0, 0, 3, 1, 15}};
    static const struct scene_parameter outputs[] = {{"SV_Target", 0, 0, 3, 0, 15},
                                                     {"SV_Target", 1, 0, 3, 1, 15}};
    static const uint32_t tokens[] =
        {
            0x03001062, 0x001010F2, 1, 0x03000065, 0x001020F2, 0,
            0x03000065, 0x001020F2, 1, 0x08000036, 0x001020F2, 0,
            0x00004E46, 0x3F800000, 0, 0,          0x3F800000, /* mov o0, red */
            0x05000036, 0x001020F2, 1, 0x00101E46, 1,          0x0100003E,
        };

    return scene_assemble(DXBC_PS, 0x40, inputs, 2, outputs, 2, tokens, COUNT_OF(tokens));
}

struct blob *shader_sample(void)
{
    static const struct scene_parameter inputs[] = {{"SV_Position", 0, 1, 3, 0, 15},
                                                    {"COLOR", 0, 0, 3, 1, 15}};
    static const struct scene_parameter output[] = {{"SV_Target", 0, 0, 3, 0, 15}};
    static const uint32_t tokens[] = {
        0x0300005A, 0x00106000, 0,          0x04001858, 0x00107000, 0,
        0x5555,     0x03001062, 0x00101032, 1,          0x03000065, 0x001020F2,
        0,          0x09000045, 0x001020F2, 0,          0x00101046, 1,
        0x00107E46, 0,          0x00106000, 0,          0x0100003E,
    };

    return scene_assemble(DXBC_PS, 0x40, inputs, 2, output, 1, tokens, COUNT_OF(tokens));
}

struct blob *shader_triples(void)
{
    static const uint32_t tokens[] = {
        0x0300009D, 0x0011E000, 0,                                     /* dcl_uav_raw u0 */
        0x0200005F, 0x00020012,                                        /* dcl_input vThreadID.x */
        0x02000068, 1,                                                 /* dcl_temps 1 */
        0x0400009B, 4,          1,          1,                         /* dcl_thread_group */
        0x06000029, 0x00100012, 0,          0x0002000A, 0x00004001, 2, /* ishl r0.x, id, 2 */
        0x07000026, 0x0000D000, 0x00100022, 0,          0x0002000A, 0x00004001, 3, /* imul r0.y */
        0x070000A6, 0x0011E012, 0,          0x0010000A, 0,          0x0010001A, 0, /* store_raw */
        0x0100003E,
    };

    return scene_assemble(DXBC_CS, 0x50, NULL, 0, NULL, 0, tokens, COUNT_OF(tokens));
}

struct blob *shader_copy_words(void)
{
    static const uint32_t tokens[] = {
        0x030000A1, 0x00107000, 0,                            /* dcl_resource_raw t0 */
        0x0300009D, 0x0011E000, 0,                            /* dcl_uav_raw u0 */
        0x0200005F, 0x00020012,                               /* dcl_input vThreadID.x */
        0x02000068, 1,                                        /* dcl_temps 1 */
        0x0400009B, 4,          1, 1,                         /* dcl_thread_group */
        0x06000029, 0x00100012, 0, 0x0002000A, 0x00004001, 2, /* ishl r0.x, id, 2 */
        0x070000A5, 0x00100022, 0, 0x0010000A, 0,          0x00107006,
        0, /* ld_raw r0.y, r0.x, t0 */
        0x070000A6, 0x0011E012, 0, 0x0010000A, 0,          0x0010001A,
        0, /* store_raw u0, r0.x, r0.y */
        0x0100003E,
    };

    return scene_assemble(DXBC_CS, 0x50, NULL, 0, NULL, 0, tokens, COUNT_OF(tokens));
}

struct blob *shader_corner(void)
{
    static const struct scene_parameter vertex_out[] = {{"SV_Position", 0, 1, 3, 0, 15},
                                                        {"COLOR", 0, 0, 3, 1, 15}};
    static const uint32_t tokens[] = {
        0x05000061, 0x002010F2, 1,          0,          1, /* dcl_input_siv v[1][0], position */
        0x0400005F, 0x002010F2, 1,          1,             /* dcl_input v[1][1] */
        0x0100085D,                                        /* dcl_inputprimitive point */
        0x0100285C,                                        /* dcl_outputtopology trianglestrip */
        0x04000067, 0x001020F2, 0,          1,             /* dcl_output_siv o0, position */
        0x03000065, 0x001020F2, 1,                         /* dcl_output o1 */
        0x0200005E, 3,                                     /* dcl_maxout 3 */
        0x08000036, 0x001020F2, 0,          0x00004E46, 0xBF800000, 0x3F800000, 0,
        0x3F800000, 0x06000036, 0x001020F2, 1,          0x00201E46, 0,          1,
        0x01000013, 0x08000036, 0x001020F2, 0,          0x00004E46, 0x3F800000, 0x3F800000,
        0,          0x3F800000, 0x06000036, 0x001020F2, 1,          0x00201E46, 0,
        1,          0x01000013, 0x08000036, 0x001020F2, 0,          0x00004E46, 0xBF800000,
        0xBF800000, 0,          0x3F800000, 0x06000036, 0x001020F2, 1,          0x00201E46,
        0,          1,          0x01000013, 0x0100003E,
    };

    return scene_assemble(DXBC_GS, 0x40, vertex_out, 2, vertex_out, 2, tokens, COUNT_OF(tokens));
}

/* Builds a shader as in Aero's fixtures: without checksum and system values. */
static struct blob *dialect(enum dxbc_program program, const struct scene_parameter *inputs,
                            size_t input_count, const struct scene_parameter *outputs,
                            size_t output_count, const uint32_t *tokens, size_t token_count)
{
    struct blob *blob = scene_assemble(program, 0x40, inputs, input_count, outputs, output_count,
                                       tokens, token_count);

    memset(blob->data + 4, 0, 16);
    return blob;
}

struct blob *shader_dialect_vertex(void)
{
    static const struct scene_parameter inputs[] = {{"POSITION", 0, 0, 0, 0, 15},
                                                    {"COLOR", 0, 0, 0, 1, 15}};
    static const struct scene_parameter outputs[] = {{"SV_Position", 0, 0, 0, 0, 15},
                                                     {"COLOR", 0, 0, 0, 1, 15}};
    static const uint32_t tokens[] = {
        0x2801, 0x0010F022, 0, 0x001E4016, 0, /* mov o0, v0 */
        0x2801, 0x0010F022, 1, 0x001E4016, 1, /* mov o1, v1 */
        0x083E,                               /* ret */
    };

    return dialect(DXBC_VS, inputs, 2, outputs, 2, tokens, COUNT_OF(tokens));
}

struct blob *shader_dialect_pixel(void)
{
    static const struct scene_parameter inputs[] = {{"SV_Position", 0, 0, 0, 0, 15},
                                                    {"COLOR", 0, 0, 0, 1, 15}};
    static const struct scene_parameter output[] = {{"SV_Target", 0, 0, 0, 0, 15}};
    static const uint32_t tokens[] = {0x2801, 0x0010F022, 0, 0x001E4016, 1, 0x083E};

    return dialect(DXBC_PS, inputs, 2, output, 1, tokens, COUNT_OF(tokens));
}

struct blob *shader_offset_vertex(void)
{
    static const struct scene_parameter inputs[] = {
        {"POSITION", 0, 0, 3, 0, 15}, {"COLOR", 0, 0, 3, 1, 15}, {"OFFSET", 0, 0, 3, 2, 15}};
    static const struct scene_parameter outputs[] = {{"SV_Position", 0, 1, 3, 0, 15},
                                                     {"COLOR", 0, 0, 3, 1, 15}};
    static const uint32_t tokens[] = {
        0x0300005F, 0x001010F2, 0,                               /* dcl_input v0 */
        0x0300005F, 0x001010F2, 1,                               /* dcl_input v1 */
        0x0300005F, 0x001010F2, 2,                               /* dcl_input v2 */
        0x04000067, 0x001020F2, 0, 1,                            /* dcl_output_siv o0, position */
        0x03000065, 0x001020F2, 1,                               /* dcl_output o1 */
        0x07000000, 0x001020F2, 0, 0x00101E46, 0, 0x00101E46, 2, /* add o0, v0, v2 */
        0x05000036, 0x001020F2, 1, 0x00101E46, 1,                /* mov o1, v1 */
        0x0100003E,
    };

    return scene_assemble(DXBC_VS, 0x40, inputs, 3, outputs, 2, tokens, COUNT_OF(tokens));
}

static const struct scene_parameter patch_vertex[] = {{"POSITION", 0, 0, 3, 0, 15},
                                                      {"COLOR", 0, 0, 3, 1, 15}};
static const struct scene_parameter domain_vertex[] = {{"SV_Position", 0, 1, 3, 0, 15},
                                                       {"COLOR", 0, 0, 3, 1, 15}};
static const struct scene_parameter patch_constants[] = {{"SV_TessFactor", 0, 13, 3, 0, 1},
                                                         {"SV_TessFactor", 1, 13, 3, 1, 1},
                                                         {"SV_TessFactor", 2, 13, 3, 2, 1},
                                                         {"SV_InsideTessFactor", 0, 14, 3, 3, 1}};

struct blob *shader_patch_vertex(void)
{
    static const uint32_t tokens[] = {
        0x0300005F, 0x001010F2, 0,                /* dcl_input v0 */
        0x0300005F, 0x001010F2, 1,                /* dcl_input v1 */
        0x03000065, 0x001020F2, 0,                /* dcl_output o0 */
        0x03000065, 0x001020F2, 1,                /* dcl_output o1 */
        0x05000036, 0x001020F2, 0, 0x00101E46, 0, /* mov o0, v0 */
        0x05000036, 0x001020F2, 1, 0x00101E46, 1, /* mov o1, v1 */
        0x0100003E,
    };

    return scene_assemble(DXBC_VS, 0x50, patch_vertex, 2, patch_vertex, 2, tokens,
                          COUNT_OF(tokens));
}

static struct blob *hull(const uint32_t *tokens, size_t count)
{
    const struct scene_program program = {
        .type = DXBC_HS,
        .model = 0x50,
        .inputs = {patch_vertex, 2},
        .outputs = {patch_vertex, 2},
        .patch = {patch_constants, 4},
        .tokens = tokens,
        .token_count = count,
    };

    return scene_assemble_program(&program);
}

struct blob *shader_hull(float factor, bool copies)
{
    static const uint32_t declarations[] = {
        0x01000071, /* hs_decls */
        0x01001893, /* dcl_input_control_point_count 3 */
        0x01001894, /* dcl_output_control_point_count 3 */
        0x01001095, /* dcl_tessellator_domain domain_tri */
        0x01000896, /* dcl_tessellator_partitioning partitioning_integer */
        0x01001897, /* dcl_tessellator_output_primitive output_triangle_cw */
    };
    static const uint32_t points[] = {
        0x01000072,                            /* hs_control_point_phase */
        0x0200005F, 0x00016000,                /* dcl_input vOutputControlPointID */
        0x0400005F, 0x002010F2, 3, 0,          /* dcl_input v[3][0] */
        0x0400005F, 0x002010F2, 3, 1,          /* dcl_input v[3][1] */
        0x03000065, 0x001020F2, 0,             /* dcl_output o0 */
        0x03000065, 0x001020F2, 1,             /* dcl_output o1 */
        0x02000068, 1,                         /* dcl_temps 1 */
        0x04000036, 0x00100012, 0, 0x0001600A, /* mov r0.x, vOutputControlPointID */
        0x07000036, 0x001020F2, 0, 0x00A01E46, 0x0010000A, 0, 0, /* mov o0, v[r0.x][0] */
        0x07000036, 0x001020F2, 1, 0x00A01E46, 0x0010000A, 0, 1, /* mov o1, v[r0.x][1] */
        0x0100003E,
    };
    const uint32_t f = scene_float(factor);
    const uint32_t factors[] = {
        0x01000073,                      /* hs_fork_phase */
        0x04000067, 0x00102012, 0, 0x11, /* dcl_output_siv o0.x, finalTriUeq0EdgeTessFactor */
        0x04000067, 0x00102012, 1, 0x12, /* o1.x, finalTriVeq0EdgeTessFactor */
        0x04000067, 0x00102012, 2, 0x13, /* o2.x, finalTriWeq0EdgeTessFactor */
        0x05000036, 0x00102012, 0, 0x00004001, f, /* mov */
        0x05000036, 0x00102012, 1, 0x00004001, f,          0x05000036, 0x00102012,
        2,          0x00004001, f, 0x0100003E, 0x01000073, /* ret; hs_fork_phase */
        0x04000067, 0x00102012, 3, 0x14, /* dcl_output_siv o3.x, finalTriInsideTessFactor */
        0x05000036, 0x00102012, 3, 0x00004001, f,          0x0100003E,
    };
    uint32_t tokens[COUNT_OF(declarations) + COUNT_OF(points) + COUNT_OF(factors)];
    size_t count = COUNT_OF(declarations);

    memcpy(tokens, declarations, sizeof(declarations));
    if (copies) {
        memcpy(tokens + count, points, sizeof(points));
        count += COUNT_OF(points);
    }
    memcpy(tokens + count, factors, sizeof(factors));
    return hull(tokens, count + COUNT_OF(factors));
}

struct blob *shader_domain(void)
{
    static const uint32_t
        tokens[] =
            {
                0x01001893, 0x01001095, /* dcl_input_control_point_count 3, domain_tri */
                0x0200005F, 0x0001C072, /* dcl_input vDomain.xyz */
                0x0400005F, 0x002190F2, 3,          0, /* dcl_input vicp[3][0] */
                0x0400005F, 0x002190F2, 3,          1, /* dcl_input vicp[3][1] */
                0x04000067, 0x001020F2, 0,          1, /* dcl_output_siv o0, position */
                0x03000065, 0x001020F2, 1,             /* dcl_output o1 */
                0x02000068, 1,                         /* dcl_temps 1 */
                0x07000038, 0x001000F2, 0,          0x0001C006, 0x00219E46,
                0,          0, /* mul r0, vDomain.x, vicp[0][0] */
                0x09000032, 0x001000F2, 0,          0x0001C556, 0x00219E46,
                1,          0,          0x00100E46, 0, /* mad, y, vicp[1] */
                0x09000032, 0x001020F2, 0,          0x0001CAA6, 0x00219E46,
                2,          0,          0x00100E46, 0, /* mad, z, vicp[2] */
                0x07000038, 0x001000F2, 0,          0x0001C006, 0x00219E46,
                0,          1, /* the same with the colour */
                0x09000032, 0x001000F2, 0,          0x0001C556, 0x00219E46,
                1,          1,          0x00100E46, 0,          0x09000032,
                0x001020F2, 1,          0x0001CAA6, 0x00219E46, 2,
                1,          0x00100E46, 0,          0x0100003E,
            };
    const struct scene_program program = {
        .type = DXBC_DS,
        .model = 0x50,
        .inputs = {patch_vertex, 2},
        .outputs = {domain_vertex, 2},
        .patch = {patch_constants, 4},
        .tokens = tokens,
        .token_count = COUNT_OF(tokens),
    };

    return scene_assemble_program(&program);
}

struct blob *shader_append(void)
{
    static const uint32_t tokens[] = {
        0x0480009E, 0x0011E000, 0, 4,             /* dcl_uav_structured_opc u0, 4 */
        0x0200005F, 0x00020012,                   /* dcl_input vThreadID.x */
        0x02000068, 1,                            /* dcl_temps 1 */
        0x0400009B, 4,          1, 1,             /* dcl_thread_group */
        0x050000B2, 0x00100012, 0, 0x0011E000, 0, /* imm_atomic_alloc r0.x, u0 */
        0x080000A8, 0x0011E012, 0, 0x0010000A, 0, 0x00004001, 0, 0x0002000A, /* store_structured */
        0x0100003E,
    };

    return scene_assemble(DXBC_CS, 0x50, NULL, 0, NULL, 0, tokens, COUNT_OF(tokens));
}

struct blob *shader_consume(void)
{
    static const uint32_t tokens[] = {
        0x0480009E, 0x0011E000, 0, 4,             /* dcl_uav_structured_opc u0, 4 */
        0x0300009D, 0x0011E000, 1,                /* dcl_uav_raw u1 */
        0x0200005F, 0x00020012,                   /* dcl_input vThreadID.x */
        0x02000068, 1,                            /* dcl_temps 1 */
        0x0400009B, 4,          1, 1,             /* dcl_thread_group */
        0x050000B3, 0x00100012, 0, 0x0011E000, 0, /* imm_atomic_consume r0.x, u0 */
        0x090000A7, 0x00100022, 0, 0x0010000A, 0,          0x00004001, 0,
        0x0011E006, 0,                                                    /* ld_structured */
        0x06000029, 0x00100012, 0, 0x0002000A, 0x00004001, 2,             /* ishl r0.x, id, 2 */
        0x070000A6, 0x0011E012, 1, 0x0010000A, 0,          0x0010001A, 0, /* store_raw u1 */
        0x0100003E,
    };

    return scene_assemble(DXBC_CS, 0x50, NULL, 0, NULL, 0, tokens, COUNT_OF(tokens));
}

const uint32_t shader_vs_2_0[14] = {
    0xFFFE0200, 0x0200001F, 0x80000000, 0x900F0000, 0x0200001F, 0x8000000A, 0x900F0001,
    0x02000001, 0xC00F0000, 0x90E40000, 0x02000001, 0xD00F0000, 0x90E40001, 0x0000FFFF,
};
const uint32_t shader_ps_2_0[12] = {
    0xFFFF0200, 0x0200001F, 0x80000000, 0x900F0000, 0x03000005, 0x800F0000,
    0x90E40000, 0xA0E40003, 0x02000001, 0x800F0800, 0x80E40000, 0x0000FFFF,
};
const uint32_t shader_texture_ps_2_0[15] = {
    0xFFFF0200, 0x0200001F, 0x80000000, 0xB00F0000, 0x0200001F, 0x90000000, 0xA00F0801, 0x03000042,
    0x800F0000, 0xB0E40000, 0xA0E40801, 0x02000001, 0x800F0800, 0x80E40000, 0x0000FFFF,
};
const uint32_t shader_texture_vs_2_0[14] = {
    0xFFFE0200, 0x0200001F, 0x80000000, 0x900F0000, 0x0200001F, 0x8000000A, 0x900F0001,
    0x02000001, 0xC00F0000, 0x90E40000, 0x02000001, 0xE00F0000, 0x90E40001, 0x0000FFFF,
};

const uint32_t shader_vs_1_1[14] = {
    0xFFFE0101, 0x0000001F, 0x80000000, 0x900F0000, 0x0000001F, 0x8000000A, 0x900F0001,
    0x00000001, 0xC00F0000, 0x90E40000, 0x00000001, 0xD00F0000, 0x90E40001, 0x0000FFFF,
};
const uint32_t shader_ps_1_1[6] = {0xFFFF0101, 0x00000005, 0x800F0000,
                                   0x90E40000, 0xA0E40000, 0x0000FFFF};
const uint32_t shader_vs_3_0[11] = {
    0xFFFE0300, 0x0200001F, 0x80000000, 0x900F0000, 0x0200001F, 0x80000000,
    0xE00F0000, 0x02000001, 0xE00F0000, 0x90E40000, 0x0000FFFF,
};
const uint32_t shader_ps_3_0[21] = {
    0xFFFF0300, 0x02000001, 0x800F0000, 0xA0E40000,             /* mov r0, c0 */
    0x01000026, 0xF0E40000,                                     /* rep i0 */
    0x03000002, 0x800F0000, 0x80E40000, 0xA0E40001, 0x00000027, /* add r0, r0, c1; endrep */
    0x01000028, 0xE0E40800,                                     /* if b0 */
    0x02000001, 0x800F0000, 0xA0E40002, 0x0000002B,             /* mov r0, c2; endif */
    0x02000001, 0x800F0800, 0x80E40000, 0x0000FFFF,             /* mov oC0, r0 */
};
