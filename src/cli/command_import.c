/* tracetool import: groups files to traces, imports them, and prints the results. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/time_unit.h"
#include "cli/command.h"
#include "cli/import_paths.h"
#include "cli/logs.h"
#include "cli/map_image.h"
#include "import/trace_files.h"
#include "import/import.h"
#include "import/detect.h"
#include "input/members.h"
#include "base/memory.h"

enum { NAMED = 8 }; /* limit of file names in a message */

static bool parse_start(const char *value, struct import_options *options, struct error *error) {
    bool has_zone;
    int64_t offset;

    if (!clock_parse(value, &options->start, &has_zone, &offset)) {
        return error_usage(error, "--start needs a time such as 2001-03-05T10:00:00+0900, not '%s'",
                           value);
    }
    if (!has_zone) {
        offset = options->utc_offset == EVENT_NONE ? 0 : options->utc_offset;
    } else if (options->utc_offset == EVENT_NONE) {
        options->utc_offset = offset;
    }
    options->start -= offset * INT64_C(60000000000);
    return true;
}

/* Options that are only valid with --image. */
static const enum option_id image_options[] = {
    OPTION_JOURNAL, OPTION_NO_JOURNAL, OPTION_IMAGE_DEVICE, OPTION_PARTITION, OPTION_OFFSET};

static bool parse_options(const struct session *session, struct import_options *options,
                          struct error *error) {
    const struct arguments *arguments = session->arguments;
    const char *format = arguments->values[OPTION_INPUT_FORMAT];

    *options = (struct import_options){
        .device = arguments->values[OPTION_DEVICE],
        .user = arguments->values[OPTION_USER],
        .study = arguments->values[OPTION_STUDY],
        .replace = arguments->given[OPTION_REPLACE],
        /* Logs that are asked directly may be equal, but not files of one log. */
        .again = arguments->given[OPTION_AGAIN] || session->logs != NULL,
        .again_within = arguments->given[OPTION_AGAIN],
        .append = arguments->given[OPTION_APPEND],
        .strict = arguments->given[OPTION_STRICT],
        .places = logs_want_places(session),
        .start = EVENT_NONE,
        .utc_offset = EVENT_NONE,
        .record_size = arguments_number(arguments, OPTION_RECORD_SIZE, 0),
        .only_devices = (const char *const *)arguments->lists[OPTION_ONLY_DEVICE].values,
        .only_device_count = arguments->lists[OPTION_ONLY_DEVICE].count,
        .interrupted = interruption_flag(),
    };
    if (format != NULL &&
        (options->importer = importer_choose(&session->config, format, error)) == NULL) {
        return false;
    }
    if (arguments->given[OPTION_UTC_OFFSET] &&
        !clock_parse_offset(arguments->values[OPTION_UTC_OFFSET], &options->utc_offset)) {
        return error_usage(error, "--utc-offset must be ±HHMM, not '%s'",
                           arguments->values[OPTION_UTC_OFFSET]);
    }
    if (options->append && (options->replace || arguments->given[OPTION_START] ||
                            arguments->given[OPTION_UTC_OFFSET] || options->device != NULL ||
                            options->user != NULL || options->study != NULL)) {
        return error_usage(error, "--append does not change the trace: it excludes --replace, "
                                  "--start, --utc-offset, --device, --user and --study");
    }
    return !arguments->given[OPTION_START] ||
           parse_start(arguments->values[OPTION_START], options, error);
}

/* --- showing progress ------------------------------------------------------------------------- */

static double command_import_seconds_since(const struct timespec *begin) {
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - begin->tv_sec) + (double)(now.tv_nsec - begin->tv_nsec) / 1e9;
}

struct progress {
    struct timespec shown; /* when progress was shown last */
    bool visible;
};

static void command_import_show_progress(void *context, int64_t done, int64_t total) {
    struct progress *progress = context;
    if (command_import_seconds_since(&progress->shown) < 0.2) {
        return;
    }
    clock_gettime(CLOCK_MONOTONIC, &progress->shown);
    progress->visible = true;
    if (total > 0) {
        fprintf(stderr, "\rimporting: %3.0f %% of %lld MB ", 100.0 * (double)done / (double)total,
                (long long)(total / 1000000));
    } else {
        fprintf(stderr, "\rimporting: %lld MB ", (long long)(done / 1000000));
    }
}

