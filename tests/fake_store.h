/* A store in this process, for tests of src/remote without a server: requests through http.h are
 * answered from SQLite tables. Programs that use it are linked with FAKE_STORE_FLAGS (tests.mk).
 *
 * It accepts only the statements of remote/statements.h; others get the answer of a server that
 * cannot parse them. It computes checksums on its own. `make check-store` verifies that real
 * servers behave the same.
 */
#ifndef TRACETOOL_FAKE_STORE_H
#define TRACETOOL_FAKE_STORE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "remote/http.h"

/* Address of the store, and name of its database. */
#define FAKE_STORE          "http://localhost/fake"
#define FAKE_STORE_DATABASE "fake"

/* An answered request; the answer may be changed. */
struct fake_exchange {
    size_t number;         /* number of the request, from 0, since fake_store_begin() */
    const char *statement; /* borrowed */
    struct text *answer;
    struct http_outcome *outcome;
};

/* Receives each exchange before the client does; NULL: nobody. */
typedef void fake_store_watch(void *context, struct fake_exchange *exchange);

/* Starts a server without tables. False if out of memory. Only one can run at a time. */
bool fake_store_begin(void);
void fake_store_end(void);

/* Calls `watch` with `context` from now on. */
void fake_store_watched(fake_store_watch *watch, void *context);

/* Runs SQL on the store's data, as `fake.table`; false on failure. */
bool fake_store_run(const char *sql);

/* Returns the number of requests since fake_store_begin(). */
size_t fake_store_requests(void);

/* Returns the seconds that the client waited between tries, since fake_store_begin(). */
unsigned fake_store_waited(void);

#endif
