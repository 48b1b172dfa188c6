#include "cli/import_paths.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/search.h"
#include "base/text.h"
#include "import/trace_files.h"
#include "input/members.h"
#include "input/unpack.h"
#include "base/memory.h"

static void import_paths_add_file(struct import_paths *paths, const char *directory,
                                  const char *name) {
    paths->paths = xrealloc(paths->paths, (paths->count + 1) * sizeof *paths->paths);
    paths->paths[paths->count++] =
        xasprintf("%s%s%s", directory, directory[0] == '\0' ? "" : "/", name);
}

void import_paths_free(struct import_paths *paths) {
    free_each(paths->paths, paths->count);
    *paths = (struct import_paths){0};
}

static bool is_directory(const char *path) {
    struct stat status;

    return strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* The files of one trace: their paths have the same beginning (stem). */
struct family {
    size_t (*stem)(
        /* Returns the length of the path's stem; 0: the path belongs to no family. */
        const char *path);
    const char *path; /* borrowed */
    size_t length;    /* length of the stem */
};

/* Adds the regular files of a directory, sorted by name; of these only those of `family`, unless it
 * is NULL. Skips hidden files, links and subdirectories. */
static void import_paths_add_files(struct import_paths *paths, const char *directory, DIR *folder,
                                   const struct family *family) {
    size_t first = paths->count;
    const struct dirent *entry;

    while ((entry = readdir(folder)) != NULL) {
        struct stat status;
        const char *path;

        if (entry->d_name[0] == '.') {
            continue;
        }
        import_paths_add_file(paths, directory, entry->d_name);
        path = paths->paths[paths->count - 1];
        if (lstat(path, &status) != 0 || !S_ISREG(status.st_mode) ||
            (family != NULL && (family->stem(path) != family->length ||
                                memcmp(path, family->path, family->length) != 0))) {
            free(paths->paths[--paths->count]);
        }
    }
    if (paths->count > first) {
        qsort(paths->paths + first, paths->count - first, sizeof *paths->paths, compare_strings);
    }
}

/* Adds the files of all processors for NAME or DIRECTORY/NAME (NAME.blktrace.0 …), as given to
 * blkparse. Adds nothing if there are none. */
static void add_cpu_files(struct import_paths *paths, const char *word) {
    const char *slash = strrchr(word, '/');
    char *directory = slash == NULL   ? xstrdup(".")
                      : slash == word ? xstrdup("/")
                                      : xstrndup(word, (size_t)(slash - word));
    struct text path = {0};
    DIR *folder = opendir(directory);

    /* paths are compared with those that import_paths_add_file() makes, so have the same form */
    text_append_format(&path, "%s/%s", directory, slash == NULL ? word : slash + 1);
    if (folder != NULL) {
        const struct family family = {cpu_file_stem_length, text_string(&path), path.length};

        import_paths_add_files(paths, directory, folder, &family);
        closedir(folder);
    }
    text_free(&path);
    free(directory);
}

/* Removes `path` from the list, if it is at index `first` or later. */
static void remove_equal_path(struct import_paths *paths, size_t first, const char *path) {
    size_t kept = first;

    for (size_t i = first; i < paths->count; i++) {
        if (strcmp(paths->paths[i], path) == 0) {
            free(paths->paths[i]);
        } else {
            paths->paths[kept++] = paths->paths[i];
        }
    }
    paths->count = kept;
}

/* Returns whether a directory's name is cpuN. */
static bool is_cpu_folder(const char *name) {
    return strncmp(name, "cpu", 3) == 0 && name[3] != '\0' &&
           name[3 + strspn(name + 3, "0123456789")] == '\0';
}

/* Returns whether a file is one processor's trace in a tracefs, by the name of its directory. The
 * file's name follows `slash`. */
static bool is_of_cpu_folder(const char *directory, const char *slash) {
    const char *last = strrchr(directory, '/');

    return slash != NULL && is_cpu_folder(last == NULL ? directory : last + 1) &&
           (strcmp(slash + 1, "trace") == 0 || strcmp(slash + 1, "snapshot") == 0);
}

/* Adds the files of all processors in a tracefs: per_cpu/cpu0/trace, …. `folder`: path of cpu0. */
static void add_cpu_folders(struct import_paths *paths, const char *folder, const char *file) {
    const char *slash = strrchr(folder, '/');
    size_t first = paths->count;
    char *above = slash == NULL ? xstrdup("") : xstrndup(folder, (size_t)(slash - folder));
    const struct dirent *entry;
    DIR *list = slash == NULL ? opendir(".") : opendir(slash == folder ? "/" : above);

    while (list != NULL && (entry = readdir(list)) != NULL) {
        struct stat status;
        char *name;

        if (!is_cpu_folder(entry->d_name)) {
            continue;
        }
        name = xasprintf("%s/%s", entry->d_name, file);
        import_paths_add_file(paths, above, name);
        free(name);
        if ((lstat(paths->paths[paths->count - 1], &status) != 0 || !S_ISREG(status.st_mode))) {
            free(paths->paths[--paths->count]);
        }
    }
    if (list != NULL) {
        closedir(list);
    }
    free(above);
    if (paths->count > first) {
        qsort(paths->paths + first, paths->count - first, sizeof *paths->paths, compare_strings);
    }
}

void import_paths_add_siblings(struct import_paths *paths, const char *word,
                               const struct config *config) {
    const char *slash = strrchr(word, '/');
    size_t first = paths->count, folder_length = slash == NULL ? 0 : (size_t)(slash - word);
    struct family family = {cpu_file_stem_length, word, cpu_file_stem_length(word)};
    char *directory;
    DIR *folder;

    if (family.length == 0 && thread_files_count(config, (char *const *)&word, 1) == 1) {
        family = (struct family){thread_file_stem, word, thread_file_stem(word)};
    }
    directory = xstrndup(word, folder_length);
    if (family.length == 0) {
        if (is_of_cpu_folder(directory, slash)) {
            add_cpu_folders(paths, directory, slash + 1);
        }
        free(directory);
        remove_equal_path(paths, first, word);
        return;
    }
    folder = opendir(slash == NULL ? "." : slash == word ? "/" : directory);
    if (folder != NULL) {
        import_paths_add_files(paths, directory, folder, &family);
        closedir(folder);
    }
    free(directory);
    remove_equal_path(paths, first, word);
    if (family.stem == thread_file_stem) {
        /* Removes files, from index `first` on, that do not have the calls of a single thread. */
        size_t kept = first;

        for (size_t i = first; i < paths->count; i++) {
            if (thread_files_count(config, &paths->paths[i], 1) == 1) {
                paths->paths[kept++] = paths->paths[i];
            } else {
                free(paths->paths[i]);
            }
        }
        paths->count = kept;
    }
}

bool import_paths_add(struct import_paths *paths, const char *word, struct error *error) {
    size_t before = paths->count;
    struct stat status;

    if (is_directory(word)) {
        DIR *folder = opendir(word);
        size_t first = paths->count;

        if (folder == NULL) {
            return error_set(error, "%s: cannot read the folder: %s", word, strerror(errno));
        }
        import_paths_add_files(paths, word, folder, NULL);
        closedir(folder);
        return paths->count > first ||
               error_set(
                   error,
                   "%s: the folder holds no files; symbolic links and subfolders are not read",
                   word);
    }
    if (strcmp(word, "-") != 0 && stat(word, &status) != 0 && errno == ENOENT) {
        add_cpu_files(paths, word);
    }
    if (paths->count == before) {
        import_paths_add_file(paths, "", word);
    }
    return true;
}

size_t import_paths_archive(const char *path) {
    char *prefix = xstrdup(path), *slash;
    struct stat status;
    size_t length = 0;

    while (length == 0 && stat(prefix, &status) != 0 && (slash = strrchr(prefix, '/')) != NULL) {
        *slash = '\0';
        if (stat(prefix, &status) == 0 && S_ISREG(status.st_mode)) {
            length = strlen(prefix);
        }
    }
    free(prefix);
    return length;
}

/* Unpacks an archive and adds its file `word` (ARCHIVE/NAME); sets an error if there is none. */
static bool add_member(struct import_paths *paths, const char *word, size_t archive_length,
                       struct input_stop stop, struct error *error) {
    char *archive = xstrndup(word, archive_length), **members = NULL;
    size_t count = 0;
    bool done = member_find(word) != NULL || members_unpack(archive, stop, &members, &count, error);

    if (done && member_find(word) != NULL) {
        import_paths_add_file(paths, "", word);
    } else if (done) {
        error_set(error, "%s: %s %s; %s%s", word, archive,
                  count > 0 ? "has no such file" : "is no archive of several files",
                  count > 0 ? "there is " : "name it alone", count > 0 ? members[0] : "");
        done = false;
    }
    free_each(members, count);
    free(archive);
    return done;
}

bool import_paths_unpack(struct import_paths *paths, const char *word, struct input_stop stop,
                         struct error *error) {
    const size_t archive = import_paths_archive(word);
    char **members;
    size_t count;

    if (archive > 0) {
        return add_member(paths, word, archive, stop, error);
    }
    if (!members_unpack(word, stop, &members, &count, error)) {
        return false;
    }
    paths->paths = xreallocarray(paths->paths, paths->count + count, sizeof *paths->paths);
    for (size_t i = 0; i < count; i++) {
        paths->paths[paths->count++] = members[i];
    }
    free(members);
    return true;
}

char *import_trace_name(const char *word, size_t length) {
    const struct member *member = member_find(word);
    const char *begin;
    char *real, *name;

    if (strcmp(word, "-") == 0) {
        return xstrdup("stdin");
    }
    while (length > 1 && word[length - 1] == '/') {
        length--;
    }
    begin = memrchr(word, '/', length);
    begin = member != NULL                 ? word + member_name_offset(member)
            : begin == NULL || length == 1 ? word
                                           : begin + 1;
    if (length == strlen(word) && cpu_file_stem_length(word) > 0) {
        return xstrndup(begin, cpu_file_stem_length(word) - (size_t)(begin - word));
    }
    length -= (size_t)(begin - word);
    /* resolves . and .. to the directories' real names */
    if (length <= 2 && strncmp(begin, "..", length) == 0 && (real = realpath(word, NULL)) != NULL) {
        name = import_trace_name(real, strlen(real));
        free(real);
        return name;
    }
    return xstrndup(begin, unpack_stem_length(begin, length));
}
