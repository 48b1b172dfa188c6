#include "import/trace_files.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "import/context.h"
#include "import/importer.h"
#include "input/input.h"
#include "input/unpack.h"

enum {
    CPU_DIGITS = 6,    /* maximum digits of a CPU number */
    THREAD_DIGITS = 7, /* maximum digits of a thread number */
    NAMED = 8,         /* maximum number of missing files that a remark lists */
};

/* --- file names with a CPU number ------------------------------------------------------------- */

/* Returns the `infix` before the number at the end of a path, and sets `*number`; NULL if the path
 * does not end like this. */
static const char *find_infix(const char *path, const char *infix, int64_t *number) {
    const char *end = path + unpack_stem_length(path, strlen(path)), *digits = end;
    size_t length = strlen(infix);

    while (digits > path && digits[-1] >= '0' && digits[-1] <= '9') {
        digits--;
    }
    if (digits == end || end - digits > CPU_DIGITS || (size_t)(digits - path) <= length ||
        memcmp(digits - length, infix, length) != 0 || digits[-(ptrdiff_t)length - 1] == '/') {
        return NULL;
    }
    *number = strtol(digits, NULL, 10);
    return digits - length;
}

/* Whether the path is that of a CPU's file, possibly with a compression suffix. Sets `*length` to
 * the length of the trace's path, before the infix, and `*number` to the CPU's number. */
static bool cpu_file_parse(const char *path, size_t *length, int64_t *number) {
    for (size_t i = 0; importers[i] != NULL; i++) {
        const char *infix = importers[i]->cpu_files == NULL
                                ? NULL
                                : find_infix(path, importers[i]->cpu_files, number);

        if (infix != NULL) {
            *length = (size_t)(infix - path);
            return true;
        }
    }
    return false;
}

size_t cpu_file_stem_length(const char *path) {
    size_t length;
    int64_t number;

    return cpu_file_parse(path, &length, &number) ? length : 0;
}

bool cpu_files_are_of_one_trace(const char *left, const char *right) {
    size_t stem = cpu_file_stem_length(left);

    return stem > 0 && cpu_file_stem_length(right) == stem && memcmp(left, right, stem) == 0;
}

/* --- missing files of CPUs -------------------------------------------------------------------- */

struct cpu_file_name {
    const char *path; /* borrowed */
    size_t length;    /* length of the path before the infix: the path of the trace */
    int64_t number;
};

static int trace_files_compare_names(const void *left, const void *right) {
    const struct cpu_file_name *a = left, *b = right;
    size_t shorter = a->length < b->length ? a->length : b->length;
    int order = memcmp(a->path, b->path, shorter);

    if (order != 0 || a->length != b->length) {
        return order != 0 ? order : a->length < b->length ? -1 : 1;
    }
    return a->number < b->number ? -1 : a->number > b->number;
}

/* Lists files missing between two CPU numbers; `before` NULL: all before `name`. */
static void list_missing(const struct import_run *run, const struct cpu_file_name *before,
                         const struct cpu_file_name *name, struct text *list, int64_t *count) {
    for (int64_t number = before == NULL ? 0 : before->number + 1; number < name->number;
         number++) {
        if ((*count)++ < NAMED) {
            text_append_format(list, "%s%.*s%s%lld", list->length == 0 ? "" : ", ",
                               (int)name->length, name->path, run->importer->cpu_files,
                               (long long)number);
        }
    }
}

/* Adds a remark if the directory also has a file for the CPU after the last one, which was not
 * given. */
static void remark_beside(struct import_run *run, const struct cpu_file_name *last) {
    struct text next = {0};

    text_append_format(&next, "%.*s%s%lld", (int)last->length, last->path, run->importer->cpu_files,
                       (long long)last->number + 1);
    if (input_is_file(text_string(&next))) {
        import_remark(run->traces,
                      "%s is in the folder of this trace but was not read: it may have completions "
                      "of I/Os that this trace issued",
                      text_string(&next));
    }
    text_free(&next);
}

