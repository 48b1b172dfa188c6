#include "cli/logs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/signal_cleanup.h"
#include "base/time_unit.h"
#include "cache/cache.h"
#include "cli/assert.h"
#include "cli/import_paths.h"
#include "import/detect.h"
#include "input/members.h"
#include "remote/address.h"
#include "report/choose.h"
#include "report/query_set.h"
#include "store/catalog.h"
#include "store/event_table.h"

struct logs {
    struct arguments arguments; /* the session's arguments, with logs replaced by traces */
    const struct arguments *typed;
    const char *typed_database; /* borrowed; path of the session's original database */
    char **words;               /* owned array of borrowed strings: words of `arguments` */
    /* Owned arrays of borrowed strings: values of -t, --with and --baseline in `arguments`. */
    const char **chosen;
    /* Owned array: words that are traces, for commands that select traces by -t. */
    const char **traces;
    size_t trace_count;
    char **names; /* owned with its strings; names of the traces made from the logs */
    size_t name_count;
    char **logs; /* owned array of borrowed strings: the logs in order, without duplicates */
    size_t log_count;
    const char *other;    /* a word that is no log, so it may be a trace; NULL: none */
    struct text line;     /* the logs as the user typed them */
    struct text key_text; /* everything that determines the content of the database */
    /* Keys of the cache: hashes of key_text and of what the database contains. 0: only
     * event_column; 1: also rows of event; 2 and 3: the same as 0 and 1, and the places (byte
     * offsets in the logs) of calls. */
    char keys[4][33];
    bool single;       /* true: the command uses each log as one trace */
    bool with_rows;    /* true: the command or its query reads rows of table event */
    bool is_importing; /* true: while the logs are imported */
    bool places;       /* true: the database has calls' places in logs (EVENT_PLACE_FILE) */
    char *path;        /* owned; path of the private database; NULL: not made yet */
    /* True: `path` is a temporary file in `folder`. `path`, `folder` and `files` are owned. */
    bool temporary;
    char *folder, *files[4];
    /* True: a log is a pipe, or may change without notice, so the cache cannot be used. */
    bool never_the_same;
    struct signal_cleanup_hook hook;
};

/* --- which words are logs --------------------------------------------------------------------- */

bool log_is_word(const char *word) {
    struct stat status;

    /* lstat: of a link that cannot be followed, reading says why */
    return strcmp(word, "-") == 0 || strchr(word, '/') != NULL || lstat(word, &status) == 0;
}

/* Returns whether the command's words are traces, or logs in their place. Of logs, `show` uses all
 * traces, and the others each as one. */
static bool logs_names_traces(const struct session *session) {
    const command_set command = command_bit(session->command);

    return (command & (COMPARING | ON_SHOW | ON_EXPORT)) != 0 ||
           (command == ON_PAGE && session->arguments->given[OPTION_COMPARE]) ||
           (command == ON_ASSERT && session->arguments->given[OPTION_BASELINE]);
}

/* Returns whether an option that implies a report is given: --cdf, --hourly, --rw or --argsize. */
static bool has_short_form(const struct arguments *arguments) {
    return arguments->given[OPTION_CDF] || arguments->given[OPTION_HOURLY] ||
           arguments->given[OPTION_RW] || arguments->given[OPTION_ARGSIZE];
}

bool logs_without_report(const struct session *session) {
    const struct arguments *arguments = session->arguments;
    const size_t count = arguments->word_count;

    return count > 0 && !has_short_form(arguments) && !arguments->given[OPTION_HELP] &&
           log_is_word(arguments->words[0]) && log_is_word(arguments->words[count - 1]) &&
           !session_has_report(session, arguments->words[0]);
}

/* Returns whether the word at this index of the command line may be a log. */
static bool is_candidate_log(const struct session *session, size_t index) {
    const struct arguments *arguments = session->arguments;
    const char *word = arguments->words[index];
    const char *queries = session->config.queries;

    switch (command_bit(session->command)) {
    case ON_REPORT:
    case ON_PLOT:
        return index > 0 || (has_short_form(arguments) && !query_report_exists(queries, word));
    case ON_SQL:
    case ON_PLOT_SQL:
        return (index > 0 || arguments->given[OPTION_SQL_FILE]) && arguments->words[0][0] != '.';
    case ON_COMPARE:
    case ON_PLOT_COMPARE:
        return index == 0 ||
               (arguments->given[OPTION_WITH] ? !query_report_exists(queries, word) : index < 2);
    case ON_PAGE:
        return (arguments->given[OPTION_COMPARE] && index < 2) ||
               !query_report_exists(queries, word);
    case ON_ASSERT:
        return !assert_is_condition(word);
    case ON_BASELINE:
    case ON_DUMP:
    case ON_SHOW:
    case ON_EXPORT:
    case ON_OVERVIEW:
    case ON_REPORTS:
        return true;
    default:
        return false;
    }
}

/* Returns whether the session's database has a trace that the word names. `is_new`: if there is
 * also a file of this name, the trace's name must be given in full. `unreadable`: set if the
 * database cannot be read. */
