/* The settings that a user gives by environment variables GPURANMAR_*, which are read once. */
#ifndef RANMAR_SETTINGS_H
#define RANMAR_SETTINGS_H

/* The types of their values, by their names in settings.def. */
typedef int ranmar_setting_number;
typedef int ranmar_setting_share;   /* 0..RANMAR_SHARE_ALL */
typedef int ranmar_setting_backend; /* enum gpuranmar_backend */
typedef int ranmar_setting_flavour; /* enum gpuranmar_flavour */
typedef char ranmar_setting_instruction_set[16];
typedef char ranmar_setting_text[128];

enum { RANMAR_SHARE_ALL = 1000000000 };

struct ranmar_settings {
#define SETTING(NAME, field, type, ...) ranmar_setting_##type field;
#include "settings/settings.def"
#undef SETTING
    char error[768]; /* one line on the first bad or unknown variable, else "" */
};

const struct ranmar_settings *ranmar_settings(void);

/* Returns GPURANMAR_BAD_SETTING if an environment variable is wrong. */
int ranmar_check_settings(const char *routine);

enum { RANMAR_SETTING_TEXT = 256 };

/* A row of settings.def. */
struct ranmar_setting {
    const char *name; /* "GPURANMAR_THREADS" */
    const struct ranmar_setting_type *type;
    void *value; /* in the settings */
    int low, high;
    const char *values, *unset, *readers, *meaning;
};

/* All rows; the last has no name. */
extern const struct ranmar_setting ranmar_setting_rows[];

/* Writes which values the setting takes, for users. */
void ranmar_setting_values(const struct ranmar_setting *setting, char text[RANMAR_SETTING_TEXT]);

/* "cpu", "cuda" or "opencl": a code of enum gpuranmar_backend as the user writes it. */
const char *ranmar_backend_name(int code);

#endif
