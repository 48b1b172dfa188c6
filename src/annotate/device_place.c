#include "annotate/device_place.h"

#include "base/text.h"
#include "model/event.h"
#include "model/partition.h"
#include "store/trace_tables.h"

#define SECTOR 512

/* Maximum shifts in a message. */
#define SHIFTS_NAMED 4

/* --- device of the I/Os ----------------------------------------------------------------------- */

static bool has_device(struct database *database, int64_t trace, int64_t device, bool *has,
                       struct error *error) {
    struct database_query query = database_query(
        database, error, "SELECT 1 FROM main.object WHERE trace = ?1 AND device = ?2 LIMIT 1", "ii",
        trace, device);

    *has = database_next(&query);
    return database_end(&query);
}

/* Finds the device below one that has no I/Os; if there are several, the lowest number. */
static bool find_below(struct database *database, int64_t trace, int64_t from, int64_t *below,
                       struct error *error) {
    struct database_query query =
        database_query(database, error,
                       "SELECT min(device) FROM main.remap WHERE trace = ?1 AND \"from\" = ?2"
                       " HAVING count(DISTINCT device) = 1",
                       "ii", trace, from);

    *below = database_next(&query) ? sqlite3_column_int64(query.row, 0) : from;
    return database_end(&query);
}

/* Devices with I/Os in a trace. */
struct device_range {
    int64_t count, least, most; /* EVENT_NONE if there are none */
};

static bool find_range(struct database *database, const struct catalog_trace *trace,
                       struct device_range *range, struct error *error) {
    struct database_query query = database_query(
        database, error,
        "SELECT count(DISTINCT device), min(device), max(device) FROM main.object WHERE trace = ?1",
        "i", trace->id);

    if (database_next(&query)) {
        range->count = sqlite3_column_int64(query.row, 0);
        range->least = database_column_optional(query.row, 1);
        range->most = database_column_optional(query.row, 2);
    }
    return database_end(&query);
}

/* Finds the only device of the trace. */
static bool find_only(struct database *database, const struct catalog_trace *trace, int64_t *device,
                      struct error *error) {
    struct device_range range = {0};

    if (!find_range(database, trace, &range, error)) {
        return false;
    }
    *device = range.least;
    return range.count <= 1 || error_usage(error,
                                           "trace %s has I/Os of %lld devices, from %d:%d to "
                                           "%d:%d: choose the device of the image with --device",
                                           trace->name, (long long)range.count,
                                           device_major(range.least), device_minor(range.least),
                                           device_major(range.most), device_minor(range.most));
}

/* Sets an error: neither the device nor one below it is in the trace; lists its devices. */
static bool refuse_device(struct database *database, const struct catalog_trace *trace,
                          int64_t device, struct error *error) {
    struct device_range range = {0};

    if (!find_range(database, trace, &range, error)) {
        return false;
    }
    if (range.count == 0) {
        return error_usage(
            error,
            "trace %s has no I/Os of %d:%d: it does not name their device; leave out --device",
            trace->name, device_major(device), device_minor(device));
    }
    if (range.count == 1) {
        return error_usage(error, "trace %s has no I/Os of %d:%d, only of %d:%d", trace->name,
                           device_major(device), device_minor(device), device_major(range.least),
                           device_minor(range.least));
    }
    return error_usage(error,
                       "trace %s has no I/Os of %d:%d, but of %lld other devices, from %d:%d "
                       "to %d:%d",
                       trace->name, device_major(device), device_minor(device),
                       (long long)range.count, device_major(range.least), device_minor(range.least),
                       device_major(range.most), device_minor(range.most));
}

/* Finds the device with the I/Os of a given one: itself, or the one below it. */
static bool find_given(struct database *database, const struct catalog_trace *trace, int64_t given,
                       int64_t *device, struct error *error) {
    bool has;

    *device = given;
    if (!has_device(database, trace->id, given, &has, error)) {
        return false;
    }
    if (!has && (!find_below(database, trace->id, given, device, error) ||
                 !has_device(database, trace->id, *device, &has, error))) {
        return false;
    }
    return has || refuse_device(database, trace, given, error);
}

/* --- remaps --------------------------------------------------------------------------------------
 */

