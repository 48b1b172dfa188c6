/* Accepts logs in place of names of traces: `tracetool report latency app.strace`. Such logs are
 * imported into a private database, in the cache (cache/cache.h), or else in a temporary file. Then
 * the command runs as if the user had named that database and its traces. */
#ifndef TRACETOOL_LOGS_H
#define TRACETOOL_LOGS_H

#include "cli/command.h"

/* Returns whether a word is a log: it is -, contains a /, or names a file or directory. */
bool log_is_word(const char *word);

/* Returns whether `report` was given logs and no report. Then it means `overview`. */
bool logs_without_report(const struct session *session);

/* Replaces logs among the session's words by traces of a private database, and lets the session use
 * it. Words that name traces of the chosen database stay. logs_end() must always be called. */
bool logs_replace_by_traces(struct session *session, struct error *error);

/* Imports the session's logs again, with the places of calls (import_options), into a temporary
 * database, and calls `use` with it. Does nothing if the session has no logs, or they cannot be
 * read again. If the logs are the same, so are traces and events. */
bool logs_import_with_places(struct session *session,
                             bool (*use)(void *context, struct database *database,
                                         struct error *error),
                             void *context, struct error *error);

/* Returns whether an import must store the places of calls in the logs. */
bool logs_want_places(const struct session *session);

/* Deletes the private database in the cache if `error` is about it, since it may be damaged.
 * Returns whether the logs must be read again. */
bool logs_delete_damaged_database(const struct session *session, const struct error *error);

/* Deletes the session's temporary database, if there is one, and frees the logs. All databases of
 * the session must be closed. */
void logs_end(struct session *session);

/* Returns flags to add when the session's database is opened; 0 if it has no logs. */
enum database_mode logs_database_mode(const struct session *session);

/* Returns a word that is no log, though it may have been meant as one: the name of a trace, or a
 * mistyped file. Borrowed; NULL if there is none. */
const char *logs_not_found(const struct session *session);

/* Returns the logs as typed, for commands to suggest. Borrowed; NULL if there are none. */
const char *logs_as_typed(const struct session *session);

#endif
