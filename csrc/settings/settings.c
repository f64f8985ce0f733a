/* Reads the settings from the environment. */
#include "settings/settings.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/error.h"
#include "base/ranges.h"
#include "definition/flavour.h"
#include "fill/fill.h"
#include "gpuranmar.h"

extern char **environ;

static struct ranmar_settings settings;
static atomic_int are_read; /* every refill asks, and a load is faster than pthread_once() */

/* A type of values. */
struct ranmar_setting_type {
    /* Puts what a user has written into the setting's field; returns 0 if it is no such value. */
    int (*parse)(const struct ranmar_setting *setting, const char *text);
    size_t size;                                  /* bytes of a text, its final 0 included */
    void (*list)(char list[RANMAR_SETTING_TEXT]); /* names all values, where a table has them */
};

static int parse_number(const struct ranmar_setting *setting, const char *text)
{
    char *end;
    const long long n = strtoll(text, &end, 10);
    if (end == text || *end || n < setting->low || n > setting->high)
        return 0;
    *(int *)setting->value = (int)n;
    return 1;
}

/* Reads 0 to 1 in digits, with or without a point. strtod() would expect the locale's decimal sign,
 * and its inexact results would end a program that traps them. */
static int parse_share(const struct ranmar_setting *setting, const char *text)
{
    int share = 0, unit = RANMAR_SHARE_ALL, digits = 0;
    for (; *text >= '0' && *text <= '9'; ++text, ++digits) {
        if (share > 0 || *text > '1')
            return 0;
        share = (*text - '0') * RANMAR_SHARE_ALL;
    }
    if (*text == '.')
        for (++text; *text >= '0' && *text <= '9'; ++text, ++digits) {
            if ((unit /= 10) == 0)
                return 0;
            share += (*text - '0') * unit;
        }
    *(int *)setting->value = share;
    return digits > 0 && !*text && share <= RANMAR_SHARE_ALL;
}

const char *ranmar_backend_name(int code)
{
    static const char *const names[] = {
        [GPURANMAR_CPU] = "cpu", [GPURANMAR_CUDA] = "cuda", [GPURANMAR_OPENCL] = "opencl"};
    return names[code];
}

static int parse_backend(const struct ranmar_setting *setting, const char *text)
{
    for (int code = GPURANMAR_CPU; code <= GPURANMAR_OPENCL; ++code)
        if (strcmp(text, ranmar_backend_name(code)) == 0) {
            *(int *)setting->value = code;
            return 1;
        }
    return 0;
}

/* The flavours of the numbered sequences, which are in double precision. */
static int parse_flavour(const struct ranmar_setting *setting, const char *text)
{
    const int code = ranmar_flavour_code(text);
    if (code < 0 || ranmar_flavour(code)->bits != 48)
        return 0;
    *(int *)setting->value = code;
    return 1;
}

static int parse_text(const struct ranmar_setting *setting, const char *text)
{
    if (!*text || strlen(text) >= setting->type->size)
        return 0;
    strcpy(setting->value, text);
    return 1;
}

static int parse_instruction_set(const struct ranmar_setting *setting, const char *text)
{
    const struct ranmar_simd *const set = ranmar_simd_named(text);
    ranmar_fill_force(set);
    return set && parse_text(setting, text);
}

static void add_word(char list[RANMAR_SETTING_TEXT], const char *word)
{
    const size_t length = strlen(list);
    snprintf(list + length, RANMAR_SETTING_TEXT - length, "%s%s", length > 0 ? ", " : "", word);
}

static void list_flavours(char list[RANMAR_SETTING_TEXT])
{
    for (int code = 0; code < RANMAR_FLAVOURS; ++code)
        if (ranmar_flavour(code)->bits == 48)
            add_word(list, ranmar_flavour_name(code));
}

static void list_instruction_sets(char list[RANMAR_SETTING_TEXT])
{
    for (const struct ranmar_simd *const *set = ranmar_instruction_sets; *set; ++set)
        if ((*set)->supported())
            add_word(list, (*set)->name);
}

