/* SPDX-License-Identifier: MIT */
/* Scenes of gl_scenes with features of OpenGL 4. OpenGL ES 3.1 has the first two as well. */
#include "tests/worker/gl_scenes.h"
#include "tests/worker/gl_scenes_tools.h"

#include <string.h>

void scene_indirect(void)
{
    static const GLuint numbers[] = {0, 0, 0, 0, 4, 2, 0, 0};
    GLuint program = scene_program(scene_plain_vertex, scene_tinted_fragment);

    glUseProgram(program);
    glUniform4f(glGetUniformLocation(program, "tint"), 0.4f, 0.4f, 1, 1);
    scene_place(scene_quad, sizeof(scene_quad));
    scene_buffer(GL_DRAW_INDIRECT_BUFFER, numbers, sizeof(numbers));
    glDrawArraysIndirect(GL_TRIANGLE_STRIP, (void *)16);
}

void scene_pipelines(void)
{
    const char *texts[2] = {"#version 310 es\nprecision highp float;\n", NULL};
    GLuint pipeline, vertex, fragment;

    if (!scene_es)
        texts[0] = "#version 430\nout gl_PerVertex { vec4 gl_Position; };\n";
    texts[1] = "layout(location = 0) in vec2 place;\n"
               "void main() { gl_Position = vec4(place, 0.0, 1.0); }\n";
    vertex = glCreateShaderProgramv(GL_VERTEX_SHADER, 2, texts);
    texts[0] = scene_es ? "#version 310 es\nprecision highp float;\n" : "#version 430\n";
    texts[1] = scene_tinted_fragment;
    fragment = glCreateShaderProgramv(GL_FRAGMENT_SHADER, 2, texts);
    glUseProgram(0);
    glGenProgramPipelines(1, &pipeline);
    glUseProgramStages(pipeline, GL_VERTEX_SHADER_BIT, vertex);
    glUseProgramStages(pipeline, GL_FRAGMENT_SHADER_BIT, fragment);
    glActiveShaderProgram(pipeline, fragment);
    glBindProgramPipeline(pipeline);
    glUniform4f(glGetUniformLocation(fragment, "tint"), 0.8f, 0.2f, 0.8f, 1);
    scene_place(scene_triangle, sizeof(scene_triangle));
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glProgramUniform4f(fragment, glGetUniformLocation(fragment, "tint"), 0.1f, 0.8f, 0.2f, 1);
    glDrawArrays(GL_POINTS, 0, 3);
    glBindProgramPipeline(0);
}

/* A buffer that is written twice while it is mapped, with a fence between. */
void scene_persistent(void)
{
    const GLbitfield flags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    GLuint buffer, program = scene_program(scene_plain_vertex, scene_tinted_fragment);
    float *vertices;
    GLsync fence;

    glUseProgram(program);
    glUniform4f(glGetUniformLocation(program, "tint"), 0.9f, 0.9f, 0.9f, 1);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferStorage(GL_ARRAY_BUFFER, sizeof(scene_triangle), NULL, flags);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    vertices = glMapBufferRange(GL_ARRAY_BUFFER, 0, sizeof(scene_triangle), flags);
    memcpy(vertices, scene_triangle, sizeof(scene_triangle));
    glDrawArrays(GL_TRIANGLES, 0, 3);
    fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, 1000000000);
    glDeleteSync(fence);
    glUniform4f(glGetUniformLocation(program, "tint"), 0.9f, 0, 0, 1);
    for (int n = 0; n < 6; n++)
        vertices[n] = scene_triangle[n] * 0.4f;
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glUnmapBuffer(GL_ARRAY_BUFFER);
}

