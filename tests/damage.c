/* Damages files as disks, cables and people do, with knowledge of their structure.
 *
 *     damage SEED COUNT FOLDER FILE…
 *
 * Writes COUNT files FOLDER/NNNNN-NAME, each a FILE with one to four damages: bits flipped, the end
 * cut off, parts duplicated, exchanged, removed, filled, lengthened or inserted from another file,
 * and numbers made extreme. Parts are whole records or lines as often as arbitrary bytes. The same
 * arguments give the same files.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20, LONG_PART = 300000 };

struct bytes {
    uint8_t *at; /* owned; room for MOST_BYTES */
    size_t length;
};

static uint64_t random_state;

/* splitmix64 */
static uint64_t random_number(void) {
    uint64_t mixed = random_state += UINT64_C(0x9E3779B97F4A7C15);

    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94D049BB133111EB);
    return mixed ^ mixed >> 31;
}

/* Returns a number from 0 to limit - 1; 0 for a limit of 0. */
static size_t below(size_t limit) {
    return limit == 0 ? 0 : (size_t)(random_number() % limit);
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

/* --- parts ------------------------------------------------------------------------------------ */

struct part {
    size_t begin, length;
};

static bool is_text(const struct bytes *bytes) {
    size_t looked = bytes->length < 2000 ? bytes->length : 2000;

    return memchr(bytes->at, 0, looked) == NULL && memchr(bytes->at, '\n', looked) != NULL;
}

/* Chooses one or a few lines, or one field of a line. */
static struct part choose_lines(const struct bytes *bytes) {
    const char *ends = below(2) == 0 ? "\n" : "\n\t :,;";
    size_t begin = below(bytes->length), end = begin;

    while (begin > 0 && strchr(ends, bytes->at[begin - 1]) == NULL) {
        begin--;
    }
    for (size_t wanted = 1 + below(3); wanted > 0 && end < bytes->length; end++) {
        wanted -= strchr(ends, bytes->at[end]) != NULL;
    }
    return (struct part){begin, end - begin};
}

/* Sizes of records and fields in the formats (46: most-binary; 9, 10, 14: Android's method traces;
 * 192: padded Palmist records; 78 and 8: header and list of a PDB). */
static struct part choose_records(const struct bytes *bytes) {
    static const size_t units[] = {1, 2, 4, 8, 9, 10, 12, 14, 16, 32, 46, 78, 192, 1024};
    size_t unit = units[below(sizeof units / sizeof units[0])];
    size_t begin = below(bytes->length / unit + 1) * unit;
    size_t length = unit * (1 + below(4));

    begin = begin > bytes->length ? bytes->length : begin;
    return (struct part){begin, length > bytes->length - begin ? bytes->length - begin : length};
}

static struct part choose_part(const struct bytes *bytes) {
    size_t begin;

    switch (below(4)) {
    case 0:
        begin = below(bytes->length);
        return (struct part){begin, below(bytes->length - begin + 1)};
    case 1:
        /* The beginning contains headers, which should be damaged more often. */
        begin = below(bytes->length < 128 ? bytes->length : 128);
        return (struct part){begin, 1 + below(bytes->length - begin < 8 ? 1 : 8)};
    default:
        return is_text(bytes) ? choose_lines(bytes) : choose_records(bytes);
    }
}

/* --- damages ---------------------------------------------------------------------------------- */

/* Inserts `length` bytes at `place`. `from` may be in the same bytes. */
static void insert(struct bytes *bytes, size_t place, const uint8_t *from, size_t length) {
    uint8_t *copy;

    if (bytes->length + length > MOST_BYTES || length == 0) {
        return;
    }
    copy = malloc(length);
    if (copy == NULL) {
        fail("memory");
    }
    memcpy(copy, from, length);
    memmove(bytes->at + place + length, bytes->at + place, bytes->length - place);
    memcpy(bytes->at + place, copy, length);
    bytes->length += length;
    free(copy);
}

static void take_out(struct bytes *bytes, struct part part) {
    memmove(bytes->at + part.begin, bytes->at + part.begin + part.length,
            bytes->length - part.begin - part.length);
    bytes->length -= part.length;
}

static void flip(struct bytes *bytes) {
    for (size_t left = 1 + below(8); left > 0; left--) {
        bytes->at[below(bytes->length)] ^= (uint8_t)(1u << below(8));
    }
}

static void duplicate(struct bytes *bytes, struct part part) {
    size_t place = below(2) == 0 ? part.begin : below(bytes->length + 1);

    for (size_t left = 1 + below(3) * below(20); left > 0; left--) {
        insert(bytes, place, bytes->at + part.begin, part.length);
    }
}

/* Exchanges two parts of the same length; an overlap is unchanged. */
static void exchange(struct bytes *bytes, struct part part) {
    size_t other = choose_part(bytes).begin;

    for (size_t i = 0; i < part.length && other + i < bytes->length; i++) {
        uint8_t kept = bytes->at[part.begin + i];

        bytes->at[part.begin + i] = bytes->at[other + i];
        bytes->at[other + i] = kept;
    }
}

/* Lengthens a part: repeats one byte of it, or all of it, many times; sometimes beyond any limit of
 * a line. */
static void lengthen(struct bytes *bytes, struct part part) {
    static uint8_t filling[LONG_PART];
    size_t length = below(8) == 0 ? LONG_PART : 1 + below(below(2) == 0 ? 20 : 3000);
    size_t unit = below(2) == 0 || part.length == 0 ? 1 : part.length;

    for (size_t i = 0; i < length; i++) {
        filling[i] = bytes->at[(part.begin + i % unit) % bytes->length];
    }
    insert(bytes, part.begin, filling, length);
}

static void fill(struct bytes *bytes, struct part part) {
    static const uint8_t fillings[] = {0, 0xFF, ' ', '\n', '9', '-', 0x80, '%'};

    memset(bytes->at + part.begin, fillings[below(sizeof fillings)], part.length);
}

/* Writes a number at a limit, as digits if there are digits. */
static void make_extreme(struct bytes *bytes, struct part part) {
    static const char *const digits[] = {"0",
                                         "-1",
                                         "4294967295",
                                         "2147483648",
                                         "9223372036854775807",
                                         "99999999999999999999999",
                                         "1e308",
                                         "0x7fffffff",
                                         "nan",
                                         ""};
    static const uint64_t numbers[] = {0,          1,          0x7FFF,
                                       0xFFFF,     0x7FFFFFFF, 0x80000000,
                                       0xFFFFFFFF, INT64_MAX,  (uint64_t)INT64_MIN,
                                       UINT64_MAX};
    size_t at = part.begin;

    if (is_text(bytes)) {
        const char *text = digits[below(sizeof digits / sizeof digits[0])];

        while (at < bytes->length && !isdigit(bytes->at[at])) {
            at++;
        }
        while (at < bytes->length && isdigit(bytes->at[at])) {
            take_out(bytes, (struct part){at, 1});
        }
        insert(bytes, at, (const uint8_t *)text, strlen(text));
    } else {
        uint64_t number = numbers[below(sizeof numbers / sizeof numbers[0])];
        size_t size = (size_t)1 << below(4);
        bool big = below(2) == 0;

        for (size_t i = 0; i < size && at + i < bytes->length; i++) {
            bytes->at[at + i] = (uint8_t)(number >> 8 * (big ? size - 1 - i : i));
        }
    }
}

static void wound(struct bytes *bytes, const struct bytes *other) {
    struct part part = choose_part(bytes);

    switch (below(10)) {
    case 0:
    case 1:
        flip(bytes);
        break;
    case 2:
        bytes->length = below(bytes->length);
        break;
    case 3:
        duplicate(bytes, part);
        break;
    case 4:
        exchange(bytes, part);
        break;
    case 5:
        lengthen(bytes, part);
        break;
    case 6:
        fill(bytes, part);
        break;
    case 7:
        take_out(bytes, part);
        break;
    case 8:
        make_extreme(bytes, part);
        break;
    default:
        if (other->length > 0) {
            struct part donor = choose_part(other);

            insert(bytes, part.begin, other->at + donor.begin, donor.length);
        }
    }
}

/* --- files ---------------------------------------------------------------------------------------
 */

static void read_file(const char *path, struct bytes *bytes) {
    FILE *file = fopen(path, "rb");

    if (file == NULL) {
        fail(path);
    }
    bytes->length = fread(bytes->at, 1, MOST_BYTES, file);
    fclose(file);
}

static void write_file(const char *folder, size_t number, const char *source,
                       const struct bytes *bytes) {
    const char *name = strrchr(source, '/');
    char path[4096];
    FILE *file;

    snprintf(path, sizeof path, "%s/%05zu-%s", folder, number, name == NULL ? source : name + 1);
    file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes->at, 1, bytes->length, file) != bytes->length ||
        fclose(file) != 0) {
        fail(path);
    }
}

int main(int argument_count, char **arguments) {
    struct bytes bytes = {malloc(MOST_BYTES), 0}, other = {malloc(MOST_BYTES), 0};
    size_t count, sources = argument_count < 5 ? 0 : (size_t)argument_count - 4;

    if (sources == 0 || bytes.at == NULL || other.at == NULL) {
        fprintf(stderr, "usage: damage SEED COUNT FOLDER FILE...\n");
        return 2;
    }
    random_state = strtoull(arguments[1], NULL, 10);
    count = strtoull(arguments[2], NULL, 10);
    for (size_t i = 0; i < count; i++) {
        const char *source = arguments[4 + i % sources];

        read_file(source, &bytes);
        read_file(arguments[4 + below(sources)], &other);
        for (size_t wounds = 1 + below(4); wounds > 0 && bytes.length > 0; wounds--) {
            wound(&bytes, &other);
        }
        write_file(arguments[3], i, source, &bytes);
    }
    free(bytes.at);
    free(other.at);
    return 0;
}
