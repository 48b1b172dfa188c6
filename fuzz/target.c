/* The entry point for libFuzzer, and functions that the targets share. */
#include "target.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "import/importer.h"
#include "input/trace_dat.h"
#include "report/query_set.h"

static const struct importer *chosen_importer;
static struct config defaults;
static const struct target *chosen_part;

void target_failed(const char *format, ...) {
    va_list arguments;

    fputs("fuzz: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    abort();
}

void target_check_message(bool done, const struct error *error) {
    if (!done && (error->status == EXIT_DONE || error->message[0] == '\0')) {
        target_failed("a failure without a message");
    }
}

bool target_thorough;

bool target_does(size_t part, size_t of, const uint8_t *bytes, size_t length) {
    uint32_t sum = (uint32_t)length;

    for (size_t i = 0; i < length; i++) {
        sum = sum * 31 + bytes[i];
    }
    return target_thorough || ((sum >> 7) + part) % of == 0;
}

static struct {
    char what[64];
    long times;
} done[64];

void target_did(const char *what) {
    for (size_t i = 0; i < sizeof done / sizeof done[0]; i++) {
        if (done[i].times == 0) {
            snprintf(done[i].what, sizeof done[i].what, "%s", what);
        }
        if (strcmp(done[i].what, what) == 0) {
            done[i].times++;
            return;
        }
    }
    target_failed("no room to count '%s'", what);
}

void target_print_done(void) {
    for (size_t i = 0; i < sizeof done / sizeof done[0] && done[i].times > 0; i++) {
        printf("%s\t%ld\n", done[i].what, done[i].times);
    }
}

/* The program opens files by name; a file in memory has a name below /proc. */
const char *target_file(const uint8_t *bytes, size_t length) {
    static char path[64];
    static int descriptor = -1;

    if (descriptor < 0 && (descriptor = memfd_create("input", MFD_CLOEXEC)) < 0) {
        target_failed("no file in memory");
    }
    if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, bytes, length, 0) != (ssize_t)length) {
        target_failed("cannot write a file in memory");
    }
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    return path;
}

const struct config *target_config(void) {
    struct error error = {0};

    if (defaults.values == NULL && !config_set_defaults(&defaults, &error)) {
        target_failed("%s", error.message);
    }
    return &defaults;
}

const struct query_set *target_queries(void) {
    static struct query_set queries;
    struct error error = {0};

    if (queries.count == 0 && !query_set_load(&queries, NULL, &error)) {
        target_failed("%s", error.message);
    }
    return &queries;
}

bool target_choose(const char *name) {
    chosen_importer = importer_find(target_config(), name);
    chosen_part = NULL;
    for (const struct target *part = part_targets; part->name != NULL; part++) {
        if (strcmp(part->name, name) == 0) {
            chosen_part = part;
        }
    }
    return chosen_importer != NULL || chosen_part != NULL;
}

void target_list(void) {
    const struct importer *importer;

    for (size_t i = 0; (importer = importer_at(target_config(), i)) != NULL; i++) {
        puts(importer->name);
    }
    for (const struct target *part = part_targets; part->name != NULL; part++) {
        puts(part->name);
    }
}

int LLVMFuzzerInitialize(int *argument_count, char ***arguments) {
    const char *name = getenv("FUZZ_TARGET");

    if (name == NULL && *argument_count > 0) {
        name = strstr((*arguments)[0], "fuzz-");
        name = name == NULL ? NULL : name + strlen("fuzz-");
    }
    if (name == NULL || !target_choose(name)) {
        fprintf(stderr, "FUZZ_TARGET must be one of:\n");
        target_list();
        exit(2);
    }
    return 0;
}

/* A trace.dat is skipped: libtracecmd reads it, in a separate process, which
 * tests/golden/trace-dat.test damages. Its crashes are expected. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    if (trace_dat_is_magic(bytes, length)) {
        return 0;
    }
    if (chosen_part != NULL) {
        chosen_part->run(bytes, length);
    } else {
        importer_target(chosen_importer, false, bytes, length);
    }
    return 0;
}
