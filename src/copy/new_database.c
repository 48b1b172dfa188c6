#include "copy/new_database.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "store/database.h"
#include "base/memory.h"

static bool new_database_is_taken(const char *place, struct error *error) {
    return error_set(error, "%s: exists; give the name of a new database", place);
}

/* Returns whether `name` is the temporary name of a new database at `place` (a file name without
 * folders) whose process no longer runs. */
static bool is_left_over(const char *name, const char *place) {
    const size_t length = strlen(place);
    char *end;
    long process;

    if (strncmp(name, place, length) != 0 || name[length] != '.' || name[length + 1] < '1' ||
        name[length + 1] > '9') {
        return false;
    }
    process = strtol(name + length + 1, &end, 10);
    return strcmp(end, ".partial") == 0 && process <= INT_MAX && kill((pid_t)process, 0) != 0 &&
           errno == ESRCH;
}

/* Removes an incomplete database, which only SIGKILL leaves behind. Spares one that is locked,
 * since it is still being made. */
static void new_database_remove_left_over(const char *folder, const char *name) {
    struct text path = {0}, journal = {0};

    text_append_format(&path, "%s/%s", folder, name);
    text_append_format(&journal, "%s-journal", text_string(&path));
    if (database_file_is_unused(text_string(&path))) {
        unlink(text_string(&path));
        unlink(text_string(&journal));
    }
    text_free(&path);
    text_free(&journal);
}

static void remove_left_overs(const char *place) {
    const char *slash = strrchr(place, '/');
    const char *base = slash == NULL ? place : slash + 1;
    char *folder = slash == NULL ? xstrdup(".") : xstrndup(place, (size_t)(slash - place) + 1);
    DIR *entries = opendir(folder);
    const struct dirent *entry;

    while (entries != NULL && (entry = readdir(entries)) != NULL) {
        if (is_left_over(entry->d_name, base)) {
            new_database_remove_left_over(folder, entry->d_name);
        }
    }
    if (entries != NULL) {
        closedir(entries);
    }
    free(folder);
}

static bool new_database_find_name(struct new_database *made, const char *place,
                                   struct error *error) {
    struct text path = {0}, journal = {0};
    struct stat status;

    if (lstat(place, &status) == 0) {
        return new_database_is_taken(place, error);
    }
    text_append_format(&path, "%s.%ld.partial", place, (long)getpid());
    text_append_format(&journal, "%s-journal", text_string(&path));
    made->place = xstrdup(place);
    made->path = path.bytes;
    made->journal = journal.bytes;
    remove_left_overs(place);
    return true;
}

static void new_database_clean_up(const void *context) {
    const struct new_database *made = context;

    unlink(made->path);
    unlink(made->journal);
}

/* Creates the file. From then on, a signal that ends the program also removes the file. */
static bool create_database_file(struct new_database *made, struct error *error) {
    struct stat status;
    sigset_t mask;

    if (lstat(made->path, &status) == 0) {
        error_set(
            error,
            "%s: exists already and was not made by tracetool; remove it, or name another file",
            made->path);
        free(made->path); /* without a path, the file is not removed */
        made->path = NULL;
        return false;
    }
    signal_cleanup_block(&mask);
    made->open = database_open(&made->database, made->path, DATABASE_NEW, error);
    if (made->open) {
        made->hook = (struct signal_cleanup_hook){.clean = new_database_clean_up, .context = made};
        signal_cleanup_add(&made->hook);
    }
    signal_cleanup_unblock(&mask);
    if (!made->open) {
        free(made->path); /* the file belongs to another program, so it is not removed */
        made->path = NULL;
    }
    return made->open;
}

/* Cancels the removal of the file on a signal. */
static void new_database_release(struct new_database *made) {
    sigset_t mask;

    signal_cleanup_block(&mask);
    signal_cleanup_remove(&made->hook);
    signal_cleanup_unblock(&mask);
    free(made->path);
    free(made->journal);
    made->path = made->journal = NULL;
}

/* Syncs to disk only when the database is complete, since its contents also exist elsewhere. */
bool new_database_open(struct new_database *made, const char *place, struct error *error) {
    *made = (struct new_database){0};
    if (new_database_find_name(made, place, error) && create_database_file(made, error) &&
        database_run(&made->database, "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF",
                     error)) {
        return true;
    }
    new_database_close(made);
    return false;
}

static bool bring_to_disk(const char *path) {
    int descriptor = open(path, O_RDWR | O_CLOEXEC);
    bool done = descriptor >= 0 && fsync(descriptor) == 0;

    if (descriptor >= 0) {
        close(descriptor);
    }
    return done;
}

/* Renames the file without replacing another. If the file system cannot guarantee that, checks
 * first that no file exists. */
static bool move_into_place(const struct new_database *made) {
    if (renameat2(AT_FDCWD, made->path, AT_FDCWD, made->place, RENAME_NOREPLACE) == 0) {
        return true;
    }
    return (errno == EINVAL || errno == ENOSYS) &&
           (access(made->place, F_OK) == 0 ? (errno = EEXIST, false)
                                           : rename(made->path, made->place) == 0);
}

bool new_database_commit(struct new_database *made, struct error *error) {
    database_close(&made->database);
    made->open = false;
    if (!bring_to_disk(made->path) || !move_into_place(made)) {
        return errno == EEXIST
                   ? new_database_is_taken(made->place, error)
                   : error_set(error, "%s: cannot write: %s", made->place, strerror(errno));
    }
    new_database_release(made);
    return true;
}

void new_database_close(struct new_database *made) {
    if (made->open) {
        database_close(&made->database);
    }
    if (made->path != NULL) {
        unlink(made->path);
    }
    new_database_release(made);
    free(made->place);
    *made = (struct new_database){0};
}
