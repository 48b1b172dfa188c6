/* Confines a forked process that parses untrusted data with a library. */
#ifndef TRACETOOL_CONFINE_H
#define TRACETOOL_CONFINE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

/* Call it in the child. Closes all files but the standard streams and the `count` files in `kept`,
 * which it sorts; SQLite's locks stay, as they belong to the parent. Unmaps shared memory that can
 * be written. The child is killed when the thread that forked it ends. Signals that end a process
 * do so again. Limits memory in bytes (not with AddressSanitizer; files mapped for reading do not
 * count) and processor time in seconds. Files cannot be written. */
void confine_process(int *kept, size_t count, size_t memory, unsigned seconds);

/* Call it in the parent: waits for the child to end, and returns its status. */
bool await_confined_process(pid_t process, int *status, struct error *error);

#endif