/* Keeps the remaps from one device above; `from` EVENT_NONE: from the only one. */
static bool keep_from(struct device_place *place, int64_t from, const char *trace,
                      struct error *error) {
    struct remap *pieces = place->pieces;
    size_t kept = 0;

    for (size_t i = 0; i < place->count; i++) {
        if (from == EVENT_NONE && pieces[i].from != pieces[0].from) {
            return error_usage(
                error,
                "trace %s has remaps of several devices to %d:%d, such as %d:%d and %d:%d: choose "
                "the device of the image with --device, or give --offset",
                trace, device_major(place->device), device_minor(place->device),
                device_major(pieces[0].from), device_minor(pieces[0].from),
                device_major(pieces[i].from), device_minor(pieces[i].from));
        }
        if (from == EVENT_NONE || pieces[i].from == from) {
            pieces[kept++] = pieces[i];
        }
    }
    place->count = kept;
    place->from = kept > 0 ? pieces[0].from : EVENT_NONE;
    return true;
}

/* Joins equal remaps of an appended trace. */
static void join_equal(struct device_place *place) {
    struct remap *pieces = place->pieces;
    size_t kept = 0;

    for (size_t i = 1; i < place->count; i++) {
        if (pieces[i].shift == pieces[kept].shift) {
            pieces[kept].last =
                pieces[i].last > pieces[kept].last ? pieces[i].last : pieces[kept].last;
        } else {
            pieces[++kept] = pieces[i];
        }
    }
    place->count = place->count > 0 ? kept + 1 : 0;
}

/* Linear: the pieces follow one another. */
static bool check_linear(const struct device_place *place, const char *trace, struct error *error) {
    const struct remap *pieces = place->pieces;
    struct text seen = {0};
    bool linear = true;

    for (size_t i = 0; i < place->count; i++) {
        linear = linear && pieces[i].shift != EVENT_NONE &&
                 (i == 0 || pieces[i].first > pieces[i - 1].last);
        if (i < SHIFTS_NAMED && pieces[i].shift != EVENT_NONE) {
            text_append_format(&seen, "%s%+lld", i == 0 ? "" : ", ", (long long)pieces[i].shift);
        }
    }
    if (!linear) {
        error_set(
            error,
            "trace %s: sectors of %d:%d are not at one place of %d:%d, but moved by %s%s, all "
            "mixed: striped devices cannot be mapped",
            trace, device_major(place->from), device_minor(place->from),
            device_major(place->device), device_minor(place->device), text_string(&seen),
            place->count > SHIFTS_NAMED ? ", …" : "");
    }
    text_free(&seen);
    return linear;
}

static bool find_pieces(struct device_place *place, int64_t from, struct database *database,
                        const struct catalog_trace *trace, struct error *error) {
    bool whole;

    if (!remap_table_read(database, trace->id, place->device, place->pieces, REMAPS_MOST,
                          &place->count, &whole, error) ||
        (whole && !keep_from(place, from, trace->name, error))) {
        return false;
    }
    /* A truncated list may only look linear. */
    if (!whole) {
        return error_set(error,
                         "trace %s: sectors are remapped in more ways than the %d that are kept: "
                         "striped devices cannot be mapped; of others, --offset says where the "
                         "file system is",
                         trace->name, REMAPS_MOST - 1);
    }
    join_equal(place);
    return check_linear(place, trace->name, error);
}

/* --- result ----------------------------------------------------------------------------------- */

bool device_place_find(struct device_place *place, const struct device_request *request,
                       struct database *database, const struct catalog_trace *trace,
                       struct error *error) {
    int64_t from = EVENT_NONE;

    *place = (struct device_place){.device = request->device, .from = EVENT_NONE};
    if (request->device == EVENT_NONE
            ? !find_only(database, trace, &place->device, error)
            : !find_given(database, trace, request->device, &place->device, error)) {
        return false;
    }
    if (place->device != request->device && request->device != EVENT_NONE) {
        from = request->device;
    }
    /* If the given device has I/Os, the image is of that one. */
    if (request->by_remaps && place->device != EVENT_NONE &&
        (request->device == EVENT_NONE || from != EVENT_NONE) &&
        !find_pieces(place, from, database, trace, error)) {
        return false;
    }
    if (place->count == 0) {
        place->pieces[place->count++] = (struct remap){.shift = (int64_t)request->offset / SECTOR};
    }
    return true;
}

bool device_place_sector(const struct device_place *place, int64_t address, uint64_t *sector) {
    size_t i = 0;

    while (place->count > 1 && i < place->count &&
           (address < place->pieces[i].first || address > place->pieces[i].last)) {
        i++;
    }
    if (i == place->count || address < place->pieces[i].shift) {
        return false;
    }
    *sector = (uint64_t)(address - place->pieces[i].shift);
    return true;
}

int64_t device_place_offset(const struct device_place *place) {
    return place->count == 1 && place->pieces[0].shift >= 0 ? place->pieces[0].shift * SECTOR
                                                            : EVENT_NONE;
}
