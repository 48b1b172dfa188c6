/* The Palm OS trap tables and the argument decoder. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "palmos.h"
#include "unit.h"

/* ---- helpers ---- */

static const struct palmos_trap *by_name(const char *name) {
    return palmos_trap_by_name(name, strlen(name));
}

/* The bytes that hex digits stand for (blanks do not count), in a block of exactly that size so
 * that a read past the end is noticed. */
static uint8_t *bytes_of(const char *hex, size_t *size) {
    uint8_t *bytes = malloc(strlen(hex) / 2 + 1);
    uint8_t *exact;
    unsigned byte;
    int used;

    *size = 0;
    while (sscanf(hex, " %2x%n", &byte, &used) == 1) {
        bytes[(*size)++] = (uint8_t)byte;
        hex += used;
    }
    exact = malloc(*size);
    memcpy(exact, bytes, *size);
    free(bytes);
    return exact;
}

static void check_decode(uint16_t trap, const char *hex, bool fits, const char *expected) {
    struct text out = {0};
    size_t size;
    uint8_t *bytes = bytes_of(hex, &size);

    ck_assert_int_eq(palmos_decode_arguments(trap, bytes, size, &out), fits);
    ck_assert_str_eq(text_string(&out), expected);
    text_free(&out);
    free(bytes);
}

/* ---- tables ---- */

START_TEST(traps_ascend) {
    ck_assert_uint_eq(palmos_trap_count, 1143);
    for (size_t i = 0; i < palmos_trap_count; i++) {
        const struct palmos_trap *trap = &palmos_traps[i];

        ck_assert(i == 0 || trap[-1].id < trap->id);
        ck_assert_ptr_eq(palmos_trap_find(trap->id), trap);
        ck_assert_uint_le(trap->parameter_count, PALMOS_MAX_PARAMETERS);
        ck_assert_uint_ge(palmos_trap_since(trap), 10);
    }
}
END_TEST

START_TEST(names_lead_to_their_trap) {
    for (size_t i = 0; i < palmos_trap_count; i++) {
        const struct palmos_trap *trap = &palmos_traps[i];
        const char *name = palmos_trap_name(trap);
        const struct palmos_trap *found = by_name(name);

        while (found != NULL && found != trap) {
            found = palmos_trap_next_by_name(found, name, strlen(name));
        }
        ck_assert_ptr_eq(found, trap);
    }
    ck_assert_uint_eq(by_name("MemHeapCompact")->id, 0xA00E);
    ck_assert_uint_eq(by_name("SysLibTblEntry")->id, 0xA0B9);
}
END_TEST

START_TEST(names_are_compared_whole) {
    ck_assert_ptr_null(by_name(""));
    ck_assert_ptr_null(by_name("MemHeapCompac"));
    ck_assert_ptr_null(by_name("MemHeapCompacts"));
    ck_assert_ptr_null(by_name("memheapcompact"));
    ck_assert_ptr_null(by_name("zzz"));
    ck_assert_ptr_null(palmos_trap_by_name("MemInit\0", 8));
    ck_assert_uint_eq(palmos_trap_by_name("MemInitHeapTable", 7)->id, 0xA000);
}
END_TEST

START_TEST(names_may_occur_twice) {
    const struct palmos_trap *trap = by_name("ExgControl");

    ck_assert_uint_eq(trap->id, 0xA311);
    trap = palmos_trap_next_by_name(trap, "ExgControl", 10);
    ck_assert_uint_gt(trap->id, 0xA311);
    ck_assert_str_eq(palmos_trap_name(trap), "ExgControl");
    ck_assert_ptr_null(palmos_trap_next_by_name(trap, "ExgControl", 10));
    ck_assert_ptr_null(palmos_trap_next_by_name(by_name("MemInit"), "MemInit", 7));
}
END_TEST

START_TEST(releases_compare) {
    ck_assert_uint_eq(palmos_trap_since(by_name("MemInit")), 10);
    ck_assert_uint_eq(palmos_trap_since(by_name("OmDispatch")), 35);
    ck_assert_uint_eq(palmos_trap_since(by_name("SndStreamCreateExtended")), 51);
    ck_assert_uint_eq(palmos_trap_since(by_name("PinsDispatch")), 50);
}
END_TEST

START_TEST(default_loggable_set) {
    static const char *const unlogged[] = {
        "MemHandleNew", "MemHandleLock",     "MemHandleUnlock", "MemHandleFree",  "MemCardInfo",
        "TimGetTicks",  "SysCurAppDatabase", "DmOpenDatabase",  "DmNumRecords",   "DmNewRecord",
        "DmWrite",      "DmReleaseRecord",   "DmGetRecord",     "DmCloseDatabase"};
    size_t count = 0;

    for (size_t i = 0; i < palmos_trap_count; i++) {
        count += palmos_trap_loggable_by_default(&palmos_traps[i]);
    }
    ck_assert_uint_eq(count, 990);
    for (size_t i = 0; i < sizeof unlogged / sizeof unlogged[0]; i++) {
        ck_assert(!palmos_trap_loggable_by_default(by_name(unlogged[i])));
    }
    ck_assert(palmos_trap_loggable_by_default(by_name("MemInit")));
    ck_assert(palmos_trap_loggable_by_default(by_name("SysReserved5")));
    ck_assert(!palmos_trap_loggable_by_default(by_name("HighDensityDispatch")));
}
END_TEST

