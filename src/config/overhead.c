/* `overhead:` what a probe takes. */
#include <string.h>

#include "config/config.h"
#include "config/section.h"

#define COUNT(array)  (sizeof(array) / sizeof(array)[0])
#define MOST_OVERHEAD INT64_C(60000000000) /* a minute */

/* Measured by the authors of RMP. */
#define APP_OVERHEAD       488000
#define FRAMEWORK_OVERHEAD 631000

/* Nanoseconds in a unit, 0 when it is none. The micro sign is either of Unicode's two. */
static int64_t find_unit(const char *name) {
    static const struct {
        const char *name;
        int64_t nanoseconds;
    } units[] = {
        {"", 1},         {"ns", 1},         {"us", 1000}, {"\xc2\xb5s", 1000}, {"\xce\xbcs", 1000},
        {"ms", 1000000}, {"s", 1000000000},
    };

    for (size_t i = 0; i < COUNT(units); i++) {
        if (strcmp(units[i].name, name) == 0) {
            return units[i].nanoseconds;
        }
    }
    return 0;
}

/* Digits with up to nine decimals, perhaps a blank, and a unit. Whole nanoseconds only: nothing is
 * rounded behind the user's back. */
static bool parse_overhead(const char *string, int64_t *nanoseconds) {
    size_t digits = strspn(string, "0123456789"), decimals = 0;
    const char *rest = string + digits;
    int64_t number = 0, unit, divisor = 1;

    if (digits == 0 || digits > 11) {
        return false;
    }
    for (size_t i = 0; i < digits; i++) {
        number = number * 10 + (string[i] - '0');
    }
    if (*rest == '.') {
        decimals = strspn(++rest, "0123456789");
        if (decimals == 0 || decimals > 9) {
            return false;
        }
    }
    unit = find_unit(rest + decimals + (rest[decimals] == ' '));
    if (unit == 0 || number > MOST_OVERHEAD / unit) {
        return false;
    }
    *nanoseconds = number * unit;
    for (number = 0; decimals > 0; decimals--, rest++) {
        number = number * 10 + (*rest - '0');
        divisor *= 10;
    }
    *nanoseconds += number * unit / divisor;
    return number * unit % divisor == 0 && *nanoseconds <= MOST_OVERHEAD;
}

static bool read_probe_overhead(struct yaml_value value, bool *given, int64_t *overhead,
                                struct error *error) {
    const char *string = yaml_string(value, "an overhead", error);

    if (string == NULL) {
        return false;
    }
    *given = parse_overhead(string, overhead);
    return *given || yaml_error(value, error,
                                "'%.100s' is not an overhead; write 0.488ms or 488000, with a unit "
                                "ns, us, ms or s, in whole nanoseconds up to 60s",
                                string);
}

static bool read_app_overhead(void *context, struct yaml_value key, struct yaml_value value,
                              struct error *error) {
    struct config_overhead *overhead = &((struct config *)context)->overhead;

    (void)key;
    return read_probe_overhead(value, &overhead->has_app, &overhead->app, error);
}

static bool read_framework_overhead(void *context, struct yaml_value key, struct yaml_value value,
                                    struct error *error) {
    struct config_overhead *overhead = &((struct config *)context)->overhead;

    (void)key;
    return read_probe_overhead(value, &overhead->has_framework, &overhead->framework, error);
}

static const struct config_key overhead_keys[] = {
    {.name = "app", .read = read_app_overhead, .help = "What a probe of the application takes"},
    {.name = "framework",
     .read = read_framework_overhead,
     .help = "What a probe of the framework takes"},
};

const struct config_section config_overhead_section = {
    .name = "overhead",
    .help = "What a probe takes each time it fires",
    .keys = overhead_keys,
    .key_count = COUNT(overhead_keys),
};

int64_t config_probe_overhead(const struct config *config, const char *origin) {
    const struct config_overhead *overhead = &config->overhead;

    if (strcmp(origin, "framework") == 0) {
        return overhead->has_framework ? overhead->framework : FRAMEWORK_OVERHEAD;
    }
    return overhead->has_app ? overhead->app : APP_OVERHEAD;
}
