/* Filters and options in the brackets of figures of contracts (contract/figure.h). */
#ifndef TRACETOOL_FIGURE_OPTIONS_H
#define TRACETOOL_FIGURE_OPTIONS_H

#include "cli/command.h"
#include "contract/figure.h"

struct figure_given;

/* The options parsed for figures. The borrowed members are set by the caller. */
struct figure_givens {
    struct session *session;         /* borrowed, like `queries` */
    const struct query_set *queries; /* all queries */
    struct figure_given *first;      /* owned */
};

/* A figure_reader, whose context is a struct figure_givens. Sets the filter and options of a figure
 * of the report (NULL: any), which the figure_givens owns. */
bool figure_givens_read(void *context, const char *report, const struct figure_option *options,
                        size_t count, struct figure *figure, struct error *error);
void figure_givens_free(struct figure_givens *givens);

#endif
