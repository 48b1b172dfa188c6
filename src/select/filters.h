/* The filters: one row each.
 *
 * The rows generate the options with help and completion (cli/options.def), and the errors for
 * unsuitable traces (filter_check()). They also generate the test of events in columns
 * (scan/event_filter.c), and the WHERE clauses of views (selection.c) and of a store
 * (filter_append_store()).
 *
 * docs/adding-a-filter.md says how to add one. tests/unit/test_filters.c fails for a row without an
 * example, and compares the results of all rows over all reports and event sources with plain SQL.
 */
#ifndef TRACETOOL_FILTERS_H
#define TRACETOOL_FILTERS_H

#include "model/event.h"

/* An option: X(ID, name, TYPE, (argument), COMMANDS, KINDS, needs, lacks, HOW, of, help).
 *
 *     TYPE … COMMANDS  as in a row of cli/options.def
 *     KINDS            kinds of trace: ANY, IO, CALLS, SPANS or FILES (all but SPANS)
 *     needs            columns, separated by blanks, of which the trace must have one: COLUMN
 *                      or COLUMN=MEANING; NULL: none
 *     lacks            end of the error if it has none: "trace X" "has no sizes"
 *     HOW, of          type of the condition (enum filter_how), and what it is about */
#define FILTERS(X)                                                                                 \
    X(PROCESS, "process", LIST, ("P"), CHOOSING_EVENTS, ANY, NULL, NULL, CHOOSES, FILTER_PROCESS,  \
      "only of this process or application")                                                       \
    X(NOT_PROCESS, "not-process", LIST, ("P"), CHOOSING_EVENTS, ANY, NULL, NULL, EXCLUDES,         \
      FILTER_PROCESS, "not of this process or application")                                        \
    X(OP, "op", LIST, ("NAME"), CHOOSING_EVENTS, ANY, NULL, NULL, CHOOSES, FILTER_OPERATION,       \
      "only this operation")                                                                       \
    X(NOT_OP, "not-op", LIST, ("NAME"), CHOOSING_EVENTS, ANY, NULL, NULL, EXCLUDES,                \
      FILTER_OPERATION, "not this operation")                                                      \
    X(UNDER, "under", TEXT, ("F"), MAKING_REPORTS | ON_DUMP, SPANS, NULL, NULL, UNDER, 0,          \
      "only calls of function F and what they call")                                               \
    X(COMPONENT, "component", LIST, ("C"), CHOOSING_EVENTS, SPANS, NULL, NULL, CHOOSES,            \
      FILTER_COMPONENT, "only functions of this component or class")                               \
    X(NOT_COMPONENT, "not-component", LIST, ("C"), CHOOSING_EVENTS, SPANS, NULL, NULL, EXCLUDES,   \
      FILTER_COMPONENT, "no functions of this component or class")                                 \
    X(FILE, "file", LIST, ("NAME"), CHOOSING_EVENTS, FILES, NULL, NULL, CHOOSES, FILTER_FILE,      \
      "only events on this file")                                                                  \
    X(NOT_FILE, "not-file", LIST, ("NAME"), CHOOSING_EVENTS, FILES, NULL, NULL, EXCLUDES,          \
      FILTER_FILE, "no events on this file")                                                       \
    X(FILETYPE, "filetype", LIST, ("TYPE"), CHOOSING_EVENTS, IO, NULL, NULL, CHOOSES,              \
      FILTER_FILETYPE, "block I/O: only on files of this type")                                    \
    X(NOT_FILETYPE, "not-filetype", LIST, ("TYPE"), CHOOSING_EVENTS, IO, NULL, NULL, EXCLUDES,     \
      FILTER_FILETYPE, "block I/O: not on files of this type")                                     \
    X(PARTITION, "partition", LIST, ("NAME"), CHOOSING_EVENTS | ON_IMPORT | ON_MAP, IO, NULL,      \
      NULL, CHOOSES, FILTER_PARTITION, "block I/O: only on this partition")                        \
    X(NOT_PARTITION, "not-partition", LIST, ("NAME"), CHOOSING_EVENTS, IO, NULL, NULL, EXCLUDES,   \
      FILTER_PARTITION, "block I/O: not on this partition")                                        \
    X(CLASS, "class", LIST, ("CLASS"), CHOOSING_EVENTS, IO, NULL, NULL, WORD_IN, FILTER_CLASSES,   \
      "block I/O: only read, readsync, write, writesync, flush or other")                          \
    X(NOT_CLASS, "not-class", LIST, ("CLASS"), CHOOSING_EVENTS, IO, NULL, NULL, WORD_OUT,          \
      FILTER_CLASSES, "block I/O: all but this class (see --class)")                               \
    X(BLOCK_TYPE, "block-type", LIST_SUCH_AS, ("TYPE", block_type_words), CHOOSING_EVENTS, IO,     \
      NULL, NULL, WORD_IN, FILTER_BLOCK_TYPES,                                                     \
      "block I/O: only of data, metadata, journal, anonymous or none")                             \
    X(NOT_BLOCK_TYPE, "not-block-type", LIST_SUCH_AS, ("TYPE", block_type_words), CHOOSING_EVENTS, \
      IO, NULL, NULL, WORD_OUT, FILTER_BLOCK_TYPES, "block I/O: not of this block type")           \
    X(EVIDENCE, "evidence", CHOICE, ("WHAT", evidence_words), CHOOSING_TRACES, IO, NULL, NULL,     \
      EVIDENCE, 0,                                                                                 \
      "block I/O: only I/Os whose file found by `map` is proven or likely, or (none) not found")   \
    X(LAYER, "layer", LIST, ("NAME"), MAKING_REPORTS, CALLS, NULL, NULL, CHOOSES, FILTER_LAYER,    \
      "calls: only of this layer of the kernel, such as syscall or ext4 (default: syscall)")       \
    X(THREAD, "thread", LIST, ("T"), CHOOSING_EVENTS, ANY, "actor=thread", "names no threads",     \
      CHOOSES, FILTER_THREAD, "only of this thread, by name or number")                            \
    X(NOT_THREAD, "not-thread", LIST, ("T"), CHOOSING_EVENTS, ANY, "actor=thread",                 \
      "names no threads", EXCLUDES, FILTER_THREAD, "not of this thread")                           \
    X(PATH, "path", LIST, ("GLOB"), CHOOSING_EVENTS, FILES, "object=file", "names no files",       \
      CHOOSES, FILTER_PATH, "only on files whose path matches: '*.db', '/data/*'")                 \
    X(NOT_PATH, "not-path", LIST, ("GLOB"), CHOOSING_EVENTS, FILES, "object=file",                 \
      "names no files", EXCLUDES, FILTER_PATH, "not on files whose path matches")                  \
    X(MIN_SIZE, "min-size", TEXT, ("BYTES"), CHOOSING_EVENTS, ANY, "size", "has no sizes", LEAST,  \
      FILTER_SIZE, "only of at least this size")                                                   \
    X(MAX_SIZE, "max-size", TEXT, ("BYTES"), CHOOSING_EVENTS, ANY, "size", "has no sizes", MOST,   \
      FILTER_SIZE, "only of at most this size")                                                    \
    X(MIN_DURATION, "min-duration", TEXT, ("TIME"), CHOOSING_EVENTS, ANY, "duration",              \
      "has no durations", LEAST, FILTER_DURATION, "only what took at least this long: 10ms")       \
    X(MIN, "min", TEXT, ("TIME"), ON_DUMP, ANY, "duration", "has no durations", LEAST,             \
      FILTER_DURATION, "the same as --min-duration: 50ms")                                         \
    X(ERRORS, "errors", FLAG, , CHOOSING_EVENTS, ANY, "value=result value=error error=error",      \
      "does not say what failed", FAILED, 0, "only calls and I/Os that failed")

