/* Passes over the selected events in C, where SQL would sort or group millions of rows.
 *
 * The events come from event_scan.h. Only scan_distribution() takes what a statement gives, through
 * an SQL function that SQLite calls for each row, several times faster than the statement is
 * stepped.
 */
#ifndef TRACETOOL_SCAN_H
#define TRACETOOL_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "model/tally.h"
#include "store/database.h"

/* Longest sequence of operations that can be asked for. */
#define SEQUENCE_LENGTH 8

/* Registers the aggregate functions; once a connection. */
bool scan_register(struct database *database, struct error *error);

/* Creates the empty tables temp.scanned_NAME, with a view temp.tally_NAME each, of a bit set of
 * enum tally_kind. */
bool scan_create(struct database *database, unsigned tallies, struct error *error);

struct event_scan;
struct selection_filter;

/* Adds the events of a scan, of which this sets what is visited, to temp.scanned_NAME, for each of
 * the tallies. */
bool scan_tallies(struct event_scan *events, const struct tally_context *context, unsigned tallies,
                  struct error *error);

/* Fills temp.tally_sequence (trace, codes, sequence, count): how often so many selected events of
 * one actor as the filter says follow one another. The same sequence may have several rows. */
bool scan_sequences(struct database *database, const struct selection_filter *filter,
                    struct error *error);

/* Fills temp.tally_gap (trace, start, "end") with the times between successive selected events of a
 * trace, those of no length left out; of those as many of the longest as the filter says. */
bool scan_gaps(struct database *database, const struct selection_filter *filter,
               struct error *error);

/* Fills temp.tally_locality (trace, direction, sequential, random): reads (0) and writes (1) that
 * start where the previous one of the same direction and device ended, and the others. I/Os without
 * a sector do not count; where the filter says so neither do metadata and journal blocks. */
bool scan_locality(struct database *database, const struct selection_filter *filter,
                   struct error *error);

/* Fills temp.tally_latency (class, bits, count) with the selected events by class (enum io_class)
 * and by how many bits their duration has, NULL for those that have none, and temp.distribution
 * (distribution.h) with their durations by class. */
bool scan_latency(struct database *database, const struct selection_filter *filter,
                  struct error *error);

/* Fills temp.distribution (distribution.h) with the rows (group, value) that the statement `rows`
 * gives. It is run several times. */
bool scan_distribution(struct database *database, const char *rows, struct error *error);

struct span_walk_range;

/* Adds the times of the chosen calls of a trace by function and thread to temp.scanned_span, those
 * of the chosen clock in the columns of the first. */
bool scan_span_times(struct database *database, const struct selection_filter *filter,
                     const struct span_walk_range *range, struct error *error);

/* Fills temp.selected_range (first, last, trace): the events of calls of the function that --under
 * names, and of all that is called beneath. */
bool scan_span_ranges(struct database *database, const struct selection_filter *filter,
                      const struct span_walk_range *range, struct error *error);

/* A call tree: calls of one path of functions are one node. Owned by the caller; NULL when out of
 * memory. */
struct span_tree;
struct span_tree *span_tree_new(void);
void span_tree_free(struct span_tree *tree);

/* Adds the chosen calls of a trace. `merge`: functions of one name in several traces are one. */
bool span_tree_scan(struct span_tree *tree, struct database *database,
                    const struct selection_filter *filter, const struct span_walk_range *range,
                    bool merge, struct error *error);

/* Creates temp.tally_tree (node, parent, depth, operation, calls, timed, total, self); total and
 * self are NULL where no call of a node has a duration. */
bool span_tree_write(const struct span_tree *tree, struct database *database, struct error *error);

struct config;

/* Adds the calls of a trace by item and level to temp.tally_hotspot (trace, resolution, level, id,
 * actor, calls, measured, corrected), and what shares are of to temp.hotspot_base (resolution,
 * measured). */
bool scan_hotspots(struct database *database, const struct config *config,
                   const struct selection_filter *filter, const struct span_walk_range *range,
                   struct error *error);

/* For the scans: each registers its function, finds its state in the first parameter, and runs a
 * statement whose ?1 takes that state. `*failed` is set by a step that has filled `error`. */
bool scan_register_distribution(struct database *database, struct error *error);
bool scan_register_function(struct database *database, const char *name, int parameters,
                            void (*step)(sqlite3_context *, int, sqlite3_value **),
                            struct error *error);
void *scan_state(sqlite3_value **values);
bool scan_run(struct database *database, sqlite3_stmt *statement, void *scan, const bool *failed,
              struct error *error);

#endif
