/* What is told of a trace beside its events: its files, what became of their bytes, remarks. */
#ifndef TRACETOOL_TRACE_ABOUT_H
#define TRACETOOL_TRACE_ABOUT_H

#include "model/meaning.h"
#include "store/store.h"

/* A file of the trace. Borrowed strings. */
struct store_source {
    const char *name, *hash, *packing; /* packing: '' for none */
    int64_t size, events;              /* size: bytes, unpacked */
    int64_t first_event, last_event;   /* 0: none */
};

/* Whether a source of another import has that content already: `*trace_name` is its trace, owned
 * by the caller, NULL when there is none. */
bool store_find_content(struct store *store, const char *hash, char **trace_name,
                        struct error *error);

/* Adds a row to `source` and gives its id. */
bool store_source(struct store *store, const struct store_source *source, int64_t *id,
                  struct error *error);

/* Adds a line to the ledger: `count` records of a source, the first at the byte `first_offset` of
 * what was unpacked, had that outcome for that reason, and `bytes` bytes were lost with them. */
bool store_ledger(struct store *store, int64_t source, const char *outcome, const char *reason,
                  int64_t count, int64_t first_offset, int64_t bytes, struct error *error);

/* Adds a remark; `number` counts those of this import from 0 on. */
bool store_remark(struct store *store, int64_t number, const char *text, struct error *error);

/* Adds what a column means; that it is known already does not matter. */
bool store_meaning(struct store *store, const struct event_meaning *meaning, struct error *error);

/* Adds that the log does not state the fact, or takes that back; either may be so already. */
bool store_fact_unknown(struct store *store, enum fact fact, struct error *error);
bool store_fact_known(struct store *store, enum fact fact, struct error *error);

/* Adds that time 0 is a time of day, `nanoseconds` after midnight: MEANING_TIME_OF_DAY. */
bool store_time_of_day(struct store *store, int64_t nanoseconds, struct error *error);

/* Adds a call that the program that wrote the log could log, and whether it does by default; that
 * it is known already does not matter. */
bool store_loggable(struct store *store, int64_t code, bool by_default, struct error *error);

#endif
