/* SPDX-License-Identifier: MIT */
/*
 * What the tests of the files about draws share: a mount of a script, its files about draws, and
 * pieces of scripts. Windows have 16x12 pixels.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_APITRACE_SEEN_H
#define GPUDUMPFS_TESTS_FORMATS_APITRACE_SEEN_H

#include "tests/formats/apitrace/pictures.h"

#include <stdbool.h>

/* Makes a window current, with its viewport */
#define WINDOW(command) "glXMake" command " = 1\nglViewport(x=0, y=0, width=16, height=12)\n"
#define CURRENT         WINDOW("Current(dpy=0x1, drawable=5, ctx=0xC)")
#define SWAP            "glXSwapBuffers(dpy=0x1, drawable=5)\n"
#define CLEAR(r, g, b)                                                                             \
    "glClearColor(red=" #r ", green=" #g ", blue=" #b ", alpha=1.0)\nglClear(mask=16384)\n"

/* Makes a window and an OpenGL ES context current, with its viewport: calls 0 to 3 */
#define ES_CURRENT                                                                                 \
    "eglBindAPI(api=12448) = 1\n"                                                                  \
    "eglCreateContext(dpy=0x1, config=0xF, share_context=null, "                                   \
    "attrib_list={12440, 3, 12344}) = 0xC\n"                                                       \
    "eglMakeCurrent(dpy=0x1, draw=0x5, read=0x5, ctx=0xC) = 1\n"                                   \
    "glViewport(x=0, y=0, width=16, height=12)\n"

/* Gives a window four samples a pixel */
#define SAMPLES                                                                                    \
    "glXGetFBConfigAttrib(dpy=0x1, config=0xF, attribute=100001, value={4}) = 0\n"                 \
    "glXCreateNewContext(dpy=0x1, config=0xF, renderType=1, shareList=null, direct=1) = 0xC\n"

#define SHADER(n, kind, text)                                                                      \
    "glCreateShader(type=" #kind ") = " #n "\nglShaderSource(shader=" #n                           \
    ", count=1, string={\"" text "\"}, length=null)\nglCompileShader(shader=" #n ")\n"
#define VERTEX(n)   SHADER(n, 35633, "void main() { gl_Position = gl_Vertex; }")
#define FRAGMENT(n) SHADER(n, 35632, "void main() { gl_FragColor = vec4(1.0); }")

#define MINUS "00 00 80 bf "
#define ONE   "00 00 80 3f "
#define ZERO  "00 00 00 00 "
#define HALF  "00 00 00 3f "

/* Corners of the complete window, and of its left half, which is farther away */
#define ALL  MINUS MINUS ZERO ONE MINUS ZERO ONE ONE ZERO MINUS ONE ZERO
#define LEFT MINUS MINUS HALF ZERO MINUS HALF ZERO ONE HALF MINUS ONE HALF
#define POINTED                                                                                    \
    "glEnableClientState(array=32884)\nglVertexPointer(size=3, type=5126, stride=0, "              \
    "pointer=[" LEFT ALL "])\n"
#define QUADS(first, count) "glDrawArrays(mode=7, first=" #first ", count=" #count ")\n"

/* Colours of touched.png, and of overdraw.png for one fragment and for two */
#define MAGENTA "FF00FF"
#define ONCE    "1E2896"
#define TWICE   "1464C8"

/* A mounted script */
struct seen {
    char *folder;
    struct apitrace_opened opened;
};

/* Mounts a script. Skips the test if there is no graphics driver. */
void seen_open(const char *script, struct seen *out);
void seen_close(struct seen *seen);

/*
 * Returns a file about a draw of frame 0, to be freed with free(). `name` is what follows the
 * number.
 */
char *seen_text(const struct seen *seen, unsigned draw, const char *name);

/* Checks the pixel in the middle of a picture about a draw of frame 0, given as RRGGBB. */
void seen_expect_middle(const struct seen *seen, unsigned draw, const char *name,
                        const char *wanted);

/*
 * Checks the colours of two pixels of a picture in frame 0's folder, one in the left half and one
 * in the right half, given as "RRGGBB RRGGBB".
 */
void seen_expect_halves(const struct seen *seen, const char *name, const char *wanted);

/*
 * Checks whether a pixel next to the border between the halves is yellow, and that one in the right
 * half is not.
 */
void seen_expect_edge(const struct seen *seen, const char *path, bool wanted);

#endif
