#include "cache/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/memory.h"
#include "base/search.h"
#include "base/time_unit.h"
#include "store/database.h"

/* Names in the cache folder: KEY.db, where KEY has 32 hexadecimal digits; and making- with six
 * random characters, a temporary folder for a database that is being made. */
static const char suffix[] = ".db", making[] = "making-XXXXXX";

enum { KEY_DIGITS = 32, LEFT_OVER_SECONDS = 3600 };

/* Limit in bytes of files whose contents are checked, too, which takes some milliseconds. */
enum { CHECKED_SIZE = 8 << 20 };

/* --- choosing the folder of the cache --------------------------------------------------------- */

static bool is_own(const char *path) {
    struct stat status;

    return stat(path, &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid();
}

/* Returns whether this user owns the folder for caches; if it is missing, the one above it. */
static bool is_own_or_missing(const char *caches) {
    char *above = xstrdup(caches), *slash = strrchr(above, '/');
    bool own = is_own(caches);

    if (!own && access(caches, F_OK) != 0 && slash != above) {
        *slash = '\0';
        own = is_own(above);
    }
    free(above);
    return own;
}

/* Returns the cache folder by the environment, owned by the caller; NULL with `error` if none. */
static char *choose_folder(struct error *error) {
    const char *given = getenv("TRACETOOL_CACHE"), *caches = getenv("XDG_CACHE_HOME");
    const char *home = getenv("HOME");

    if (given != NULL && *given != '\0') {
        return xstrdup(given);
    }
    if (caches != NULL && *caches == '/') {
        if (!is_own_or_missing(caches)) {
            error_set(error, "%s: is not a folder that belongs to this user", caches);
            return NULL;
        }
        return xasprintf("%s/tracetool", caches);
    }
    if (home == NULL || *home != '/' || !is_own(home)) {
        error_set(error, "$HOME is not a folder that belongs to this user");
        return NULL;
    }
    return xasprintf("%s/.cache/tracetool", home);
}

/* Creates the folder and its parent if they do not exist. */
static void cache_make_folder(const char *folder) {
    char *above = xstrdup(folder), *slash = strrchr(above, '/');

    if (slash != NULL && slash != above) {
        *slash = '\0';
        mkdir(above, 0700);
    }
    mkdir(folder, 0700);
    free(above);
}

static bool check_folder(const char *folder, struct error *error) {
    struct stat status;

    if (lstat(folder, &status) != 0) {
        return error_set(error, "%s: %s", folder, strerror(errno));
    }
    if (!S_ISDIR(status.st_mode)) {
        return error_set(error, "%s: is no folder, or a link to one", folder);
    }
    if (status.st_uid != geteuid()) {
        return error_set(error, "%s: belongs to somebody else", folder);
    }
    return (status.st_mode & (S_IWGRP | S_IWOTH)) == 0 ||
           error_set(error, "%s: others may write to it", folder);
}

bool cache_open(struct cache *cache, struct error *error) {
    cache->folder = choose_folder(error);
    if (cache->folder == NULL) {
        return false;
    }
    cache_make_folder(cache->folder);
    if (!check_folder(cache->folder, error)) {
        cache_close(cache);
        return false;
    }
    return true;
}

void cache_close(struct cache *cache) {
    free(cache->folder);
    cache->folder = NULL;
}

/* --- finding and making a file of the cache --------------------------------------------------- */

char *cache_path(const struct cache *cache, const char *key) {
    return xasprintf("%s/%s%s", cache->folder, key, suffix);
}

/* Returns the mtime that an unmodified file has. It is a hash of key and size, and of the contents
 * of a small file. It is before 2018, so that all file systems can store it. */
static struct timespec mtime_of_unmodified_file(const char *key, int file, int64_t size) {
    enum { BLOCK = 1 << 18 };
    XXH64_hash_t hash = XXH3_64bits_withSeed(key, strlen(key), (XXH64_hash_t)size);
    unsigned char *block = xmalloc(BLOCK);
    ssize_t count;

    for (int64_t at = 0; size <= CHECKED_SIZE && at < size; at += count) {
        count = pread(file, block, BLOCK, at);
        if (count <= 0) {
            break;
        }
        hash = XXH3_64bits_withSeed(block, (size_t)count, hash);
    }
    free(block);
    return (struct timespec){.tv_sec = 1000000000 + (time_t)(hash % 250000000) * 2};
}

static bool is_own_file(const struct stat *status) {
    return S_ISREG(status->st_mode) && status->st_uid == geteuid();
}

static bool has_mtime(const struct stat *status, struct timespec mtime) {
    return status->st_mtim.tv_sec == mtime.tv_sec && status->st_mtim.tv_nsec == mtime.tv_nsec;
}

static bool is_unchanged(int file, const char *key) {
    struct stat status;

    return fstat(file, &status) == 0 && is_own_file(&status) &&
           has_mtime(&status, mtime_of_unmodified_file(key, file, status.st_size));
}

int cache_open_file(const char *path, const char *key) {
    const struct timespec used[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_OMIT}};
    struct stat status;
    int descriptor;

    if (lstat(path, &status) != 0 || !is_own_file(&status)) {
        return -1;
    }
    descriptor = database_prevent_deletion(path);
    if (descriptor >= 0 && !is_unchanged(descriptor, key)) {
        close(descriptor);
        return -1;
    }
    if (descriptor >= 0) {
        futimens(descriptor, used);
    }
    return descriptor;
}

