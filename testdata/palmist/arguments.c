/* Turns a recipe into argument bytes. */
#include "traps.h"

#include <string.h>

/* A structure is itself a recipe of its fields, in the SDK's order. */
static const struct {
    char letter;
    const char *fields;
} structures[] = {
    {'B', "eenhuuzuuz"},                       /* BitmapType, 16 bytes */
    {'C', "wxxeepuuuuuu"},                     /* ControlType, 20 */
    {'D', "nnnnnnn"},                          /* DateTimeType, 14 */
    {'E', "nbuxxnnnnzzzz"},                    /* EventType, 24 */
    {'F', "wxxeehpppnnnnnnnuu"},               /* FieldType, 40 */
    {'G', "uuuu"},                             /* RGBColorType, 4 */
    {'L', "wxxeehpnnnuupp"},                   /* ListType, 32 */
    {'M', "uu"},                               /* TimeType, 2 */
    {'O', "eephxxeexxeephppwhhppnwwwnp"},      /* FormType, 68 */
    {'P', "xx"},                               /* PointType, 4 */
    {'R', "xxee"},                             /* RectangleType, 8 */
    {'S', "xxeewhnnnnnn"},                     /* ScrollBarType, 24 */
    {'T', "wxxeehnnnnnpppwxxeehpppnnnnnnnuu"}, /* TableType, 74 */
    {'W', "eephxxeexxeephpp"},                 /* WindowType, 40 */
    {'Y', "h"},                                /* DateType, 2 */
};

static const char *const words[] = {
    "Memo",     "Date",     "Address", "To Do",     "Note",    "Category", "Unfiled",
    "Business", "Personal", "Done",    "Cancel",    "OK",      "Delete",   "Details",
    "Today",    "Lunch",    "Meeting", "call back", "Georgia", "Athens",   "12:30 pm",
    "3/14",     "milk",     "New",     "Find",      "Show",    "report",
};

static const char *const creators[] = {"memo", "date", "addr", "todo",
                                       "calc", "psys", "lnch", "DATA"};

static size_t append_string(Buffer *out, Random *random) {
    size_t start = out->length;
    uint32_t count = random_between(random, 1, 3);
    for (uint32_t i = 0; i < count; i++) {
        if (i) {
            buffer_u8(out, ' ');
        }
        buffer_text(out, words[random_below(random, sizeof words / sizeof *words)]);
    }
    buffer_u8(out, 0);
    return out->length - start - 1;
}

static const char *structure_fields(char letter) {
    for (size_t i = 0; i < sizeof structures / sizeof *structures; i++) {
        if (structures[i].letter == letter) {
            return structures[i].fields;
        }
    }
    die("no recipe for %c", letter);
}

static void append_byte(Buffer *out, char letter, Random *random) {
    switch (letter) {
    case 'b': /* Boolean */
        buffer_u8(out, random_below(random, 2));
        break;
    case 'u': /* small number */
        buffer_u8(out, random_below(random, 8));
        break;
    default: /* y: character */
        buffer_u8(out, random_between(random, ' ', '~'));
    }
}

static void append_word(Buffer *out, char letter, Random *random) {
    switch (letter) {
    case 'z': /* card number and the like: always 0 */
        buffer_u16(out, 0);
        break;
    case 'n': /* index, count */
        buffer_u16(out, random_below(random, 64));
        break;
    case 'w': /* resource ID */
        buffer_u16(out, 1000 + 10 * random_below(random, 90));
        break;
    case 'x': /* screen coordinate */
        buffer_u16(out, random_below(random, 160));
        break;
    case 'e': /* extent on the screen */
        buffer_u16(out, random_between(random, 1, 160));
        break;
    case 'k': /* character */
        buffer_u16(out, random_between(random, ' ', '~'));
        break;
    case 'i': /* small signed number */
        buffer_u16(out, (0x10000 + random_below(random, 128) - 8) & 0xFFFF);
        break;
    default: /* h: flags */
        buffer_u16(out, random_next(random) & 0xFF00);
    }
}

static void append_long(Buffer *out, char letter, Random *random) {
    switch (letter) {
    case 'l': /* number or local ID */
        buffer_u32(out, random_below(random, 100000));
        break;
    case 'q': /* number of bytes */
        buffer_u32(out, random_between(random, 1, 512));
        break;
    case 'c': /* type or creator */
        buffer_append(out, creators[random_below(random, sizeof creators / sizeof *creators)], 4);
        break;
    case 't': /* time-out in ticks, often for ever */
        buffer_u32(out, random_below(random, 2) ? 0xFFFFFFFF : random_between(random, 1, 500));
        break;
    default: /* p: untyped pointer, handle or callback, the value itself */
        buffer_u32(out, 0x8000 + 2 * random_below(random, 0x1C000));
    }
}

void append_arguments(Buffer *out, const char *recipe, Random *random) {
    size_t string_length = 0;
    for (; *recipe; recipe++) {
        if (*recipe == 's') {
            string_length = append_string(out, random);
        } else if (*recipe == 'm') { /* length of the string just stored */
            buffer_u16(out, (unsigned)string_length);
        } else if (strchr("buy", *recipe)) {
            append_byte(out, *recipe, random);
        } else if (strchr("znwxekih", *recipe)) {
            append_word(out, *recipe, random);
        } else if (strchr("lqctp", *recipe)) {
            append_long(out, *recipe, random);
        } else {
            append_arguments(out, structure_fields(*recipe), random);
        }
    }
}