/* --- reporting what was imported -------------------------------------------------------------- */

/* Prints the traces made from a log with several kinds of events: one for each kind. */
static void print_kinds(const struct session *session, const char *name,
                        const struct import_summary *summary) {
    for (unsigned kind = 0; kind < TRACE_KINDS; kind++) {
        if (summary->kinds[kind] > 0) {
            session_print_line(session, "  trace %s.%s: %lld event%s", name,
                               trace_kind_name((enum trace_kind)kind),
                               (long long)summary->kinds[kind],
                               summary->kinds[kind] == 1 ? "" : "s");
        }
    }
}

/* Results of one import command. */
struct imported {
    struct map_image *image; /* borrowed; file-system image for mapping the traces; NULL: none */
    /* Borrowed; the arguments as typed: archives are not yet replaced by their files. */
    const struct arguments *typed;
    /* Owned; remarks on files of a queried archive that are no logs, each ending with NUL. */
    struct text skipped;
    size_t traces;
    bool kinds[TRACE_KINDS];
    char *name; /* owned; name of the trace imported last */
};

/* Prints the kinds of traces, the database, and a command to try next; only if stderr is a terminal
 * or with --verbose. */
static void print_written(const struct session *session, const struct imported *imported) {
    struct text line = {0};

    if (imported->traces == 0 || session->logs != NULL ||
        (!session->stderr_is_terminal && !session->arguments->given[OPTION_VERBOSE])) {
        return;
    }
    text_append_format(&line, "%s: ", session->database_path);
    for (unsigned kind = 0, said = 0; kind < TRACE_KINDS; kind++) {
        if (imported->kinds[kind]) {
            text_append_format(&line, "%s%s", said++ > 0 ? ", " : "",
                               trace_kind_words((enum trace_kind)kind));
        }
    }
    text_append_string(&line, "; ");
    session_suggest(session, text_string(&line), imported->traces == 1 ? imported->name : NULL);
    text_free(&line);
}

/* Appends how much later the log of one processor begins than that of another. */
static void append_begin(const struct import_losses *losses, struct text *out) {
    const struct losses_begin *begin = &losses->begin;

    if (begin->by == 0) {
        return;
    }
    text_append_format(out, "; CPU %lld begins ", (long long)begin->late_cpu);
    if (strcmp(losses->clock_unit, "ns") != 0) {
        text_append_format(out, "%lld %s", (long long)begin->by, losses->clock_unit);
    } else {
        text_append_format(out, "%.*f s", begin->by < MILLISECOND ? 6 : 3,
                           (double)begin->by / (double)SECOND);
    }
    text_append_format(out, " after CPU %lld", (long long)begin->early_cpu);
}

static void append_unmatched(int64_t count, const char *end, const char *other, struct text *out) {
    text_append_format(out, " %lld %s%s no %s", (long long)count, end,
                       count == 1 ? " has" : "s have", other);
}

/* Appends lost events that the log does not report, but that unmatched requests prove. */
static void append_unstated_facts(const struct import_losses *losses, struct text *out) {
    if (losses->unfinished + losses->unissued == 0) {
        return;
    }
    text_append_char(out, ';');
    if (losses->unfinished > 0) {
        append_unmatched(losses->unfinished, "issue", "completion", out);
        text_append_string(out, losses->unissued > 0 ? "," : "");
    }
    if (losses->unissued > 0) {
        append_unmatched(losses->unissued, "completion", "issue", out);
    }
    text_append_string(out, ": events are missing");
}

/* Appends which events are missing in the log; nothing if it is complete. */
static void append_losses(const struct import_losses *losses, struct text *out) {
    if (losses->lost == 0) {
        append_unstated_facts(losses, out);
        return;
    }
    text_append_format(out, "; %s%lld", losses->uncounted > 0 ? "at least " : "",
                       (long long)losses->lost);
    if (losses->of > 0) {
        text_append_format(out, " of %lld", (long long)losses->of);
    }
    text_append_format(out, " lost (%s", losses->reason);
    append_begin(losses, out);
    text_append_string(out, ")");
}

