/* System calls on files, for formats that replay them: what a call does, its descriptor and file,
 * and the file's name in the replay.
 *
 * A replay must not destroy existing files. So files are named replay.N; N is the trace's number of
 * the file. Only with --real-paths files keep their names. */
#ifndef TRACETOOL_FILE_CALLS_H
#define TRACETOOL_FILE_CALLS_H

#include "export/export.h"

enum file_call {
    FILE_CALL_NONE, /* a call that no replay format has */
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

/* Maximum bytes of a path in a replay. */
#define FILE_CALL_PATH 255

/* Returns what a call does, by its name in any system's spelling: pread64, openat2 … */
enum file_call file_call_of(const struct export_event *event);

/* Returns whether the call is a read or write whose result is a number of bytes. */
bool file_call_transfers(enum file_call call);

/* Returns whether the name is that of a file, not a pipe, socket or device. */
bool file_call_is_file(const struct export_event *event);

/* Returns why the call cannot be replayed, a constant string for export_exclude(): it failed, or
 * its result, offset or length is unknown or too large. NULL: it can be replayed. Offsets must be
 * below `most`. `position`: the offset of read() and write() must be known, too. */
const char *file_call_why_unreplayable(const struct export_event *event, enum file_call call,
                                       int64_t most, bool position);

/* Sets `path` to the name of the file in the replay. `*own`: it is the file's own name; otherwise
 * replay.N. If the own name is wanted but too long, counts this as a reason. */
void file_call_set_path(struct export_run *run, const struct export_event *event, struct text *path,
                        bool *own);

#endif
