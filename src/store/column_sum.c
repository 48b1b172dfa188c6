#include "store/column_sum.h"

#include <endian.h>
#include <string.h>

#include "base/hash.h"

static uint32_t sum_of_key(const struct column_key *key) {
    struct {
        uint64_t numbers[6]; /* the lowest byte first */
        char name[16];       /* the longest is cpu_duration */
    } bytes = {.numbers = {htole64((uint64_t)key->trace), htole64((uint64_t)key->first),
                           htole64((uint64_t)key->count), htole64((uint64_t)key->least),
                           htole64((uint64_t)key->most), htole64((uint64_t)key->fields)}};
    const char *name = event_field_name(key->field);
    size_t length = strnlen(name, sizeof bytes.name);

    memcpy(bytes.name, name, length);
    return (uint32_t)XXH3_64bits(&bytes, sizeof bytes.numbers + length);
}

int64_t column_sum(const struct column_key *key, uint32_t code) {
    return (int64_t)((uint64_t)sum_of_key(key) << 32 | code);
}

bool column_sum_fits(const struct column_key *key, int64_t sum) {
    return (uint64_t)sum >> 32 == sum_of_key(key);
}
