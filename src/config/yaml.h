/* Reads YAML files with libyaml; used for all YAML that the program reads.
 *
 * A file (at most 16 MiB, one document) is read as a whole, and then walked from its root with
 * these functions. They report mistakes as "FILE:LINE: what is wrong". Repeated and unknown keys
 * are errors, so that nothing is ignored.
 *
 * Aliases are references, and are never copied. A file may reach its nodes again through aliases
 * only a limited number of times, so nested aliases do no harm. Walk each mapping or sequence only
 * once: a second time counts as reaching it again. */
#ifndef TRACETOOL_YAML_H
#define TRACETOOL_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <yaml.h>

#include "base/error.h"
#include "base/memory.h"

#define YAML_FILE_LIMIT (16u << 20)

/* Limits of nested levels, anchors and tags, because libyaml's time grows with their square. The
 * program's own keys are at most 5 levels deep. */
#define YAML_DEPTH_LIMIT  64
#define YAML_ANCHOR_LIMIT 256
#define YAML_TAG_LIMIT    64

/* Limit of how often nodes of a file may be reached again through aliases. */
#define YAML_ALIAS_LIMIT 10000

struct yaml_file {
    char *path;               /* owned; path of the file, for messages */
    yaml_document_t document; /* owned */
    bool *reached;            /* for each node of libyaml: whether it was reached */
    size_t again;             /* how often nodes were reached again through aliases */
    struct pool
        pool; /* memory of yaml_copy() and yaml_grow(); freed with the file, unless joined */
};

/* A value in a file; valid until yaml_file_free(). */
struct yaml_value {
    struct yaml_file *file;
    yaml_node_t *node; /* NULL: the file is empty */
};

enum yaml_origin {
    YAML_NAMED, /* the user named the file: it may be a pipe or a device, and opening it may wait */
    YAML_FOUND, /* the program found the file: it must be a regular one */
};

/* Reads and parses the file `path`. Nothing needs freeing after a failure. */
bool yaml_file_read(const char *path, enum yaml_origin origin, struct yaml_file *file,
                    struct error *error);

/* Parses a text in memory; `path`: what messages call it. */
bool yaml_text_read(const char *text, const char *path, struct yaml_file *file,
                    struct error *error);

void yaml_file_free(struct yaml_file *file);

/* Returns the value at the root of a file, borrowed; for an empty file, a value without a node. */
struct yaml_value yaml_root(struct yaml_file *file);

/* Returns the value of a key, for its line in messages. The mapping must have been walked. Returns
 * `mapping` itself if it does not have the key, or is no mapping. */
struct yaml_value yaml_find(struct yaml_value mapping, const char *key);

/* Returns the line of a value in the file, from 1. */
size_t yaml_line(struct yaml_value value);

/* Sets an error "FILE:LINE: " and a message. Always returns false. */
bool yaml_error(struct yaml_value value, struct error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns whether a value is nothing, `~` or `null`: then it stands for an empty mapping or
 * list. */
bool yaml_is_null(struct yaml_value value);

/* Return whether a value is a mapping, or a sequence; false if it is empty. */
bool yaml_is_mapping(struct yaml_value value);
bool yaml_is_sequence(struct yaml_value value);

/* Returns the text of a value: UTF-8 without NUL, borrowed from the file. Returns NULL and sets
 * `error` if the value is no text. `what`: what the message calls the value, such as "the name of
 * an application". */
const char *yaml_string(struct yaml_value value, const char *what, struct error *error);

/* Like yaml_string(), but the text must not be empty, and is copied to the file's pool. */
char *yaml_copy(struct yaml_value value, const char *what, struct error *error);

/* Reads a number from 0 to `most`, written as yaml_parse_unsigned() takes it. */
bool yaml_unsigned(struct yaml_value value, const char *what, uint64_t most, uint64_t *number,
                   struct error *error);

/* Parses a number of `length` digits: decimal, or hexadecimal after 0x. A decimal number must not
 * begin with 0: 00012345 could be meant as hexadecimal or octal. Returns false if it is invalid, or
 * above `most`. */
bool yaml_parse_unsigned(const char *digits, size_t length, uint64_t most, uint64_t *number);

/* Called with each pair of a mapping, or each item of a sequence (`key` has no node then). Returns
 * false and sets `error` to stop. */
typedef bool yaml_visit(void *context, struct yaml_value key, struct yaml_value value,
                        struct error *error);

/* Calls `visit` with each pair of a mapping, in the order of the file. Keys must be texts, and all
 * different. */
bool yaml_each_pair(struct yaml_value mapping, const char *what, yaml_visit *visit, void *context,
                    struct error *error);

/* Calls `visit` with each item of a sequence. */
bool yaml_each_item(struct yaml_value sequence, const char *what, yaml_visit *visit, void *context,
                    struct error *error);

/* Makes room for one more element after an array in the file's pool; returns the array. */
void *yaml_grow(struct yaml_file *file, void *array, size_t count, size_t size);

enum yaml_type {
    YAML_OWN,    /* `read` parses the value itself */
    YAML_PAIRS,  /* a mapping; `read` gets each of its pairs */
    YAML_ITEMS,  /* a sequence; `read` gets each of its items */
    YAML_TEXT,   /* a text, copied by yaml_copy(), of at most `most` bytes (0: any): char * */
    YAML_NUMBER, /* a number: int64_t */
    YAML_CHOICE, /* one of the words in `choices`: its index, as unsigned or enum */
    YAML_FLAG,   /* no or yes, or one of two words in `choices`: bool */
};

/* A known key of a mapping, and what its value is. */
struct yaml_key {
    const char *name;
    enum yaml_type type;
    yaml_visit *read;          /* function that reads the value; its context is the object */
    size_t place;              /* offset in the object of the member that gets the value */
    int64_t least, most, step; /* limits of a number, which is a multiple of `step`; 0: no limits */
    const char *must; /* what a message says of other values: "must not be 0"; NULL: the limits */
    const char *const *choices; /* words to choose from; ends with NULL */
    const char *what;           /* what messages call the value; NULL: the key */
    const char *otherwise;      /* what the default means, if it is not just a number */
    const char *help;           /* short help, for the keys of a section */
    bool names_file;            /* true: the value is the name of a file, a folder or a program */
};

/* Reads the value of a known key into a member of the object. */
bool yaml_read_known(const struct yaml_key *known, void *object, struct yaml_value key,
                     struct yaml_value value, struct error *error);

/* Reads a mapping with known keys into an object; skips empty values. `*given`: a bit for each key
 * that is there; NULL: not wanted. A key that is not in `keys` is an error: "FILE:LINE: unknown key
 * 'x'; known are a, b". */
bool yaml_each_key(struct yaml_value mapping, const char *what, const struct yaml_key *keys,
                   size_t key_count, void *object, uint64_t *given, struct error *error);

/* Sets an error for a key that is not in `known` ("a, b"). Always returns false. */
bool yaml_unknown_key(struct yaml_value key, const char *known, struct error *error);

#endif