static void print_imported(const struct session *session, const char *name,
                           const struct import_summary *summary, const struct timespec *begin) {
    double seconds = command_import_seconds_since(begin);
    struct text counted = {0}, lost = {0};

    /* Appends the number of records and, if it differs, of I/Os, calls etc. */
    for (unsigned kind = 0; kind < TRACE_KINDS; kind++) {
        if (summary->counted[kind] == 0) {
            continue;
        }
        if (counted.length == 0) {
            printer_append_count(&counted, summary->records,
                                 strcmp(summary->variant, "text") == 0 ? "lines" : "records", "");
        }
        text_append_string(&counted, ", ");
        printer_append_count(&counted, summary->counted[kind],
                             trace_kind_counts((enum trace_kind)kind), "");
    }
    text_append_string(&counted, counted.length == 0 ? "" : "; ");
    printer_append_count(&counted, summary->events, "events", "");
    append_losses(&summary->losses, &lost);
    session_print_line(
        session, "imported %s: %s (%s), %s, %lld merged, %lld ignored, %lld rejected%s", name,
        summary->format, summary->variant, text_string(&counted), (long long)summary->merged,
        (long long)summary->ignored, (long long)summary->rejected, text_string(&lost));
    text_free(&lost);
    text_free(&counted);
    if (summary->several) {
        print_kinds(session, name, summary);
    }
    if (summary->rejected > 0) {
        session_print_line(session,
                           "  most frequent reason for rejecting: %s, first at byte %lld of %s; "
                           "%lld bytes were lost",
                           summary->reason, (long long)summary->reason_offset,
                           summary->reason_source, (long long)summary->lost_bytes);
    }
    if (summary->passed_over > 0) {
        session_print_line(session, "  files skipped: %lld; `tracetool show` names them",
                           (long long)summary->passed_over);
    }
    if (session->arguments->given[OPTION_VERBOSE]) {
        session_print_line(session, "  in %.2f s, %.0f events a second", seconds,
                           seconds > 0 ? (double)summary->events / seconds : 0);
    }
}

/* Remarks on a trace, to be printed after its line. */
struct remarks {
    bool all;
    struct text lines; /* owned; each line ends with a newline */
};

/* Stores a remark for printing. Without -v, only advice on importing or recording is printed;
 * `tracetool show` prints all remarks. */
static void collect_remark(void *context, const char *text) {
    struct remarks *remarks = context;

    if (remarks->all || strstr(text, "give --") != NULL || strstr(text, "; record with") != NULL ||
        strstr(text, "; for a trace of each") != NULL) {
        text_append_format(&remarks->lines, "%s\n", text);
    }
}

/* Maps the trace just imported in a separate transaction: if mapping fails, the import remains. */
static bool map_imported(struct session *session, struct database *database,
                         struct map_image *image, const char *name,
                         const struct import_summary *summary, struct error *error) {
    struct text trace = {0};
    bool done;

    text_append_format(&trace, "%s%s", name, summary->several ? ".io" : "");
    done = map_image_apply(session, database, image, text_string(&trace), error);
    text_free(&trace);
    return done ||
           error_context(error, "%s%s", name,
                         session->logs != NULL ? ": --image" : " is imported, but not mapped");
}

