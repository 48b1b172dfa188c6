/* import: batch, dictionary, cache, tally, ledger, file_type. */
#include "base/time_unit.h"
#include "model/batch.h"
#include "import/dictionary.h"
#include "import/lookup_cache.h"
#include "model/file_type.h"
#include "import/importer.h"
#include "import/context.h"
#include "import/metadata.h"
#include "model/tally.h"
#include "unit.h"

/* --- batch ----------------------------------------------------------------------------------- */

static void add_event(struct batch *batch, int64_t time, const char *arguments) {
    struct event *event = &batch->events[batch->event_count++];

    *event = (struct event){.time = time, .address = (int64_t)batch->event_count};
    if (arguments != NULL) {
        event->arguments = (const uint8_t *)batch_copy(batch, arguments, strlen(arguments));
        event->arguments_size = (uint32_t)strlen(arguments);
    }
}

UNIT_TEST(batch_memory_lives) {
    struct batch *batch = batch_new();
    char *copies[1000];

    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 1000; i++) {
            char text[48];

            snprintf(text, sizeof text, "text %d of round %d", i, round);
            copies[i] = batch_copy(batch, text, strlen(text));
        }
        for (int i = 0; i < 1000; i++) {
            char text[48];

            snprintf(text, sizeof text, "text %d of round %d", i, round);
            ck_assert_str_eq(copies[i], text);
        }
        ck_assert_uint_gt(batch->bytes, 0);
        batch_clear(batch);
        ck_assert_uint_eq(batch->bytes, 0);
        ck_assert_uint_eq(batch->event_count, 0);
    }
    batch_free(batch);
}

UNIT_TEST(batch_entries) {
    struct batch *batch = batch_new();

    for (uint32_t i = 1; i <= 1000; i++) {
        struct entry entry = {.table = ENTRY_ACTOR, .id = i, .actor = {.pid = 7 * (int64_t)i}};

        batch_add_entry(batch, &entry);
    }
    ck_assert_uint_eq(batch->entry_count, 1000);
    for (uint32_t i = 1; i <= 1000; i++) {
        ck_assert_uint_eq(batch->entries[i - 1].id, i);
        ck_assert_int_eq(batch->entries[i - 1].actor.pid, 7 * (int64_t)i);
    }
    batch_free(batch);
}

/* Sorts both batches by time; equal times keep their order; arguments move along. */
UNIT_TEST(batch_merges) {
    static const int64_t sorted[] = {1, 2, 3, 3, 4, 5, 5, 9};
    static const char *const arguments[] = {"d", "b", "c", "f", NULL, "a", "g", "h"};
    struct batch *first = batch_new(), *second = batch_new();
    size_t position = 0;

    add_event(first, 5, "a");
    add_event(first, 2, "b");
    add_event(first, 3, "c");
    add_event(second, 1, "d");
    add_event(second, 4, NULL);
    add_event(second, 3, "f");
    add_event(second, 5, "g");
    add_event(second, 9, "h");
    batch_merge(first, second);
    ck_assert_uint_eq(first->event_count, 3);
    ck_assert_uint_eq(second->event_count, 5);
    for (struct batch *batch = first; batch != NULL; batch = batch == first ? second : NULL) {
        for (size_t i = 0; i < batch->event_count; i++, position++) {
            const struct event *event = &batch->events[i];

            ck_assert_int_eq(event->time, sorted[position]);
            if (arguments[position] == NULL) {
                ck_assert_ptr_null(event->arguments);
            } else {
                ck_assert_mem_eq(event->arguments, arguments[position], 1);
            }
        }
    }
    /* Events moved to the second batch own their memory: the first may be reused. */
    batch_clear(first);
    memset(batch_memory(first, 1000), 'z', 1000);
    ck_assert_mem_eq(second->events[2].arguments, "a", 1);
    batch_free(first);
    batch_free(second);
}

