/* Rows of the table of events as lines of CSV. */
#ifndef TRACETOOL_EVENT_LINES_H
#define TRACETOOL_EVENT_LINES_H

#include "export/event_table.h"

/* Begins zeroed. */
struct event_lines {
    struct text line;    /* owned; the last one that was made */
    struct text escaped; /* owned */
};

/* Puts the names of the columns into `line`, as the first line of all. */
void event_lines_heading(struct event_lines *lines);

/* Puts the row into `line`, with its end; `line.failed` when memory is short. */
void event_lines_row(struct event_lines *lines, sqlite3_stmt *values);

void event_lines_free(struct event_lines *lines);

#endif
