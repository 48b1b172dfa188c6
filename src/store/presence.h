/* Who has a database open, so that nobody deletes it under another.
 *
 * Whoever has one open holds a lock for reading on a byte that none of SQLite's locks is near; who
 * would delete the file needs one for writing. It belongs to the open file, not to the process as
 * SQLite's do: it lasts until the descriptor is closed. But closing gives up SQLite's locks, so
 * that the descriptor must be opened before SQLite opens the file, and closed after it has closed
 * it. A file system without such locks has to do without.
 */
#ifndef TRACETOOL_PRESENCE_H
#define TRACETOOL_PRESENCE_H

#include <stdbool.h>

/* Opens the file of that name for reading; from then on nobody else deletes it. `making`: it is
 * made when there is none, which `*made` says, and may be deleted by the caller. -1 with errno,
 * ESTALE when others delete it again and again. */
int presence_open(const char *path, bool making, bool *made);

/* The same of a file that is made here: -1 with errno EEXIST where anything of that name is there,
 * a link too, so that nothing is written through one that others put there. */
int presence_make(const char *path);

/* Whether nobody has the file of that name open, which is a plain one. Where the file system has no
 * such locks it looks so in any case. */
bool presence_is_left(const char *path);

/* Whether the file of that name is the open one. */
bool presence_is_of(int descriptor, const char *path);

/* True when nobody else has the file open. Then whoever would open it waits until the descriptor is
 * closed, and finds out when the file was deleted. */
bool presence_become_alone(int descriptor);

/* Says, by a lock on the byte behind, that a file just made gets what is in it for the first time:
 * there is nothing yet that others could read, so they need not be let in meanwhile. False where
 * that cannot be said. It lasts until presence_filled() or until the descriptor is closed. */
bool presence_fill(int descriptor);
void presence_filled(int descriptor);

/* False while another one fills it. */
bool presence_is_filled(int descriptor);

#endif