/* Two sorted batches: only events across their border move. */
UNIT_TEST(batch_merges_borders) {
    static const int64_t times[] = {1, 5, 7, 9, 2, 5, 9, 11};
    static const int64_t sorted[] = {1, 2, 5, 5, 7, 9, 9, 11}, from[] = {0, 4, 1, 5, 2, 3, 6, 7};
    struct batch *first = batch_new(), *second = batch_new();

    for (int64_t i = 0; i < 8; i++) {
        struct batch *batch = i < 4 ? first : second;

        add_event(batch, times[i], i == 4 ? "e" : NULL);
        batch->events[batch->event_count - 1].address = i;
    }
    first->in_order = second->in_order = true;
    batch_merge(first, second);
    for (size_t i = 0; i < 8; i++) {
        const struct event *event = i < 4 ? &first->events[i] : &second->events[i - 4];

        ck_assert_int_eq(event->time, sorted[i]);
        ck_assert_int_eq(event->address, from[i]);
    }
    ck_assert_mem_eq(first->events[1].arguments, "e", 1);
    batch_free(first);
    batch_free(second);
}

/* An event moves before later ones and after those of its own time, but not over many. */
UNIT_TEST(batch_sorts_last) {
    struct batch *batch = batch_new();

    batch->in_order = true;
    for (int64_t i = 0; i < 200; i++) {
        add_event(batch, i / 2, NULL);
        ck_assert(!batch_sort_last(batch));
    }
    add_event(batch, 90, NULL);
    ck_assert(batch_sort_last(batch));
    ck_assert(batch->in_order);
    ck_assert_int_eq(batch->events[181].time, 90);
    ck_assert_int_eq(batch->events[182].time, 90);
    ck_assert_int_eq(batch->events[183].time, 91);
    ck_assert_int_eq(batch->events[200].time, 99);
    add_event(batch, 1, NULL);
    ck_assert(batch_sort_last(batch));
    ck_assert(!batch->in_order);
    batch_free(batch);
}

/* Fills two batches with events that have their number as argument. */
static void fill_batches(struct batch *first, struct batch *second, size_t border, size_t count,
                         int64_t apart) {
    uint64_t random = 88172645463325252;

    for (size_t i = 0; i < count; i++) {
        struct batch *batch = i < border ? first : second;
        char number[32];

        random = random * 6364136223846793005 + 1442695040888963407;
        snprintf(number, sizeof number, "%zu", i);
        add_event(batch, (int64_t)i * apart + (int64_t)(random >> 54), i % 3 == 0 ? number : NULL);
        batch->events[batch->event_count - 1].address = (int64_t)i;
    }
}

/* Nearly sorted, unsorted, and reversed. */
UNIT_LOOP(batch_merges_many, 3) {
    static const int64_t apart[] = {200, 0, -300};
    enum { BORDER = 3000, EVENTS = 5000 };
    struct batch *first = batch_new(), *second = batch_new();
    const struct event *before = NULL;

    fill_batches(first, second, BORDER, EVENTS, apart[_i]);
    batch_merge(first, second);
    ck_assert_uint_eq(first->event_count, BORDER);
    ck_assert_uint_eq(second->event_count, EVENTS - BORDER);
    for (size_t i = 0; i < EVENTS; i++) {
        const struct event *event = i < BORDER ? &first->events[i] : &second->events[i - BORDER];
        char number[32];

        if (before != NULL) {
            ck_assert(before->time < event->time ||
                      (before->time == event->time && before->address < event->address));
        }
        ck_assert_int_eq(event->arguments != NULL, event->address % 3 == 0);
        if (event->arguments != NULL) {
            snprintf(number, sizeof number, "%lld", (long long)event->address);
            ck_assert_mem_eq(event->arguments, number, strlen(number));
        }
        before = event;
    }
    batch_free(first);
    batch_free(second);
}

/* --- cache ------------------------------------------------------------------------------------ */

/* Every key yields its own value, or nothing, however many others share its slot. */
UNIT_TEST(lookup_cache_is_never_wrong) {
    struct lookup_cache cache = {0};
    unsigned known_ones = 0;

    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 20000; i++) {
            uint32_t content = i % 3000;
            char text[128];
            struct lookup_cache_key key = {{content % 7, content % 2}, text, 0};
            struct lookup_cache_entry *entry;
            bool known;

            key.length = (size_t)snprintf(text, sizeof text, "%u", content / 14);
            entry = lookup_cache_find(&cache, &key, &known);
            known_ones += known;
            if (known) {
                ck_assert_uint_eq(entry->values[0], content + 1);
            }
            entry->values[0] = content + 1;
        }
    }
    ck_assert_uint_gt(known_ones, 15000); /* about every second one shares no slot */
    ck_assert_uint_ge(cache.count, 2048); /* that many were new */
    lookup_cache_free(&cache);
}

