/* Writes a play as an RMP time log and its probe list. */
#ifndef RMP_LOG_H
#define RMP_LOG_H

#include "play.h"

/* `columns`: t time, p pid, i tid, o point, b probe, c caller. */
struct log_style {
    const char *header; /* first line, NULL: none */
    const char *columns;
    char separator;
    const char *newline;
    bool comments; /* and empty lines, in between */
    int64_t base;  /* what the device's clock says at the start of the play */
};

extern const struct log_style plain_style;

/* `begins`, unless NULL: where each event's line begins; room for all of them. */
void write_log(struct bytes *bytes, const struct play *play, const struct log_style *style,
               size_t *begins);

/* The probes below `count`, and whether they are on. */
void write_probes(struct bytes *bytes, const struct program *program, size_t count, const bool *on,
                  const char *newline);

#endif
