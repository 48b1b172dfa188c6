#include "cli/import_paths.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "import/cpu_files.h"

/* --- files and folders --------------------------------------------------------------------------
 */

static bool add_file(struct import_paths *paths, const char *directory, const char *name,
                     struct error *error) {
    char **grown = realloc(paths->paths, (paths->count + 1) * sizeof *grown);
    struct text path = {0};

    if (grown == NULL) {
        return error_no_memory(error);
    }
    paths->paths = grown;
    text_append_format(&path, "%s%s%s", directory, directory[0] == '\0' ? "" : "/", name);
    if (path.failed) {
        text_free(&path);
        return error_no_memory(error);
    }
    grown[paths->count++] = path.bytes;
    return true;
}

void import_paths_free(struct import_paths *paths) {
    for (size_t i = 0; i < paths->count; i++) {
        free(paths->paths[i]);
    }
    free(paths->paths);
    *paths = (struct import_paths){0};
}

static int compare_paths(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static bool is_directory(const char *path) {
    struct stat status;

    return strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Adds the regular files of a folder, in order of name, or of them those of all CPUs of the trace
 * `word`; hidden ones, links and subfolders are not the log's. */
static bool add_files(struct import_paths *paths, const char *directory, DIR *folder,
                      const char *word, struct error *error) {
    size_t first = paths->count, length = word == NULL ? 0 : strlen(word), found;
    const struct dirent *entry;
    bool done = true;

    while (done && (entry = readdir(folder)) != NULL) {
        struct stat status;
        const char *path;
        int64_t number;

        if (entry->d_name[0] == '.' || !add_file(paths, directory, entry->d_name, error)) {
            done = entry->d_name[0] == '.';
            continue;
        }
        path = paths->paths[paths->count - 1];
        if (lstat(path, &status) != 0 || !S_ISREG(status.st_mode) ||
            (word != NULL && (!cpu_file_parse(path, &found, &number) || found != length ||
                              memcmp(path, word, length) != 0))) {
            free(paths->paths[--paths->count]);
        }
    }
    if (paths->count > first) {
        qsort(paths->paths + first, paths->count - first, sizeof *paths->paths, compare_paths);
    }
    return done;
}

static bool add_directory(struct import_paths *paths, const char *directory, struct error *error) {
    DIR *folder = opendir(directory);
    size_t first = paths->count;
    bool done;

    if (folder == NULL) {
        return error_set(error, "%s: cannot read the folder: %s", directory, strerror(errno));
    }
    done = add_files(paths, directory, folder, NULL, error);
    closedir(folder);
    return done &&
           (paths->count > first || error_set(error, "%s: the folder holds no files", directory));
}

/* --- a file a CPU -------------------------------------------------------------------------------
 */

/* NAME, or FOLDER/NAME, as it is given to blkparse. Where there are no such files nothing is added.
 */
static bool add_cpu_files(struct import_paths *paths, const char *word, struct error *error) {
    const char *slash = strrchr(word, '/');
    char *directory = slash == NULL   ? strdup(".")
                      : slash == word ? strdup("/")
                                      : strndup(word, (size_t)(slash - word));
    struct text path = {0};
    DIR *folder;
    bool done;

    if (directory == NULL) {
        return error_no_memory(error);
    }
    folder = opendir(directory);
    /* As add_file() puts it together. */
    text_append_format(&path, "%s/%s", directory, slash == NULL ? word : slash + 1);
    done = !path.failed || error_no_memory(error);
    if (done && folder != NULL) {
        done = add_files(paths, directory, folder, text_string(&path), error);
    }
    if (folder != NULL) {
        closedir(folder);
    }
    text_free(&path);
    free(directory);
    return done;
}

bool import_paths_add(struct import_paths *paths, const char *word, struct error *error) {
    size_t before = paths->count;
    struct stat status;

    if (is_directory(word)) {
        return add_directory(paths, word, error);
    }
    if (strcmp(word, "-") != 0 && stat(word, &status) != 0 && errno == ENOENT &&
        (!add_cpu_files(paths, word, error) || paths->count > before)) {
        return paths->count > before;
    }
    return add_file(paths, "", word, error);
}

/* --- names --------------------------------------------------------------------------------------
 */

char *import_trace_name(const char *word) {
    static const char *const suffixes[] = {".gz", ".xz", ".zst"};
    size_t length = strlen(word);
    const char *begin;
    int64_t number;

    if (strcmp(word, "-") == 0) {
        return strdup("stdin");
    }
    while (length > 1 && word[length - 1] == '/') {
        length--;
    }
    begin = memrchr(word, '/', length);
    begin = begin == NULL || length == 1 ? word : begin + 1;
    if (cpu_file_parse(word, &length, &number)) {
        return strndup(begin, length - (size_t)(begin - word));
    }
    length -= (size_t)(begin - word);
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        size_t suffix = strlen(suffixes[i]);

        if (length > suffix && memcmp(begin + length - suffix, suffixes[i], suffix) == 0) {
            length -= suffix;
            break;
        }
    }
    return strndup(begin, length);
}