/* ---- decoding ---- */

START_TEST(numbers) {
    check_decode(0xA00E, "00 2a", true, "heapID=42");
    check_decode(0xA00E, "ff ff", true, "heapID=65535");
    check_decode(0xA01E, "ff ff ff ff", true, "size=4294967295");
    check_decode(0xA16A, "ff", true, "ch=-1");
    check_decode(0xA264, "00 00 80 00 00 00", true,
                 "dateP={year=0, month=0, day=0}, adjustment=-2147483648");
}
END_TEST

/* The example of the thesis: a Boolean and a UInt8 take 2 bytes. */
START_TEST(packed_without_padding) {
    check_decode(0xA34B, "01 7f", true, "set=true, newContrastLevel=127");
    check_decode(0xA34B, "00 00", true, "set=false, newContrastLevel=0");
    check_decode(0xA34B, "02 00", true, "set=2, newContrastLevel=0");
    check_decode(0xA34B, "01 00 7f 00", false, "hex:01007f00");
}
END_TEST

START_TEST(structures) {
    check_decode(0xA212, "0001 fffe 00a0 00a0", true,
                 "rP={topLeft={x=1, y=-2}, extent={x=160, y=160}}");
    check_decode(0xA0A9, "0004 01 02 0010 0020 0041 0000 0000 00000000 00000000 0000", true,
                 "eventP={eType=4, penDown=true, tapCount=2, screenX=16, screenY=32, "
                 "data=0x00410000000000000000000000000000}");
    check_decode(0xA0E5, "00000001 ffff ff 00", true, "f={man=1, exp=-1, sign=-1}");
}
END_TEST

/* 2001-11-21: the year counts from 1904, the month crosses a byte. */
START_TEST(bit_fields) {
    check_decode(0xA263, "c375", true, "date={year=97, month=11, day=21}");
    check_decode(0xA263, "ffff", true, "date={year=127, month=15, day=31}");
}
END_TEST

START_TEST(arrays) {
    struct text out = {0};
    uint8_t info[276 + 2] = {0};

    check_decode(0xA085,
                 "00000001 ffffffff 00000000 00000000 00000000 00000000 00000000 00000000 00000000 "
                 "00000000 00000000 0000000c",
                 true, "buf=[1, 4294967295, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12]");
    check_decode(0xA224, "0102030405060708", true, "patternP=0x0102030405060708");
    memcpy(info + 2, "Unfiled", 8);
    memset(info + 18, 'x', 16);
    ck_assert(palmos_decode_arguments(0xA2FC, info, sizeof info, &out));
    ck_assert_ptr_nonnull(strstr(text_string(&out), "categoryLabels=[\"Unfiled\", "
                                                    "\"xxxxxxxxxxxxxxxx\", \"\", "));
    text_free(&out);
}
END_TEST

START_TEST(strings) {
    check_decode(0xA0C7, "48 69 00", true, "src=\"Hi\"");
    check_decode(0xA109, "61 22 09 5c 1b e9 c3a9 00 0020", true,
                 "name=\"a\\\"\\t\\\\\\x1b\\xe9\xc3\xa9\", maxWidth=32");
    check_decode(0xA109, "00 0020", true, "name=\"\", maxWidth=32");
    check_decode(0xA109, "61 62 63", false, "hex:616263");
}
END_TEST

START_TEST(addresses) {
    /* Where the thing itself does not fit, its address may. */
    check_decode(0xA109, "00012345 0020", true, "name=0x00012345, maxWidth=32");
    check_decode(0xA212, "00012345", true, "rP=0x00012345");
    check_decode(0xA107, "00012345 0007", true, "db=0x00012345, index=7");
    check_decode(0xA105, "00012345 0007", true, "db=0x00012345, category=7");
    check_decode(0xA105, "00012345 00012346", true, "db=0x00012345, category=0x00012346");
    check_decode(0xA105, "00012345 000123", false, "hex:00012345000123");
}
END_TEST

/* Everything behind a pointer as its address: far from the first combination to be tried. (That
 * of a 4-byte number cannot be told from the number.) */
START_TEST(many_addresses) {
    check_decode(0xA005,
                 "0001 0002 80000003 80000004 80000005 80000006 80000007 80000008 80000009 "
                 "8000000a 8000000b",
                 true,
                 "cardNo=1, storeNumber=2, versionP=0x80000003, flagsP=0x80000004, "
                 "nameP=0x80000005, crDateP=2147483654, bckUpDateP=2147483655, "
                 "heapListOffsetP=2147483656, initCodeOffset1P=2147483657, "
                 "initCodeOffset2P=2147483658, databaseDirIDP=2147483659");
}
END_TEST

