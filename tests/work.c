/* Counts work that a program does which is run with this library before it:
 *
 *     LD_PRELOAD=build/work.so WORK=file tracetool …
 *
 * adds the steps of SQLite's machine and the comparisons of texts, a number on a line of its own,
 * to the end of the file. Other than a time it is the same in every run and on every computer.
 * tests/golden/many-traces.test uses it.
 */
#include <dlfcn.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static long long steps;

/* A statement has ended. */
static int count_steps(unsigned type, void *context, void *statement, void *time) {
    (void)type;
    (void)context;
    (void)time;
    __atomic_fetch_add(&steps, sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_VM_STEP, 1),
                       __ATOMIC_RELAXED);
    return 0;
}

/* In place of the C library's, whoever calls it: a list that is looked through name by name. */
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
