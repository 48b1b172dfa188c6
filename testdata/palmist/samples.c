/* The small sessions, played call by call from tables. */
#include "log.h"

#include <string.h>

enum { MEMO = 0x00010f3c, DATES = 0x00012a40, STARTER = 0x000155d8 };

typedef struct {
    uint16_t trap;
    uint16_t size;
    uint32_t tick;
    uint32_t application;
    const char *arguments;
} Line;

/* A literal holds NULs of its own, so its length cannot be counted. */
#define BYTES(literal) sizeof(literal) - 1
#define LINE(trap, tick, application, literal)                                                     \
    { trap, BYTES(literal), tick, application, literal }
#define EVENT     "\0\5\1\1\0\x50\0\x1e\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
#define RECTANGLE "\0\2\0\x10\0\x9c\0\x40"
#define BITMAP    "\0\x10\0\x10\0\2\0\0\1\1\0\0\0\0\0\0"

static const Line small_lines[] = {
    LINE(0xA0F5, 1500, STARTER, ""),
    LINE(0xA2CC, 1500, STARTER, ""), /* the same tick */
    LINE(0xA2CC, 1500, STARTER, ""),
    LINE(0xA11D, 1501, STARTER, EVENT "\xff\xff\xff\xff"),
    LINE(0xA0A9, 1501, STARTER, EVENT),
    LINE(0xA1A0, 1502, STARTER, EVENT),
    LINE(0xA19B, 1503, MEMO, "\x03\xe8"),
    LINE(0xA212, 1504, MEMO, RECTANGLE),
    LINE(0xA1C5, 1504, MEMO, RECTANGLE RECTANGLE),
    LINE(0xA376, 1505, MEMO, BITMAP),
    LINE(0xA3E3, 1505, MEMO, BITMAP),
    LINE(0xA212, 1506, MEMO, RECTANGLE),
    LINE(0xA1C5, 1506, MEMO, RECTANGLE RECTANGLE),
    LINE(0xA0B9, 1507, MEMO, "\0\2"),
    LINE(0xA045, 1540, MEMO, "\0\0MemoDB\0"),
    LINE(0xA0C8, 1541, MEMO, "say \"hi\"\0it's\0"),
    LINE(0xA0C5, 1542, MEMO, "\1\x1b[31m\x7f\0tab\there\nnew\\line\r\0"),
    LINE(0xA0C7, 1543, MEMO, "caf\xe9 \xff\xfe\0"), /* not UTF-8 */
    LINE(0xA0C7, 1543, MEMO, "\0"),
    LINE(0xA0C7, 1544, MEMO, "#hash\0"),
    LINE(0xA194, 1550, MEMO,
         "\x03\xf2"
         "Delete\0<memo> & 'more'\0\0"),
    LINE(0xA7F3, 1600, DATES, "\1\2\3\4\5"), /* no such trap is known */
    LINE(0xA7F3, 1601, DATES, ""),
    LINE(0xA344, 1602, DATES, "\1\0\0\7"), /* dispatcher, selector 0x0100 */
    LINE(0xA2AB, 1603, DATES, ""),         /* dispatcher, selector not logged */
    LINE(0xA310, 1604, DATES, ""),         /* two traps of one name */
    LINE(0xA0F5, 1605, DATES, ""),
    LINE(0xA400, 1606, DATES, ""),
    LINE(0xA213, 1700, DATES, "\0\1\0"),   /* three of eight bytes */
    LINE(0xA0C7, 1701, DATES, "no end"),   /* string without its NUL */
    LINE(0xA0B9, 1702, DATES, "\0\2\xee"), /* a byte too many */
    LINE(0xA000, 1703, DATES, ""),         /* the lowest trap */
    LINE(0xAFFF, 1703, DATES, ""),
    LINE(0xA0F5, 2400, MEMO, ""),
    LINE(0xA2CC, 2400, STARTER, ""), /* between calls of the other */
    LINE(0xA0F5, 2401, MEMO, ""),
    LINE(0xA0C7, 2500, MEMO, "the last before the reset\0"),
    /* Reset. Two of the IDs come again and mean other applications. */
    LINE(0xA02A, 120, MEMO, ""),
    LINE(0xA0F5, 121, MEMO, ""),
    LINE(0xA0F5, 121, MEMO, ""),
    LINE(0xA0B9, 122, STARTER, "\0\1"),
    LINE(0xA2CC, 125, STARTER, ""),
    LINE(0xA2CC, 2401, STARTER, ""),
    LINE(0xA11D, 2402, STARTER, EVENT "\0\0\0\x64"),
    LINE(0xA0A9, 2403, STARTER, EVENT),
    LINE(0xA220, 2404, MEMO, "Done\0\0\4\0\x05\0\x0c"),
};

Log play_small(void) {
    Log log = {0};
    for (size_t i = 0; i < sizeof small_lines / sizeof *small_lines; i++) {
        const Line *line = &small_lines[i];
        log_add(&log, line->trap, line->tick, line->application, line->arguments, line->size);
    }
    return log;
}

static void play_boot(Log *log, Random *random, uint32_t tick, size_t calls) {
    static const uint32_t ids[] = {STARTER, MEMO, DATES};
    for (size_t i = 0; i < calls; i++) {
        const Trap *trap = &popular_traps[random_below(random, 24)];
        log_add_random(log, trap, tick, ids[i / 5 % 3], random);
        tick += random_below(random, 4);
        if (i % 8 == 7) { /* a long pause, so that hours pass, some without a call */
            tick += 200000 + random_below(random, 400000);
        }
    }
}

/* Three boots; the third begins at tick 0 and the IDs are the same in all. */
Log play_reset(void) {
    Log log = {0};
    Random random = {UINT64_C(0x5265736574)};
    play_boot(&log, &random, 5000, 20);
    play_boot(&log, &random, 15, 13);
    play_boot(&log, &random, 0, 11);
    return log;
}

/* 24 calls, to be packed six to a record. The second record is full to the
 * byte when records have 192, so that one can tell what is read past `used`.
 */
Log play_undamaged(void) {
    static const size_t full = 192;
    Log log = {0};
    Random random = {UINT64_C(0x44616D616765)};
    uint32_t tick = 700;
    size_t used = 2;
    for (size_t i = 0; i < 24; i++) {
        tick += random_between(&random, 1, 3);
        if (i != 11) {
            log_add_random(&log, &popular_traps[random_below(&random, 30)], tick, MEMO, &random);
        } else {
            char text[192];
            size_t size = full - used - CALL_HEADER;
            memset(text, 'm', size - 1);
            text[size - 1] = '\0';
            log_add(&log, 0xA0C7, tick, MEMO, text, size);
        }
        if (i >= 6 && i < 12) {
            used += CALL_HEADER + log.calls[i].size;
        }
    }
    require(used == full, "the second record has %zu bytes", used);
    return log;
}