static bool import_trace(struct session *session, struct database *database,
                         struct import_options options, const struct import_paths *paths,
                         struct imported *imported, struct error *error) {
    struct import_summary summary;
    struct progress progress = {0};
    struct remarks remarks = {.all = session->arguments->given[OPTION_VERBOSE]};
    struct timespec begin;
    bool brief = session->logs != NULL && !session->arguments->given[OPTION_VERBOSE];
    bool done;

    clock_gettime(CLOCK_MONOTONIC, &begin);
    options.remark = collect_remark;
    options.remark_context = &remarks;
    if (!session->arguments->given[OPTION_QUIET] &&
        session_option_is_on(session, OPTION_PROGRESS,
                             session->stderr_is_terminal && terminal_supports_escapes())) {
        options.progress = command_import_show_progress;
        options.progress_context = &progress;
    }
    done = import_files(database, &session->config, &options, (const char *const *)paths->paths,
                        paths->count, &summary, error);
    if (progress.visible) {
        fprintf(stderr, "\r%40s\r", "");
    }
    if (done && !brief) {
        print_imported(session, options.name, &summary, &begin);
    }
    for (char *line = remarks.lines.bytes, *end; line != NULL && (end = strchr(line, '\n')) != NULL;
         line = end + 1) {
        *end = '\0';
        session_print_line(session, "%s%s%s", brief ? options.name : "", brief ? ": " : "  ", line);
    }
    text_free(&remarks.lines);
    if (done) {
        for (unsigned kind = 0; kind < TRACE_KINDS; kind++) {
            if (summary.kinds[kind] > 0) {
                imported->kinds[kind] = true;
                imported->traces++;
            }
        }
        free(imported->name);
        imported->name = xstrdup(options.name);
    }
    return done && (imported->image == NULL || map_imported(session, database, imported->image,
                                                            options.name, &summary, error));
}

/* Returns a trace's name: as given, or derived from its first file. Owned. */
static char *name_of_trace(const struct session *session, const char *first, bool of_threads) {
    size_t stem = of_threads ? thread_file_stem(first) : 0;

    return session->arguments->given[OPTION_NAME]
               ? xstrdup(session->arguments->values[OPTION_NAME])
               : import_trace_name(first, stem > 0 ? stem : strlen(first));
}

/* Returns whether the name is taken by a trace or log. If it is, logs that are queried together are
 * named by their paths. */
static bool command_import_is_taken(struct database *database, const char *name) {
    struct error ignored = {0};
    int64_t count = 0;
    struct database_query find = database_query(
        database, &ignored, "SELECT count(*) FROM trace WHERE name = ?1 OR log = ?1", "s", name);

    if (database_next(&find)) {
        count = sqlite3_column_int64(find.row, 0);
    }
    database_end(&find);
    return count > 0;
}

static bool import_named(struct session *session, struct database *database,
                         const struct import_options *shared, char *name,
                         const struct import_paths *paths, struct imported *imported,
                         struct error *error) {
    struct import_options options = *shared;
    bool done = name[0] != '\0' || error_set(error, "a trace needs a name: give one with -n");

    if (session->logs != NULL && paths->count > 0 && command_import_is_taken(database, name)) {
        free(name);
        name = xstrdup(paths->paths[0]);
    }
    options.name = name;
    done = done && import_trace(session, database, options, paths, imported, error);
    free(name);
    return done;
}

/* Returns how many of the paths, from the first on, are files of its trace, one per processor or
 * thread; 0: it is no such file. */
static size_t count_family(const struct session *session, char *const *paths, size_t count) {
    size_t found = thread_files_count(&session->config, paths, count);

    while (found < count && cpu_files_are_of_one_trace(paths[0], paths[found])) {
        found++;
    }
    return found;
}

/* Returns whether all files are empty, as those of a device without I/O are. */
static bool are_empty(char *const *paths, size_t count) {
    struct stat status;
    size_t i = 0;

    while (i < count && stat(paths[i], &status) == 0 && status.st_size == 0) {
        i++;
    }
    return i == count;
}

/* Returns whether the directory only contains files of several traces, one file per processor or
 * thread. */
static bool has_families(const struct session *session, const struct import_paths *paths) {
    size_t families = 0, i, count;

    for (i = 0; i < paths->count; i += count) {
        count = count_family(session, paths->paths + i, paths->count - i);
        if (count == 0) {
            return false;
        }
        families += !are_empty(paths->paths + i, count);
    }
    return families > 1;
}

/* Imports the files in a directory, one per processor or thread: files whose names share a stem as
 * one trace. */
