#include "model/event.h"

#include <string.h>

const char *const io_class_words[IO_CLASSES] = {
    [IO_READ] = "read",           [IO_READSYNC] = "readsync", [IO_WRITE] = "write",
    [IO_WRITESYNC] = "writesync", [IO_OTHER] = "other",       [IO_FLUSH] = "flush",
};

static const char *const names[EVENT_PLACES] = {
#define X(NAME, field, FORM) #field,
    EVENT_COLUMNS(X)
#undef X
};

const char *event_column_name(enum event_place place) {
    return names[place];
}

bool event_has_column(const char *name) {
    for (size_t i = 0; i < EVENT_PLACES; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}