UNIT_TEST(lookup_cache_remembers_when_it_grows) {
    struct lookup_cache cache = {0};
    struct lookup_cache_entry *entry;
    bool known;

    for (int64_t i = 0; i < 256; i++) {
        struct lookup_cache_key key = {{i, 3}, "name", 4};

        lookup_cache_find(&cache, &key, &known)->values[1] = 7;
        ck_assert(!known);
    }
    ck_assert_uint_eq(cache.count, 256);
    /* The last one is found without a lookup; any other makes the cache grow first. */
    lookup_cache_find(&cache, &(struct lookup_cache_key){{255, 3}, "name", 4}, &known);
    ck_assert(known);
    ck_assert_uint_eq(cache.count, 256);
    entry = lookup_cache_find(&cache, &(struct lookup_cache_key){{254, 3}, "name", 4}, &known);
    ck_assert_uint_gt(cache.count, 256);
    ck_assert(known);
    ck_assert_uint_eq(entry->values[1], 7);
    lookup_cache_free(&cache);
}

UNIT_TEST(lookup_cache_finds_long_strings) {
    static char text[200];
    struct lookup_cache cache = {0};
    const struct lookup_cache_key keys[] = {
        {{1, 2}, NULL, 0}, {{1, 2}, text, sizeof text}, {{2, 1}, NULL, 0}};
    bool known;

    for (uint32_t round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 3; i++) {
            struct lookup_cache_entry *entry = lookup_cache_find(&cache, &keys[i], &known);

            ck_assert_int_eq(known, round);
            ck_assert(!known || entry->values[0] == i + 7);
            entry->values[0] = i + 7;
        }
    }
    ck_assert_uint_le(cache.count, 256); /* little memory while there are few keys */
    lookup_cache_free(&cache);
}

/* --- dictionary ------------------------------------------------------------------------------ */

static uint32_t number(struct dictionary *dictionary, const char *key, bool expect_new) {
    bool added = !expect_new;
    uint32_t result = dictionary_number(dictionary, key, strlen(key), &added, &error);

    assert_done(result != 0);
    ck_assert_int_eq(added, expect_new);
    return result;
}

UNIT_TEST(dictionary_counts) {
    struct dictionary *dictionary = dictionary_open(5);
    bool added;

    ck_assert_uint_eq(number(dictionary, "a", true), 5);
    ck_assert_uint_eq(number(dictionary, "b", true), 6);
    ck_assert_uint_eq(number(dictionary, "a", false), 5);
    ck_assert_uint_eq(number(dictionary, "", true), 7);
    ck_assert_uint_eq(number(dictionary, "", false), 7);
    /* Keys are bytes, and may contain NUL. */
    ck_assert_uint_eq(dictionary_number(dictionary, "a\0b", 3, &added, &error), 8);
    ck_assert_uint_eq(dictionary_number(dictionary, "a\0c", 3, &added, &error), 9);
    ck_assert_uint_eq(number(dictionary, "a", false), 5);
    dictionary_close(dictionary);
}

/* Twice the capacity of memory: numbers stay correct on both sides of the limit. */
UNIT_TEST(dictionary_overflows) {
    enum { STRINGS = 2 * DICTIONARY_STRINGS_IN_MEMORY };
    struct dictionary *dictionary = dictionary_open(1);
    char key[32];

    for (uint32_t i = 1; i <= STRINGS; i++) {
        snprintf(key, sizeof key, "string %u", i);
        ck_assert_uint_eq(number(dictionary, key, true), i);
    }
    for (uint32_t i = 1; i <= STRINGS; i += 97) {
        snprintf(key, sizeof key, "string %u", i);
        ck_assert_uint_eq(number(dictionary, key, false), i);
    }
    dictionary_close(dictionary);
}