static bool word_is_trace(const struct session *session, const char *word, bool is_new,
                          struct error *unreadable) {
    struct error ignored = {0};
    struct catalog catalog;
    struct database database;
    struct stat status;
    const struct catalog_trace *trace = NULL, **chosen;
    bool is = false;

    if (strcmp(word, "-") == 0 || remote_is_address(session->database_path) ||
        stat(session->database_path, &status) != 0 ||
        !database_open(&database, session->database_path, DATABASE_READ, unreadable)) {
        return false;
    }
    if (catalog_load(&catalog, &database, unreadable)) {
        if (!is_new || session->arguments->given[OPTION_DB] || stat(word, &status) != 0) {
            chosen = xcalloc(catalog.count + 1, sizeof(const void *));
            is = catalog_choose_all_of_kinds(&catalog, word, ~0u, chosen, &ignored) > 0;
            free(chosen);
        } else {
            is = catalog_find_exact(&catalog, word, &trace, &ignored) && trace != NULL;
        }
        catalog_free(&catalog);
    }
    database_close(&database);
    return is;
}

/* Sets `*log` (the word is a log) or `*trace` (it names a trace of the database, which takes
 * precedence). With -d, a log that names no trace is an error. `is_new`: earlier versions took only
 * traces here; so if the word is both, a note says that the trace is used and not the file. */
static bool logs_classify(const struct session *session, const char *word, bool is_new, bool *log,
                          bool *trace, struct error *error) {
    const bool chosen = session->arguments->given[OPTION_DB];
    const bool is_store = remote_is_address(session->database_path);
    struct error unreadable = {0};
    struct stat status;

    *log = log_is_word(word) && !(is_store && (chosen || !is_new)) &&
           !(chosen && strcmp(word, "-") != 0 && stat(word, &status) != 0);
    /* other commands do not change a word that is no log: no need to search the database */
    *trace = (*log || is_new) && word_is_trace(session, word, is_new, &unreadable);
    if (!*log) {
        return true;
    }
    if (*trace) {
        *log = false;
        if (!chosen && is_new) {
            struct text note = {0};

            text_append_format(&note,
                               "%s: taken as the name of a trace in %s; for the file, write ./%s",
                               word, session->database_path, word);
            session_note(session, text_string(&note));
            text_free(&note);
        }
        return true;
    }
    if (chosen && unreadable.message[0] != '\0') {
        *error = unreadable;
        return false;
    }
    return !chosen ||
           error_usage(
               error, "%s is a log, not a trace in %s: omit -d to read the log, or import it first",
               word, session->database_path);
}

/* Appends a log for use on a command line: ./ precedes a dash, so that it is no option. */
static void append_log_word(struct text *line, const char *word) {
    text_append_string(line, word[0] == '-' && word[1] != '\0' ? "./" : "");
    text_append_word(line, word);
}

static void add_log(struct logs *logs, char *word) {
    if (string_index((const char *const *)logs->logs, logs->log_count, word) < logs->log_count) {
        return;
    }
    logs->logs = xreallocarray(logs->logs, logs->log_count + 1, sizeof *logs->logs);
    logs->logs[logs->log_count++] = word;
    text_append_string(&logs->line, logs->line.length > 0 ? " " : "");
    append_log_word(&logs->line, word);
}

/* Finds the logs among the words. Removes them unless the command uses each as one trace. */
static bool find_words(const struct session *session, struct logs *logs, struct error *error) {
    const struct arguments *arguments = session->arguments;
    size_t kept = 0;

    logs->words = xcalloc(arguments->word_count + 1, sizeof *logs->words);
    logs->traces = xcalloc(arguments->word_count + arguments->lists[OPTION_TRACE].count + 1,
                           sizeof *logs->traces);
    for (size_t i = 0; i < arguments->word_count; i++) {
        bool log = false, trace = false, may_be = is_candidate_log(session, i);

        if (may_be && !logs_classify(session, arguments->words[i], !logs_names_traces(session),
                                     &log, &trace, error)) {
            return false;
        }
        if (log) {
            add_log(logs, arguments->words[i]);
        }
        if (may_be && !log) {
            logs->other = arguments->words[i];
        }
        if (trace && !logs_names_traces(session)) {
            logs->traces[logs->trace_count++] = arguments->words[i];
        } else if (!log || logs_names_traces(session)) {
            logs->words[kept++] = arguments->words[i];
        }
    }
    logs->arguments.words = logs->words;
    logs->arguments.word_count = kept;
    return true;
}

/* Finds the logs among the traces named by -t, --with or --baseline. */
static bool find_listed(const struct session *session, struct logs *logs, enum option_id option,
                        struct error *error) {
    const struct option_list *list = &session->arguments->lists[option];

    for (size_t i = 0; i < list->count; i++) {
        bool log, trace;

        if (option == OPTION_BASELINE && assert_is_baseline(list->values[i])) {
            return error_usage(error,
                               "--baseline takes a log; give the file of a baseline without the "
                               "option: assert LOG %s",
                               list->values[i]);
        }
        if (!logs_classify(session, list->values[i], false, &log, &trace, error)) {
            return false;
        }
        if (log) {
            add_log(logs, (char *)list->values[i]);
        }
    }
    return true;
}

/* --- key of the database in the cache --------------------------------------------------------- */