static void remark_missing_names(struct import_run *run, const struct cpu_file_name *names,
                                 size_t count) {
    struct text list = {0};
    int64_t missing = 0;

    for (size_t i = 0; i < count; i++) {
        bool first = i == 0 || !cpu_files_are_of_one_trace(names[i - 1].path, names[i].path);
        bool last = i + 1 == count || !cpu_files_are_of_one_trace(names[i].path, names[i + 1].path);

        list_missing(run, first ? NULL : &names[i - 1], &names[i], &list, &missing);
        if (last) {
            remark_beside(run, &names[i]);
        }
    }
    if (missing > 0) {
        import_remark(run->traces, "%lld %s of CPUs %s missing: %s%s", (long long)missing,
                      missing == 1 ? "file" : "files", missing == 1 ? "is" : "are",
                      text_string(&list), missing > NAMED ? ", …" : "");
    }
    text_free(&list);
}

void cpu_files_add_remarks(struct import_run *run) {
    struct cpu_file_name *names = xcalloc(run->source_count + 1, sizeof *names);
    size_t count = 0;

    for (size_t i = 0; names != NULL && i < run->source_count; i++) {
        names[count].path = run->sources[i].path;
        count += cpu_file_parse(names[count].path, &names[count].length, &names[count].number);
    }
    if (count > 0) {
        qsort(names, count, sizeof *names, trace_files_compare_names);
        remark_missing_names(run, names, count);
    }
    free(names);
}

/* --- files of threads ------------------------------------------------------------------------- */

static size_t stem_within(const char *path, size_t length) {
    size_t digits = 0;

    while (digits < length && path[length - digits - 1] >= '0' &&
           path[length - digits - 1] <= '9') {
        digits++;
    }
    return digits == 0 || digits > THREAD_DIGITS || length < digits + 2 ||
                   path[length - digits - 1] != '.' || path[length - digits - 2] == '/'
               ? 0
               : length - digits - 1;
}

size_t thread_file_stem(const char *path) {
    return stem_within(path, strlen(path));
}

bool thread_files_are_of_one_trace(const char *left, const char *right) {
    size_t bare = unpack_stem_length(left, strlen(left)), stem = stem_within(left, bare);
    size_t other = unpack_stem_length(right, strlen(right));

    return stem > 0 && stem_within(right, other) == stem && memcmp(left, right, stem) == 0 &&
           strcmp(left + bare, right + other) == 0;
}

/* Whether some importer recognises, by its beginning, a file with a single thread's events. */
static bool trace_files_is_of_thread(const struct config *config, const struct sniff *sniff) {
    const struct importer *importer;

    for (size_t i = 0; (importer = importer_at(config, i)) != NULL; i++) {
        if (importer->of_thread != NULL && importer->of_thread(sniff)) {
            return true;
        }
    }
    return false;
}

static bool holds_thread(const struct config *config, const char *path) {
    struct error ignored = {0};
    struct input *input = input_open(path, (struct input_stop){NULL, NULL}, &ignored);
    struct reader reader;
    bool holds = false;

    if (input != NULL && reader_init(&reader, input, &ignored)) {
        size_t length = reader_fill(&reader, SNIFF_LENGTH);
        struct sniff sniff = {
            .bytes = reader_bytes(&reader),
            .length = length < SNIFF_LENGTH ? length : SNIFF_LENGTH,
            .whole = length < SNIFF_LENGTH,
            .name = path,
        };

        holds = trace_files_is_of_thread(config, &sniff);
        reader_free(&reader);
    }
    input_close(input);
    return holds;
}

size_t thread_files_count(const struct config *config, char *const *paths, size_t count) {
    size_t stem = thread_file_stem(paths[0]), found = 0;

    while (stem > 0 && found < count && thread_file_stem(paths[found]) == stem &&
           memcmp(paths[found], paths[0], stem) == 0 && input_is_file(paths[found]) &&
           holds_thread(config, paths[found])) {
        found++;
    }
    return found;
}
