#include "remote/cluster.h"

#include <inttypes.h>
#include <stdint.h>
#include <string.h>

#include "remote/rowbinary.h"
#include "remote/statements.h"

/* Sends what was appended to `sql`, which is empty then. */
static bool ask(struct remote *remote, struct text *sql, struct text *answer, struct error *error) {
    bool done = remote_ask(remote, sql, REMOTE_SMALL_ANSWER, answer, error);

    text_free(sql);
    return done;
}

/* --- clusters -----------------------------------------------------------------------------------
 */

/* What an answer says of one cluster. */
struct found_cluster {
    const char *name;
    bool known;
    uint64_t replicas;  /* of the shard that has most */
    struct text names;  /* of all clusters */
    struct text others; /* servers of this one that were not asked */
};

static void append_listed(struct text *list, struct rowbinary_slice item) {
    text_append_string(list, list->length == 0 ? "" : ", ");
    text_append_escaped(list, item.bytes, item.length);
}

static bool read_clusters(const struct remote *remote, const struct text *answer,
                          struct found_cluster *found, struct error *error) {
    struct rowbinary_reader reader = rowbinary_reader(answer);
    struct rowbinary_slice last = {0};

    while (rowbinary_more(&reader)) {
        struct rowbinary_slice name = rowbinary_slice(&reader), host = rowbinary_slice(&reader);
        uint64_t port = rowbinary_u64(&reader), replica = rowbinary_u64(&reader);
        bool here = rowbinary_u64(&reader) != 0;

        if (reader.failed) {
            break;
        }
        if (last.bytes == NULL || last.length != name.length ||
            memcmp(last.bytes, name.bytes, name.length) != 0) {
            append_listed(&found->names, name);
        }
        last = name;
        if (!rowbinary_slice_is(name, found->name)) {
            continue;
        }
        found->known = true;
        found->replicas = replica > found->replicas ? replica : found->replicas;
        if (!here) {
            append_listed(&found->others, host);
            text_append_format(&found->others, ":%" PRIu64, port);
        }
    }
    return !reader.failed || remote_misanswered(remote, error);
}

static bool judge(const struct remote *remote, const struct found_cluster *found,
                  struct error *error) {
    if (!found->known) {
        return error_set(error, "%s: the server knows no cluster '%s'; there %s%s",
                         remote->address.shown, found->name,
                         found->names.length == 0 ? "is none: it needs <remote_servers>" : "are: ",
                         text_string(&found->names));
    }
    if (found->replicas > 1) {
        return error_set(error,
                         "%s: shards of cluster '%s' have %" PRIu64 " servers, and the tables of a "
                         "store are not copied from one to the other: answers would be of one of "
                         "them, and wrong; use a cluster with one server a shard",
                         remote->address.shown, found->name, found->replicas);
    }
    return true;
}

bool cluster_check(struct remote *remote, const char *cluster, struct text *others,
                   struct error *error) {
    struct found_cluster found = {.name = cluster};
    struct text sql = {0}, answer = {0};
    bool done;

    remote_append_clusters(&sql);
    done = ask(remote, &sql, &answer, error) && read_clusters(remote, &answer, &found, error) &&
           judge(remote, &found, error);
    if (done && others != NULL) {
        text_append(others, text_string(&found.others), found.others.length);
    }
    text_free(&found.names);
    text_free(&found.others);
    text_free(&answer);
    return done;
}

/* --- the tables that there are ------------------------------------------------------------------
 */

/* What the database has, as bytes of the answer. */
struct found_tables {
    bool trace, local;              /* there are tables `trace` and `trace_local` */
    struct rowbinary_slice cluster; /* of `trace` */
};

/* The first argument of "Distributed(fleet, …" or, of newer servers, "Distributed('fleet', …". */
static struct rowbinary_slice cluster_of(struct rowbinary_slice engine) {
    static const char begin[] = "Distributed(";
    size_t length = sizeof begin - 1;
    struct rowbinary_slice cluster = {0};

    if (engine.length <= length || memcmp(engine.bytes, begin, length) != 0) {
        return cluster;
    }
    length += engine.bytes[length] == '\'';
    cluster.bytes = engine.bytes + length;
    while (length + cluster.length < engine.length &&
           strchr("',)", cluster.bytes[cluster.length]) == NULL) {
        cluster.length++;
    }
    return cluster;
}

/* The answer has to outlive what is found. */
static bool find_tables(struct remote *remote, struct text *answer, struct found_tables *found,
                        struct error *error) {
    struct rowbinary_reader reader;
    struct text sql = {0};

    *found = (struct found_tables){0};
    remote_append_engines(&sql, remote->address.database);
    if (!ask(remote, &sql, answer, error)) {
        return false;
    }
    reader = rowbinary_reader(answer);
    while (rowbinary_more(&reader)) {
        struct rowbinary_slice name = rowbinary_slice(&reader), engine = rowbinary_slice(&reader);

        if (rowbinary_slice_is(name, "trace")) {
            found->trace = true;
            found->cluster = cluster_of(engine);
        } else {
            found->local = true;
        }
    }
    return !reader.failed || remote_misanswered(remote, error);
}

/* The name is the server's, so it is escaped. */
static bool complain_of(const struct remote *remote, struct rowbinary_slice cluster,
                        struct error *error) {
    struct text name = {0};
    bool done;

    text_append_escaped(&name, cluster.bytes, cluster.length);
    done = error_set(error,
                     "%s: its tables are of cluster '%s': --cluster %s, or name another "
                     "database",
                     remote->address.shown, text_string(&name), text_string(&name));
    text_free(&name);
    return done;
}

bool cluster_check_tables(struct remote *remote, const char *cluster, struct error *error) {
    struct text answer = {0};
    struct found_tables found;
    bool done = find_tables(remote, &answer, &found, error);

    if (!done) {
        text_free(&answer);
        return false;
    }
    if (found.cluster.bytes != NULL) {
        done = (cluster != NULL && rowbinary_slice_is(found.cluster, cluster)) ||
               complain_of(remote, found.cluster, error);
    } else if (found.trace && cluster != NULL) {
        done = error_set(error,
                         "%s: its tables are of no cluster, and stay so: leave --cluster out, or "
                         "name another database",
                         remote->address.shown);
    } else if (!found.trace && found.local && cluster == NULL) {
        done = error_set(error,
                         "%s: its tables were begun for a cluster: say --cluster, or name another "
                         "database",
                         remote->address.shown);
    }
    text_free(&answer);
    return done;
}

bool cluster_check_store(struct remote *remote, struct error *error) {
    struct text answer = {0}, name = {0};
    struct found_tables found;
    bool done = find_tables(remote, &answer, &found, error);

    if (done && found.cluster.bytes != NULL) {
        text_append(&name, found.cluster.bytes, found.cluster.length);
        done = (!name.failed || error_no_memory(error)) &&
               (remote_is_name(text_string(&name)) || remote_misanswered(remote, error)) &&
               cluster_check(remote, text_string(&name), NULL, error);
    }
    text_free(&answer);
    text_free(&name);
    return done;
}
