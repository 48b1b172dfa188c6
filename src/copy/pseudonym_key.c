/* The key of pseudonyms, and the file that holds it. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/file.h"
#include "copy/pseudonym_parts.h"

bool pseudonym_key_make(uint8_t key[PSEUDONYM_KEY_SIZE], struct error *error) {
    return getrandom(key, PSEUDONYM_KEY_SIZE, 0) == PSEUDONYM_KEY_SIZE ||
           error_set(error, "cannot make a key: %s", strerror(errno));
}

static bool cannot_use(const char *path, const char *what, struct error *error) {
    return error_set(error, "%s: cannot %s the key: %s", path, what, file_cause(errno));
}

static bool read_key(const char *path, uint8_t key[PSEUDONYM_KEY_SIZE], struct error *error) {
    FILE *file = file_open_stream(path);
    char line[2 * PSEUDONYM_KEY_SIZE + 3];
    size_t length, count = 0;

    if (file == NULL) {
        return cannot_use(path, "read", error);
    }
    length = fread(line, 1, sizeof line, file);
    fclose(file);
    if (length == 2 * PSEUDONYM_KEY_SIZE + 1 && line[length - 1] == '\n') {
        length--;
    }
    return (length == 2 * PSEUDONYM_KEY_SIZE &&
            word_hex_bytes((struct word){line, length}, PSEUDONYM_KEY_SIZE, key, &count)) ||
           error_set(error,
                     "%s: is no key of tracetool: 64 hexadecimal digits are; name a file that is "
                     "not there, and one is made",
                     path);
}

/* `descriptor` is closed. */
static bool write_key(int descriptor, const uint8_t key[PSEUDONYM_KEY_SIZE], struct error *error) {
    struct text line = {0};
    bool done;

    text_append_hex(&line, key, PSEUDONYM_KEY_SIZE);
    text_append_char(&line, '\n');
    done = !line.failed || error_no_memory(error);
    if (done && (write(descriptor, line.bytes, line.length) != (ssize_t)line.length ||
                 fsync(descriptor) != 0)) {
        done = error_set(error, "%s", strerror(errno));
    }
    if (line.bytes != NULL) {
        explicit_bzero(line.bytes, line.length);
    }
    text_free(&line);
    close(descriptor);
    return done;
}

bool pseudonym_key_load(const char *path, uint8_t key[PSEUDONYM_KEY_SIZE], struct error *error) {
    int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (descriptor < 0) {
        return errno == EEXIST ? read_key(path, key, error) : cannot_use(path, "make", error);
    }
    if (pseudonym_key_make(key, error) ? !write_key(descriptor, key, error)
                                       : (close(descriptor), true)) {
        unlink(path);
        return error_context(error, "%s: cannot make the key", path);
    }
    return true;
}
