/* System calls on files for replay formats: effect of a call, its descriptor and file, and the
 * file's name in the replay.
 *
 * A replay must not destroy existing files. So files are named replay.N, by the trace's own numbers
 * of them; only with --real-paths they keep their names. */
#ifndef TRACETOOL_FILE_CALLS_H
#define TRACETOOL_FILE_CALLS_H

#include "export/export.h"

enum file_call {
    FILE_CALL_NONE, /* any other call */
    FILE_CALL_OPEN,
    FILE_CALL_CLOSE,
    FILE_CALL_READ,
    FILE_CALL_WRITE,
    FILE_CALL_READ_AT,
    FILE_CALL_WRITE_AT,
    FILE_CALL_SYNC,
    FILE_CALL_SYNC_DATA,
    FILE_CALL_ACCESS,
    FILE_CALL_STATUS,
    FILE_CALL_LINK_STATUS,
    FILE_CALL_UNLINK,
    FILE_CALL_COPY, /* reads one file and writes another */
};

/* Limit of bytes of a path in a replay. */
#define FILE_CALL_PATH 255

/* Returns the call's effect, by its name in any system's spelling: pread64, openat2 … */
enum file_call file_call_of(const struct export_event *event);

/* Returns whether the call reads or writes, with a number of bytes as result. */
bool file_call_transfers(enum file_call call);

/* Returns whether the name is that of a file, not a pipe, socket or device. */
bool file_call_is_file(const struct export_event *event);

/* Returns why the call cannot be replayed, a constant string for export_exclude(): it failed, or
 * its result, offset or length is unknown or too large. NULL: it can. Offsets must be below `most`;
 * `position`: plain reads and writes need one, too. */
const char *file_call_obstacle(const struct export_event *event, enum file_call call, int64_t most,
                               bool position);

/* Sets the name of the file in the replay. `*own`: its own name; else replay.N. A wanted own name
 * that is too long is counted as a reason. */
void file_call_path(struct export_run *run, const struct export_event *event, struct text *path,
                    bool *own);

#endif
