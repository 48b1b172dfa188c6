/* tracetool pseudonymise and merge: write new databases from existing ones. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "copy/combine.h"
#include "copy/pseudonymise.h"
#include "store/catalog.h"
#include "base/memory.h"

/* Returns the file given by -o; NULL with `error` set if it is missing. */
static const char *command_copy_find_place(const struct session *session, struct error *error) {
    const char *place = session->arguments->values[OPTION_OUTPUT];

    if (place == NULL || strcmp(place, "-") == 0 || *place == '\0') {
        error_usage(error, "-o FILE is needed: the name of the new database");
        return NULL;
    }
    return place;
}

struct pseudonyms *session_pseudonyms(const struct session *session, struct error *error) {
    const char *path = session->arguments->values[OPTION_KEY];
    bool is_new = path != NULL && access(path, F_OK) != 0;
    struct pseudonyms *pseudonyms = pseudonyms_open(path, error);

    if (pseudonyms != NULL && is_new) {
        session_print_line(
            session,
            "%s: a new key, which gives the same pseudonyms again: keep it, and keep it secret",
            path);
    }
    return pseudonyms;
}

bool session_check_key(const struct session *session, struct error *error) {
    return session->arguments->given[OPTION_PSEUDONYMISE] ||
           !session->arguments->given[OPTION_KEY] ||
           error_usage(error, "--key is for --pseudonymise");
}

static bool copy_chosen(const struct session *session, struct pseudonymise *copy, const char *place,
                        struct error *error) {
    const struct catalog *catalog = &copy->catalog;
    const struct option_list *asked = &session->arguments->lists[OPTION_TRACE];
    const struct catalog_trace **traces =
        xcalloc(catalog->count + asked->count + 1, sizeof(const struct catalog_trace *));
    struct pseudonyms *pseudonyms = NULL;
    size_t count = 0;
    bool done = catalog_choose_all(catalog, asked->values, asked->count, traces, &count, error);

    if (done) {
        pseudonyms = session_pseudonyms(session, error);
        done = pseudonyms != NULL && pseudonymise_traces(copy, pseudonyms, traces, count, error);
        pseudonyms_close(pseudonyms);
    }
    if (done) {
        session_print_line(session, "%s: %zu trace%s with pseudonyms%s", place, count,
                           count == 1 ? "" : "s",
                           session->arguments->given[OPTION_KEY]
                               ? ""
                               : "; without --key, the next copy has other pseudonyms");
    }
    free(traces);
    return done;
}

bool command_pseudonymise(struct session *session, struct error *error) {
    const char *place = command_copy_find_place(session, error);
    struct pseudonymise copy;
    struct database database;
    bool done;

    if (session->arguments->word_count > 0) {
        session->database_path = session->arguments->words[0];
    }
    if (place == NULL || !session_open(session, &database, DATABASE_READ, error)) {
        return false;
    }
    done = pseudonymise_open(&copy, &database, place, error);
    if (done) {
        done = copy_chosen(session, &copy, place, error);
        pseudonymise_close(&copy);
    }
    return session_close(session, &database, done, error);
}

bool command_merge(struct session *session, struct error *error) {
    const struct arguments *arguments = session->arguments;
    const char *place = command_copy_find_place(session, error);
    int64_t traces;

    if (place == NULL || !combine_databases((const char *const *)arguments->words,
                                            arguments->word_count, place, &traces, error)) {
        return false;
    }
    session_print_line(session, "%s: %lld trace%s of %zu database%s", place, (long long)traces,
                       traces == 1 ? "" : "s", arguments->word_count,
                       arguments->word_count == 1 ? "" : "s");
    return true;
}