/* Few strings, but more bytes than memory may hold. */
UNIT_TEST(dictionary_overflows_by_bytes) {
    enum { LENGTH = 100000, STRINGS = 200 };
    struct dictionary *dictionary = dictionary_open(1);
    char *key = calloc(LENGTH, 1);
    bool added;

    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 1; i <= STRINGS; i++) {
            memcpy(key, &i, sizeof i);
            ck_assert_uint_eq(dictionary_number(dictionary, key, LENGTH, &added, &error), i);
            ck_assert_int_eq(added, round == 0);
        }
    }
    free(key);
    dictionary_close(dictionary);
}

/* --- tally ----------------------------------------------------------------------------------- */

static const struct tally_row *find_row(const struct tally *tally, int64_t a, int64_t b,
                                        int64_t c) {
    for (size_t i = 0; i < tally->capacity; i++) {
        const struct tally_row *row = &tally->rows[i];

        if (row->count > 0 && row->key[0] == a && row->key[1] == b && row->key[2] == c) {
            return row;
        }
    }
    return NULL;
}

static bool adds(struct tally *tally, const struct tally_context *context,
                 const struct event *event) {
    struct tally_events events = tally_events_of(event);

    return tally_add(tally, context, &events, 0, 1) == 1;
}

UNIT_TEST(tally_counts_io) {
    struct tally_context context = {.kind = TRACE_IO, .hour_origin = HOUR / 2};
    struct event event = {.operation = 3, .flags = IO_WRITESYNC, .size = 4096};
    struct tally tally;

    tally_init(&tally, TALLY_HOUR);
    for (int i = 0; i < 10; i++) {
        event.time = i * HOUR / 4;
        ck_assert(adds(&tally, &context, &event));
    }
    /* Quarter hours from half past on: 2 in hour 0, 4 in hour 1, 4 in hour 2. */
    ck_assert_uint_eq(tally.used, 3);
    ck_assert_int_eq(find_row(&tally, 3, IO_WRITESYNC, 0)->count, 2);
    ck_assert_int_eq(find_row(&tally, 3, IO_WRITESYNC, 1)->count, 4);
    ck_assert_int_eq(find_row(&tally, 3, IO_WRITESYNC, 2)->count, 4);
    ck_assert_int_eq(find_row(&tally, 3, IO_WRITESYNC, 2)->bytes, 4 * 4096);
    tally_clear(&tally);
    ck_assert_ptr_null(find_row(&tally, 3, IO_WRITESYNC, 1));
    tally_free(&tally);
}

/* Start and zone of a damaged database stay within 64 bits. */
UNIT_TEST(tally_hours_beyond_64_bits) {
    struct tally_context context = {.kind = TRACE_CALLS, .hour_origin = INT64_MAX};

    ck_assert_int_eq(tally_hour_origin(INT64_MAX, INT64_C(1) << 32), INT64_MAX);
    ck_assert_int_eq(tally_hour_origin(0, INT64_C(1) << 32), INT64_MAX);
    ck_assert_int_eq(tally_hour_origin(INT64_MIN + 1, -(INT64_C(1) << 32)), INT64_MIN);
    ck_assert_int_eq(tally_hour_origin(INT64_MAX, -60), INT64_MAX - HOUR);
    ck_assert_int_eq(tally_hour(&context, INT64_MAX), INT64_MAX / HOUR);
}

/* Counts the events of a tally by groups. */
static void add_groups(struct tally *tally, const struct tally_context *context,
                       const struct event *rows, size_t count) {
    struct io_groups groups = {.count = 0};

    for (size_t from = 0; from < count || groups.count > 0;) {
        struct tally_events events = io_groups_events(&groups);

        from += io_groups_add(&groups, context, rows + from, count - from);
        ck_assert_uint_eq(tally_add(tally, context, &events, 0, groups.count), groups.count);
        groups.count = 0;
    }
}

/* Counting by groups gives the same result as one by one: if hours change sometimes, always or
 * backwards, and with more groups than slots. */
