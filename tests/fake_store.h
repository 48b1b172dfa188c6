/* A store in this process, for tests of src/remote without a server: requests that http.h would
 * send are answered by tables of SQLite's. Programs with it are linked with FAKE_STORE_FLAGS
 * (tests.mk).
 *
 * It takes the statements of remote/statements.h and no others; one that it cannot take gets the
 * answer of a server that cannot parse it. What it says of checksums it works out by itself. That
 * real servers understand the same is for `make check-store`.
 */
#ifndef TRACETOOL_FAKE_STORE_H
#define TRACETOOL_FAKE_STORE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "remote/http.h"

/* The address of the store, and the name of its database. */
#define FAKE_STORE          "http://localhost/fake"
#define FAKE_STORE_DATABASE "fake"

/* A request that was answered, and may be answered otherwise. */
struct fake_exchange {
    size_t number;         /* of the request, from 0 on, since fake_store_begin() */
    const char *statement; /* borrowed */
    struct text *answer;
    struct http_outcome *outcome;
};

/* Is shown each exchange before the client sees it; NULL: nobody. */
typedef void fake_store_watch(void *context, struct fake_exchange *exchange);

/* A server without tables. False without memory. There is one at a time. */
bool fake_store_begin(void);
void fake_store_end(void);

/* Has `watch` called with `context` from now on. */
void fake_store_watched(fake_store_watch *watch, void *context);

/* Runs SQL on what the store holds, as `fake.table`; false when that cannot be. */
bool fake_store_run(const char *sql);

/* Requests since fake_store_begin(). */
size_t fake_store_requests(void);

/* Seconds that the client waited between tries, since fake_store_begin(). */
unsigned fake_store_waited(void);

#endif
