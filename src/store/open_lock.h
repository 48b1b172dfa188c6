/* Marks the file as in use, so a failed import never deletes a database that another process has
 * open.
 *
 * Each process with the database open holds a read lock on a byte far from SQLite's locks. Deleting
 * the file needs the write lock. It is an open file description lock, not a process lock as
 * SQLite's: it lasts until the descriptor is closed. Closing a descriptor drops SQLite's locks,
 * too: open it before SQLite opens the file, and close it after SQLite closes the file. On a file
 * system without such locks nothing is locked.
 */
#ifndef TRACETOOL_OPEN_LOCK_H
#define TRACETOOL_OPEN_LOCK_H

#include <stdbool.h>

/* Opens the file for reading; from then on no other process deletes it. `making`: creates a missing
 * file and sets `*made`; the caller may delete it. -1 with errno, ESTALE when others delete it
 * again and again. */
int open_lock_open(const char *path, bool making, bool *made);

/* Creates the file. -1 with errno EEXIST where the name exists, also as a link, so that nothing is
 * written through a link of another user. */
int open_lock_make(const char *path);

/* Whether the name is a plain file that no process has open. Always true for plain files on a file
 * system without such locks. */
bool open_lock_is_left(const char *path);

/* Whether the file of that name is the open one. */
bool open_lock_is_of(int descriptor, const char *path);

/* Takes the write lock: true when no other process has the file open. A process that opens it then
 * waits until the descriptor is closed, and detects that the file was deleted. */
bool open_lock_become_alone(int descriptor);

/* Marks a new file as being filled, by a lock on the next byte: it holds nothing to read yet, so
 * readers need no access. False when the lock fails. It lasts until open_lock_filled() or until the
 * descriptor is closed. */
bool open_lock_fill(int descriptor);
void open_lock_filled(int descriptor);

/* False while another process fills it. */
bool open_lock_is_filled(int descriptor);

#endif
