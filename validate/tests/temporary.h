/* Files and folders of a test's own. */
#ifndef VALIDATE_TEMPORARY_H
#define VALIDATE_TEMPORARY_H

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* The pattern from which mkstemp() or mkdtemp() makes a name, in the folder that TMPDIR says. */
static inline void temporary_name(char name[PATH_MAX])
{
    const char *const folder = getenv("TMPDIR");
    snprintf(name, PATH_MAX, "%s/gpuranmar-XXXXXX", folder && *folder ? folder : "/tmp");
}

#endif