/* Options for importing a log: first those that need one (LOG_OPTIONS), then other options. */
static const enum option_id log_options[] = {
    OPTION_INPUT_FORMAT, OPTION_JOIN,  OPTION_START,    OPTION_UTC_OFFSET,
    OPTION_SYMBOLS,      OPTION_IMAGE, OPTION_CONFIG,   OPTION_QUIET,
    OPTION_VERBOSE,      OPTION_COLOR, OPTION_PROGRESS,
};
enum { LOG_OPTIONS = 6, IMPORT_OPTIONS = sizeof log_options / sizeof log_options[0] };

/* Waits until the clock tick of the file's last change is over, since two changes within a tick
 * have the same time. */
static void wait_for_tick(const struct stat *status) {
    enum { TICK = 20 * 1000000 };
    struct timespec now;
    int64_t since;

    clock_gettime(CLOCK_REALTIME, &now);
    since = (now.tv_sec - status->st_ctim.tv_sec) * SECOND + now.tv_nsec - status->st_ctim.tv_nsec;
    if (since >= 0 && since < TICK) {
        const struct timespec rest = {.tv_nsec = TICK - (long)since};

        nanosleep(&rest, NULL);
    }
}

/* Appends hashes of a file's beginning and end. They reveal changes on file systems whose times
 * have whole seconds only. */
static void append_ends(struct text *key, const char *path, int64_t size) {
    enum { END = 1 << 20 };
    unsigned char *bytes = xmalloc(END);
    int descriptor = file_open(path, O_RDONLY);
    const int64_t places[] = {0, size > END ? size - END : 0};

    for (size_t i = 0; descriptor >= 0 && i < 2; i++) {
        ssize_t count = pread(descriptor, bytes, END, places[i]);

        text_append_format(key, " %016llx",
                           (unsigned long long)XXH3_64bits(bytes, count > 0 ? (size_t)count : 0));
    }
    file_close(descriptor);
    free(bytes);
}

static void logs_append_file(struct logs *logs, const char *path) {
    struct stat status;

    if (strcmp(path, "-") == 0 || stat(path, &status) != 0 || !S_ISREG(status.st_mode)) {
        logs->never_the_same = true;
        return;
    }
    wait_for_tick(&status);
    if (stat(path, &status) != 0) {
        logs->never_the_same = true;
        return;
    }
    text_append_format(&logs->key_text, "\n%s\t%llu %llu %lld %lld.%09ld %lld.%09ld", path,
                       (unsigned long long)status.st_dev, (unsigned long long)status.st_ino,
                       (long long)status.st_size, (long long)status.st_mtim.tv_sec,
                       status.st_mtim.tv_nsec, (long long)status.st_ctim.tv_sec,
                       status.st_ctim.tv_nsec);
    if (status.st_mtim.tv_nsec == 0) {
        append_ends(&logs->key_text, path, status.st_size);
    }
}

/* Appends the files that an import of the word reads, or may read because they are beside it. */
static bool append_log(const struct session *session, struct logs *logs, const char *word,
                       struct error *error) {
    struct import_paths paths = {0};
    struct stat status;
    char *place = realpath(word, NULL);
    bool done = import_paths_add(&paths, word, error);

    if (done && stat(word, &status) == 0 && S_ISREG(status.st_mode)) {
        import_paths_add_siblings(&paths, word, &session->config);
    }
    text_append_format(&logs->key_text, "\n%s\t%s", word, place == NULL ? "" : place);
    for (size_t i = 0; done && i < paths.count; i++) {
        const size_t archive = import_paths_archive(paths.paths[i]);
        char *file = archive > 0 ? xstrndup(paths.paths[i], archive) : xstrdup(paths.paths[i]);

        logs_append_file(logs, file);
        free(file);
    }
    import_paths_free(&paths);
    free(place);
    return done;
}

