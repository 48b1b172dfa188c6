/* Runs an import: finds the importer, runs it in a thread beside the writer, keeps the ledger.
 *
 *     files ─ input ─ reader ─ importer ─▶ import_event() … ─▶ batches ─▶ queue ─▶ store
 *                                            └─▶ tallies ─▶ rollups
 */
#ifndef TRACETOOL_IMPORT_H
#define TRACETOOL_IMPORT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "config/config.h"
#include "import/importer.h"
#include "import/losses.h"
#include "store/database.h"

struct import_options {
    const struct importer *importer;   /* NULL: by content */
    const char *name;                  /* of the trace */
    const char *device, *user, *study; /* NULL: not given */
    bool replace;                      /* a trace of that name is removed first; implies again */
    bool again;                        /* content that is there already is welcome */
    bool append;                       /* the trace of that name goes on with these files */
    bool strict;                       /* a rejected record is a failure */
    int64_t start;                     /* --start, ns since 1970 UTC; EVENT_NONE: not given */
    int64_t utc_offset;                /* --utc-offset in minutes; EVENT_NONE: not given */
    int64_t record_size;               /* 0: not given */
    const char *const *only_devices;   /* --only-device; the others are not read */
    size_t only_device_count;          /* 0: all are read */
    const volatile sig_atomic_t *interrupted; /* set by a signal: stop and undo */
    /* Called now and then; sizes in bytes, total -1 when not known. May be NULL. */
    void (*progress)(void *context, int64_t done, int64_t total);
    void *progress_context;
    /* Called with each remark once the trace is imported. May be NULL. */
    void (*remark)(void *context, const char *text);
    void *remark_context;
};

/* What the log tells of its losses, and what its requests prove. */
struct import_losses {
    int64_t unfinished; /* issues without a completion, and … */
    int64_t unissued;   /* … completions without an issue, where a loss is proven */
    int64_t lost;       /* events; at least so many, where there are … */
    int64_t uncounted;  /* … losses without a number, which count as one event each */
    int64_t of;         /* events, lost and in the log; 0: not known */
    const char *reason; /* of most of them; "" for none */
    struct losses_begin begin;
    const char *clock_unit; /* of its times */
};

/* What came of it. */
struct import_summary {
    char format[32], variant[32];
    int64_t events, merged, ignored, rejected, lost_bytes;
    int64_t records;              /* that were read, whatever became of them */
    int64_t kinds[TRACE_KINDS];   /* events of each kind */
    int64_t counted[TRACE_KINDS]; /* I/Os, calls and so on that they are, where that is another
                                   * number than that of the records kept; else 0 */
    struct import_losses losses;
    bool several;        /* more than one kind: each has a trace, NAME.KIND */
    int64_t passed_over; /* files of no known or of another format */
    /* The most frequent reason why a record was rejected, with its first place; "" for none. */
    const char *reason;
    char reason_source[256];
    int64_t reason_offset;
};

/* Imports `count` files as one trace, in that order or, where the format allows for it, merged by
 * time; or as several, where events of several kinds are in them: NAME.KIND. Either all is there
 * afterwards (true), or the database is as it was (false, `error` names the file and the cause). */
bool import_files(struct database *database, const struct config *config,
                  const struct import_options *options, const char *const *paths, size_t count,
                  struct import_summary *summary, struct error *error);

#endif