UNIT_LOOP(tally_counts_groups, 4) {
    static const int64_t apart[] = {HOUR / 200, HOUR * 2 / 3, -HOUR / 7, INT64_MAX / 2000};
    enum { EVENTS = 1000 };
    struct tally_context context = {.kind = TRACE_IO, .hour_origin = -HOUR / 3};
    static struct event rows[EVENTS];

    for (size_t i = 0; i < EVENTS; i++) {
        rows[i] = (struct event){.time = (int64_t)i * apart[_i],
                                 .operation = (uint32_t)i % 3,
                                 .flags = (uint32_t)(i * i % 89 << 10 | i % 7),
                                 .size = i % 5 == 0 ? EVENT_NONE : (int64_t)i % 4 * 512};
    }
    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        struct tally one, grouped;

        if (((IO_GROUPS_TALLIES | IO_GROUPS_LABELLED) >> kind & 1) == 0) {
            continue;
        }
        tally_init(&one, (enum tally_kind)kind);
        tally_init(&grouped, (enum tally_kind)kind);
        for (size_t i = 0; i < EVENTS; i++) {
            ck_assert(adds(&one, &context, &rows[i]));
        }
        add_groups(&grouped, &context, rows, EVENTS);
        tally_sort_rows(&one);
        tally_sort_rows(&grouped);
        ck_assert_uint_eq(one.used, grouped.used);
        for (size_t i = 0; i < one.used; i++) {
            ck_assert_mem_eq(one.rows[i].key, grouped.rows[i].key, sizeof one.rows[i].key);
            ck_assert_int_eq(one.rows[i].count, grouped.rows[i].count);
            ck_assert_int_eq(one.rows[i].bytes, grouped.rows[i].bytes);
        }
        tally_free(&one);
        tally_free(&grouped);
    }
}

/* Counting many at once gives the same result as one by one, in pieces of any size, until there is
 * no room. */
UNIT_TEST(tally_counts_many_at_once) {
    enum { EVENTS = 1000, ROOM = 600 };
    struct tally_context context = {.kind = TRACE_IO, .hour_origin = -HOUR / 3};
    static struct event rows[EVENTS];
    struct tally_events events = tally_events_of(rows);

    for (size_t i = 0; i < EVENTS; i++) {
        rows[i] = (struct event){.time = (int64_t)(i * i % 997 * i) * 77777777777 - 5 * HOUR,
                                 .operation = (uint32_t)i % 3,
                                 .flags = (uint32_t)(i * 7 % 6),
                                 .address = (int64_t)i * 8,
                                 .size = i % 5 == 0 ? EVENT_NONE : (int64_t)i % 4 * 512};
    }
    for (unsigned kind = 0; kind < TALLY_KINDS; kind++) {
        struct tally one, many;
        size_t counted = 0;

        tally_init(&one, (enum tally_kind)kind);
        tally_init(&many, (enum tally_kind)kind);
        one.most = many.most = ROOM;
        while (counted < EVENTS && adds(&one, &context, &rows[counted])) {
            counted++;
        }
        ck_assert_uint_eq(tally_add(&many, &context, &events, 0, 3), 3);
        ck_assert_uint_eq(tally_add(&many, &context, &events, 3, EVENTS), counted);
        ck_assert_uint_eq(one.used, many.used);
        ck_assert_uint_eq(one.capacity, many.capacity);
        ck_assert_mem_eq(one.rows, many.rows, one.capacity * sizeof *one.rows);
        tally_free(&one);
        tally_free(&many);
    }
}

/* At its limit a tally refuses new rows, but still counts existing ones. */
UNIT_TEST(tally_is_bounded) {
    struct tally_context context = {.kind = TRACE_CALLS};
    struct event event = {.operation = 1};
    struct tally tally;

    tally_init(&tally, TALLY_OPERATION);
    for (uint32_t i = 0; i < TALLY_ROWS; i++) {
        event.actor = i;
        ck_assert(adds(&tally, &context, &event));
    }
    event.actor = TALLY_ROWS;
    ck_assert(!adds(&tally, &context, &event));
    event.actor = 5;
    ck_assert(adds(&tally, &context, &event));
    ck_assert_int_eq(find_row(&tally, 1, 5, 0)->count, 2);
    tally_free(&tally);
}

UNIT_TEST(tally_takes_rows_back) {
    struct tally_row row = {.key = {1, 2, 3}, .count = 10, .bytes = 100};
    struct tally tally;

    tally_init(&tally, TALLY_SIZE);
    ck_assert(tally_insert(&tally, &row));
    ck_assert(tally_insert(&tally, &row));
    ck_assert_uint_eq(tally.used, 1);
    ck_assert_int_eq(find_row(&tally, 1, 2, 3)->count, 20);
    ck_assert_int_eq(find_row(&tally, 1, 2, 3)->bytes, 200);
    tally_free(&tally);
}