/* Types of conditions on events. */
enum filter_how {
    FILTER_CHOOSES,  /* passes events with one of the names given to the option (enum filter_by) */
    FILTER_EXCLUDES, /* passes events with none of the names given to the option (enum filter_by) */
    FILTER_LEAST, /* passes events whose number (enum filter_quantity) is at least the option's */
    FILTER_MOST,  /* passes events whose number (enum filter_quantity) is at most the option's */
    FILTER_FAILED,
    FILTER_WORD_IN, /* passes block I/O whose code (enum filter_words) is one of the words given */
    FILTER_WORD_OUT,
    FILTER_EVIDENCE, /* passes block I/O whose file `tracetool map` found with this certainty */
    FILTER_UNDER,    /* passes calls of the function given, and calls inside them */
};

/* Numeric codes in the flags of block I/O that options take as words. */
enum filter_words {
    FILTER_CLASSES,     /* words for values of enum io_class */
    FILTER_BLOCK_TYPES, /* words for values of enum io_block_type */
    FILTER_WORDS,
};

/* Conditions on names: X(NAME, TABLE, missing, matches, text).
 *
 *     TABLE     table that events refer to: OPERATION (name n), ACTOR (actor a, trace t) or
 *               OBJECT (object o); or LAYER or PLACE (enum filter_table)
 *     missing   for the error "no … NAME in trace X"
 *     matches   SQL: whether the row is called p.text
 *     text      SQL: the row's text that patterns are matched with; NULL: p.text is a pattern */
