#include "base/clock.h"

#include <string.h>
#include <time.h>

#include "base/saturate.h"
#include "base/time_unit.h"
#include "base/words.h"

/* Parses exactly `digits` digits, and advances `*at` past them. */
static bool parse_digits(const char **at, int digits, int64_t *number) {
    *number = 0;
    for (int i = 0; i < digits; i++, (*at)++) {
        if (**at < '0' || **at > '9') {
            return false;
        }
        *number = *number * 10 + (**at - '0');
    }
    return true;
}

/* Parses an optional decimal point with one to nine digits, as billionths. */
static bool parse_fraction(const char **at, int64_t *billionths) {
    int64_t unit = SECOND / 10;
    const char *begin;

    *billionths = 0;
    if (**at != '.') {
        return true;
    }
    begin = ++*at;
    for (; **at >= '0' && **at <= '9'; (*at)++, unit /= 10) {
        *billionths += (**at - '0') * unit;
    }
    return *at > begin && *at - begin <= 9;
}

static bool parse_offset(const char **at, int64_t *offset) {
    bool west = **at == '-';
    int64_t hours, minutes;

    if (**at != '+' && **at != '-') {
        return false;
    }
    (*at)++;
    if (!parse_digits(at, 2, &hours)) {
        return false;
    }
    *at += **at == ':';
    if (!parse_digits(at, 2, &minutes) || hours > 18 || minutes > 59) {
        return false;
    }
    *offset = hours * 60 + minutes;
    if (west) {
        *offset = -*offset;
    }
    return true;
}

bool clock_parse_offset(const char *string, int64_t *offset) {
    return parse_offset(&string, offset) && *string == '\0';
}

static bool clock_parse_date(const char **at, struct tm *date) {
    int64_t year, month, day;

    if (!parse_digits(at, 4, &year) || *(*at)++ != '-' || !parse_digits(at, 2, &month) ||
        *(*at)++ != '-' || !parse_digits(at, 2, &day)) {
        return false;
    }
    date->tm_year = (int)year - 1900;
    date->tm_mon = (int)month - 1;
    date->tm_mday = (int)day;
    return year >= 1970 && year <= 2150;
}

static bool clock_parse_time(const char **at, struct tm *date, int64_t *billionths) {
    int64_t hour, minute, second = 0;

    *billionths = 0;
    if ((**at != 'T' && **at != ' ') || (++*at, !parse_digits(at, 2, &hour)) || *(*at)++ != ':' ||
        !parse_digits(at, 2, &minute)) {
        return false;
    }
    if (**at == ':') {
        (*at)++;
        if (!parse_digits(at, 2, &second) || !parse_fraction(at, billionths)) {
            return false;
        }
    }
    date->tm_hour = (int)hour;
    date->tm_min = (int)minute;
    date->tm_sec = (int)second;
    return hour < 24 && minute < 60 && second < 60;
}

bool clock_parse_time_of_day(const char *string, int64_t *nanoseconds) {
    int64_t hour, minute, second = 0, billionths = 0;

    if (!parse_digits(&string, 2, &hour) || *string++ != ':' ||
        !parse_digits(&string, 2, &minute)) {
        return false;
    }
    if (*string == ':') {
        string++;
        if (!parse_digits(&string, 2, &second) || !parse_fraction(&string, &billionths)) {
            return false;
        }
    }
    *nanoseconds = hour * HOUR + minute * 60 * SECOND + second * SECOND + billionths;
    return *string == '\0' && minute < 60 && second < 60 && *nanoseconds <= DAY;
}

bool clock_parse(const char *string, int64_t *nanoseconds, bool *has_zone, int64_t *offset) {
    struct tm date = {0}, normal;
    int64_t billionths = 0;
    time_t seconds;

    if (!clock_parse_date(&string, &date) ||
        (*string != '\0' && !clock_parse_time(&string, &date, &billionths))) {
        return false;
    }
    *has_zone = *string != '\0';
    *offset = 0;
    if (*string == 'Z') {
        string++;
    } else if (*has_zone && !parse_offset(&string, offset)) {
        return false;
    }
    normal = date;
    seconds = timegm(&normal);
    *nanoseconds = (int64_t)seconds * SECOND + billionths;
    /* rejects dates like 31 February, which timegm() converts to a day in March */
    return *string == '\0' && normal.tm_mday == date.tm_mday && normal.tm_mon == date.tm_mon;
}

/* Units of time. Unicode has two characters "µ" (micro sign, Greek mu); both are accepted. */
static const struct clock_unit {
    const char *name;
    int64_t nanoseconds;
} units[] = {
    {"", SECOND},         {"s", SECOND},       {"m", 60 * SECOND},
    {"h", 3600 * SECOND}, {"ms", 1000000},     {"us", 1000},
    {"\xc2\xb5s", 1000},  {"\xce\xbcs", 1000}, {"ns", 1},
};

bool clock_parse_duration(const char *string, int64_t *nanoseconds) {
    const int64_t limit = INT64_C(100) * 366 * 86400 * SECOND;
    const struct clock_unit *named;
    int64_t whole = 0, billionths, unit, part;
    const char *begin = string;

    for (; *string >= '0' && *string <= '9' && whole <= limit / 10; string++) {
        whole = whole * 10 + (*string - '0');
    }
    if (string == begin || !parse_fraction(&string, &billionths)) {
        return false;
    }
    named = find_named(units, sizeof units / sizeof units[0], sizeof units[0], string);
    if (named == NULL) {
        return false;
    }
    unit = named->nanoseconds;
    /* fractions of a nanosecond are an error, not rounded */
    part = unit >= SECOND ? unit / SECOND * billionths : billionths * unit / SECOND;
    if (whole > limit / unit || (unit < SECOND && billionths * unit % SECOND != 0)) {
        return false;
    }
    *nanoseconds = whole * unit + part;
    return true;
}

void clock_append(struct text *out, int64_t nanoseconds, int64_t offset) {
    int64_t local = sum_saturated(nanoseconds, product_saturated(offset, 60 * SECOND));
    time_t seconds = (time_t)(local / SECOND - (local % SECOND < 0));
    int64_t billionths = local % SECOND + (local % SECOND < 0 ? SECOND : 0);
    const uint64_t minutes = offset < 0 ? -(uint64_t)offset : (uint64_t)offset;
    struct tm date;
    char string[64];

    if (gmtime_r(&seconds, &date) == NULL) {
        return;
    }
    strftime(string, sizeof string, "%Y-%m-%dT%H:%M:%S", &date);
    text_append_string(out, string);
    if (billionths != 0) {
        text_append_format(out, ".%09lld", (long long)billionths);
    }
    text_append_format(out, "%c%02llu%02llu", offset < 0 ? '-' : '+',
                       (unsigned long long)(minutes / 60), (unsigned long long)(minutes % 60));
}