static bool import_families(struct session *session, struct database *database,
                            const struct import_options *options, const struct import_paths *paths,
                            struct imported *imported, struct error *error) {
    bool done = !session->arguments->given[OPTION_NAME] ||
                error_usage(error, "-n names one trace, but the folder has files of several "
                                   "traces: join them with --join, or omit -n");

    for (size_t i = 0, count; done && i < paths->count; i += count) {
        struct import_paths family = {paths->paths + i, 0};
        bool of_threads = cpu_file_stem_length(family.paths[0]) == 0;

        count = count_family(session, paths->paths + i, paths->count - i);
        count = count == 0 ? 1 : count; /* 0: the files have changed after they were counted */
        family.count = count;
        if (are_empty(family.paths, count)) {
            session_print_line(session, "%s: skipped: the file is empty", family.paths[0]);
            continue;
        }
        done = import_named(session, database, options,
                            name_of_trace(session, family.paths[0], of_threads), &family, imported,
                            error);
    }
    return done;
}

/* Returns whether files of the trace's other processors or threads are imported, too: only if a
 * single file was given. */
static bool imports_files_beside(const struct session *session,
                                 const struct import_options *options, char *const *words,
                                 size_t count, const struct import_paths *paths) {
    const struct arguments *arguments = session->arguments;
    size_t stem = thread_file_stem(words[0]);

    for (size_t i = 0; i < arguments->word_count; i++) {
        const char *other = arguments->words[i];

        if (other != words[0] &&
            (cpu_files_are_of_one_trace(words[0], other) ||
             (stem > 0 && thread_file_stem(other) == stem && memcmp(words[0], other, stem) == 0))) {
            return false;
        }
    }
    return count == 1 && paths->count == 1 && strcmp(paths->paths[0], words[0]) == 0 &&
           !options->append && !arguments->given[OPTION_JOIN] &&
           !arguments->given[OPTION_ONLY_THIS];
}

static void print_files_beside(const struct session *session, const struct import_paths *paths) {
    struct text list = {0};

    for (size_t i = 1; i < paths->count && i <= NAMED; i++) {
        text_append_format(&list, "%s%s", i == 1 ? "" : ", ", paths->paths[i]);
    }
    if (paths->count > 1) {
        session_print_line(
            session, "%s: also read, as files of the same trace: %s%s (not with --only-this)",
            paths->paths[0], text_string(&list), paths->count - 1 > NAMED ? ", …" : "");
    }
    text_free(&list);
}

/* Adds the files that a word means: those in an archive; otherwise, with `all`, those that
 * import_paths_add() finds, and without `all` the word itself. */
static bool command_import_add_word(struct import_paths *paths, char *word, bool all,
                                    struct error *error) {
    size_t before = paths->count;

    if (!import_paths_unpack(paths, word, interruption_stop(), error)) {
        return false;
    }
    if (paths->count == before && all) {
        return import_paths_add(paths, word, error);
    }
    if (paths->count == before) {
        paths->paths = xreallocarray(paths->paths, before + 1, sizeof *paths->paths);
        paths->paths[paths->count++] = xstrdup(word);
    }
    return true;
}

/* Imports `words` (files, directories or archives) as one trace. A directory with thread files of
 * several traces gives several traces, unless --join is given. */
static bool import_words(struct session *session, struct database *database,
                         const struct import_options *options, char *const *words, size_t count,
                         struct imported *imported, struct error *error) {
    bool joined = session->arguments->given[OPTION_JOIN] || options->append, done = true;
    struct import_options folder = *options;
    struct import_paths paths = {0};
    struct stat status;
    size_t beside = 0;

    for (size_t i = 0; done && i < count; i++) {
        done = command_import_add_word(&paths, words[i], true, error);
    }
    if (done && imports_files_beside(session, options, words, count, &paths)) {
        import_paths_add_siblings(&paths, words[0], &session->config);
        beside = paths.count - 1;
        print_files_beside(session, &paths);
    }
    folder.folder =
        count == 1 && !joined && stat(words[0], &status) == 0 && S_ISDIR(status.st_mode);
    if (done && count == 1 && paths.count > 1 && !joined && has_families(session, &paths)) {
        done = import_families(session, database, options, &paths, imported, error);
    } else if (done) {
        bool of_threads =
            (beside > 0 && cpu_file_stem_length(words[0]) == 0) ||
            (count > 1 && thread_files_count(&session->config, words, count) == count);

        done = import_named(session, database, &folder,
                            name_of_trace(session, words[0], of_threads), &paths, imported, error);
    }
    import_paths_free(&paths);
    return done;
}

