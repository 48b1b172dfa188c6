/* Reads YAML files with libyaml; used for all YAML of the program.
 *
 * A file (at most 16 MiB, one document) is parsed as a whole, and then visited from its root with
 * these functions. They report mistakes as "FILE:LINE: what is wrong". Repeated and unknown keys
 * are errors, so that nothing is ignored.
 *
 * Aliases are references, and are never copied. Nodes of a file can be reached again through
 * aliases only YAML_ALIAS_LIMIT times, so that nested aliases do no harm. Visit each mapping or
 * sequence only once, since a second visit counts as reaching it again. */
#ifndef TRACETOOL_YAML_H
#define TRACETOOL_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <yaml.h>

#include "base/error.h"
#include "base/memory.h"

#define YAML_FILE_LIMIT (16u << 20)

/* Limits of nesting, anchors and tags, since libyaml's time grows with their square. The program's
 * own keys are nested at most 5 deep. */
#define YAML_DEPTH_LIMIT  64
#define YAML_ANCHOR_LIMIT 256
#define YAML_TAG_LIMIT    64

/* Limit of the number of times that nodes of a file are reached again through aliases. */
#define YAML_ALIAS_LIMIT 10000

struct yaml_file {
    char *path;               /* owned; path of the file, for messages */
    yaml_document_t document; /* owned */
    bool *reached;            /* by node index of libyaml: true if the node was reached */
    size_t again;             /* number of times that a node was reached again, through an alias */
    struct pool pool;         /* memory of yaml_copy() and yaml_grow(); freed with the file */
};

/* A value in a file, valid until yaml_file_free(). */
struct yaml_value {
    struct yaml_file *file;
    yaml_node_t *node; /* NULL: the file is empty */
};

enum yaml_origin {
    YAML_NAMED, /* the user named the file: it may be a pipe or device, and opening it may block */
    YAML_FOUND, /* the program found the file: it must be a regular file */
};

/* Reads and parses the file `path`. On failure, nothing needs to be freed. */
bool yaml_file_read(const char *path, enum yaml_origin origin, struct yaml_file *file,
                    struct error *error);

/* Parses a text in memory. `path`: its name in messages. */
bool yaml_text_read(const char *text, const char *path, struct yaml_file *file,
                    struct error *error);

void yaml_file_free(struct yaml_file *file);

/* Returns the root value of a file, borrowed. For an empty file, its node is NULL. */
struct yaml_value yaml_root(struct yaml_file *file);

/* Returns the value of a key, for its line in messages. The mapping must have been visited. Returns
 * `mapping` itself if it is no mapping, or does not have the key. */
struct yaml_value yaml_find(struct yaml_value mapping, const char *key);

/* Returns the line of a value in the file, from 1. */
size_t yaml_line(struct yaml_value value);

/* Sets an error "FILE:LINE: message". Always returns false. */
bool yaml_error(struct yaml_value value, struct error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns whether a value is empty, `~` or `null`, which mean an empty mapping or list. */
bool yaml_is_null(struct yaml_value value);

/* Return whether a value is a mapping, or a sequence; false if it is empty. */
bool yaml_is_mapping(struct yaml_value value);
bool yaml_is_sequence(struct yaml_value value);

/* Returns the text of a value: UTF-8 without NUL, borrowed from the file. Returns NULL with `error`
 * set if the value is no text. `what`: name of the value in messages, such as "the name of an
 * application". */
const char *yaml_string(struct yaml_value value, const char *what, struct error *error);

/* Copies the text of a value, as of yaml_string(), into the file's pool. The text must not be
 * empty. Returns NULL with `error` set on failure. */
char *yaml_copy(struct yaml_value value, const char *what, struct error *error);

/* Parses a number from 0 to `most`, in the syntax of yaml_parse_unsigned(). */
bool yaml_unsigned(struct yaml_value value, const char *what, uint64_t most, uint64_t *number,
                   struct error *error);

/* Parses a number of `length` characters: decimal, or hexadecimal after 0x. A decimal number must
 * not begin with 0, since 00012345 might be meant as hexadecimal or octal. Returns false if it is
 * malformed, or above `most`. */
bool yaml_parse_unsigned(const char *digits, size_t length, uint64_t most, uint64_t *number);

/* Called with each pair of a mapping, or each item of a sequence (then the node of `key` is NULL).
 * To stop, returns false with `error` set. */
typedef bool yaml_visit(void *context, struct yaml_value key, struct yaml_value value,
                        struct error *error);

/* Calls `visit` with each pair of a mapping, in the order of the file. Keys must be texts, and
 * different. */
bool yaml_each_pair(struct yaml_value mapping, const char *what, yaml_visit *visit, void *context,
                    struct error *error);

/* Calls `visit` with each item of a sequence. */
bool yaml_each_item(struct yaml_value sequence, const char *what, yaml_visit *visit, void *context,
                    struct error *error);

/* Makes room for another element in an array in the file's pool, which has `count` elements of
 * `size` bytes. Returns the array. */
void *yaml_grow(struct yaml_file *file, void *array, size_t count, size_t size);

enum yaml_type {
    YAML_OWN,    /* `read` parses the value */
    YAML_PAIRS,  /* a mapping; `read` is called with each pair */
    YAML_ITEMS,  /* a sequence; `read` is called with each item */
    YAML_TEXT,   /* a text, copied by yaml_copy(), of at most `most` bytes (0: any): char * */
    YAML_NUMBER, /* a number: int64_t */
    YAML_CHOICE, /* one of the words in `choices`: its index, as unsigned or enum */
    YAML_FLAG,   /* no or yes, or one of two words in `choices`: bool */
};

/* A known key of a mapping, and the type of its value. */
struct yaml_key {
    const char *name;
    enum yaml_type type;
    yaml_visit *read; /* reads the value; context: the object */
    size_t place;     /* offset of the member that receives the value */
    /* least, most: range of a number; step: its required divisor, 0: none */
    int64_t least, most, step;
    const char *must;           /* message for wrong values: "must not be 0"; NULL: the range */
    const char *const *choices; /* allowed words, ended by NULL */
    const char *what;           /* name of the value in messages; NULL: the key */
    const char *otherwise;      /* description of the default, unless it is a plain number */
    const char *help;           /* short help text, for keys of a section */
    bool names_file;            /* true: the value is the name of a file, folder or program */
};

/* Reads the value of a known key into a member of the object. */
bool yaml_read_known(const struct yaml_key *known, void *object, struct yaml_value key,
                     struct yaml_value value, struct error *error);

/* Reads a mapping with known keys into an object. Skips empty values. `*given`: bit i is set if key
 * i has a value; may be NULL. Unknown keys are an error: "FILE:LINE: unknown key 'x'; known …". */
bool yaml_each_key(struct yaml_value mapping, const char *what, const struct yaml_key *keys,
                   size_t key_count, void *object, uint64_t *given, struct error *error);

/* Sets an error for an unknown key. `known`: list of known keys, "a, b". Always returns false. */
bool yaml_unknown_key(struct yaml_value key, const char *known, struct error *error);

#endif
