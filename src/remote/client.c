#include "remote/client.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/pack.h"
#include "remote/http.h"
#include "remote/rowbinary.h"
#include "remote/statements.h"

#undef remote_set_answer_error /* the macro in client.h is for static analysers only */

/* Limits of a server's error message in bytes: received, and shown to the user. */
enum { MOST_COMPLAINT = 64 * 1024, SHOWN_COMPLAINT = 300 };

/* Request bodies of at least this many bytes are compressed. */
enum { FEWEST_PACKED = 64 * 1024 };

/* Seconds to wait before each repetition of a request after a temporary failure. PAUSES_OF_READING:
 * number of repetitions of requests that only read; others have more. */
static const unsigned pauses[] = {1, 2, 4, 8, 8};
enum { PAUSES = sizeof pauses / sizeof pauses[0], PAUSES_OF_READING = 2 };

/* Settings in a request's URL, which override the user's settings on the server. Reading: a server
 * of the cluster that does not answer is an error, since numbers would be wrong without it.
 * Writing: rows must not be queued, since they could be lost later. */
#define READING "?wait_end_of_query=1&skip_unavailable_shards=0"
#define WRITING "?insert_distributed_sync=1"

/* --- adding advice to error messages of servers ----------------------------------------------- */

/* Returns whether an error code of ClickHouse is temporary: overload, or a lost connection. Code
 * 32: data from another server of the cluster ended early. */
static bool error_is_temporary(long code) {
    static const long passing[] = {32, 159, 202, 209, 210, 241, 242, 252, 279, 425};

    for (size_t i = 0; i < sizeof passing / sizeof passing[0]; i++) {
        if (passing[i] == code) {
            return true;
        }
    }
    return false;
}

/* Returns the code in an error message "Code: 60, …"; 0 if there is none. HTTP status is not
 * enough: old servers give 500 for nearly every error. */
static long clickhouse_error_code(const struct text *answer) {
    const char *text = text_string(answer);

    return strncmp(text, "Code: ", 6) == 0 ? strtol(text + 6, NULL, 10) : 0;
}

static const char *hint_for_error_code(long code, const char *text) {
    switch (code) {
    case 8: /* ClickHouse's errors 8, 16 and 47: no such column */
    case 16:
    case 47:
        return "; tracetool store init adds the columns that a store of an earlier version lacks";
    case 60: /* error 60: no such table */
    case 81: /* error 81: no such database */
        return "; tracetool store init makes a store";
    case 164: /* error 164: the user may only read, or may not change settings */
        return strstr(text, "override setting") != NULL || strstr(text, "odify setting") != NULL ||
                       strstr(text, "odify '") != NULL
                   ? "; a reading user needs the setting readonly = 2, not 1"
                   : "; this user may only read";
    case 279: /* error 279: no server with a shard of the rows is available */
        return strstr(text, "There is no table") != NULL
                   ? "; of a cluster, each server needs tracetool store init"
                   : "; a server of the cluster cannot be reached: try again when all can";
    case 192: /* error 192: no such user */
    case 193: /* errors 193, 194, 516: wrong password */
    case 194:
    case 516:
        return "; set TRACETOOL_STORE_USER and TRACETOOL_STORE_PASSWORD, or use ~/.netrc";
    default:
        return "";
    }
}

/* Length of the server's complaint to show, without the line feed at its end. */
static int shown_length(const struct text *answer) {
    size_t length = answer->length;

    while (length > 0 && answer->bytes[length - 1] == '\n') {
        length--;
    }
    return (int)(length < SHOWN_COMPLAINT ? length : SHOWN_COMPLAINT);
}

static bool set_http_error(const struct remote *remote, const struct http_outcome *outcome,
                           const struct text *answer, struct error *error) {
    const char *shown = remote->address.shown;
    long code = clickhouse_error_code(answer);

    if (outcome->too_long) {
        return error_set(error, "%s: the answer of the server is too long", shown);
    }
    if (!outcome->answered) {
        return error_set(error, "%s: %s", shown, outcome->reason);
    }
    if (code != 0) {
        return error_set(error, "%s: the server says: %.*s%s", shown, shown_length(answer),
                         text_string(answer), hint_for_error_code(code, text_string(answer)));
    }
    return error_set(
        error, "%s: HTTP status %ld%s: is a ClickHouse server there?", shown, outcome->status,
        outcome->status >= 300 && outcome->status < 400 ? " (redirects are not followed)" : "");
}

bool remote_set_answer_error(const struct remote *remote, struct error *error) {
    return error_set(error, "%s: unexpected answer to the query: is it a ClickHouse server?",
                     remote->address.shown);
}

/* --- sending requests ------------------------------------------------------------------------- */

struct request {
    const char *url;
    struct http_body body;
    size_t most; /* limit of the answer's length in bytes */
    unsigned pauses;
};

/* Sends a request; repeats it after temporary failures. */
static bool send_request(struct remote *remote, const struct request *request, struct text *answer,
                         struct error *error) {
    for (unsigned i = 0;; i++) {
        /* Receives more bytes than the answer's limit, since an error message may be longer. */
        size_t most = request->most > MOST_COMPLAINT ? request->most : MOST_COMPLAINT;
        struct http_outcome outcome =
            http_post(remote->http, request->url, &request->body, most, answer);
        bool done = outcome.answered && outcome.status == 200;

        outcome.too_long |= done && answer->length > request->most;
        remote->overflowed = outcome.too_long;
        if (outcome.too_long) {
            return set_http_error(remote, &outcome, answer, error);
        }
        if (done && outcome.is_html) {
            return remote_set_answer_error(remote, error);
        }
        if (done) {
            return true;
        }
        if (i >= request->pauses ||
            !(outcome.worth_retrying ||
              (outcome.answered && error_is_temporary(clickhouse_error_code(answer))))) {
            return set_http_error(remote, &outcome, answer, error);
        }
        sleep(pauses[i]);
    }
}