/* Prints that one of several files could not be imported; the others still are. */
static void note_failure(const struct error *failure, enum exit_status *status) {
    session_print_error(failure->message);
    if (*status != EXIT_FAILED) {
        *status = failure->status;
    }
}

/* Returns how many of the `count` words, from index `first` on, are files of the same trace, one
 * per processor or thread; at least 1. */
static size_t words_of_trace(const struct session *session, char *const *words, size_t first,
                             size_t count) {
    size_t end = first + 1, stem = thread_file_stem(words[first]);

    while (end < count && cpu_files_are_of_one_trace(words[first], words[end])) {
        end++;
    }
    /* Only files whose names begin alike can be of one trace; others are not opened. */
    if (end == first + 1 && end < count && stem > 0 && thread_file_stem(words[end]) == stem &&
        memcmp(words[first], words[end], stem) == 0) {
        size_t threads = thread_files_count(&session->config, words + first, count - first);

        end = threads > 1 ? first + threads : end;
    }
    return end - first;
}

/* Returns whether an import failed because a file of an archive is no log. */
static bool is_no_log(const char *word, const struct error *failure) {
    return member_find(word) != NULL && failure->absent;
}

/* Returns the archive that a file is from; NULL: none, or the user named the file itself. */
static const char *archive_of(const struct arguments *typed, const char *word) {
    for (size_t i = 0; i < typed->word_count && member_find(word) != NULL; i++) {
        const size_t length = strlen(typed->words[i]);

        if (strncmp(word, typed->words[i], length) == 0 && word[length] == '/') {
            return typed->words[i];
        }
    }
    return NULL;
}

/* Adds the remark "FILE: skipped: WHY", made from the message "FILE: WHY". */
static void add_skipped(struct imported *imported, const char *file, const char *message) {
    const size_t length = strlen(file);
    const bool named =
        strncmp(message, file, length) == 0 && strncmp(message + length, ": ", 2) == 0;

    text_append_format(&imported->skipped, "%s: skipped: %s", file,
                       named ? message + length + 2 : message);
    text_append_char(&imported->skipped, '\0');
}

/* Stores the remarks on skipped files with the last trace: the next query of the same logs reads
 * only the cached database, so would not find them again. */
static bool keep_skipped(struct database *database, const struct imported *imported,
                         struct error *error) {
    const struct text *skipped = &imported->skipped;
    bool done = true;

    for (size_t at = 0; done && at < skipped->length; at += strlen(skipped->bytes + at) + 1) {
        done = database_run_bound(database, error,
                                  "INSERT INTO remark SELECT id, (SELECT ifnull(max(number), 0) + 1"
                                  " FROM remark WHERE trace = id), ?1 FROM trace"
                                  " ORDER BY id DESC LIMIT 1",
                                  "s", skipped->bytes + at);
    }
    return done;
}

/* Imports each word as a trace; words that are files of one trace give one. Reports and counts
 * failures. Returns false if an error ends the whole command. */
