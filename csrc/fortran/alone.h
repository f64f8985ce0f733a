/* Finds out whether this library is the only one of its kind in a program. Two of them have
 * numbered sequences each. A program that sets sequence 1 in one library and draws from sequence 1
 * of the other would have wrong numbers, or none, and would not know. docs/user-guide.md says under
 * "Limits" which cases are not found. */
#ifndef RANMAR_ALONE_H
#define RANMAR_ALONE_H

/* To be called before a numbered sequence starts. Returns GPURANMAR_TWO_LIBRARIES if numbered
 * sequences have been started in another library of this process, or if calls arrive here that were
 * meant for a library with INTEGERs of another size. */
int ranmar_alone(const char *routine);

#endif
