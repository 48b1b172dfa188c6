/* System calls: meanings of their events; strings in strace's form, with quotation marks and C
 * escapes. */
#ifndef TRACETOOL_SYSCALLS_H
#define TRACETOOL_SYSCALLS_H

#include "base/text.h"
#include "import/importer.h"
#include "input/word.h"

/* Decodes the escape sequence at the start of `word`: a backslash, then a letter, one to three
 * octal digits, or x and one or two hexadecimal digits. Returns its length; 0 if it is none. */
size_t syscalls_decode_escape(struct word word, unsigned char *byte);

/* Consumes a quoted string of `rest`, which begins with the quotation mark. `inside` is the raw
 * text between the marks. `*has_nul`: it contains a NUL, literal or escaped, so it cannot be a
 * path. False, consuming nothing, if the string has no end or an invalid escape. */
bool syscalls_cut_quoted(struct word *rest, struct word *inside, bool *has_nul);

/* Appends the text of a quoted string, with its escapes decoded. */
void syscalls_unquote(struct word inside, struct text *text);

/* Returns whether the first argument of the call is the address of a lock. */
bool syscalls_is_on_lock(struct word name);

/* Returns the id of an error by its number, or by its name if the number is EVENT_NONE; 0 if it has
 * neither. */
uint32_t syscalls_error_id(struct import *import, int64_t number, struct word name);

/* Appends a string with escapes for a terminal, and with `as` in place of each `byte`. */
void syscalls_append_replacing(struct text *text, struct word string, char byte, const char *as);

/* Appends a string in quotation marks, safe for a terminal. */
void syscalls_append_quoted(struct text *text, struct word string);

/* Functions for dump(). dump_number() appends `before` and a number, unless that is EVENT_NONE.
 * dump_bytes() appends `before` and the bytes, safe for a terminal, if there are any.
 * dump_time() appends seconds, or units of a counter. dump_duration() appends ` <0.000021>`, unless
 * the duration is EVENT_NONE. */
void dump_number(struct text *text, const char *before, int64_t number);
void dump_bytes(struct text *text, const char *before, const char *bytes, size_t length);
void dump_time(struct text *text, const struct dump_event *dump, int64_t time);
void dump_duration(struct text *text, const struct dump_event *dump);

/* Appends thread and name of a call, `[name/1] operation(`; model/thread.h formats the thread. */
void dump_call(struct text *text, const struct dump_event *dump);

/* Meanings of the columns of system calls, in any kind of log; the last entry is empty. */
extern const struct event_meaning syscalls_meanings[];

#endif
