/* Makes a log for the benchmark.
 *
 *     generate FORMAT EVENTS > LOG
 *
 * FORMAT is one of `formats` below. The same number of events gives the same bytes everywhere. It
 * shares nothing with tracetool.
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
};

int main(int count, char **arguments) {
    char *end = "";
    uint64_t events = count == 3 ? strtoull(arguments[2], &end, 10) : 0;

    for (size_t i = 0; *end == '\0' && events > 0 && i < sizeof formats / sizeof formats[0]; i++) {
        if (strcmp(arguments[1], formats[i].name) == 0) {
            formats[i].generate(events);
            if (fflush(stdout) != 0) {
                fail();
            }
            return 0;
        }
    }
    fputs("usage: generate FORMAT EVENTS\n", stderr);
    return 2;
}
