/* Runs the requested analyses: from the rollups if possible, else in passes over the events, which
 * analyses with the same order share. */
#ifndef TRACETOOL_PASSES_H
#define TRACETOOL_PASSES_H

#include "analysis/analysis.h"

/* A requested analysis. */
struct wanted_analysis {
    const struct analysis *analysis;
    bool filtered_only; /* run only if a filter narrows: for whole traces its tables stay empty */
    const char *rows;   /* statement under `-- NAME` in the query file; NULL: none */
    struct parameter_value values[ANALYSIS_PARAMETERS]; /* values set by parameter_read() */
};

/* Sets the default values of an analysis without given parameters. */
void wanted_defaults(struct wanted_analysis *wanted);

/* When to use rollups: where they can answer; never, so that events are counted; or exclusively, so
 * that anything else fails. */
enum rollup_use { ROLLUPS_WHERE_THEY_ANSWER, ROLLUPS_NEVER, ROLLUPS_ONLY };

/* How to run the requested analyses. */
struct passes {
    struct selection *selection;
    const struct config *config;
    int64_t top, result_rows; /* as in struct analysis_context */
    /* As in struct analysis_context. */
    bool (*bind)(const void *binding, sqlite3_stmt *statement, struct error *error);
    const void *binding;
    struct distribution_shape shape; /* as in struct analysis_context */
    enum rollup_use rollups;
    bool begun; /* true: count only calls that began in the window */
};

/* Registers the SQL functions of all analyses, once per connection, before any statement runs on
 * it. */
bool passes_register(struct database *database, struct error *error);

/* Returns whether the request needs the traces' events; false if rollups answer all of it.
 * `narrows`: a filter selects events; `corrected`: times are corrected. */
bool passes_need_events(const struct wanted_analysis *wanted, size_t count,
                        const struct catalog_trace *const *traces, size_t trace_count, bool narrows,
                        bool corrected);

/* Creates the tables of the requested analyses, each requested once, and fills them. Adds notes on
 * dropped rollups to the selection's. */
bool passes_run(const struct passes *passes, const struct wanted_analysis *wanted, size_t count,
                struct error *error);

#endif
