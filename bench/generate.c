/* Makes a log for the benchmark.
 *
 *     generate FORMAT EVENTS [COUNTS] > LOG
 *
 * FORMAT is one of `formats` below. The same number of events gives the same bytes everywhere. It
 * shares no code with tracetool. COUNTS is a file for the expected counts in the log: calls and
 * errors by name, block events by letter, ends of calls as `merged`; not for all formats.
 */
#include "generate.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void fail(void) {
    perror("generate: stdout");
    exit(1);
}

void put_bytes(const void *bytes, unsigned size) {
    if (fwrite(bytes, 1, size, stdout) != size) {
        fail();
    }
}

void put_text(const char *format, ...) {
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vfprintf(stdout, format, arguments);
    va_end(arguments);
    if (length < 0) {
        fail();
    }
}

/* --- counts ------------------------------------------------------------------------------------
 */

enum { NAMES = 64 };

static struct {
    char name[32];
    uint64_t count;
} counts[NAMES];

void count_name(const char *name) {
    int i = 0;

    while (counts[i].count > 0 && strcmp(counts[i].name, name) != 0) {
        i++;
    }
    if (counts[i].count++ == 0) {
        snprintf(counts[i].name, sizeof counts[i].name, "%s", name);
    }
}

static bool write_counts(const char *path) {
    FILE *file = fopen(path, "w");
    bool done = file != NULL;

    for (int i = 0; done && i < NAMES && counts[i].count > 0; i++) {
        done = fprintf(file, "%s\t%llu\n", counts[i].name, (unsigned long long)counts[i].count) > 0;
    }
    if (!done || fclose(file) != 0) {
        perror(path);
        return false;
    }
    return true;
}

static const struct {
    const char *name;
    void (*generate)(uint64_t count);
} formats[] = {
    {"most-binary", generate_most_binary},
    {"most", generate_most},
    {"msr", generate_msr},
    {"blkparse-hot", generate_blkparse_hot},
    {"blkparse-different", generate_blkparse_different},
    {"dwtrace", generate_dwtrace},
    {"android-trace", generate_android_trace},
    {"strace", generate_strace},
    {"strace-different", generate_strace_different},
    {"strace-equal", generate_strace_equal},
    {"strace-processes", generate_strace_processes},
    {"ftrace", generate_ftrace},
    {"sched", generate_sched},
    {"waits", generate_waits},
    {"blktrace-0", generate_blktrace_0},
    {"blktrace-1", generate_blktrace_1},
};

int main(int count, char **arguments) {
    char *end = "";
    uint64_t events = count == 3 || count == 4 ? strtoull(arguments[2], &end, 10) : 0;

    for (size_t i = 0; *end == '\0' && events > 0 && i < sizeof formats / sizeof formats[0]; i++) {
        if (strcmp(arguments[1], formats[i].name) == 0) {
            formats[i].generate(events);
            if (fflush(stdout) != 0) {
                fail();
            }
            return count == 3 || write_counts(arguments[3]) ? 0 : 1;
        }
    }
    fputs("usage: generate FORMAT EVENTS [COUNTS]\n", stderr);
    return 2;
}