static void append_program(struct text *key) {
    struct stat status = {0};

    stat("/proc/self/exe", &status);
    text_append_format(key, "tracetool " TRACETOOL_VERSION " %d %llu %llu %lld %lld.%09ld",
                       DATABASE_SCHEMA_VERSION, (unsigned long long)status.st_dev,
                       (unsigned long long)status.st_ino, (long long)status.st_size,
                       (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

/* Collects everything that the result of an import depends on, and computes the cache keys. */
static bool logs_make_key(const struct session *session, struct logs *logs, struct error *error) {
    const struct arguments *arguments = logs->typed;
    const char *zone = getenv("TZ");
    XXH128_canonical_t hash;

    text_clear(&logs->key_text);
    append_program(&logs->key_text);
    text_append_format(&logs->key_text, "\n%s %s", zone == NULL ? "" : zone,
                       logs->single ? "each" : "");
    for (size_t i = 0; i < LOG_OPTIONS; i++) {
        const enum option_id id = log_options[i];

        if (arguments->given[id]) {
            text_append_format(&logs->key_text, "\n--%s %s", option_row(id)->name,
                               arguments->values[id] == NULL ? "" : arguments->values[id]);
        }
    }
    if (session->config.path != NULL) {
        logs_append_file(logs, session->config.path);
    }
    if (arguments->given[OPTION_SYMBOLS]) {
        logs_append_file(logs, arguments->values[OPTION_SYMBOLS]);
    }
    for (size_t i = 0; i < arguments->lists[OPTION_IMAGE].count; i++) {
        logs_append_file(logs, arguments->lists[OPTION_IMAGE].values[i]);
    }
    for (size_t i = 0; i < logs->log_count; i++) {
        if (!append_log(session, logs, logs->logs[i], error)) {
            return false;
        }
    }
    for (XXH64_hash_t k = 0; k < 4; k++) {
        XXH128_canonicalFromHash(
            &hash, XXH3_128bits_withSeed(text_string(&logs->key_text), logs->key_text.length, k));
        for (size_t i = 0; i < sizeof hash.digest; i++) {
            snprintf(logs->keys[k] + 2 * i, 3, "%02x", hash.digest[i]);
        }
    }
    return true;
}

/* --- making the private database -------------------------------------------------------------- */

/* Suffixes of the database's files, including those that SQLite may leave behind. */
static const char *const parts[] = {"", "-journal", "-wal", "-shm"};
enum { PARTS = sizeof parts / sizeof parts[0] };

static void logs_remove_files(const void *context) {
    const struct logs *logs = context;

    for (size_t i = 0; logs->temporary && i < PARTS; i++) {
        unlink(logs->files[i]);
    }
    if (logs->temporary) {
        rmdir(logs->folder);
    }
}

/* Creates a private directory, which a signal that ends the program removes. */
static bool make_temporary_directory(struct logs *logs, const char *folder, struct error *error) {
    sigset_t mask;

    signal_cleanup_block(&mask);
    logs->folder = cache_make_temporary_folder(folder, error);
    if (logs->folder != NULL) {
        for (size_t i = 0; i < PARTS; i++) {
            logs->files[i] = xasprintf("%s/log.db%s", logs->folder, parts[i]);
        }
        logs->path = xstrdup(logs->files[0]);
        logs->temporary = true;
        logs->hook = (struct signal_cleanup_hook){.clean = logs_remove_files, .context = logs};
        signal_cleanup_add(&logs->hook);
    }
    signal_cleanup_unblock(&mask);
    return logs->folder != NULL;
}

/* Deletes the temporary files. */
static void delete_temporary_files(struct logs *logs) {
    sigset_t mask;

    if (logs->temporary) {
        logs_remove_files(logs);
        signal_cleanup_block(&mask);
        signal_cleanup_remove(&logs->hook);
        logs->temporary = false;
        signal_cleanup_unblock(&mask);
        for (size_t i = 0; i < PARTS; i++) {
            free(logs->files[i]);
        }
        free(logs->folder);
    }
    free(logs->path);
    logs->path = NULL;
}

/* Returns the arguments for importing the logs. */
static struct arguments arguments_of_import(const struct logs *logs) {
    const struct arguments *typed = logs->typed;
    struct arguments arguments = {.argc = typed->argc, .argv = typed->argv};

    for (size_t i = 0; i < IMPORT_OPTIONS; i++) {
        const enum option_id id = log_options[i];

        arguments.given[id] = typed->given[id];
        arguments.values[id] = typed->values[id];
        arguments.lists[id] = typed->lists[id];
    }
    return arguments;
}

/* Imports the logs into the database logs->path: separately if the command uses each as one trace;
 * otherwise together, like `tracetool import`. */
static bool import_logs(struct session *session, struct logs *logs, struct error *error) {
    const bool each = logs->single;
    const struct session before = *session;
    struct arguments arguments = arguments_of_import(logs);
    bool done = config_read_builtin(&session->config, error);

    logs->is_importing = true;
    session->command = command_find("import");
    session->database_path = logs->path;
    session->arguments = &arguments;
    for (size_t i = 0; done && i < (each ? logs->log_count : 1); i++) {
        arguments.words = logs->logs + i;
        arguments.word_count = each ? 1 : logs->log_count;
        done = session->command->run(session, error);
    }
    logs->is_importing = false;
    interruption_restore_handlers(session);
    session->command = before.command;
    session->database_path = before.database_path;
    session->arguments = before.arguments;
    return done;
}

/* Makes the database as a temporary file in a directory, with event_column only. If that fails, as
 * a log's events are out of order or of several kinds, makes it again with rows of event. */
static bool make_database_in(struct session *session, struct logs *logs, const char *folder,
                             struct error *error) {
    if (!make_temporary_directory(logs, folder, error)) {
        return false;
    }
    if (import_logs(session, logs, error)) {
        return true;
    }
    delete_temporary_files(logs);
    if (!logs->with_rows && strstr(error->message, EVENT_TABLE_FIXED) != NULL) {
        *error = (struct error){0};
        logs->with_rows = true;
        return make_database_in(session, logs, folder, error);
    }
    return false;
}

static const char *folder_for_files(void) {
    const char *folder = getenv("TMPDIR");

    return folder == NULL || *folder == '\0' ? "/tmp" : folder;
}

/* Checks that the report exists before any log is read. */
static bool check_report(const struct session *session, const struct logs *logs,
                         struct error *error) {
    struct query_set queries;
    bool done;

    if ((command_bit(session->command) & REPORTING) == 0 || logs->arguments.word_count == 0 ||
        (command_bit(session->command) == ON_PLOT && logs->arguments.given[OPTION_ALL])) {
        return true;
    }
    if (!query_set_load_typed(&queries, session->config.queries, logs->arguments.words[0], error)) {
        return false;
    }
    done = choose_report(&queries, logs->arguments.words[0], error) != NULL;
    query_set_free(&queries);
    return done;
}

/* Returns whether after this error, the database cannot be made in another directory either. */
static bool is_final(const struct error *error) {
    return error->status == EXIT_USAGE || error->status == EXIT_INTERRUPTED || error->absent;
}

/* Returns the free space of a directory's file system in bytes. */
static uint64_t folder_room(const char *folder) {
    struct statvfs status;

    return statvfs(folder, &status) == 0 ? (uint64_t)status.f_bavail * status.f_frsize : 0;
}

/* Makes the database as a temporary file; if the disk is full, in memory. A pipe cannot be read
 * twice, so for a pipe memory is used even if the disk is only nearly full. */
static bool make_temporary_database(struct session *session, struct logs *logs,
                                    struct error *error) {
    static const char memory[] = "/dev/shm";
    const char *folder = folder_for_files();
    const uint64_t room = folder_room(folder);
    struct error failure = {0};

    if (!logs->never_the_same || room >= UINT64_C(64) << 20 || room >= folder_room(memory)) {
        if (make_database_in(session, logs, folder, error)) {
            return true;
        }
        if (is_final(error) || logs->never_the_same ||
            strstr(error->message, " space left") == NULL) {
            return false;
        }
    }
    /* directory for SQLite's temporary files */
    sqlite3_temp_directory = sqlite3_mprintf("%s", memory);
    if (!make_database_in(session, logs, memory, &failure)) {
        return false;
    }
    *error = failure;
    return true;
}

/* Makes the database in the cache or, if that fails for example for lack of space, by
 * make_temporary_database(). If a log changes meanwhile, the cache does not keep the database. */
static bool make_database(struct session *session, struct logs *logs, const struct cache *cache,
                          struct error *error) {
    struct error failure = {0};
    char key[sizeof logs->keys[0]];
    int kind;

    if (!check_report(session, logs, error)) {
        return false;
    }
    if (cache->folder == NULL || !make_database_in(session, logs, cache->folder, &failure)) {
        if (is_final(&failure)) {
            *error = failure;
            return false;
        }
        /* The cache's directory may be full, over quota or broken: tries the directory for
         * temporary files. If the cause is the log, this also fails, and soon. */
        return make_temporary_database(session, logs, error);
    }
    kind = logs->with_rows + 2 * logs->places;
    memcpy(key, logs->keys[kind], sizeof key);
    if (!logs_make_key(session, logs, error)) {
        return false;
    }
    if (strcmp(key, logs->keys[kind]) == 0 && cache_store(cache, logs->path, key)) {
        delete_temporary_files(logs);
        logs->path = cache_path(cache, key);
    }
    return true;
}

/* Returns whether the beginning of a log shows that all its events are spans. */
static bool is_of_spans(const struct session *session, const char *path) {
    struct error ignored = {0};
    struct similar_formats file;
    bool is = false;

    if (similar_formats_open(&file, path, &session->config, &ignored)) {
        is = file.count > 0 && file.formats[0].known &&
             file.formats[0].importer->kinds == 1U << TRACE_SPANS;
        similar_formats_close(&file);
    }
    return is;
}

/* Returns whether `tracetool show` measures a trace's dump, which needs the arguments of calls. */
static bool wants_text(const struct session *session, struct database *database) {
    struct error ignored = {0};
    int64_t traces = 0;

    return (command_bit(session->command) & ON_SHOW) != 0 &&
           database_query_integer(database, "SELECT count(*) FROM trace WHERE kind = 'spans'", 0, 0,
                                  &traces, &ignored) &&
           traces > 0;
}

/* Opens the private database in the cache, or makes it. Replaces a damaged one. */
static bool logs_open_database(struct session *session, struct logs *logs,
                               struct database *database, struct error *error) {
    const enum database_mode mode = DATABASE_READ | DATABASE_PRIVATE;
    struct cache cache = {0};
    struct error why = {0};
    bool done = logs_make_key(session, logs, error);

    if (!done) {
        return false;
    }
    /* a pipe cannot be read twice, so rows are stored at once */
    logs->with_rows |= logs->never_the_same;
    logs->places = command_bit(session->command) == ON_ASSERT && !logs->never_the_same;
    for (size_t i = 0; i < logs->log_count && (command_bit(session->command) & ON_SHOW) != 0; i++) {
        logs->with_rows = logs->with_rows || is_of_spans(session, logs->logs[i]);
    }
    if (!logs->never_the_same && !session->arguments->given[OPTION_NO_CACHE] &&
        !cache_open(&cache, &why) && session->arguments->given[OPTION_VERBOSE]) {
        session_print_line(session, "this log is not cached: %s", why.message);
    }
    /* Tries the key of the needed kind of database (logs.keys), then those of kinds that contain
     * more. A command that prints rows cannot use a database with places of calls in logs, since
     * these are in `response`. */
    for (int k = 0; cache.folder != NULL && logs->path == NULL && k < 4; k++) {
        const int kind = k ^ 2 * logs->places;

        if (logs->with_rows && ((kind & 1) == 0 || kind > 2 * logs->places + 1)) {
            continue;
        }
        logs->path = cache_path(&cache, logs->keys[kind]);
        if (cache_open_file(logs->path, logs->keys[kind]) < 0 ||
            !database_open(database, logs->path, mode, &why)) {
            free(logs->path);
            logs->path = NULL;
        }
    }
    done = logs->path != NULL || (make_database(session, logs, &cache, error) &&
                                  database_open(database, logs->path, mode, error));
    cache_close(&cache);
    if (done && !logs->with_rows && wants_text(session, database)) {
        database_close(database);
        delete_temporary_files(logs);
        logs->with_rows = true;
        return logs_open_database(session, logs, database, error);
    }
    return done;
}

/* --- names of the logs' traces ---------------------------------------------------------------- */

/* Returns the name of the trace with a file of which `path` is a copy; owned by the caller. NULL if
 * there is none, or an error. */
static char *name_of_copy(struct database *database, const char *path, struct error *error) {
    struct database_query find = database_query(
        database, error,
        "SELECT ifnull(t.log, t.name) FROM remark AS r JOIN trace AS t ON t.id = r.trace"
        " WHERE instr(r.text, ?1 || ': skipped: its content is that of ') = 1 LIMIT 1",
        "s", path);
    char *name = database_next(&find) ? xstrdup(database_column_text(find.row, 0)) : NULL;

    database_end(&find);
    return name;
}

/* Returns the name of the trace made from a log, alone or together with the other files of its
 * archive. If it became several traces, returns the log's name. Owned by the caller; NULL with
 * `error` set on failure. */
static char *logs_name_of(struct database *database, const char *word, struct error *error) {
    struct import_paths paths = {0};
    char *name = NULL;

    if (!import_paths_add(&paths, word, error)) {
        import_paths_free(&paths);
        return NULL;
    }
    for (size_t i = 0; name == NULL && i < paths.count; i++) {
        struct database_query find = database_query(
            database, error,
            "SELECT ifnull(t.log, t.name) FROM source AS s JOIN trace AS t ON t.id = s.trace"
            " WHERE s.name = ?1 OR substr(s.name, 1, length(?1) + 1) = ?1 || '/'"
            " ORDER BY (SELECT count(*) FROM source WHERE trace = t.id)"
            " * iif(s.name = ?1 AND ?2 = 1, 1, -1), t.id LIMIT 1",
            "si", strcmp(word, "-") == 0 ? "stdin" : paths.paths[i], (int64_t)paths.count);

        if (database_next(&find)) {
            name = xstrdup(database_column_text(find.row, 0));
        }
        if (!database_end(&find)) {
            break;
        }
        name = name == NULL ? name_of_copy(database, paths.paths[i], error) : name;
    }
    import_paths_free(&paths);
    if (name == NULL && error->message[0] == '\0') {
        error_set(error, "%s: nothing was imported", word);
    }
    return name;
}

/* Returns the name of the trace made from the log `word`; if it is no log, `word` itself. */
static const char *trace_of_log(const struct logs *logs, const char *word) {
    const size_t place = string_index((const char *const *)logs->logs, logs->name_count, word);

    return place < logs->name_count ? logs->names[place] : word;
}

static void logs_rename_traces(struct logs *logs) {
    static const enum option_id lists[] = {OPTION_TRACE, OPTION_WITH, OPTION_BASELINE};
    size_t at = 0;

    logs->chosen =
        xcalloc(logs->typed->lists[OPTION_TRACE].count + logs->typed->lists[OPTION_WITH].count +
                    logs->typed->lists[OPTION_BASELINE].count + 1,
                sizeof *logs->chosen);
    for (size_t i = 0; i < logs->arguments.word_count; i++) {
        logs->words[i] = (char *)trace_of_log(logs, logs->words[i]);
    }
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const struct option_list *list = &logs->typed->lists[lists[i]];

        logs->arguments.lists[lists[i]].values = logs->chosen + at;
        for (size_t k = 0; k < list->count; k++) {
            logs->chosen[at++] = trace_of_log(logs, list->values[k]);
        }
    }
}

/* Returns the log from which the trace with this name was made. If none is found, or `trace` is
 * NULL: the longest log with which the name of `file` begins. */
static const char *log_of_file(const struct logs *logs, const char *trace, const char *file) {
    const char *found = logs->logs[0];
    size_t longest = 0;
    const size_t named =
        trace == NULL ? logs->name_count
                      : string_index((const char *const *)logs->names, logs->name_count, trace);

    if (named < logs->name_count) {
        return logs->logs[named];
    }
    for (size_t i = 0; i < logs->log_count; i++) {
        const size_t length = strlen(logs->logs[i]);

        if (length > longest && strncmp(file, logs->logs[i], length) == 0) {
            found = logs->logs[i];
            longest = length;
        }
    }
    return found;
}

/* Prints how many records of a trace were rejected; with `trace` NULL, how many files of a log were
 * ignored. */
static void print_shown(const struct session *session, const char *trace, int64_t count,
                        const char *log) {
    struct text word = {0};

    /* without --join, a file of an archive would be a trace of its own, not ignored */
    text_append_string(&word, session->logs->typed->given[OPTION_JOIN] ? "--join " : "");
    if (trace == NULL && session->logs->typed->given[OPTION_JOIN] && !session->logs->single) {
        text_append_string(&word, logs_as_typed(session)); /* one log of all words */
    } else {
        append_log_word(&word, log == NULL ? "" : log);
    }
    if (trace != NULL) {
        session_print_line(session, "%s: %lld %s rejected; `tracetool show %s` says why", trace,
                           (long long)count, count == 1 ? "record was" : "records were",
                           text_string(&word));
    } else if (count > 0) {
        session_print_line(session, "files skipped: %lld; `tracetool show %s` names them",
                           (long long)count, text_string(&word));
    }
    text_free(&word);
}

/* Prints the numbers of rejected records and ignored files, like `tracetool import`. */
static bool print_rejected(const struct session *session, const struct logs *logs,
                           struct database *database, struct error *error) {
    struct database_query query = database_query(
        database, error,
        "SELECT rejected, name, (SELECT name FROM source WHERE trace = trace.id), ifnull(log, name)"
        " FROM trace WHERE rejected > 0 ORDER BY id",
        "");
    const char *log = NULL, *other;
    int64_t files = 0;

    while (database_next(&query)) {
        print_shown(session, database_column_text(query.row, 1), sqlite3_column_int64(query.row, 0),
                    log_of_file(logs, database_column_text(query.row, 3),
                                database_column_text(query.row, 2)));
    }
    if (!database_end(&query)) {
        return false;
    }
    query = database_query(
        database, error,
        "SELECT DISTINCT text FROM remark WHERE text LIKE '%: skipped: %' ORDER BY text", "");
    for (; database_next(&query); log = other, files++) {
        other = log_of_file(logs, NULL, database_column_text(query.row, 0));
        if (other != log) {
            print_shown(session, NULL, files, log);
            files = 0;
        }
    }
    print_shown(session, NULL, files, log);
    return database_end(&query);
}

/* Sets an error if a log became several traces, one for each file of an archive or each set of
 * files in a directory. The error names a file of each. */
static bool refuse_several(const struct session *session, struct database *database,
                           const char *word, struct error *error) {
    enum { NAMED = 4 };
    struct text names = {0};
    int64_t count = 0;
    struct database_query find =
        database_query(database, error,
                       "SELECT min(s.name) FROM source AS s JOIN trace AS t ON t.id = s.trace"
                       " WHERE substr(s.name, 1, length(?1) + 1) = rtrim(?1, '/') || '/'"
                       " GROUP BY ifnull(t.log, t.name) ORDER BY 1",
                       "s", word);

    for (; database_next(&find); count++) {
        if (count < NAMED) {
            text_append_string(&names, count == 0 ? "" : ", ");
            text_append_word(&names, database_column_text(find.row, 0));
        }
    }
    if (database_end(&find) && count > 1) {
        error_usage(
            error,
            "%s has %lld traces, but %s takes one: name one (%s%s), or join them with --join", word,
            (long long)count, session->command->name, text_string(&names),
            count > NAMED ? ", …" : "");
    }
    text_free(&names);
    return error->message[0] == '\0';
}

/* Reads the names of the traces made from the logs, and closes the database. */
static bool logs_read_names(struct session *session, struct logs *logs, struct database *database,
                            struct error *error) {
    bool done = true;

    logs->names = xcalloc(logs->log_count, sizeof *logs->names);
    while (done && logs->name_count < logs->log_count) {
        char *name = logs_name_of(database, logs->logs[logs->name_count], error);

        done = name != NULL;
        if (done) {
            logs->names[logs->name_count++] = name;
        }
        done = done && (!logs->single || logs->typed->given[OPTION_JOIN] ||
                        refuse_several(session, database, logs->logs[logs->name_count - 1], error));
    }
    done = done && print_rejected(session, logs, database, error);
    database_close(database);
    return done;
}

enum database_mode logs_database_mode(const struct session *session) {
    const struct logs *logs = session->logs;

    if (logs == NULL || logs->log_count == 0) {
        return (enum database_mode)0;
    }
    return logs->is_importing && !logs->with_rows ? DATABASE_PRIVATE | DATABASE_WITHOUT_ROWS
                                                  : DATABASE_PRIVATE;
}

const char *logs_unknown_word(const struct session *session) {
    return session->logs == NULL || session->logs->log_count > 0 ? NULL : session->logs->other;
}

const char *logs_as_typed(const struct session *session) {
    return session->logs == NULL || session->logs->log_count == 0
               ? NULL
               : text_string(&session->logs->line);
}

bool logs_want_places(const struct session *session) {
    return session->logs != NULL && session->logs->places;
}

bool logs_import_with_places(struct session *session,
                             bool (*use)(void *context, struct database *database,
                                         struct error *error),
                             void *context, struct error *error) {
    struct logs *logs = session->logs, again;
    struct arguments quiet;
    struct database database;
    bool done;

    if (logs_as_typed(session) == NULL || logs->never_the_same) {
        return true;
    }
    quiet = *logs->typed;
    quiet.given[OPTION_QUIET] = true;
    again = *logs;
    again.typed = &quiet;
    again.places = true;
    again.temporary = false;
    session->logs = &again;
    done = make_database_in(session, &again, folder_for_files(), error);
    if (done) {
        done = database_open(&database, again.path, DATABASE_READ | DATABASE_PRIVATE, error);
        if (done) {
            done = use(context, &database, error);
            database_close(&database);
        }
        delete_temporary_files(&again);
    }
    session->logs = logs;
    return done;
}

/* Adds the traces named by words to those that -t selects. */
static void select_named_traces(struct logs *logs) {
    struct option_list *list = &logs->arguments.lists[OPTION_TRACE];

    if (logs->trace_count == 0) {
        return;
    }
    for (size_t i = 0; i < list->count; i++) {
        logs->traces[logs->trace_count++] = list->values[i];
    }
    list->values = logs->traces;
    list->count = logs->trace_count;
    logs->arguments.given[OPTION_TRACE] = true;
}

/* Sets an error if an option needs a log, but there is none. */
static bool logs_check_options(const struct session *session, struct error *error) {
    for (size_t i = 0; i <= LOG_OPTIONS; i++) {
        const enum option_id id = i < LOG_OPTIONS ? log_options[i] : OPTION_NO_CACHE;

        if (session->arguments->given[id]) {
            return error_usage(error, "--%s applies to reading a log, but no log is given",
                               option_row(id)->name);
        }
    }
    return true;
}

/* Sets an error for a word that is no log, if other words are logs. */
static bool refuse_other(const struct session *session, const char *word, struct error *error) {
    const command_set command = command_bit(session->command);
    const char *nor = command == ON_ASSERT ? " and no condition such as 'calls(fsync) <= 3'"
                      : command == ON_PAGE ? " and no report"
                                           : "";
    struct error ignored = {0};
    struct stat status;
    const bool is_file = stat(word, &status) == 0;

    if (!is_file && !word_is_trace(session, word, false, &ignored)) {
        return error_usage(error, "there is no file '%s'%s%s", word, nor[0] != '\0' ? "," : "",
                           nor);
    }
    return error_usage(
        error,
        "'%s' is %s%s%s%s; logs and traces of a database cannot be mixed: import the logs first",
        word, is_file ? "a trace, not a log" : "no file", nor,
        is_file ? "; for the file, write ./" : "", is_file ? word : "");
}

bool logs_replace_by_traces(struct session *session, struct error *error) {
    struct database database;
    struct logs *logs;
    bool done;

    if ((command_bit(session->command) & ASKING) == 0) {
        return true;
    }
    logs = xcalloc(1, sizeof *logs);
    logs->typed = session->arguments;
    logs->typed_database = session->database_path;
    logs->arguments = *session->arguments;
    /* these commands print arguments, copy rows or run the user's SQL; --image also needs rows */
    logs->with_rows =
        (command_bit(session->command) & (ON_DUMP | ON_EXPORT | ON_SQL | ON_PLOT_SQL)) != 0 ||
        session->arguments->given[OPTION_IMAGE] || session->arguments->given[OPTION_PSEUDONYMISE];
    logs->single = logs_names_traces(session) && (command_bit(session->command) & ON_SHOW) == 0;
    session->logs = logs;
    /* If the command's words are logs, values of -t are not: they select among the logs' traces. */
    done = find_words(session, logs, error) &&
           ((logs->log_count > 0 && !logs_names_traces(session)) ||
            find_listed(session, logs, OPTION_TRACE, error)) &&
           find_listed(session, logs, OPTION_WITH, error) &&
           find_listed(session, logs, OPTION_BASELINE, error);
    if (!done) {
        return false;
    }
    if (logs->log_count == 0) {
        select_named_traces(logs);
        session->arguments = &logs->arguments;
        return logs_check_options(session, error);
    }
    if (logs->arguments.word_count > session->command->most) {
        /* check_words() sets the error on too many words */
        session->arguments = &logs->arguments;
        return true;
    }
    if (logs->other != NULL) {
        return refuse_other(session, logs->other, error);
    }
    if (!logs_open_database(session, logs, &database, error) ||
        !logs_read_names(session, logs, &database, error)) {
        return false;
    }
    logs_rename_traces(logs);
    session->arguments = &logs->arguments;
    session->database_path = logs->path;
    return true;
}

bool logs_delete_damaged_database(const struct session *session, const struct error *error) {
    const struct logs *logs = session->logs;

    return logs_as_typed(session) != NULL && !logs->temporary && logs->path != NULL &&
           !is_final(error) && strstr(error->message, logs->path) != NULL &&
           unlink(logs->path) == 0;
}

void logs_end(struct session *session) {
    struct logs *logs = session->logs;

    if (logs == NULL) {
        return;
    }
    session->arguments = logs->typed;
    session->database_path = logs->typed_database;
    session->logs = NULL;
    delete_temporary_files(logs);
    members_free();
    free_each(logs->names, logs->name_count);
    free(logs->chosen);
    free(logs->traces);
    free(logs->words);
    free(logs->logs);
    text_free(&logs->line);
    text_free(&logs->key_text);
    free(logs);
}
