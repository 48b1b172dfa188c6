/* tracetool push, store, and remove for stores: traces on a database server. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/time_unit.h"
#include "cli/command.h"
#include "remote/commits.h"
#include "remote/push.h"
#include "remote/maintenance.h"
#include "store/catalog.h"
#include "base/memory.h"

/* Connects to the store at a URL, using --ca and --insecure. Close by remote_close(). */
static bool session_connect(const struct session *session, const char *url, struct remote *remote,
                            struct error *error) {
    const struct remote_options options = {
        .url = url,
        .ca = session->arguments->values[OPTION_CA],
        .insecure = session->arguments->given[OPTION_INSECURE],
    };

    return remote_open(remote, &options, error);
}

/* Returns the URL given, or that in the environment; NULL with `error` set if there is neither. */
static const char *find_url(const char *given, const char *how, struct error *error) {
    const char *url = given != NULL ? given : getenv("TRACETOOL_STORE");

    if (url == NULL || *url == '\0') {
        error_usage(error, "no store given: give %s, or set $TRACETOOL_STORE", how);
        return NULL;
    }
    return url;
}

/* Returns the URL given as the command's argument. */
static const char *command_store_find_word(const struct session *session, struct error *error) {
    const struct arguments *arguments = session->arguments;

    return find_url(arguments->word_count > 0 ? arguments->words[0] : NULL, "URL", error);
}

static void command_store_print_outcome(void *context, const struct catalog_trace *trace,
                                        const struct push_outcome *outcome) {
    const struct session *session = context;

    switch (outcome->result) {
    case PUSH_SENT:
        session_print_line(
            session, "pushed %s as %s: %s%lld events, %lld rows, %lld bytes%s", trace->name,
            outcome->hash, outcome->events ? "" : "rollups of ", (long long)trace->events,
            (long long)outcome->rows, (long long)outcome->bytes,
            outcome->attempts > 1 ? "; something was lost or stored twice, so again" : "");
        break;
    case PUSH_WAS_THERE:
        session_print_line(session, "%s exists already as %s: nothing sent", trace->name,
                           outcome->hash);
        break;
    case PUSH_WAS_THERE_OTHERWISE:
        session_print_line(
            session,
            "%s exists already as %s, with other names or counts: nothing sent; to send "
            "it as it is now, first tracetool -d URL remove %s",
            trace->name, outcome->hash, outcome->hash);
        break;
    }
}

/* Removes traces of thread states, for which stores have no tables. If the user named them
 * (`asked`), sets an error instead. */
static bool exclude_state_traces(struct session *session, const struct catalog_trace **traces,
                                 size_t *count, bool asked, struct error *error) {
    size_t kept = 0;

    for (size_t i = 0; i < *count; i++) {
        if (traces[i]->kind != TRACE_STATES) {
            traces[kept++] = traces[i];
        } else if (asked) {
            return error_set(error, "trace %s: stores do not keep thread states", traces[i]->name);
        } else {
            session_print_line(session, "%s is not sent: stores do not keep thread states",
                               traces[i]->name);
        }
    }
    *count = kept;
    return true;
}

static bool push_chosen(struct session *session, struct database *database,
                        const struct catalog *catalog, struct remote *remote, struct error *error) {
    const struct option_list *asked = &session->arguments->lists[OPTION_TRACE];
    const struct push_listener listener = {command_store_print_outcome, session};
    const struct catalog_trace **traces =
        xcalloc(catalog->count + asked->count + 1, sizeof(const struct catalog_trace *));
    size_t count = 0;
    bool done = catalog_choose_all(catalog, asked->values, asked->count, traces, &count, error) &&
                exclude_state_traces(session, traces, &count, asked->count > 0, error) &&
                push_traces(remote, database, traces, count,
                            session->arguments->given[OPTION_EVENTS], &listener, error);

    free(traces);
    return done;
}

static bool push_all(struct session *session, struct database *database, struct remote *remote,
                     struct error *error) {
    bool in_cluster;
    struct catalog catalog;
    bool done;

    if (!maintenance_find_tables(remote, &in_cluster, error) ||
        !catalog_load(&catalog, database, error)) {
        return false;
    }
    done = push_chosen(session, database, &catalog, remote, error);
    catalog_free(&catalog);
    return done;
}

bool command_push(struct session *session, struct error *error) {
    const struct arguments *arguments = session->arguments;
    const char *url = find_url(arguments->values[OPTION_TO], "--to URL", error);
    struct database database;
    struct remote remote;
    bool done;

    if (url == NULL) {
        return false;
    }
    if (arguments->given[OPTION_EVENTS] && arguments->given[OPTION_ROLLUPS_ONLY]) {
        return error_usage(error, "--events and --rollups-only exclude each other");
    }
    if (!session_connect(session, url, &remote, error)) {
        return false;
    }
    done = session_open(session, &database, DATABASE_READ, error);
    if (done) {
        done = push_all(session, &database, &remote, error);
        done = session_close(session, &database, done, error);
    }
    remote_close(&remote);
    return done;
}

bool command_store(struct session *session, struct error *error) {
    return error_usage(error, "store needs init, check or sweep");
}

/* Prints the SQL that creates the store, for current versions of the server. Does not connect. */
static bool print_definition(const struct session *session, const char *url, const char *cluster,
                             struct error *error) {
    struct remote_address address;
    bool done;

    if (!remote_address_parse(&address, url, error)) {
        return false;
    }
    done = maintenance_print(&address, cluster, session->output, error);
    remote_address_free(&address);
    return done;
}

