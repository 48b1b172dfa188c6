/* Counts the work of a program run with this library preloaded:
 *
 *     LD_PRELOAD=build/work.so WORK=file tracetool …
 *
 * Appends the steps of SQLite's virtual machine and the string comparisons, one number per line, to
 * the file. Unlike a time, they are the same in every run and on every computer. Used by
 * tests/golden/many-traces.test.
 */
#include <dlfcn.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static long long steps;

/* Called at the end of a statement. */
static int count_steps(unsigned type, void *context, void *statement, void *time) {
    (void)type;
    (void)context;
    (void)time;
    __atomic_fetch_add(&steps, sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1),
                       __ATOMIC_RELAXED);
    return 0;
}

/* Replaces the C library's for all callers: reveals linear searches by name. */
int strcmp(const char *left, const char *right) {
    const unsigned char *a = (const unsigned char *)left, *b = (const unsigned char *)right;

    __atomic_fetch_add(&steps, 1, __ATOMIC_RELAXED);
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return *a - *b;
}

int sqlite3_open_v2(const char *path, sqlite3 **database, int flags, const char *vfs) {
    int (*open)(const char *, sqlite3 **, int, const char *);
    int status;

    *(void **)&open = dlsym(RTLD_NEXT, "sqlite3_open_v2");
    status = open(path, database, flags, vfs);
    if (*database != NULL) {
        sqlite3_trace_v2(*database, SQLITE_TRACE_PROFILE, count_steps, NULL);
    }
    return status;
}

__attribute__((destructor)) static void write_steps(void) {
    const char *path = getenv("WORK");
    FILE *file = path == NULL ? NULL : fopen(path, "a");

    if (file != NULL) {
        fprintf(file, "%lld\n", steps);
        fclose(file);
    }
}
