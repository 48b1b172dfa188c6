/* The cache: a folder of private databases, made from logs that commands read without an import.
 *
 * The folder is $TRACETOOL_CACHE, or $XDG_CACHE_HOME/tracetool, or ~/.cache/tracetool, with mode
 * 0700. The name of a file (mode 0600) is a hash of everything that its contents depend on
 * (cli/logs.c). A file is made in a folder making-… and renamed when it is complete. Its mtime is a
 * hash of its name, its size, and its contents if up to 8 MiB. If anybody changes the file, its
 * mtime is wrong, and the file is not used. Its atime is the time of its last use. */
#ifndef TRACETOOL_CACHE_H
#define TRACETOOL_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Limit of the size of all files in bytes; a tenth of the file system's size if that is less. */
#define CACHE_MOST (INT64_C(2) << 30)

struct cache {
    char *folder; /* owned; NULL: no folder is usable */
};

/* Chooses the folder, and creates it if needed. Fails with the reason in `error` if it is a link,
 * belongs to another user, can be written by others, or is below another user's home (as with
 * sudo). Callers may continue without a cache. */
bool cache_open(struct cache *cache, struct error *error);
void cache_close(struct cache *cache);

/* Returns the path of the cache file for a key, owned by the caller. */
char *cache_path(const struct cache *cache, const char *key);

/* Opens the cache file at `path` if it is complete and unmodified, and sets its time of last use.
 * No process deletes the file while the returned descriptor is open, so close the descriptor last,
 * after all database connections to the file. Returns -1 if the file is not usable. */
int cache_open_file(const char *path, const char *key);

/* Creates a temporary folder (mode 0700) in `folder` for making a database. Returns its path, owned
 * by the caller; NULL with `error` set on failure. */
char *cache_make_temporary_folder(const char *folder, struct error *error);

/* Moves a complete database from `temporary` into the cache, and holds it open like
 * cache_open_file(). Deletes the least recently used files until the limits are met. Returns false
 * if the database is too large or cannot be renamed; it is then still at `temporary`. */
bool cache_store(const struct cache *cache, const char *temporary, const char *key);

/* A file of the cache, for listing. */
struct cache_file {
    char *path;   /* owned */
    int64_t size; /* in bytes */
    int64_t used; /* time of last use, ns since 1970 */
};

struct cache_files {
    struct cache_file *files; /* owned; least recently used first */
    size_t count;
};

struct cache_files cache_list(const struct cache *cache);
void cache_files_free(struct cache_files *list);

#endif