bool command_store_init(struct session *session, struct error *error) {
    const char *url = command_store_find_word(session, error);
    const char *cluster = session->arguments->values[OPTION_CLUSTER];
    bool in_cluster;
    struct text others = {0};
    struct remote remote;
    bool done;

    if (url == NULL) {
        return false;
    }
    if (cluster != NULL && !remote_is_name(cluster)) {
        return error_usage(error, "--cluster needs a word of letters, digits and _, not '%s'",
                           cluster);
    }
    if (session->arguments->given[OPTION_DRY_RUN]) {
        return print_definition(session, url, cluster, error);
    }
    if (!session_connect(session, url, &remote, error)) {
        return false;
    }
    done = maintenance_init(&remote, cluster, &others, error) &&
           maintenance_find_tables(&remote, &in_cluster, error);
    if (done) {
        session_print_line(session, "%s is a store%s%s", remote.address.shown,
                           others.length > 0 ? "; run this on the other servers, too: " : "",
                           text_string(&others));
    }
    text_free(&others);
    remote_close(&remote);
    return done;
}

static void command_store_found(void *context, const struct remote_commit *commit,
                                const char *what) {
    struct text line = {0};

    text_append_string(&line, "trace ");
    text_append_escaped(&line, commit->name, strlen(commit->name));
    text_append_string(&line, " (");
    text_append_escaped(&line, commit->hash, strlen(commit->hash));
    text_append_string(&line, "): ");
    text_append_string(&line, what);
    puts(text_string(&line));
    text_free(&line);
}

bool command_store_check(struct session *session, struct error *error) {
    const char *url = command_store_find_word(session, error);
    struct maintenance_report report = {.found = command_store_found};
    bool in_cluster;
    struct remote remote;
    bool done;

    if (url == NULL || !session_connect(session, url, &remote, error)) {
        return false;
    }
    done = maintenance_find_tables(&remote, &in_cluster, error) &&
           maintenance_check(&remote, &report, error);
    if (done) {
        session_print_line(
            session,
            "%lld trace%s, %lld of them with events; %lld event%s; %lld row%s, %lld of them "
            "invisible%s",
            (long long)report.traces, report.traces == 1 ? "" : "s", (long long)report.with_events,
            (long long)report.events, report.events == 1 ? "" : "s", (long long)report.rows,
            report.rows == 1 ? "" : "s", (long long)report.unseen,
            report.unseen > 0 ? " (tracetool store sweep)" : "");
    }
    if (done && report.wrong > 0) {
        done = error_set(error,
                         report.wrong == 1
                             ? "%s: %lld of its traces differs from what was sent; remove it and "
                               "push it again"
                             : "%s: %lld of its traces differ from what was sent; remove them and "
                               "push them again",
                         remote.address.shown, (long long)report.wrong);
    }
    remote_close(&remote);
    return done;
}

/* Parses a time span such as "90s", "90m", "12h", "1d" or "50ms" to seconds, rounded up. Returns
 * false if it is malformed or has no unit. */
static bool parse_span(const char *text, int64_t *seconds) {
    size_t digits = strspn(text, "0123456789");
    int64_t nanoseconds;

    if (digits > 0 && digits <= 6 && strcmp(text + digits, "d") == 0) {
        *seconds = strtoll(text, NULL, 10) * 86400;
        return true;
    }
    if (text[strspn(text, "0123456789.")] == '\0' || !clock_parse_duration(text, &nanoseconds)) {
        return false;
    }
    *seconds = nanoseconds / SECOND + (nanoseconds % SECOND > 0);
    return true;
}

bool command_store_sweep(struct session *session, struct error *error) {
    const char *url = command_store_find_word(session, error);
    const char *older = session->arguments->values[OPTION_OLDER];
    int64_t seconds = 0, rows, attempts;
    struct remote remote;
    bool done;

    if (url == NULL) {
        return false;
    }
    if (!parse_span(older == NULL ? "1d" : older, &seconds)) {
        return error_usage(error, "--older must be a number with s, m, h or d, not '%s'", older);
    }
    if (!session_connect(session, url, &remote, error)) {
        return false;
    }
    done = maintenance_sweep(&remote, seconds, &rows, &attempts, error);
    if (done) {
        session_print_line(session,
                           "%s: %lld row%s of %lld attempt%s will be deleted by the server",
                           remote.address.shown, (long long)rows, rows == 1 ? "" : "s",
                           (long long)attempts, attempts == 1 ? "" : "s");
    }
    remote_close(&remote);
    return done;
}

static bool remove_chosen(const struct session *session, struct remote *remote,
                          struct error *error) {
    const struct remote_commit *chosen;
    struct remote_commits commits;
    bool done;

    if (!remote_commits_load(&commits, remote, NULL, error)) {
        return false;
    }
    chosen = remote_commits_choose(&commits, session->arguments->words[0], error);
    done = chosen != NULL && maintenance_remove(remote, &commits, chosen->pair.trace, error);
    if (done) {
        session_print_line(session, "removed %s (%s) out of %s", chosen->name, chosen->hash,
                           remote->address.shown);
    }
    remote_commits_free(&commits);
    return done;
}

bool session_remove_remote(const struct session *session, struct error *error) {
    struct remote remote;
    bool done;

    if (!session_connect(session, session->database_path, &remote, error)) {
        return false;
    }
    done = remove_chosen(session, &remote, error);
    remote_close(&remote);
    return done;
}
