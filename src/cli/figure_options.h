/* Filters and options in the brackets of figures (contract/figure.h). */
#ifndef TRACETOOL_FIGURE_OPTIONS_H
#define TRACETOOL_FIGURE_OPTIONS_H

#include "cli/command.h"
#include "contract/figure.h"

struct figure_given;

/* All that were read. Begun with what is borrowed. */
struct figure_givens {
    struct session *session;         /* borrowed, as the next */
    const struct query_set *queries; /* all */
    struct figure_given *first;      /* owned */
};

/* For the figure_reader, with the givens as context: sets filter and options of a figure of the
 * report (NULL: of any). They are the givens'. */
bool figure_givens_take(void *context, const char *report, const struct figure_option *options,
                        size_t count, struct figure *figure, struct error *error);
void figure_givens_free(struct figure_givens *givens);

#endif
