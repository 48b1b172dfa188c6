/* The cache: a folder of private databases, each made from logs that a command reads directly.
 *
 * The folder is $TRACETOOL_CACHE, or $XDG_CACHE_HOME/tracetool, or ~/.cache/tracetool, with mode
 * 0700. The name of a file (mode 0600) is a hash of all that its contents depend on (cli/logs.c).
 * It is made in a folder making-…, and renamed when it is complete. Its mtime is computed from its
 * name and size, and contents up to 8 MiB: if anybody changes the file, its mtime is wrong, and it
 * is not used. Its atime is the time of its last use. */
#ifndef TRACETOOL_CACHE_H
#define TRACETOOL_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Limit of all files' size in bytes; they also take at most a tenth of the file system. */
#define CACHE_MOST (INT64_C(2) << 30)

struct cache {
    char *folder; /* owned; NULL: there is no folder that can be used */
};

/* Chooses the folder, and creates it if needed. Does not use one that is a link, belongs to
 * somebody else, can be written by others, or is below another user's home, as with sudo. `error`
 * then has the reason; callers may go on without a cache. */
bool cache_open(struct cache *cache, struct error *error);
void cache_close(struct cache *cache);

/* Returns the path of the file for a key, owned by the caller. */
char *cache_path(const struct cache *cache, const char *key);

/* Opens the file at `path` if it is complete and unchanged, and sets its time of last use. While
 * the returned descriptor is open, nobody deletes the file. Close the descriptor after all
 * databases on the file. Returns -1 if the file cannot be used. */
int cache_open_file(const char *path, const char *key);

/* Creates a folder (mode 0700) in `folder`, to make a database in. Returns its path, owned by the
 * caller; returns NULL and sets `error` on failure. */
char *cache_make_temporary_folder(const char *folder, struct error *error);

/* Moves a complete database from `temporary` to its place in the cache, and opens it like
 * cache_open_file(). Deletes the files not used for longest until all are within the limits.
 * Returns false if the database is too large or cannot be renamed; then it stays at `temporary`. */
bool cache_store(const struct cache *cache, const char *temporary, const char *key);

/* A file of the cache, for a list of all. */
struct cache_file {
    char *path;   /* owned */
    int64_t size; /* bytes */
    int64_t used; /* time of last use, ns since 1970 */
};

struct cache_files {
    struct cache_file *files; /* owned; those not used for longest come first */
    size_t count;
};

struct cache_files cache_list(const struct cache *cache);
void cache_files_free(struct cache_files *list);

#endif
