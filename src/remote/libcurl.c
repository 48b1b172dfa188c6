#include "remote/libcurl.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

/* By this name programs that are linked with it load it, too. */
#define LIBRARY "libcurl.so.4"

#define FUNCTION(name)                                                                             \
    { "curl_" #name, offsetof(struct libcurl, name) }

static const struct {
    const char *name;
    size_t place;
} functions[] = {
    FUNCTION(global_init),   FUNCTION(easy_init),    FUNCTION(easy_cleanup),
    FUNCTION(easy_setopt),   FUNCTION(easy_perform), FUNCTION(easy_getinfo),
    FUNCTION(easy_strerror), FUNCTION(slist_append), FUNCTION(slist_free_all),
};

const struct libcurl *libcurl_load(struct error *error) {
    static struct libcurl loaded;
    void *library = loaded.global_init == NULL ? dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL) : NULL;
    struct libcurl found;

    if (loaded.global_init != NULL) {
        return &loaded;
    }
    for (size_t i = 0; library != NULL && i < sizeof functions / sizeof functions[0]; i++) {
        void *function = dlsym(library, functions[i].name);

        if (function == NULL) {
            dlclose(library);
            library = NULL;
        } else {
            memcpy((char *)&found + functions[i].place, &function, sizeof function);
        }
    }
    if (library == NULL || found.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
        error_set(error, "a store is reached by libcurl, and " LIBRARY
                         " cannot be loaded: install libcurl4");
        return NULL;
    }
    loaded = found;
    return &loaded;
}