#define FILTER_NAMES_OF(X)                                                                         \
    X(OPERATION, OPERATION, "operation is called", FILTER_OPERATION_MATCHES,                       \
      "iif(n.kind IN ('error', 'class', 'component'), NULL, n.text)")                              \
    X(COMPONENT, OPERATION, "component is called", FILTER_COMPONENT_MATCHES,                       \
      "(SELECT c.text FROM main.name AS c WHERE c.id = n.component)")                              \
    X(PROCESS, ACTOR, "process or application is called", FILTER_PROCESS_MATCHES,                  \
      "ifnull(actor_label(a.name, a.code, a.session, t.sessions), CAST(a.pid AS TEXT))")           \
    X(FILE, OBJECT, "file is called", "(o.name = p.text OR " FILTER_NAMELESS("o.name") ")",        \
      "o.name")                                                                                    \
    X(FILETYPE, OBJECT, "file type is called",                                                     \
      "(ifnull(o.type, '') = p.text OR " FILTER_NAMELESS("o.type") ")", "o.type")                  \
    X(PARTITION, PLACE, "partition is called", "r.name = p.text", "r.name")                        \
    X(LAYER, LAYER, "layer is called", "(n.kind <> 'error' AND n.kind = p.text)",                  \
      "iif(n.kind = 'error', NULL, n.kind)")                                                       \
    X(THREAD, ACTOR, "thread is called", FILTER_THREAD_MATCHES,                                    \
      "ifnull(a.name, CAST(a.tid AS TEXT))")                                                       \
    X(PATH, OBJECT, "file fits", "o.name GLOB p.text", "NULL")

/* First byte of a name that is a GLOB pattern, made from what a user typed (match.h). */
#define FILTER_PATTERN "\001"

/* SQL: whether the row is called p.text, a name in the filter, or matches the pattern in p.text. */
#define FILTER_PASSES(matches, text) "(" matches " OR " FILTER_FITS(text) ")"

/* SQL: whether p.text is a pattern (FILTER_PATTERN) that matches the text. */
#define FILTER_FITS(text) "(unicode(p.text) = 1 AND " text " GLOB substr(p.text, 2))"

/* SQL for operations: by name, with or without component, or by number in the form that reports
 * show for Palm OS traps and for functions without a name. Names of errors do not match. */
#define FILTER_OPERATION_MATCHES                                                                   \
    "(ifnull(n.kind, '') <> 'error' AND (n.text = p.text OR " FILTER_NAMELESS(                     \
        "n.text") " OR (n.code IS NOT NULL AND lower(p.text) IN"                                   \
                  " (printf('0x%04x', n.code), printf('%04x:%04x', n.code >> 16, n.code & "        \
                  "65535)))"                                                                       \
                  " OR (n.component IS NOT NULL AND p.text = (SELECT c.text FROM main.name AS c"   \
                  " WHERE c.id = n.component) || ':' || n.text)"                                   \
                  " OR " FILTER_FITS(                                                              \
                      "((SELECT c.text FROM main.name AS c WHERE c.id = n.component)"              \
                      " || ':' || n.text)") "))"

