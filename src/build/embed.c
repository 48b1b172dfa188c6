/* Writes files as a C array of struct resource: `embed SYMBOL FILE… > FILE.c`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void embed_fail(const char *path, const char *what) {
    fprintf(stderr, "embed: %s: %s\n", path, what);
    exit(1);
}

/* Prints the file's name without directory and extension. */
static void print_name(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *begin = slash == NULL ? path : slash + 1;
    const char *dot = strchr(begin, '.');

    printf("    {\"%.*s\",\n", (int)(dot == NULL ? strlen(begin) : (size_t)(dot - begin)), begin);
}

static void print_character(int character) {
    switch (character) {
    case '\n':
        fputs("\\n\"\n     \"", stdout);
        break;
    case '"':
    case '\\':
        printf("\\%c", character);
        break;
    default:
        /* An octal escape has at most three digits, so a digit after it does not extend it. */
        if (character < 0x20 || character > 0x7E) {
            printf("\\%03o", (unsigned)character);
        } else {
            putchar(character);
        }
    }
}

static void embed_print_file(const char *path) {
    FILE *file = fopen(path, "rb");
    int character;

    if (file == NULL) {
        embed_fail(path, "cannot be opened");
    }
    print_name(path);
    fputs("     \"", stdout);
    while ((character = getc(file)) != EOF) {
        if (character == '\0') {
            embed_fail(path, "holds a NUL byte");
        }
        print_character(character);
    }
    fputs("\"},\n", stdout);
    if (ferror(file)) {
        embed_fail(path, "cannot be read");
    }
    fclose(file);
}

int main(int count, char **arguments) {
    if (count < 2) {
        embed_fail("usage", "embed SYMBOL FILE…");
    }
    printf(
        "/* Made by src/build/embed.c. */\n#include <stddef.h>\n\n#include \"base/resource.h\"\n\n"
        "const struct resource %s[] = {\n",
        arguments[1]);
    for (int i = 2; i < count; i++) {
        embed_print_file(arguments[i]);
    }
    puts("    {NULL, NULL},\n};");
    return fflush(stdout) == 0 ? 0 : 1;
}
