/* Runs an import: finds the importer, runs it in a thread parallel to the writer, and counts
 * records.
 *
 *     files ─ input ─ reader ─ importer ─▶ import_event() … ─▶ batches ─▶ queue ─▶ store
 *                                           └─▶ tallies ─▶ rollups */
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
    const struct importer *importer;   /* importer of -f; NULL: detect by content */
    const char *name;                  /* name of the trace */
    const char *device, *user, *study; /* labels of the trace; NULL: not given */
    bool replace;        /* true: first removes the trace named `name`; implies `again` */
    bool again;          /* true: accepts content that was imported before */
    bool again_within;   /* true: accepts several files with equal content */
    const char *archive; /* archive of the files; NULL: none. Content that another of its files
                            brought into the database is refused even with `again` */
    bool append;         /* true: appends the files to the trace named `name` */
    bool folder;         /* true: the files are those of a directory, given without --join */
    bool strict;         /* true: a rejected record makes the import fail */
    bool places;         /* true: stores the byte positions of calls (EVENT_PLACE_FILE) */
    int64_t start;       /* argument of --start, ns since 1970 UTC; EVENT_NONE: not given */
    int64_t utc_offset;  /* argument of --utc-offset in minutes; EVENT_NONE: not given */
    int64_t record_size; /* argument of --record-size; 0: not given */
    const char *const *only_devices; /* --only-device: devices whose I/Os are not ignored */
    size_t only_device_count;        /* 0: no device is ignored */
    /* not 0: set by a signal; the import stops and rolls back */
    const volatile sig_atomic_t *interrupted;
    /* Called repeatedly with bytes read so far and in total; total -1: unknown. May be NULL. */
    void (*progress)(void *context, int64_t done, int64_t total);
    void *progress_context;
    /* Called for each remark on the trace after the import. May be NULL. */
    void (*remark)(void *context, const char *text);
    void *remark_context;
};

/* Losses of events, as reported by the log or proven by unpaired requests. */
struct import_losses {
    int64_t unfinished; /* issues without a completion, counted if a loss is proven */
    int64_t unissued;   /* completions without an issue, counted if a loss is proven */
    int64_t lost;       /* lost events; a minimum if `uncounted` is not 0 */
    int64_t uncounted;  /* losses of unknown size, counted as one event each */
    int64_t of;         /* number of events in the log plus lost events; 0: unknown */
    const char *reason; /* reason given for most losses; "": none */
    struct losses_begin begin;
    const char *clock_unit; /* unit of the times in `begin` */
};

/* Result of an import. */
struct import_summary {
    char format[32], variant[32];
    int64_t events, merged, ignored, rejected, lost_bytes;
    int64_t records;              /* records that were read, whatever their outcome */
    int64_t kinds[TRACE_KINDS];   /* number of events of each kind */
    int64_t counted[TRACE_KINDS]; /* number of I/Os, calls etc., if it differs from the number of
                                     records kept; else 0 */
    struct import_losses losses;
    bool several; /* true: the log has several kinds of events, each with a trace NAME.KIND */
    int64_t passed_over; /* number of files skipped because their format is unknown, or not that of
                            the trace */
    /* Most frequent reason for rejecting records, and the first one's file and offset; "": none. */
    const char *reason;
    char reason_source[256];
    int64_t reason_offset;
};

/* Imports `count` files as one trace, in this order or, if the format supports it, merged by time.
 * Files with several kinds of events become several traces, NAME.KIND. Returns true if everything
 * is stored; else false, with the database unchanged, and `error` naming the file and the cause. */
bool import_files(struct database *database, const struct config *config,
                  const struct import_options *options, const char *const *paths, size_t count,
                  struct import_summary *summary, struct error *error);

#endif
