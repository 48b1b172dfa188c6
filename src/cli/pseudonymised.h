/* A command that works on a temporary copy, with pseudonyms, of the traces it is asked for: nothing
 * that it writes can have a name of the log. */
#ifndef TRACETOOL_PSEUDONYMISED_H
#define TRACETOOL_PSEUDONYMISED_H

#include "base/ending.h"
#include "cli/command.h"

struct pseudonymised {
    struct arguments arguments;       /* the session's, for the copy */
    const struct arguments *original; /* borrowed; as are the next two */
    const char *database_path;
    char *folder, *path; /* owned: where the copy is */
    char **words;        /* owned, each of the first `named`, too */
    size_t named;
    struct ending_duty duty; /* that no signal leaves it behind */
};

/* Makes the copy and has the session mean it. Of the words behind the command the first `named` are
 * names of traces; without these -t says which, or all are. Options that choose by a name of the
 * log are refused, for there would be no such name. On failure nothing needs ending. */
bool pseudonymised_begin(struct pseudonymised *copy, struct session *session, size_t named,
                         struct error *error);

/* Removes the copy; the session is as it was. */
void pseudonymised_end(struct pseudonymised *copy, struct session *session);

#endif
