/* The state of a running import, shared by context.c (what importers call) and import.c (the
 * driver). Importers see none of it. */
#ifndef TRACETOOL_CONTEXT_H
#define TRACETOOL_CONTEXT_H

#include <stdatomic.h>

#include "base/text.h"
#include "import/dictionary.h"
#include "import/import.h"
#include "import/importer.h"
#include "import/ledger.h"
#include "import/queue.h"
#include "import/span.h"
#include "model/tally.h"
#include "store/partition_table.h"

#define REMARKS 64

/* Labels whose text is kept. Each dimension has at most TALLY_ROWS while its tally is complete. */
#define LABEL_TEXTS (4 * TALLY_ROWS)

struct label {
    char *text; /* owned; NULL: not kept */
    size_t length;
};

/* One file of the trace, as far as it has been read. */
struct import_source {
    char *path;          /* owned */
    const char *name;    /* the path, "stdin" for - */
    const char *same_as; /* the name of an earlier one of equal content; NULL: none. Borrowed */
    char hash[INPUT_HASH_SIZE];
    const char *packing;
    int64_t size;
    int64_t events;
    int64_t rows; /* of `event`: fewer than events where two records make one */
    bool used;    /* handed to the importer: it has a row in `source` */
};

struct import {
    const struct importer *importer;
    const struct config *config;
    const struct import_options *options;
    struct error *error; /* of the importer's thread */
    struct queue queue;
    atomic_bool stop; /* the writer has given up */

    /* Batches on this side of the queue: the one being filled, and one held back to sort what the
     * log has slightly out of order. NULL: none. */
    struct batch *current, *held;
    int64_t emitted_time; /* largest time handed over so far */
    int64_t late;         /* events handed over after a later one */
    int64_t resorted;     /* batches that had to be merged */

    struct dictionary *names, *actors, *objects, *labels;
    struct label *label_texts; /* owned; up to LABEL_TEXTS of them, by number */
    size_t label_capacity;
    struct text key; /* room to build dictionary keys in */

    struct tally_context tally_context;
    struct tally tallies[TALLY_KINDS];
    bool tally_complete[TALLY_KINDS]; /* applies, and did not grow beyond its bound */

    struct span_tracker *spans; /* owned; NULL for other kinds of trace */
    bool spans_complete;        /* the times by function did not grow beyond their bound */
    struct import_clock clock;

    bool resuming;                /* files are appended to a trace */
    struct partitions partitions; /* of that trace */

    struct ledger ledger;
    int64_t events;      /* records read and kept */
    int64_t rows;        /* what became of them */
    int64_t passed_over; /* files */
    char *remarks[REMARKS];
    size_t remark_count;
    int64_t remarks_lost;  /* beyond REMARKS */
    int64_t round;         /* EVENT_NONE: not known */
    int64_t call_overhead; /* EVENT_NONE: not known */
    char variant[32];
    int64_t start, utc_offset; /* EVENT_NONE: not known */
    int64_t sessions;
    char *kept;
    const char *resumed;

    struct import_source *sources; /* owned */
    size_t source_count;
    size_t source; /* the one being read */
    struct reader *reader;
};

/* Makes names of a trace that goes on known again; `context` is the import. */
bool context_put_name(void *context, uint32_t id, const struct name_entry *name);
bool context_put_actor(void *context, uint32_t id, const struct actor_entry *actor);
bool context_put_object(void *context, uint32_t id, const struct object_entry *object);

/* import_label() for tally_table_take(). */
uint32_t context_number(void *context, const char *text, size_t length);

/* Counts a row in the tallies of the trace. */
bool context_count(struct import *import, const struct event *event);

/* The row of a serial number and its batch, while it has not been handed over; else NULL. */
struct event *context_row(struct import *import, int64_t serial, struct batch **batch);

/* The batch that is being filled; NULL: stop. */
struct batch *context_batch(struct import *import);

/* Hands over what is still held back. */
bool context_flush(struct import *import);

/* Frees everything but the queue. */
void context_free(struct import *import);

/* The text of a label number, NULL when it was not kept. `context` is the import. */
const char *context_label(void *context, uint32_t number, size_t *length);

#endif
