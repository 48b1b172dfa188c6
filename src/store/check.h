/* The rules that the rows of a sound trace keep, but for its rollups (analysis/recount.h). */
#ifndef TRACETOOL_STORE_CHECK_H
#define TRACETOOL_STORE_CHECK_H

#include "store/catalog.h"

/* Who hears what is wrong: the name of the trace and a sentence, both borrowed for the call. */
struct store_report {
    void *context;
    void (*found)(void *context, const char *trace, const char *what);
    /* Of what can be made anew of the events, or is of no trace (annotate/repair.h); NULL: `found`
     * hears that, too. */
    void (*found_derived)(void *context, const char *trace, const char *what);
};

/* Tells of what can be made anew. */
void store_report_derived(const struct store_report *report, const char *trace, const char *what);

/* Reports every rule that a trace breaks. False only when the check itself failed. */
bool store_check(struct database *database, const struct catalog_trace *const *traces, size_t count,
                 const struct store_report *report, struct error *error);

#endif
