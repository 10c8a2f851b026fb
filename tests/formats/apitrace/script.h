/* SPDX-License-Identifier: MIT */
/*
 * Traces written as text, one call a line, much as apitrace prints them:
 *
 *     glXMakeCurrent(dpy=0x1, drawable=5, ctx=0x2) = 1
 *     @1 glViewport(x=0, y=0, width=64, height=48)
 *     glViewportArrayv(first=0, count=1, v={0.0, 0.0, 64.0, 48.0})
 *     glBufferData(target=34962, size=4, data=[00 01 02 ff], usage=35044)
 *     glShaderSource(shader=1, count=1, string={"void main() {}"}, length=null)
 *     glViewport(x=0, y=0, width=64, height=48) // fake
 *     glXSwapBuffers(dpy=0x1, drawable=5) ...
 *
 * `@N` is the thread. A number with 0x is a pointer, one with a point a float. `...` means that the
 * call never returns, and `fake` that the tracer itself made it. Lines that are empty or begin
 * with # are skipped.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_APITRACE_SCRIPT_H
#define GPUDUMPFS_TESTS_FORMATS_APITRACE_SCRIPT_H

/* Writes a trace of version 6 to `path`. Fails the test at a line that cannot be parsed. */
void apitrace_script(const char *path, const char *text);

#endif
