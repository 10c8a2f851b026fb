/* SPDX-License-Identifier: MIT */
/*
 * bench_apitrace TRACE...: measures for each trace how fast it is indexed, how fast all its text is
 * printed, how long the text of single calls takes, and the processor time that `apitrace dump`
 * takes for the same text, if that is installed. All times are processor times, of the thread or
 * the child, so that other programs disturb them little.
 */
#include "config.h"

#include "formats/apitrace/dump.h"
#include "formats/apitrace/views/print.h"
#include "formats/format.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SINGLE_CALLS = 200, TEXT_KEPT = 1 << 20, PIECE = 512 };

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double peer(const char *path)
{
    struct rusage usage;
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        int null = open("/dev/null", O_WRONLY);

        dup2(null, STDOUT_FILENO);
        dup2(null, STDERR_FILENO);
        execlp("apitrace", "apitrace", "dump", "--color=never", path, (char *)NULL);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) < 0 || status != 0)
        return 0;
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec / 1e6 +
           (double)usage.ru_stime.tv_sec + (double)usage.ru_stime.tv_usec / 1e6;
}

/* Prints the text of all calls, in pieces as the mount makes them. */
static double print_all(const struct apitrace_index *index, uint64_t *bytes)
{
    struct text text = TEXT_INIT;
    double begin = now();

    *bytes = 0;
    for (uint64_t first = 0; first < index->listed; first += PIECE) {
        struct apitrace_printer printer;

        apitrace_printer_init(&printer, index, NULL);
        apitrace_printer_begin(&printer, APITRACE_PRINT_LINES, &text);
        for (uint64_t n = first; n < index->listed && n < first + PIECE; n++)
            apitrace_print_next(&printer, apitrace_index_listed(index, n));
        apitrace_printer_finish(&printer);
        apitrace_printer_clear(&printer);
        *bytes += text.length;
        text_reset(&text);
    }
    text_clear(&text);
    return now() - begin;
}

/*
 * Prints single calls from all over the trace, each from scratch: without a cache a chunk has to be
 * expanded for it.
 */
static void print_single(const struct apitrace_index *index)
{
    double worst = 0, all = 0;
    struct text text = TEXT_INIT;
    unsigned count = 0;

    for (; count < SINGLE_CALLS && index->listed > 0; count++) {
        uint64_t number = (uint64_t)count * 2654435761U % index->calls.count;
        struct apitrace_printer printer;
        double begin = now(), took;

        apitrace_printer_init(&printer, index, NULL);
        apitrace_print_call(&printer, number, APITRACE_PRINT_LINES, &text);
        apitrace_printer_clear(&printer);
        text_reset(&text);
        took = now() - begin;
        worst = took > worst ? took : worst;
        all += took;
    }
    text_clear(&text);
    printf("  single call: %.2f ms on average, %.2f ms at worst of %u\n",
           count > 0 ? all / count * 1e3 : 0, worst * 1e3, count);
}

static int bench(const char *path, const struct options *options)
{
    struct source_params source = {0};
    struct text message = TEXT_INIT;
    struct format_dump dump;
    const struct apitrace_index *index;
    struct tree *tree = NULL;
    double begin = now(), opened, printed, dumped;
    uint64_t bytes;

    if (format_open(path, options, &source, &message, &dump) < 0 ||
        strcmp(dump.format->name, "apitrace") != 0) {
        fprintf(stderr, "bench_apitrace: %s is no trace\n", path);
        return 1;
    }
    if (format_tree(&dump, 0, &tree) < 0) {
        format_close(&dump);
        return 1;
    }
    if (tree_dump(tree)->ops->settle(tree_dump(tree), NULL) < 0)
        fprintf(stderr, "bench_apitrace: %s is not read to its end\n", path);
    opened = now() - begin;
    index = apitrace_index_of(tree_dump(tree));
    printf("%s: %llu calls, %.1f MB raw\n", path, (unsigned long long)index->calls.count,
           (double)index->stream.size / 1e6);
    printf("  index: %.3f s, %.2f million calls/s, %.0f MB/s, %.1f bytes a call\n", opened,
           (double)index->calls.count / opened / 1e6, (double)index->stream.size / opened / 1e6,
           (double)index->calls.memory.taken / (double)(index->calls.count + 1));
    print_single(index);
    printed = print_all(index, &bytes);
    printf("  text: %.3f s, %.2f million calls/s, %.0f MB/s\n", printed,
           (double)index->listed / printed / 1e6, (double)bytes / printed / 1e6);
    dumped = peer(path);
    if (dumped > 0)
        printf(
            "  apitrace dump: %.3f s, %.2f million calls/s; text is %.1f times as fast, with the "
            "index %.1f times\n",
            dumped, (double)index->listed / dumped / 1e6, dumped / printed,
            dumped / (printed + opened));
    else
        printf("  apitrace dump: not to be had\n");
    tree_destroy(&tree);
    format_close(&dump);
    text_clear(&message);
    return 0;
}

int main(int argc, char **argv)
{
    struct options options;
    int status = 0;

    if (format_options_init(&options) < 0)
        return 1;
    for (int n = 1; n < argc; n++)
        status |= bench(argv[n], &options);
    options_clear(&options);
    return status;
}