static bool remote_select(struct remote *remote, const struct text *sql, size_t most,
                          struct text *answer, struct error *error) {
    struct request asked = {.body = {text_string(sql), sql->length, false},
                            .most = most,
                            .pauses = remote->patient ? PAUSES : PAUSES_OF_READING};

    text_clear(&remote->url);
    text_append_format(&remote->url, "%s" READING, remote->address.server);
    asked.url = text_string(&remote->url);
    return send_request(remote, &asked, answer, error);
}

struct remote_answer remote_query(struct remote *remote, struct text *sql, size_t most,
                                  struct error *error) {
    struct remote_answer answer = {.remote = remote, .error = error};

    answer.failed = !remote_select(remote, sql, most, &answer.bytes, error);
    answer.reader = rowbinary_reader(&answer.bytes);
    text_free(sql);
    return answer;
}

bool remote_next(const struct remote_answer *answer) {
    return !answer->failed && rowbinary_more(&answer->reader);
}

bool remote_end(struct remote_answer *answer) {
    bool done = !answer->failed &&
                (!answer->reader.failed || remote_set_answer_error(answer->remote, answer->error));

    text_free(&answer->bytes);
    return done;
}

bool remote_run(struct remote *remote, const char *sql, struct error *error) {
    struct request run = {.url = remote->address.server,
                          .body = {sql, strlen(sql), false},
                          .most = REMOTE_SMALL_ANSWER,
                          .pauses = PAUSES};
    struct text answer = {0};
    bool done = send_request(remote, &run, &answer, error);

    text_free(&answer);
    return done;
}

/* Makes a request body: compressed if it has at least FEWEST_PACKED bytes. */
static struct http_body make_body(const struct text *rows, struct text *packed) {
    if (rows->length < FEWEST_PACKED) {
        return (struct http_body){text_string(rows), rows->length, false};
    }
    pack_gzip(rows->bytes, rows->length, PACK_FAST, packed);
    return (struct http_body){packed->bytes, packed->length, true};
}

bool remote_insert(struct remote *remote, const struct remote_table *table, const struct text *rows,
                   struct error *error) {
    struct text sql = {0}, answer = {0};
    struct request insert = {.most = REMOTE_SMALL_ANSWER, .pauses = PAUSES};
    bool done;

    remote_append_insert(&sql, remote->address.database, table);
    text_clear(&remote->url);
    text_append_format(&remote->url, "%s" WRITING "&query=", remote->address.server);
    http_append_escaped(&remote->url, text_string(&sql), sql.length);
    insert.url = text_string(&remote->url);
    insert.body = make_body(rows, &remote->packed);
    done = send_request(remote, &insert, &answer, error);
    text_free(&sql);
    text_free(&answer);
    return done;
}

/* --- opening a connection --------------------------------------------------------------------- */

/* Reads the server's major version, such as 18 from "18.16.1". */
static bool query_version(struct remote *remote, struct error *error) {
    struct text sql = {0};
    struct remote_answer answer;
    const char *version;
    size_t length;

    text_append_string(&sql, REMOTE_VERSION_STATEMENT);
    answer = remote_query(remote, &sql, REMOTE_SMALL_ANSWER, error);
    if (!answer.failed) {
        version = rowbinary_text(&answer.reader, &length);
        answer.reader.failed |= answer.reader.at != answer.reader.end || length == 0 ||
                                length >= 64 || version[0] < '1' || version[0] > '9' ||
                                strspn(version, "0123456789") == length;
        remote->version = answer.reader.failed ? 0 : (unsigned)strtoul(version, NULL, 10);
    }
    return remote_end(&answer);
}

static bool check_transport(const struct remote *remote, const struct remote_options *options,
                            struct error *error) {
    const struct remote_address *address = &remote->address;

    if (!address->secure && !address->loopback && !options->insecure) {
        return error_usage(error,
                           "%s: over http, others can read passwords and data on the network: use "
                           "https, or allow it with --insecure",
                           address->shown);
    }
    if (options->ca != NULL && access(options->ca, R_OK) != 0) {
        return error_usage(error, "--ca: %s cannot be read", options->ca);
    }
    return true;
}

bool remote_open(struct remote *remote, const struct remote_options *options, struct error *error) {
    const char *user = getenv("TRACETOOL_STORE_USER");
    struct http_options http = {.ca = options->ca,
                                .user = user != NULL && *user != '\0' ? user : NULL,
                                .password = getenv("TRACETOOL_STORE_PASSWORD")};
    bool done;

    *remote = (struct remote){0};
    if (!remote_address_parse(&remote->address, options->url, error)) {
        return false;
    }
    http.secure = remote->address.secure;
    http.direct = remote->address.loopback;
    done = check_transport(remote, options, error);
    if (done) {
        remote->http = http_open(&http, error);
        done = remote->http != NULL && query_version(remote, error);
    }
    if (!done) {
        remote_close(remote);
    }
    return done;
}

void remote_close(struct remote *remote) {
    http_close(remote->http);
    text_free(&remote->url);
    text_free(&remote->packed);
    remote_address_free(&remote->address);
    *remote = (struct remote){0};
}