START_TEST(hex_when_nothing_fits) {
    check_decode(0xA000, "01", false, "hex:01");
    check_decode(0xA00E, "01", false, "hex:01");
    check_decode(0xA00E, "010203", false, "hex:010203");
    check_decode(0xFFFF, "0102", false, "hex:0102");
    check_decode(0xA2AB, "0001", false, "hex:0001"); /* the selector is in a register */
}
END_TEST

START_TEST(variable_arguments) {
    check_decode(0xA2DE, "00 2564 00", true, "s=\"\", formatStr=\"%d\"");
    check_decode(0xA2DE, "00 2564 00 0007", true, "s=\"\", formatStr=\"%d\", ...=0x0007");
}
END_TEST

START_TEST(selectors_on_the_stack) {
    check_decode(0xA344, "0100", true, "selector=HostGetHostVersion");
    check_decode(0xA344, "0104 ffffffff 00000007", true,
                 "selector=HostGestalt, gestSel=-1, response=7");
    check_decode(0xA344, "0309 00001234 2500", true,
                 "selector=HostFPrintF, f=0x00001234, fmt=\"%\"");
    /* 1536 has two meanings; what fits neither, or is unknown, is left as it is. */
    check_decode(0xA344, "0600 00000001", true, "selector=HostSetDebugOption, newSetting=1");
    check_decode(0xA344, "0600 6100 6200", true,
                 "selector=HostSetDebugOption, newSetting=1627415040");
    check_decode(0xA344, "0600 616100 6200", true,
                 "selector=HostGetPreference, p1=\"aa\", p2=\"b\"");
    check_decode(0xA344, "0600 61", true, "selector=1536, ...=0x61");
    check_decode(0xA344, "ffff 61", true, "selector=65535, ...=0x61");
    check_decode(0xA344, "ff", false, "hex:ff");
}
END_TEST

/* ---- hostile input ---- */

static uint32_t random_state = 12345;

static uint32_t next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

/* Zeros are frequent: they end strings. */
static uint8_t random_byte(void) {
    uint32_t value = next_random();

    return (value & 0x300) == 0 ? 0 : (uint8_t)value;
}

static void decode_random(uint16_t trap, size_t size) {
    struct text out = {0};
    uint8_t *bytes = malloc(size);

    for (size_t i = 0; i < size; i++) {
        bytes[i] = random_byte();
    }
    palmos_decode_arguments(trap, bytes, size, &out);
    ck_assert_uint_le(out.length, 1024 + 64 * size);
    text_free(&out);
    free(bytes);
}

START_TEST(any_bytes_for_any_trap) {
    for (size_t i = 0; i < palmos_trap_count; i++) {
        for (size_t size = 1; size <= 100; size++) {
            decode_random(palmos_traps[i].id, size);
        }
    }
}
END_TEST

START_TEST(large_arguments) {
    for (size_t i = 0; i < palmos_trap_count; i += 7) {
        decode_random(palmos_traps[i].id, 8192);
        decode_random(palmos_traps[i].id, 65535);
    }
    decode_random(0xA344, 65535);
    decode_random(0xA2DE, 65535);
}
END_TEST

/* Categories, and what returns nothing, of some traps of the SDK 3.5 headers. */
START_TEST(categories_and_returns) {
    static const struct {
        const char *name, *category;
        bool nothing;
    } known[] = {
        {"FrmInitForm", "Form", false},
        {"FrmDrawForm", "Form", true},
        {"WinClipRectangle", "Window", true},
        {"DmQueryRecord", "Database", false},
        {"SysTicksPerSecond", "System", false},
        {"SysNotifyRegister", "Notification", false},
        {"FntSetFont", "Font", false},
        {"FontSelect", "Font", false},
        {"UIColorGetTableEntryIndex", "UI color", false},
        {"KeyRates", "Key", false},
    };
    size_t nothing = 0;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct palmos_trap *trap = by_name(known[i].name);

        ck_assert_msg(trap != NULL, "%s", known[i].name);
        ck_assert_str_eq(trap->category, known[i].category);
        ck_assert_int_eq((trap->flags & PALMOS_VOID) != 0, known[i].nothing);
    }
    for (size_t i = 0; i < palmos_trap_count; i++) {
        ck_assert(palmos_traps[i].category[0] != '\0');
        nothing += (palmos_traps[i].flags & PALMOS_VOID) != 0;
    }
    ck_assert_uint_eq(nothing, 336);
}
END_TEST

Suite *palmos_suite(void) {
    const TTest *const tests[] = {traps_ascend,
                                  names_lead_to_their_trap,
                                  names_are_compared_whole,
                                  names_may_occur_twice,
                                  releases_compare,
                                  default_loggable_set,
                                  categories_and_returns,
                                  numbers,
                                  packed_without_padding,
                                  structures,
                                  bit_fields,
                                  arrays,
                                  strings,
                                  addresses,
                                  many_addresses,
                                  hex_when_nothing_fits,
                                  variable_arguments,
                                  selectors_on_the_stack,
                                  any_bytes_for_any_trap,
                                  large_arguments};
    Suite *suite = suite_create("palmos");
    TCase *tcase = unit_case(suite, "palmos");

    tcase_set_timeout(tcase, 60);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        tcase_add_test(tcase, tests[i]);
    }
    return suite;
}
