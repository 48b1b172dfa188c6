/* The folder of private databases, each made for a set of logs that is asked directly.
 *
 * It is $TRACETOOL_CACHE, else $XDG_CACHE_HOME/tracetool, else ~/.cache/tracetool, with mode 0700.
 * A file in it has a name that follows from all that decides its content (cli/logs.c), and mode
 * 0600. It is made in a folder making-…, and renamed when it is whole. Its mtime follows from its
 * name and size: a file that anybody wrote to has another one, and is not used. Its atime says when
 * it was used last.
 */
#ifndef TRACETOOL_CACHE_H
#define TRACETOOL_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Most that all files may take, in bytes; and no more than a tenth of the file system. */
#define CACHE_MOST (INT64_C(2) << 30)

struct cache {
    char *folder; /* owned; NULL: there is none that may be used */
};

/* Chooses the folder, and makes it where it is missing. One that is a link, belongs to somebody
 * else, or may be written by others is not used; nor is one below a home that is not the user's, as
 * with sudo. `error` then says why; that is no failure for who can do without. */
bool cache_open(struct cache *cache, struct error *error);
void cache_close(struct cache *cache);

/* The path of the file of that key. Owned by the caller. */
char *cache_path(const struct cache *cache, const char *key);

/* Opens the file at `path` when it is there, whole and unchanged, and notes that it is used now.
 * As long as the descriptor is open nobody deletes it. It must not be closed before every database
 * of that file is closed. -1: it is not of use. */
int cache_hold(const char *path, const char *key);

/* Makes a folder in `folder`, of mode 0700, for a database to be made in. Owned by the caller; NULL
 * with `error` set. */
char *cache_temporary(const char *folder, struct error *error);

/* Gives the finished database at `temporary` its place, holds it as cache_hold() does, and deletes
 * what has not been used for longest until all of it is within bounds. False: it stays where it is,
 * as it is too large, or cannot be renamed. */
bool cache_place(const struct cache *cache, const char *temporary, const char *key);

/* A file of the cache. */
struct cache_file {
    char *path;   /* owned */
    int64_t size; /* bytes */
    int64_t used; /* ns since 1970 */
};

struct cache_files {
    struct cache_file *files; /* owned; the one not used for longest comes first */
    size_t count;
};

struct cache_files cache_list(const struct cache *cache);
void cache_files_free(struct cache_files *list);

/* Deletes all files that no process has open. Returns how many; `*bytes`: what they took. */
int64_t cache_clear(const struct cache *cache, int64_t *bytes);

#endif