/* --- importers ------------------------------------------------------------------------------- */

/* Every importer defines the meaning of its columns. */
UNIT_TEST(importers_say_what_columns_mean) {
    const unsigned plain = EVENT_OPERATION | EVENT_FLAGS | EVENT_PARENT | EVENT_DEPTH | EVENT_CPU;

    const struct importer *importer;

    assert_done(config_set_defaults(&config, &error));
    for (size_t i = 0; (importer = importer_at(&config, i)) != NULL; i++) {
        unsigned said = 0;

        for (unsigned kind = 0; kind < TRACE_KINDS; kind++) {
            const struct event_meaning *meaning = importer->meanings[kind];

            ck_assert_int_eq(meaning != NULL, importer->kinds >> kind & 1);
            for (; meaning != NULL && meaning->what != NULL; meaning++) {
                ck_assert_str_ne(meaning->what, "");
                said |= 1u << meaning->place;
            }
        }
        ck_assert_msg((importer->columns & ~plain & ~said) == 0, "%s", importer->name);
    }
    config_free(&config);
}

/* Every importer declares the facts in its logs: reports omit the others. */
UNIT_TEST(importers_declare_facts) {
    const struct importer *importer;

    assert_done(config_set_defaults(&config, &error));
    for (size_t i = 0; (importer = importer_at(&config, i)) != NULL; i++) {
        for (unsigned kind = 0; kind < TRACE_KINDS; kind++) {
            const unsigned facts = importer->facts[kind];

            ck_assert_msg((facts & FACTS_DECLARED) != 0 || !(importer->kinds >> kind & 1),
                          "%s declares no facts of %s", importer->name,
                          trace_kind_name((enum trace_kind)kind));
            ck_assert_msg(facts == 0 || (importer->kinds >> kind & 1), "%s has no %s",
                          importer->name, trace_kind_name((enum trace_kind)kind));
            ck_assert_msg(
                facts == FACTS_ALL ||
                    (facts & ~(FACTS_DECLARED | facts_to_declare((enum trace_kind)kind))) == 0,
                "%s declares facts that %s do not have", importer->name,
                trace_kind_name((enum trace_kind)kind));
        }
    }
    config_free(&config);
}

/* --- ledger ---------------------------------------------------------------------------------- */

/* Files read in parallel: lines are numbered per file, however records alternate. */
UNIT_TEST(ledger_keeps_sources_apart) {
    enum { SOURCES = 100, RECORDS = 7 };
    static const char bad[] = "bad", other[] = "other";
    struct import_run run = {0};
    struct import import = {.run = &run};
    const struct ledger *ledger = &import.ledger;

    for (int64_t record = 0; record < RECORDS; record++) {
        for (size_t source = SOURCES; source-- > 0;) {
            run.source = source;
            import_rejected(&import, bad, 1000 * record + (int64_t)source, 2);
            (record % 2 ? import_ignored : import_merged)(&import, other, 5000 - record);
        }
    }
    ck_assert_uint_eq(ledger->line_count, 3 * (size_t)SOURCES);
    for (size_t i = 0; i < ledger->line_count; i++) {
        const struct ledger_line *line = &ledger->lines[i];

        ck_assert_uint_lt(line->source, SOURCES);
        if (line->outcome == OUTCOME_REJECTED) {
            ck_assert_str_eq(line->reason, bad);
            ck_assert_int_eq(line->count, RECORDS);
            ck_assert_int_eq(line->first_offset, (int64_t)line->source);
            ck_assert_int_eq(line->bytes, 2 * (int64_t)RECORDS);
        } else {
            ck_assert_str_eq(line->reason, other);
            ck_assert_int_eq(line->count, line->outcome == OUTCOME_IGNORED ? 3 : 4);
            ck_assert_int_eq(line->first_offset, line->outcome == OUTCOME_IGNORED ? 4995 : 4994);
        }
    }
    ck_assert_int_eq(ledger->totals[OUTCOME_REJECTED], (int64_t)SOURCES * RECORDS);
    ck_assert_int_eq(ledger->lost_bytes, 2 * (int64_t)SOURCES * RECORDS);
    ledger_free(&import.ledger);
}

