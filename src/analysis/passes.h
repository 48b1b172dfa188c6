/* Runs the requested analyses: from rollups (counts stored by the import) if possible, else in
 * passes over the events, which analyses that need the same order share. */
#ifndef TRACETOOL_PASSES_H
#define TRACETOOL_PASSES_H

#include "analysis/analysis.h"

/* An analysis that a report or query requests. */
struct requested_analysis {
    const struct analysis *analysis;
    /* True: run only if a filter selects events; without one the tables stay empty. */
    bool filtered_only;
    const char *rows; /* SQL statement under `-- NAME` in the query file; NULL: none */
    struct parameter_value values[ANALYSIS_PARAMETERS]; /* values set by parameter_read() */
};

/* Sets the parameters of a requested analysis to their defaults. */
void requested_analysis_set_defaults(struct requested_analysis *wanted);

/* Whether rollups are used: where possible; never, so that all events are counted again; or only,
 * so that an analysis fails if it needs events. */
enum rollup_use { ROLLUPS_WHERE_THEY_ANSWER, ROLLUPS_NEVER, ROLLUPS_ONLY };

/* What to run, and how. */
struct passes {
    struct selection *selection;
    const struct config *config;
    int64_t top, result_rows; /* passed to each analysis: see struct analysis_context */
    /* Passed to each analysis: see struct analysis_context. */
    bool (*bind)(const void *binding, sqlite3_stmt *statement, struct error *error);
    const void *binding;
    struct distribution_shape shape; /* passed to each analysis: see struct analysis_context */
    enum rollup_use rollups;
    bool begun; /* true: a window counts only calls that began in it */
};

/* Registers the SQL functions of all analyses. Called once per connection, before any statement. */
bool passes_register(struct database *database, struct error *error);

/* Returns whether the requested analyses need the traces' events; false: rollups are enough.
 * `narrows`: a filter selects events; `corrected`: call times are corrected for overhead. */
bool passes_need_events(const struct requested_analysis *wanted, size_t count,
                        const struct catalog_trace *const *traces, size_t trace_count, bool narrows,
                        bool corrected);

/* Runs each requested analysis once, which fills its tables. Adds notes about dropped rollups. */
bool passes_run(const struct passes *passes, const struct requested_analysis *wanted, size_t count,
                struct error *error);

#endif
