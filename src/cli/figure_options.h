/* Filters and options in the brackets of figures (contract/figure.h). */
#ifndef TRACETOOL_FIGURE_OPTIONS_H
#define TRACETOOL_FIGURE_OPTIONS_H

#include "cli/command.h"
#include "contract/figure.h"

struct figure_given;

/* All parsed options. Initialise the borrowed members. */
struct figure_givens {
    struct session *session;         /* borrowed, as is the next */
    const struct query_set *queries; /* all queries */
    struct figure_given *first;      /* owned */
};

/* A figure_reader whose context is a figure_givens. Sets filter and options of a figure of the
 * report (NULL: any). They are owned by the figure_givens. */
bool figure_givens_read(void *context, const char *report, const struct figure_option *options,
                        size_t count, struct figure *figure, struct error *error);
void figure_givens_free(struct figure_givens *givens);

#endif