/* --- file types ------------------------------------------------------------------------------ */

static const struct {
    const char *name, *most, *realtime;
} files[] = {
    {"", "other", "miscellaneous"},
    {"a.db", "sqlite-db", "sqlite-db"},
    {"a-db", "sqlite-db", "sqlite-db"},
    {"a_db", "sqlite-db", "sqlite-db"},
    {"adb", "other", "miscellaneous"},
    {"db", "other", "miscellaneous"},
    {".db", "sqlite-db", "sqlite-db"},
    {"a.DB", "other", "miscellaneous"},
    {"a.db ", "other", "miscellaneous"},
    {"/data/db/", "other", "miscellaneous"},
    {"a.db-journal", "sqlite-journal", "sqlite-journal"},
    {"a-journal", "sqlite-journal", "miscellaneous"},
    {"a.db-j12345", "other", "miscellaneous"},
    {"a.db-wal", "sqlite-wal", "sqlite-other"},
    {"a.wal", "sqlite-wal", "miscellaneous"},
    {"a.db-shm", "sqlite-temp", "miscellaneous"},
    {"a.shm", "sqlite-temp", "miscellaneous"},
    {"a.db-mj123456789", "sqlite-temp", "sqlite-other"},
    {"a.db-mj1234567890", "sqlite-temp", "sqlite-other"},
    {"a.db-mj12345678", "other", "sqlite-other"},
    {"a.jpg", "multimedia", "multimedia"},
    {"a.3gp", "multimedia", "multimedia"},
    {"a.mp3", "multimedia", "multimedia"},
    {"a.mp4", "multimedia", "miscellaneous"},
    {"a.MOV", "multimedia", "miscellaneous"},
    {"a.mov", "other", "miscellaneous"},
    {"a.avi", "multimedia", "miscellaneous"},
    {"a.thumb", "multimedia", "multimedia"},
    {"a.so", "executable", "executable"},
    {"a.dex", "executable", "executable"},
    {"a.odex", "executable", "executable"},
    {"a.apk", "executable", "executable"},
    {"a.dat", "resource", "resource"},
    {"a.xml", "resource", "resource"},
    {"a.cache", "resource", "resource"},
    {"a.localstorage", "resource", "resource"},
    {"a.thumbdata3", "resource", "resource"},
    {"a.bak", "temp", "miscellaneous"},
    {"a.tmp", "temp", "miscellaneous"},
    {"a.temp", "temp", "miscellaneous"},
    {"140426.uio", "tracer", "miscellaneous"},
    {"140426.ufls", "tracer", "miscellaneous"},
    {"140426.um", "tracer", "miscellaneous"},
    {"140426.umd", "tracer", "miscellaneous"},
};

UNIT_LOOP(file_types_shipped, COUNT(files)) {
    char most[] = "most", realtime[] = "realtime";
    const struct config configs[] = {{0}, {.file_type_list = most}, {.file_type_list = realtime}};

    for (size_t i = 0; i < 3; i++) {
        struct file_types types;

        ck_assert(file_types_init(&types, &configs[i], &error));
        ck_assert_str_eq(file_types_find(&types, files[_i].name, strlen(files[_i].name)),
                         i < 2 ? files[_i].most : files[_i].realtime);
        file_types_free(&types);
    }
}

UNIT_TEST(file_types_of_the_user) {
    char types_first[] = "first", types_second[] = "second";
    char any[] = "x$2", end[] = "xab", list[] = "nosuch";
    struct config_file_type rules[] = {{types_first, any}, {types_second, end}};
    struct config config = {.file_types = rules, .file_type_count = 2};
    struct file_types types;

    ck_assert(file_types_init(&types, &config, &error));
    ck_assert_str_eq(file_types_find(&types, "a.xcd", 5), "first");
    ck_assert_str_eq(file_types_find(&types, "a.xab", 5), "second"); /* the later rule wins */
    ck_assert_str_eq(file_types_find(&types, "a.x", 3), "other");
    ck_assert_str_eq(file_types_find(&types, "a.db", 4), "other");
    file_types_free(&types);
    config = (struct config){.file_type_list = list};
    ck_assert(!file_types_init(&types, &config, &error));
    assert_message(&error, "nosuch");
}