char *cache_make_temporary_folder(const char *folder, struct error *error) {
    char *path = xasprintf("%s/%s", folder, making);

    if (mkdtemp(path) == NULL) {
        error_set(error,
                  "%s: cannot make a temporary folder here: %s; set TMPDIR to another folder",
                  folder, strerror(errno));
        free(path);
        return NULL;
    }
    return path;
}

/* --- listing and deleting files of the cache -------------------------------------------------- */

static int compare_used(const void *a, const void *b) {
    const struct cache_file *left = a, *right = b;

    return (left->used > right->used) - (left->used < right->used);
}

struct cache_files cache_list(const struct cache *cache) {
    struct cache_files list = {0};
    size_t capacity = 0;
    DIR *folder = opendir(cache->folder);
    const struct dirent *entry;

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        struct stat status;
        char *path;

        if (strspn(entry->d_name, "0123456789abcdef") != KEY_DIGITS ||
            strcmp(entry->d_name + KEY_DIGITS, suffix) != 0) {
            continue;
        }
        path = xasprintf("%s/%s", cache->folder, entry->d_name);
        if (lstat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
            free(path);
            continue;
        }
        *ARRAY_NEW(list.files, list.count, capacity) = (struct cache_file){
            .path = path,
            .size = (int64_t)status.st_blocks * 512,
            .used = status.st_atim.tv_sec * SECOND + status.st_atim.tv_nsec,
        };
    }
    if (folder != NULL) {
        closedir(folder);
    }
    sort_items(list.files, list.count, sizeof *list.files, compare_used);
    return list;
}

void cache_files_free(struct cache_files *list) {
    for (size_t i = 0; i < list->count; i++) {
        free(list->files[i].path);
    }
    free(list->files);
    *list = (struct cache_files){0};
}

static int64_t cache_size_limit(const struct cache *cache) {
    struct statvfs status;
    int64_t tenth;

    if (statvfs(cache->folder, &status) != 0) {
        return CACHE_MOST;
    }
    tenth = (int64_t)(status.f_blocks / 10 * status.f_frsize);
    return tenth < CACHE_MOST ? tenth : CACHE_MOST;
}

/* Removes folders making-… that killed programs left behind. */
static void cache_remove_left_over(const struct cache *cache) {
    DIR *folder = opendir(cache->folder);
    const struct dirent *entry;
    const time_t now = time(NULL);

    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        char *path = xasprintf("%s/%s", cache->folder, entry->d_name);
        char *database = xasprintf("%s/log.db", path);
        struct stat status;

        if (strncmp(entry->d_name, making, strcspn(making, "X")) == 0 &&
            lstat(path, &status) == 0 && S_ISDIR(status.st_mode) &&
            now - status.st_mtim.tv_sec > LEFT_OVER_SECONDS) {
            database_remove_unused(database);
            rmdir(path);
        }
        free(database);
        free(path);
    }
    if (folder != NULL) {
        closedir(folder);
    }
}

static void delete_oldest_files(const struct cache *cache, const char *kept) {
    struct cache_files list = cache_list(cache);
    int64_t most = cache_size_limit(cache), all = 0;

    for (size_t i = 0; i < list.count; i++) {
        all += list.files[i].size;
    }
    for (size_t i = 0; i < list.count; i++) {
        const struct cache_file *file = &list.files[i];

        if (all > most && strcmp(file->path, kept) != 0 && database_remove_unused(file->path)) {
            all -= file->size;
        }
    }
    cache_files_free(&list);
    cache_remove_left_over(cache);
}

bool cache_store(const struct cache *cache, const char *temporary, const char *key) {
    struct timespec times[2] = {{.tv_nsec = UTIME_NOW}, {0}};
    char *path = cache_path(cache, key);
    struct stat status;
    int held = database_prevent_deletion(temporary);
    bool done = held >= 0 && fstat(held, &status) == 0 && status.st_size <= cache_size_limit(cache);

    if (done) {
        times[1] = mtime_of_unmodified_file(key, held, status.st_size);
        /* A small file needs no sync: the contents' check detects data lost in a power cut. */
        done = (status.st_size <= CHECKED_SIZE || fsync(held) == 0) && futimens(held, times) == 0 &&
               fstat(held, &status) == 0 && is_own_file(&status) && has_mtime(&status, times[1]) &&
               rename(temporary, path) == 0;
    }
    if (done) {
        delete_oldest_files(cache, path); /* `held` keeps the new file from deletion */
    } else if (held >= 0) {
        close(held);
    }
    free(path);
    return done;
}
