#include "model/event.h"

static const char *const names[EVENT_PLACES] = {
#define X(NAME, field, FORM) #field,
    EVENT_COLUMNS(X)
#undef X
};

const char *event_column_name(enum event_place place) {
    return names[place];
}
