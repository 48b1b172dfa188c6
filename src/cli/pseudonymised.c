#include "cli/pseudonymised.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "copy/pseudonymise.h"
#include "store/catalog.h"
#include "base/memory.h"

/* Options whose arguments are names that have pseudonyms in the copy. */
static const enum option_id by_names[] = {
    OPTION_PROCESS,   OPTION_NOT_PROCESS,   OPTION_OP,    OPTION_NOT_OP,
    OPTION_COMPONENT, OPTION_NOT_COMPONENT, OPTION_FILE,  OPTION_NOT_FILE,
    OPTION_USER,      OPTION_NOT_USER,      OPTION_STUDY, OPTION_UNDER,
};

static bool refuse_names(const struct arguments *arguments, struct error *error) {
    for (size_t i = 0; i < sizeof by_names / sizeof by_names[0]; i++) {
        if (arguments->given[by_names[i]]) {
            return error_set_status(error, EXIT_USAGE,
                                    "--%s chooses by a name, which has another one with "
                                    "--pseudonymise: make a database with `tracetool "
                                    "pseudonymise`, and choose in it",
                                    option_row((int)by_names[i])->name);
        }
    }
    return true;
}

static void remove_files(const void *context) {
    const struct pseudonymised *copy = context;

    if (copy->path != NULL) {
        unlink(copy->path);
    }
    if (copy->folder != NULL) {
        rmdir(copy->folder);
    }
}

/* From then on no signal leaves it behind. */
static bool make_unique(struct pseudonymised *copy, char *folder) {
    sigset_t mask;
    bool done;

    ending_hold(&mask);
    done = mkdtemp(folder) != NULL;
    if (done) {
        copy->folder = folder;
        copy->duty = (struct ending_duty){.clean = remove_files, .context = copy};
        ending_add(&copy->duty);
    }
    ending_release(&mask);
    return done;
}

static bool make_folder(struct pseudonymised *copy, struct error *error) {
    const char *place = getenv("TMPDIR");
    struct text folder = {0}, path = {0};

    text_append_format(&folder, "%s/tracetool-XXXXXX",
                       place == NULL || *place == '\0' ? "/tmp" : place);
    if (!make_unique(copy, folder.bytes)) {
        error_set(error, "%s: cannot make a temporary folder: %s", text_string(&folder),
                  strerror(errno));
        text_free(&folder);
        return false;
    }
    text_append_format(&path, "%s/pseudonyms.db", copy->folder);
    copy->path = path.bytes;
    return true;
}

/* The first words are the traces' names in the copy. */
static bool rename_words(struct pseudonymised *copy, const struct pseudonyms *pseudonyms,
                         const struct catalog *catalog, size_t named, struct error *error) {
    const struct arguments *original = copy->original;

    copy->words = xcalloc(original->word_count + 1, sizeof *copy->words);
    memcpy(copy->words, original->words, original->word_count * sizeof *copy->words);
    for (; copy->named < named; copy->named++) {
        const struct catalog_trace *trace =
            catalog_choose(catalog, original->words[copy->named], error);
        struct text name = {0};

        if (trace == NULL) {
            return false;
        }
        pseudonyms_append(pseudonyms, PSEUDONYM_TRACE, trace->name, strlen(trace->name), &name);
        copy->words[copy->named] = name.bytes;
    }
    copy->arguments.words = copy->words;
    return true;
}

static bool copy_traces(struct pseudonymised *copy, const struct session *session,
                        struct pseudonymise *making, size_t named, struct error *error) {
    const struct catalog *catalog = &making->catalog;
    const struct option_list *asked = &copy->original->lists[OPTION_TRACE];
    const char *const *names =
        named > 0 ? (const char *const *)copy->original->words : asked->values;
    size_t name_count = named > 0 ? named : asked->count, count;
    const struct catalog_trace **traces =
        xcalloc(catalog->count + name_count + 1, sizeof(const struct catalog_trace *));
    struct pseudonyms *pseudonyms = NULL;
    bool done = catalog_choose_all(catalog, names, name_count, traces, &count, error);

    if (done) {
        pseudonyms = session_pseudonyms(session, error);
        done = pseudonyms != NULL && rename_words(copy, pseudonyms, catalog, named, error) &&
               pseudonymise_traces(making, pseudonyms, traces, count, error);
        pseudonyms_close(pseudonyms);
    }
    free(traces);
    return done;
}

static bool fill(struct pseudonymised *copy, const struct session *session, size_t named,
                 struct error *error) {
    struct pseudonymise making;
    struct database from;
    bool done;

    if (!make_folder(copy, error) ||
        !database_open(&from, session->database_path, DATABASE_READ, error)) {
        return false;
    }
    done = pseudonymise_open(&making, &from, copy->path, error);
    if (done) {
        done = copy_traces(copy, session, &making, named, error);
        pseudonymise_close(&making);
    }
    database_close(&from);
    return done;
}

bool pseudonymised_begin(struct pseudonymised *copy, struct session *session, size_t named,
                         struct error *error) {
    static const enum option_id settled[] = {OPTION_TRACE, OPTION_PSEUDONYMISE, OPTION_KEY};

    *copy = (struct pseudonymised){
        .arguments = *session->arguments,
        .original = session->arguments,
        .database_path = session->database_path,
    };
    if (!refuse_names(session->arguments, error) || !fill(copy, session, named, error)) {
        pseudonymised_end(copy, session);
        return false;
    }
    for (size_t i = 0; i < sizeof settled / sizeof settled[0]; i++) {
        copy->arguments.given[settled[i]] = false;
        copy->arguments.values[settled[i]] = NULL;
        copy->arguments.lists[settled[i]].count = 0;
    }
    session->arguments = &copy->arguments;
    session->database_path = copy->path;
    return true;
}

void pseudonymised_end(struct pseudonymised *copy, struct session *session) {
    sigset_t mask;

    session->arguments = copy->original;
    session->database_path = copy->database_path;
    remove_files(copy);
    ending_hold(&mask);
    ending_drop(&copy->duty);
    ending_release(&mask);
    for (size_t i = 0; copy->words != NULL && i < copy->named; i++) {
        free(copy->words[i]);
    }
    free(copy->words);
    free(copy->folder);
    free(copy->path);
}
