/* Directory of private databases, each made for a set of logs that is read directly.
 *
 * It is $TRACETOOL_CACHE, otherwise $XDG_CACHE_HOME/tracetool, otherwise ~/.cache/tracetool, with
 * mode 0700. A file's name is derived from everything that determines its content (cli/logs.c); its
 * mode is 0600. It is built in a directory making-… and renamed when complete. Its mtime is derived
 * from its name and size, and its content up to 8 MiB: a file modified by anyone has another mtime
 * and is not used. Its atime is the time of last use.
 */
#ifndef TRACETOOL_CACHE_H
#define TRACETOOL_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Maximum total size of all files, in bytes; also at most a tenth of the file system. */
#define CACHE_MOST (INT64_C(2) << 30)

struct cache {
    char *folder; /* owned; NULL: no usable directory */
};

/* Chooses the directory, creating it if missing. It is not used if it is a link, belongs to someone
 * else, or is writable by others. Neither is one below another user's home directory, as with sudo.
 * `error` then has the reason; callers may continue without a cache. */
bool cache_open(struct cache *cache, struct error *error);
void cache_close(struct cache *cache);

/* Returns the path of a key's file. Owned by the caller. */
char *cache_path(const struct cache *cache, const char *key);

/* Opens the file at `path` if it is complete and unchanged, and updates its time of last use.
 * Nobody deletes it while the descriptor is open. Close it only after every database on that file
 * is closed. -1: unusable. */
int cache_hold(const char *path, const char *key);

/* Creates a directory with mode 0700 in `folder`, to build a database in. Owned by the caller; NULL
 * with `error` set. */
char *cache_temporary(const char *folder, struct error *error);

/* Moves the finished database from `temporary` to its path and holds it like cache_hold(). Deletes
 * the least recently used files until the total is within limits. False: it stays, because it is
 * too large or cannot be renamed. */
bool cache_place(const struct cache *cache, const char *temporary, const char *key);

/* A file of the cache. */
struct cache_file {
    char *path;   /* owned */
    int64_t size; /* bytes */
    int64_t used; /* last use, ns since 1970 */
};

struct cache_files {
    struct cache_file *files; /* owned; least recently used first */
    size_t count;
};

struct cache_files cache_list(const struct cache *cache);
void cache_files_free(struct cache_files *list);

#endif