static bool import_traces(struct session *session, struct database *database,
                          const struct import_options *shared, struct imported *imported,
                          size_t *failures, enum exit_status *status, struct error *error) {
    const struct arguments *arguments = session->arguments;
    struct import_options options = *shared;

    for (size_t i = 0, words; i < arguments->word_count; i += words) {
        struct error failure = {0};

        words = words_of_trace(session, arguments->words, i, arguments->word_count);
        options.archive =
            session->logs == NULL ? NULL : archive_of(imported->typed, arguments->words[i]);
        if (import_words(session, database, &options, &arguments->words[i], words, imported,
                         &failure)) {
            continue;
        }
        /* A queried log must be imported completely; only files of an archive that are no logs are
         * skipped. After this error, the caller imports the logs again: into another directory, or
         * with rows of table event. */
        if (failure.status == EXIT_INTERRUPTED || words == arguments->word_count ||
            (logs_as_typed(session) != NULL && !is_no_log(arguments->words[i], &failure))) {
            *error = failure;
            return false;
        }
        note_failure(&failure, status);
        *failures += words;
        if (logs_as_typed(session) != NULL) {
            add_skipped(imported, arguments->words[i], failure.message);
        }
    }
    return logs_as_typed(session) == NULL || keep_skipped(database, imported, error);
}

/* Replaces archives among the words by their files. Reports and omits damaged archives. */
static bool unpack_words(struct session *session, struct import_paths *words, size_t *failures,
                         enum exit_status *status, struct error *error) {
    const struct arguments *typed = session->arguments;

    for (size_t i = 0; i < typed->word_count; i++) {
        struct error failure = {0};

        if (command_import_add_word(words, typed->words[i], false, &failure)) {
            continue;
        }
        if (failure.status == EXIT_INTERRUPTED || typed->word_count == 1) {
            *error = failure;
            return false;
        }
        note_failure(&failure, status);
        ++*failures;
    }
    return typed->word_count == words->count || !typed->given[OPTION_NAME] ||
           error_usage(error, "-n names one trace, but the archive has several files: join them "
                              "with --join, or omit -n");
}

static bool import_each(struct session *session, struct database *database,
                        const struct import_options *options, struct imported *imported,
                        struct error *error) {
    const struct arguments *typed = session->arguments;
    struct arguments unpacked = *typed;
    struct import_paths words = {0};
    enum exit_status status = EXIT_DONE;
    size_t failures = 0, damaged;
    bool done = unpack_words(session, &words, &failures, &status, error);

    unpacked.words = words.paths;
    unpacked.word_count = words.count;
    session->arguments = &unpacked;
    imported->typed = typed;
    damaged = failures;
    done = done && import_traces(session, database, options, imported, &failures, &status, error) &&
           (failures == 0 || (logs_as_typed(session) != NULL && imported->traces > 0) ||
            error_set_status(error, status, "%zu of %zu files were not imported%s", failures,
                             unpacked.word_count + damaged,
                             imported->image != NULL ? " or mapped" : ""));
    /* All files were read, but none is a log, so trying again cannot help. */
    error->absent = !done && damaged == 0 && failures > 0 && failures == unpacked.word_count;
    session->arguments = typed;
    import_paths_free(&words);
    return done;
}

/* Checks all options before the database is opened. */
static bool command_import_check_options(struct session *session, struct import_options *options,
                                         struct error *error) {
    const struct arguments *arguments = session->arguments;

    if (!parse_options(session, options, error)) {
        return false;
    }
    if (arguments->given[OPTION_NAME] && !arguments->given[OPTION_JOIN] && !options->append &&
        words_of_trace(session, arguments->words, 0, arguments->word_count) <
            arguments->word_count) {
        return error_usage(error, "-n names one trace: give one file, or join several with --join");
    }
    for (size_t i = 0; i < sizeof image_options / sizeof image_options[0]; i++) {
        if (arguments->given[image_options[i]] && !arguments->given[OPTION_IMAGE]) {
            return error_usage(error, "--%s describes an image: also give --image",
                               option_row(image_options[i])->name);
        }
    }
    return !arguments->given[OPTION_SYMBOLS] ||
           config_add_symbols(&session->config, arguments->values[OPTION_SYMBOLS], error);
}

static bool import_all(struct session *session, const struct import_options *options,
                       struct imported *imported, struct error *error) {
    const struct arguments *arguments = session->arguments;
    struct database database;
    bool done;

    interruption_install_handlers(session);
    if (!session_open(session, &database, DATABASE_CREATE, error)) {
        return false;
    }
    interruption_set_database(&database);
    database.plain_arguments = arguments->given[OPTION_PLAIN_ARGUMENTS];
    done = arguments->given[OPTION_JOIN] || options->append
               ? import_words(session, &database, options, arguments->words, arguments->word_count,
                              imported, error)
               : import_each(session, &database, options, imported, error);
    done = session_close(session, &database, done, error);
    interruption_set_database(NULL);
    print_written(session, imported);
    return done;
}

