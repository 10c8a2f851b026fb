/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/buffers.h"

#include "glworker/gl/surfaces.h"

#include <string.h>

int64_t retrace_buffer_size(GLuint buffer)
{
    GLint bound = retrace_get(GL_COPY_READ_BUFFER_BINDING);
    GLint64 size = 0;

    graphics_failed(); /* clears errors of earlier calls */
    glBindBuffer(GL_COPY_READ_BUFFER, buffer);
    glGetBufferParameteri64v(GL_COPY_READ_BUFFER, GL_BUFFER_SIZE, &size);
    glBindBuffer(GL_COPY_READ_BUFFER, (GLuint)bound);
    return graphics_failed() || size < 0 ? 0 : size;
}

/* Buffers that the trace has mapped stay mapped; OpenGL reads them nevertheless if it may. */
bool retrace_buffer_read(GLuint buffer, int64_t offset, int64_t size, uint8_t *to)
{
    GLint bound = retrace_get(GL_COPY_READ_BUFFER_BINDING), mapped = 0;
    const void *memory = NULL;
    /*
     * by glGetBufferSubData(), which also reads buffers that may not be mapped; OpenGL ES lacks it
     */
    bool asked;

    glBindBuffer(GL_COPY_READ_BUFFER, buffer);
    graphics_failed();
    glGetBufferParameteriv(GL_COPY_READ_BUFFER, GL_BUFFER_MAPPED, &mapped);
    asked = mapped || !retrace_context(retrace_session())->es;
    if (asked) {
        glGetBufferSubData(GL_COPY_READ_BUFFER, (GLintptr)offset, (GLsizeiptr)size, to);
    } else {
        memory = glMapBufferRange(GL_COPY_READ_BUFFER, (GLintptr)offset, (GLsizeiptr)size,
                                  GL_MAP_READ_BIT);
        if (memory != NULL)
            memcpy(to, memory, (size_t)size);
        if (memory != NULL)
            glUnmapBuffer(GL_COPY_READ_BUFFER);
    }
    glBindBuffer(GL_COPY_READ_BUFFER, (GLuint)bound);
    return !graphics_failed() && (asked || memory != NULL);
}
