/* The settings, from any environment: either one line says what is wrong, or all are in range. The
 * source is a part of this file, since a process reads its settings only once. */
#include "fuzz.h"

#include "../../csrc/stream/settings.c"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* Variables end at newlines; those that do not start with it get the prefix. */
    enum { MOST = 32 };
    char *const text = malloc(size + 1);
    char *variables[MOST + 1] = {NULL}, **before = environ;
    memcpy(text, data, size);
    text[size] = '\0';
    int n = 0;
    for (char *line = strtok(text, "\n"); line && n < MOST; line = strtok(NULL, "\n")) {
        const size_t length = strlen(PREFIX) + strlen(line) + 1;
        variables[n] = malloc(length);
        snprintf(variables[n++], length, "%s%s", *line == '!' ? "" : PREFIX,
                 *line == '!' ? line + 1 : line);
    }
    memset(&settings, 0, sizeof settings);
    environ = variables;
    read_environment();
    environ = before;
    ranmar_fill_force(NULL);

    if (*settings.error) {
        REQUIRE(strlen(settings.error) + 1 < sizeof settings.error);
        REQUIRE(strncmp(settings.error, "environment variable GPURANMAR_", 31) == 0);
    } else {
        for (const struct ranmar_setting *row = ranmar_setting_rows; row->name; ++row)
            if (row->kind == &kind_number) {
                const int value = *(int *)row->value;
                REQUIRE((value >= row->low && value <= row->high) || value == 0);
            }
        REQUIRE(ranmar_backend_name(settings.backend));
        REQUIRE(ranmar_flavour(settings.flavour) && ranmar_flavour(settings.flavour)->bits == 48);
        REQUIRE(settings.verify >= 0 && settings.verify <= RANMAR_SHARE_ALL);
    }
    while (n-- > 0)
        free(variables[n]);
    free(text);
    return 0;
}