/* Draws whose vertices and instances do not count from 0. */
void scene_bases(void)
{
    static const float offsets[][2] = {{5, 5}, {-0.5f, 0.4f}, {0.5f, -0.4f}};
    static const float places[] = {9, 9, -0.3f, -0.3f, 0.3f, -0.3f, 0, 0.4f};
    static const uint16_t indices[] = {0, 1, 2};
    GLuint program =
        scene_program("in vec2 place;\nlayout(location = 3) in vec2 offset;\n"
                      "void main() { gl_Position = vec4(place + offset, 0.0, 1.0); }\n",
                      scene_tinted_fragment);

    glUseProgram(program);
    glUniform4f(glGetUniformLocation(program, "tint"), 0.7f, 0.5f, 0.9f, 1);
    scene_place(places, sizeof(places));
    scene_buffer(GL_ARRAY_BUFFER, offsets, sizeof(offsets));
    glEnableVertexAttribArray(3);
    glVertexAttribPointer(3, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glVertexAttribDivisor(3, 1);
    scene_buffer(GL_ELEMENT_ARRAY_BUFFER, indices, sizeof(indices));
    glDrawElementsInstancedBaseVertexBaseInstance(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, NULL, 1, 1,
                                                  1);
    glDrawArraysInstancedBaseInstance(GL_LINE_LOOP, 1, 3, 1, 2);
    glDisableVertexAttribArray(3);
    glVertexAttrib2f(3, 0, 0);
    glDrawElementsBaseVertex(GL_LINE_LOOP, 3, GL_UNSIGNED_SHORT, NULL, 1);
}

/* Patches are tessellated, and colours come from a buffer. */
void scene_patches(void)
{
    static const uint8_t colours[] = {255, 0, 0, 255, 0, 200, 90, 255};
    const GLuint shaders[] = {
        scene_compile(GL_VERTEX_SHADER, scene_plain_vertex),
        scene_compile(GL_TESS_CONTROL_SHADER,
                      "layout(vertices = 3) out;\nvoid main() {\n"
                      "gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n"
                      "gl_TessLevelInner[0] = 3.0; gl_TessLevelOuter[0] = 2.0;\n"
                      "gl_TessLevelOuter[1] = 3.0; gl_TessLevelOuter[2] = 4.0; }\n"),
        scene_compile(GL_TESS_EVALUATION_SHADER,
                      "layout(triangles) in;\nvoid main() {\n"
                      "gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y *\n"
                      "gl_in[1].gl_Position + gl_TessCoord.z * gl_in[2].gl_Position; }\n"),
        scene_compile(GL_FRAGMENT_SHADER,
                      "uniform samplerBuffer colours;\nout vec4 colour;\n"
                      "void main() { colour = texelFetch(colours, gl_PrimitiveID & 1); }\n")};
    GLuint texture;

    glUseProgram(scene_link(shaders, 4, NULL));
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_BUFFER, texture);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA8,
                scene_buffer(GL_TEXTURE_BUFFER, colours, sizeof(colours)));
    scene_place(scene_triangle, sizeof(scene_triangle));
    glPatchParameteri(GL_PATCH_VERTICES, 3);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    glDrawArrays(GL_PATCHES, 0, 3);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

void scene_direct_access(void)
{
    uint8_t texels[8 * 8 * 4];
    GLuint texture, buffer, object;

    scene_texels(texels, 8, 8, 3);
    glCreateTextures(GL_TEXTURE_2D, 1, &texture);
    glTextureStorage2D(texture, 1, GL_RGBA8, 8, 8);
    glTextureSubImage2D(texture, 0, 0, 0, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glBindTextureUnit(0, texture);
    glCreateBuffers(1, &buffer);
    glNamedBufferStorage(buffer, sizeof(scene_quad), scene_quad, 0);
    glCreateVertexArrays(1, &object);
    glVertexArrayVertexBuffer(object, 0, buffer, 0, 8);
    glEnableVertexArrayAttrib(object, 0);
    glVertexArrayAttribFormat(object, 0, 2, GL_FLOAT, GL_FALSE, 0);
    glVertexArrayAttribBinding(object, 0, 0);
    glBindVertexArray(object);
    glUseProgram(scene_program(scene_textured_vertex, scene_textured_fragment));
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glBindVertexArray(scene_vertex_array);
    glDeleteVertexArrays(1, &object);
}

void scene_more_stages(void)
{
    const GLuint shaders[] = {
        scene_compile(GL_VERTEX_SHADER, scene_plain_vertex),
        scene_compile(
            GL_GEOMETRY_SHADER,
            "layout(triangles) in;\nlayout(line_strip, max_vertices = 4) out;\nvoid main() {\n"
            "for (int n = 0; n < 4; n++) { gl_Position = gl_in[n % 3].gl_Position * vec4(0.8,\n"
            "0.8, 1.0, 1.0); EmitVertex(); } EndPrimitive(); }\n"),
        scene_compile(
            GL_FRAGMENT_SHADER,
            "subroutine vec4 Paint();\nsubroutine uniform Paint paint;\nout vec4 colour;\n"
            "subroutine(Paint) vec4 red() { return vec4(1.0, 0.1, 0.1, 1.0); }\n"
            "subroutine(Paint) vec4 blue() { return vec4(0.1, 0.1, 1.0, 1.0); }\n"
            "void main() { colour = paint(); }\n")};
    GLuint program = scene_link(shaders, 3, NULL);
    GLuint choice = glGetSubroutineIndex(program, GL_FRAGMENT_SHADER, "blue");

    glUseProgram(program);
    glUniformSubroutinesuiv(GL_FRAGMENT_SHADER, 1, &choice);
    scene_place(scene_triangle, sizeof(scene_triangle));
    glDrawArrays(GL_TRIANGLES, 0, 3);
}