static const struct ranmar_setting_type type_number = {parse_number, 0, NULL},
                                        type_share = {parse_share, 0, NULL},
                                        type_backend = {parse_backend, 0, NULL},
                                        type_flavour = {parse_flavour, 0, list_flavours},
                                        type_instruction_set = {parse_instruction_set,
                                                                sizeof(
                                                                    ranmar_setting_instruction_set),
                                                                list_instruction_sets},
                                        type_text = {parse_text, sizeof(ranmar_setting_text), NULL};

#define PREFIX "GPURANMAR_"
#define SETTING(NAME, field, type, ...) {PREFIX #NAME, &type_##type, &settings.field, __VA_ARGS__},
const struct ranmar_setting ranmar_setting_rows[] = {
#include "settings/settings.def"
    {NULL, NULL, NULL, 0, 0, NULL, NULL, NULL, NULL}};

void ranmar_setting_values(const struct ranmar_setting *setting, char text[RANMAR_SETTING_TEXT])
{
    text[0] = '\0';
    if (setting->values)
        snprintf(text, RANMAR_SETTING_TEXT, "%s", setting->values);
    else if (setting->type->list)
        setting->type->list(text);
    else
        snprintf(text, RANMAR_SETTING_TEXT, "%d %s %d", setting->low,
                 setting->high == setting->low + 1 ? "or" : "to", setting->high);
}

/* Whether a variable is one that build tools and module files set: the name of a folder or file, as
 * in GPURANMAR_ROOT, or the package's version, libraries or flags. No setting has such a value. */
static int is_no_setting(const char *name, const char *value)
{
    return value[strspn(value, ".~")] == '/' || (*value == '-' && value[1] > '9') ||
           strcmp(name, PREFIX "VERSION") == 0 ||
           strcmp(name, PREFIX "LIBRARY") == 0; /* the Python package's */
}

static void read_variable(const char *name, const char *value)
{
    for (const struct ranmar_setting *s = ranmar_setting_rows; s->name; ++s)
        if (strcmp(name, s->name) == 0) {
            if (s->type->parse(s, value))
                return;
            char values[RANMAR_SETTING_TEXT], list[RANMAR_SETTING_TEXT] = "";
            ranmar_setting_values(s, values);
            if (s->values && s->type->list)
                s->type->list(list);
            snprintf(settings.error, sizeof settings.error,
                     "environment variable %s: '%.60s' is not %s%s%s", name, value, values,
                     *list ? ": " : "", list);
            return;
        }
    if (!is_no_setting(name, value))
        snprintf(settings.error, sizeof settings.error,
                 "environment variable %.70s: there is no such setting", name);
}

static void read_environment(void)
{
    for (const struct ranmar_setting *s = ranmar_setting_rows; s->name; ++s)
        if (s->type == &type_number)
            parse_number(s, s->unset);
    /* A setuid program does what its owner wants, not what its caller's environment says. */
    char **const variables = getauxval(AT_SECURE) ? NULL : environ;
    for (char **e = variables; e && *e && !*settings.error; ++e) {
        const char *const equals = strchr(*e, '=');
        if (strncmp(*e, PREFIX, strlen(PREFIX)) != 0 || !equals)
            continue;
        char name[80];
        snprintf(name, sizeof name, "%.*s", (int)(equals - *e), *e);
        read_variable(name, equals + 1);
    }
    atomic_store_explicit(&are_read, 1, memory_order_release);
}

const struct ranmar_settings *ranmar_settings(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!atomic_load_explicit(&are_read, memory_order_acquire))
        pthread_once(&once, read_environment);
    return &settings;
}

int ranmar_check_settings(const char *routine)
{
    const char *const error = ranmar_settings()->error;
    return *error ? ranmar_error(GPURANMAR_BAD_SETTING, "%s: %s", routine, error) : GPURANMAR_OK;
}
