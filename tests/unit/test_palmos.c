/* The Palm OS trap tables and the argument decoder. */
#include "palmos.h"
#include "unit.h"

/* ---- helpers ---- */

static const struct palmos_trap *by_name(const char *name) {
    return palmos_trap_by_name(name, strlen(name));
}

/* ---- tables ---- */

UNIT_TEST(traps_ascend) {
    ck_assert_uint_eq(palmos_trap_count, 1143);
    for (size_t i = 0; i < palmos_trap_count; i++) {
        const struct palmos_trap *trap = &palmos_traps[i];

        ck_assert(i == 0 || trap[-1].id < trap->id);
        ck_assert_ptr_eq(palmos_trap_find(trap->id), trap);
        ck_assert_uint_le(trap->parameter_count, PALMOS_MAX_PARAMETERS);
        ck_assert_uint_ge(palmos_trap_release(trap), 10);
    }
}

UNIT_TEST(names_lead_to_their_trap) {
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

UNIT_TEST(names_are_compared_whole) {
    ck_assert_ptr_null(by_name(""));
    ck_assert_ptr_null(by_name("MemHeapCompac"));
    ck_assert_ptr_null(by_name("MemHeapCompacts"));
    ck_assert_ptr_null(by_name("memheapcompact"));
    ck_assert_ptr_null(by_name("zzz"));
    ck_assert_ptr_null(palmos_trap_by_name("MemInit\0", 8));
    ck_assert_uint_eq(palmos_trap_by_name("MemInitHeapTable", 7)->id, 0xA000);
}

UNIT_TEST(names_may_occur_twice) {
    const struct palmos_trap *trap = by_name("ExgControl");

    ck_assert_uint_eq(trap->id, 0xA311);
    trap = palmos_trap_next_by_name(trap, "ExgControl", 10);
    ck_assert_uint_gt(trap->id, 0xA311);
    ck_assert_str_eq(palmos_trap_name(trap), "ExgControl");
    ck_assert_ptr_null(palmos_trap_next_by_name(trap, "ExgControl", 10));
    ck_assert_ptr_null(palmos_trap_next_by_name(by_name("MemInit"), "MemInit", 7));
}

UNIT_TEST(releases_compare) {
    ck_assert_uint_eq(palmos_trap_release(by_name("MemInit")), 10);
    ck_assert_uint_eq(palmos_trap_release(by_name("OmDispatch")), 35);
    ck_assert_uint_eq(palmos_trap_release(by_name("SndStreamCreateExtended")), 51);
    ck_assert_uint_eq(palmos_trap_release(by_name("PinsDispatch")), 50);
}

UNIT_TEST(default_loggable_set) {
    static const char *const unlogged[] = {
        "MemHandleNew", "MemHandleLock",     "MemHandleUnlock", "MemHandleFree",  "MemCardInfo",
        "TimGetTicks",  "SysCurAppDatabase", "DmOpenDatabase",  "DmNumRecords",   "DmNewRecord",
        "DmWrite",      "DmReleaseRecord",   "DmGetRecord",     "DmCloseDatabase"};
    size_t count = 0;

    for (size_t i = 0; i < palmos_trap_count; i++) {
        count += palmos_trap_loggable_by_default(&palmos_traps[i]);
    }
    ck_assert_uint_eq(count, 990);
    for (size_t i = 0; i < COUNT(unlogged); i++) {
        ck_assert(!palmos_trap_loggable_by_default(by_name(unlogged[i])));
    }
    ck_assert(palmos_trap_loggable_by_default(by_name("MemInit")));
    ck_assert(palmos_trap_loggable_by_default(by_name("SysReserved5")));
    ck_assert(!palmos_trap_loggable_by_default(by_name("HighDensityDispatch")));
}

/* ---- decoding; tests/golden/palmos.test has the rest ---- */

UNIT_TEST(arrays) {
    struct text out = {0};
    uint8_t info[276 + 2] = {0};

    memcpy(info + 2, "Unfiled", 8);
    memset(info + 18, 'x', 16);
    ck_assert(palmos_decode_arguments(0xA2FC, info, sizeof info, &out));
    ck_assert_ptr_nonnull(strstr(text_string(&out), "categoryLabels=[\"Unfiled\", "
                                                    "\"xxxxxxxxxxxxxxxx\", \"\", "));
    text_free(&out);
}

/* ---- hostile input ---- */

static uint32_t random_state = 12345;

static uint32_t next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

/* Many zeros, since they end strings. */
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

UNIT_TEST(any_bytes_for_any_trap) {
    for (size_t i = 0; i < palmos_trap_count; i++) {
        for (size_t size = 1; size <= 100; size++) {
            decode_random(palmos_traps[i].id, size);
        }
    }
}

UNIT_TEST(large_arguments) {
    for (size_t i = 0; i < palmos_trap_count; i += 7) {
        decode_random(palmos_traps[i].id, 8192);
        decode_random(palmos_traps[i].id, 65535);
    }
    decode_random(0xA344, 65535);
    decode_random(0xA2DE, 65535);
}

/* Categories, and traps without a return value, for some traps of the SDK 3.5 headers. */
UNIT_TEST(categories_and_returns) {
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

    for (size_t i = 0; i < COUNT(known); i++) {
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