/* --- explaining why formats match or not ------------------------------------------------------ */

static const struct column explanation_columns[] = {
    {"format", "", COLUMN_TEXT},
    {"read", "", COLUMN_TEXT},
    {"fields", "fraction", COLUMN_SHARE},
    {"why", "", COLUMN_TEXT},
};

static bool explain_rows(struct printer *printer, const struct similar_formats *file,
                         struct error *error) {
    const struct format_similarity *formats = file->formats;
    struct text why = {0};
    bool done = true;

    for (size_t i = 0; done && i < file->count; i++) {
        struct value values[] = {value_text(formats[i].importer->name),
                                 value_text(formats[i].known ? "yes" : "no"),
                                 value_real(formats[i].fit / 1000.0), value_text("")};

        text_clear(&why);
        if (!formats[i].known) {
            format_append_mismatch(formats[i].importer, &file->head, &why);
            values[3] = value_text(text_string(&why));
        }
        done = printer_row(printer, values, error);
    }
    text_free(&why);
    return done;
}

static bool print_explanation(struct printer *printer, const struct config *config,
                              const char *path, struct error *error) {
    struct similar_formats file;
    const char *remarks[1];
    struct result result = {
        .report = "formats",
        .title = "Formats of a file",
        .clock_unit = "ns",
        .remarks = remarks,
        .remark_count = 1,
        .prose = "why",
        .columns = explanation_columns,
        .column_count = sizeof explanation_columns / sizeof explanation_columns[0],
    };
    bool done;

    if (!similar_formats_open(&file, path, config, error)) {
        return false;
    }
    remarks[0] = text_string(&file.what);
    done = printer_begin(printer, &result, error) && explain_rows(printer, &file, error) &&
           printer_end(printer, error);
    similar_formats_close(&file);
    return done;
}

struct explained {
    const struct config *config;
    struct import_paths paths;
};

static bool print_explanations(struct printer *printer, void *context, struct error *error) {
    const struct explained *explained = context;
    bool done = true;

    for (size_t i = 0; done && i < explained->paths.count; i++) {
        done = print_explanation(printer, explained->config, explained->paths.paths[i], error);
    }
    return done;
}

static bool explain_words(struct session *session, struct error *error) {
    struct explained explained = {.config = &session->config};
    bool done = true;

    for (size_t i = 0; done && i < session->arguments->word_count; i++) {
        done =
            command_import_add_word(&explained.paths, session->arguments->words[i], false, error);
    }
    done = done &&
           session_print(session, explained.paths.count > 1, print_explanations, &explained, error);
    import_paths_free(&explained.paths);
    members_free();
    return done;
}

/* Reads the image of the file system before the logs: if it is damaged, nothing is imported. */
bool command_import(struct session *session, struct error *error) {
    const struct arguments *arguments = session->arguments;
    struct import_options options;
    struct imported imported = {0};
    struct map_image image = {0};
    bool done = command_import_check_options(session, &options, error);

    if (done && arguments->given[OPTION_EXPLAIN]) {
        return explain_words(session, error);
    }
    if (done && arguments->given[OPTION_FORMAT]) {
        done =
            error_usage(error, "--format is only for --explain; -f names the format of the files");
    }

    if (done && arguments->given[OPTION_IMAGE]) {
        done = map_image_open(session, arguments->values[OPTION_IMAGE_DEVICE], &image, error);
        /* With --append, the new events have no files yet, although the trace may be mapped. */
        image.request.replace |= options.append;
        imported.image = &image;
    }
    done = done && import_all(session, &options, &imported, error);
    map_image_free(&image);
    if (!options.places) { /* else the unpacked files are read again, for line numbers */
        members_free();
    }
    free(imported.name);
    text_free(&imported.skipped);
    return done;
}