/* SQL for components: by name or number. */
#define FILTER_COMPONENT_MATCHES                                                                   \
    "EXISTS (SELECT 1 FROM main.name AS c WHERE c.id = n.component AND (c.text = p.text"           \
    " OR (c.code IS NOT NULL AND lower(p.text) IN"                                                 \
    " (printf('%04x', c.code), printf('0x%x', c.code), printf('0x%04x', c.code),"                  \
    " CAST(c.code AS TEXT)))))"

/* FILTER_NONE: what a user types for a missing name, as tables print it. FILTER_NAMELESS is SQL:
 * whether p.text is FILTER_NONE, and the text is missing, empty or the log's (null). */
#define FILTER_NONE "(none)"
#define FILTER_NAMELESS(text)                                                                      \
    "(p.text = '" FILTER_NONE "' AND ifnull(" text ", '') IN ('', '(null)'))"

/* SQL: whether p.text is one of the texts (SQL VALUES), or a pattern that matches one. */
#define FILTER_NAMED(texts)                                                                        \
    "EXISTS (SELECT 1 FROM (SELECT NULL AS text UNION ALL VALUES " texts ") AS v"                  \
    " WHERE v.text = p.text OR " FILTER_FITS("v.text") ")"

/* SQL for processes: by name, pid, label in reports, or label of older versions. The name of a
 * process is that of its first thread. */
#define FILTER_PROCESS_MATCHES                                                                     \
    "(" FILTER_NAMED(FILTER_PROCESS_TEXTS) " OR " FILTER_PROCESS_LED " OR " FILTER_PROCESS_NONE ")"
#define FILTER_PROCESS_NONE "(a.code IS NULL AND " FILTER_NAMELESS("a.name") ")"
#define FILTER_PROCESS_LED                                                                         \
    "CAST(a.pid AS TEXT) = p.text"                                                                 \
    " OR ((p.text GLOB '*/' || a.pid OR p.text GLOB a.pid || ' *') AND EXISTS"                     \
    " (SELECT 1 FROM main.actor AS l WHERE l.trace = a.trace AND l.pid = a.pid"                    \
    " AND p.text IN (thread_label(l.pid, l.pid, l.name), l.pid || ' ' || l.name)))"
#define FILTER_PROCESS_TEXTS                                                                       \
    "(a.name), (actor_label(a.name, a.code, a.session, t.sessions)),"                              \
    " (actor_label(a.name, a.code, a.session, 1)), (thread_label(a.pid, a.pid, a.name)),"          \
    " (a.pid || ' ' || a.name)"

/* SQL for threads: by name, number, label in temp.thread (selection.c), or older form of label. */
#define FILTER_THREAD_MATCHES                                                                      \
    "(" FILTER_NAMED(FILTER_THREAD_TEXTS) " OR (a.tid IS NULL AND " FILTER_NAMELESS("a.name") "))"
#define FILTER_THREAD_TEXTS                                                                        \
    "(a.name), (CAST(a.tid AS TEXT)), (thread_label(a.pid, a.tid, a.name)),"                       \
    " (thread_label(NULL, a.tid, a.name)), (a.name || ' (' || a.tid || ')'),"                      \
    " (a.pid || ':' || a.name), (a.pid || ':' || a.tid),"                                          \
    " (a.pid || ':' || a.name || ' (' || a.tid || ')')"

/* Numbers of an event that options can limit: X(NAME, COLUMN of table event, unit). */
#define FILTER_QUANTITIES_OF(X)                                                                    \
    X(SIZE, SIZE, "bytes")                                                                         \
    X(DURATION, DURATION, NULL) /* duration by the trace's first clock, in that clock's unit */

#endif
