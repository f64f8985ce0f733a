/* Which library serves a program: its version and its file. */
#ifndef RANMAR_LIBRARY_H
#define RANMAR_LIBRARY_H

/* The file that the library was loaded from: a shared library, or the program that it is linked
 * into. "" if the system does not tell. */
const char *ranmar_library_path(void);

/* Notes version, file and back end, once in a process (ranmar_note). */
void ranmar_introduce(void);

#endif
