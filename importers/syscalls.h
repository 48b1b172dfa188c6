/* System calls in any log: meanings of their columns, their lines in `tracetool dump`, and strings
 * in strace's form, with quotation marks and C escapes. */
#ifndef TRACETOOL_SYSCALLS_H
#define TRACETOOL_SYSCALLS_H

#include "base/text.h"
#include "import/importer.h"
#include "input/word.h"

/* Decodes the escape sequence at the start of `word`: a backslash, then a letter, one to three
 * octal digits, or x and one or two hexadecimal digits. Returns its length; 0 if there is none. */
size_t syscalls_decode_escape(struct word word, unsigned char *byte);

/* Consumes the quoted string at the start of `rest`. `inside` is the text between the quotation
 * marks, with its escapes. `*has_nul`: it has a NUL, literal or escaped, so it cannot be a path.
 * Returns false and consumes nothing if the string has no end or an invalid escape. */
bool syscalls_cut_quoted(struct word *rest, struct word *inside, bool *has_nul);

/* Appends the text of a quoted string, with its escapes decoded. */
void syscalls_unquote(struct word inside, struct text *text);

/* Returns whether the first argument of a system call is the address of a lock. */
bool syscalls_is_on_lock(struct word name);

/* Returns the id of an error in table name, by errno, or by its name if `number` is EVENT_NONE; 0
 * if both are missing. */
uint32_t syscalls_error_id(struct import *import, int64_t number, struct word name);

/* Appends a string, escaped for a terminal, with `as` in place of each `byte`. */
void syscalls_append_replacing(struct text *text, struct word string, char byte, const char *as);

/* Appends a string in quotation marks, escaped for a terminal. */
void syscalls_append_quoted(struct text *text, struct word string);

/* For dump(). dump_number() appends `before` and a number, unless that is EVENT_NONE. dump_bytes()
 * appends `before` and the bytes, escaped for a terminal, if there are any. dump_time() appends a
 * time in seconds, or in units of the trace's counter. dump_duration() appends ` <0.000021>`,
 * unless the duration is EVENT_NONE. */
void dump_number(struct text *text, const char *before, int64_t number);
void dump_bytes(struct text *text, const char *before, const char *bytes, size_t length);
void dump_time(struct text *text, const struct dump_event *dump, int64_t time);
void dump_duration(struct text *text, const struct dump_event *dump);

/* Appends thread and name of a call: `[name/1] operation(`. For threads see model/thread.h. */
void dump_call(struct text *text, const struct dump_event *dump);

/* Meanings of the columns of system calls, in any kind of log; the last entry is empty. */
extern const struct event_meaning syscalls_meanings[];

#endif
