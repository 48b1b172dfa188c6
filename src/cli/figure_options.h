/* Filters and options in the brackets of a figure (contract/figure.h) in a contract, a condition
 * that `tracetool assert` checks. */
#ifndef TRACETOOL_FIGURE_OPTIONS_H
#define TRACETOOL_FIGURE_OPTIONS_H

#include "cli/command.h"
#include "contract/figure.h"

struct figure_parsed_options;

/* Memory for the options that figure_options_parse() parses, for all figures. The caller sets the
 * borrowed members and zeroes the rest. */
struct figure_options {
    struct session *session;             /* borrowed, like `queries` */
    const struct query_set *queries;     /* queries of all reports */
    struct figure_parsed_options *first; /* owned */
};

/* Sets a figure's filter and options from those in its brackets. `report`: the figure's report;
 * NULL: any. A figure_reader; its context is a struct figure_options, which owns the result. */
bool figure_options_parse(void *context, const char *report, const struct figure_option *options,
                          size_t count, struct figure *figure, struct error *error);
void figure_options_free(struct figure_options *memory);

#endif
