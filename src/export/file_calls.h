/* System calls on files, as formats that replay them need to know them: what a call does, to which
 * descriptor and file, and what the file is called where it is replayed.
 *
 * A replay must not destroy what it finds. So files are called replay.N there, N by the trace's
 * own numbers of them; only with --real-paths they keep their names. */
#ifndef TRACETOOL_FILE_CALLS_H
#define TRACETOOL_FILE_CALLS_H

#include "export/export.h"

enum file_call {
    FILE_CALL_NONE, /* another one */
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

/* Bytes of a path that a replay can hold. */
#define FILE_CALL_PATH 255

/* What the call does, by its name in any system's spelling: pread64, openat2 … */
enum file_call file_call_of(const struct export_event *event);

/* Whether it reads or writes, and its result is a number of bytes. */
bool file_call_transfers(enum file_call call);

/* Whether the name is that of a file, and of no pipe, socket or device. */
bool file_call_is_file(const struct export_event *event);

/* Why the call cannot be replayed, a constant string for export_leave_out(): it failed, its result,
 * offset or length is not known or too large. NULL: it can. Offsets are below `most`; `position`:
 * plain reads and writes need one, too. */
const char *file_call_obstacle(const struct export_event *event, enum file_call call, int64_t most,
                               bool position);

/* What the file is called. `*own`: that is its own name; else it is replay.N, and where its own was
 * wanted but does not fit, that is left out as a reason. */
void file_call_path(struct export_run *run, const struct export_event *event, struct text *path,
                    bool *own);

#endif
