/* Two libraries of this kind in one program have numbered sequences each: a program that sets
 * sequence 1 in one of them and draws from sequence 1 of the other has wrong numbers, or none, and
 * would not know. docs/user-guide.md says under "Limits" what is not found. */
#ifndef RANMAR_ALONE_H
#define RANMAR_ALONE_H

/* To be called where a numbered sequence starts. GPURANMAR_TWO_LIBRARIES if numbered sequences have
 * been started in another library of this process, or if calls of the same name arrive here that
 * were meant for one with INTEGERs of another size. */
int ranmar_alone(const char *routine);

#endif
