/* Restricts a forked process that parses untrusted data with a library. */
#ifndef TRACETOOL_CONFINE_H
#define TRACETOOL_CONFINE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

/* Call it in the child. Closes all files except the standard streams and the `count` descriptors in
 * `kept_open`, which it sorts; the parent's SQLite locks are not affected. Unmaps writable shared
 * memory. The child is killed when the thread that forked it ends. Signals have their default
 * action again. Limits memory to `memory` bytes (not with AddressSanitizer; files mapped for
 * reading do not count) and processor time to `seconds`. Files cannot be written. */
void sandbox_process(int *kept_open, size_t count, size_t memory, unsigned seconds);

/* Call it in the parent: waits for the child to end, and sets `*status` to its wait status. Returns
 * false if waiting fails, with the error set. */
bool wait_sandboxed_process(pid_t process, int *status, struct error *error);

#endif
