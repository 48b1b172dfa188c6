#include "ftrace_unread.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"

enum {
    NAME_LENGTH = 64, /* bytes of a name that are told apart */
    LISTED = 10,
};

struct ftrace_unread_name {
    char text[NAME_LENGTH];
    size_t length;
    int64_t count;
    UT_hash_handle hh;
};

void ftrace_unread_count(struct ftrace_unread *unread, struct word name) {
    struct ftrace_unread_name *found;

    unread->total++;
    name.length = name.length < NAME_LENGTH ? name.length : NAME_LENGTH;
    HASH_FIND(hh, unread->names, name.bytes, name.length, found);
    if (found == NULL && HASH_COUNT(unread->names) < FTRACE_UNREAD_NAMES) {
        found = xcalloc(1, sizeof *found);
        memcpy(found->text, name.bytes, name.length);
        found->length = name.length;
        HASH_ADD(hh, unread->names, text, found->length, found);
    }
    if (found != NULL) {
        found->count++;
    }
}

/* The most frequent first, equal ones by name. */
static int compare(const struct ftrace_unread_name *a, const struct ftrace_unread_name *b) {
    size_t shorter = a->length < b->length ? a->length : b->length;
    int order;

    if (a->count != b->count) {
        return a->count < b->count ? 1 : -1;
    }
    order = memcmp(a->text, b->text, shorter);
    return order != 0 ? order : (a->length > b->length) - (a->length < b->length);
}

void ftrace_unread_list(struct ftrace_unread *unread, struct text *out) {
    int64_t listed = 0;
    int i = 0;

    HASH_SORT(unread->names, compare);
    for (const struct ftrace_unread_name *name = unread->names; name != NULL && i < LISTED;
         name = name->hh.next, i++) {
        text_append_string(out, i == 0 ? "" : ", ");
        text_append_escaped(out, name->text, name->length);
        text_append_char(out, ' ');
        text_append_integer(out, name->count);
        listed += name->count;
    }
    if (listed < unread->total) {
        text_append_string(out, ", others ");
        text_append_integer(out, unread->total - listed);
    }
}

void ftrace_unread_free(struct ftrace_unread *unread) {
    while (unread->names != NULL) {
        struct ftrace_unread_name *name = unread->names;

        HASH_DEL(unread->names, name);
        free(name);
    }
}
