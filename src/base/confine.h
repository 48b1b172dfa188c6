/* Confinement of a forked process that parses untrusted data with a library. */
#ifndef TRACETOOL_CONFINE_H
#define TRACETOOL_CONFINE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

/* Called in the child. Closes all files but the standard streams and the `count` files in `kept`,
 * which it sorts; SQLite's locks belong to the parent process and remain. Unmaps writable shared
 * memory. Is killed when the parent's thread that forked it ends. Resets the signals that end a
 * process. Limits memory in bytes (not under
 * AddressSanitizer; files that are mapped to be read do not count) and processor time in seconds;
 * files cannot be written. */
void confine_process(int *kept, size_t count, size_t memory, unsigned seconds);

/* Called in the parent: waits for the child's status. */
bool await_confined_process(pid_t process, int *status, struct error *error);

#endif
