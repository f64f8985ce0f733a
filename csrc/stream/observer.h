/* What watches streams and engines from outside: the report of a run (report.h) and the shadow
 * check (verify.h). Those who make and deliver numbers tell one observer, and know neither. A
 * stream has one if GPURANMAR_REPORT or GPURANMAR_VERIFY is set, and NULL otherwise. */
#ifndef RANMAR_OBSERVER_H
#define RANMAR_OBSERVER_H

#include <stddef.h>
#include <stdint.h>

#include "gpuranmar_definition.h"

struct gpuranmar_stream;
struct ranmar_window;
struct ranmar_observer;

/* Who makes numbers. */
enum ranmar_by { RANMAR_BY_CPU, RANMAR_BY_GPU, RANMAR_BY_COUNT };

/* Sets *o to the observer of a stream that stands at its position, or to NULL where nobody watches.
 * Returns 0 if there is no memory. */
int ranmar_observer_open(struct ranmar_observer **o, const struct gpuranmar_stream *s);
void ranmar_observer_close(struct ranmar_observer *o);

/* To be called when the stream becomes numbered sequence `id`, whose numbers reach the program
 * through a window, which is empty then: programs draw from it without a call. */
void ranmar_observer_is_sequence(struct ranmar_observer *o, int id, const struct ranmar_window *w);

/* Between these two calls the window may be filled, and the stream may be moved: what was drawn
 * from the window before is checked first. NULL for `o` is allowed. */
void ranmar_observer_hold(struct ranmar_observer *o);
void ranmar_observer_release(struct ranmar_observer *o);

/* To be called when n numbers were made from a position on, and when n numbers of a position reach
 * the program other than from a window. */
void ranmar_observer_made(struct ranmar_observer *o, uint64_t position, uint64_t n,
                          enum ranmar_by by);
void ranmar_observer_delivered(struct ranmar_observer *o, uint64_t position, const void *numbers,
                               size_t n);

/* To be called between hold and release when the program goes from a position to another without
 * drawing what lies between. */
void ranmar_observer_moved(struct ranmar_observer *o, uint64_t from, uint64_t to);

/* To be called when the stream goes on from a state that was set (ranmar_states_set). */
void ranmar_observer_set_state(struct ranmar_observer *o, const struct ranmar_state *state,
                               uint64_t position);

/* No report looks at a stream between hold and release. Who moves a stream in memory does so
 * between them, and then tells the observer where its stream is. */
void ranmar_observers_hold(void);
void ranmar_observer_is_of(struct ranmar_observer *o, const struct gpuranmar_stream *s);
void ranmar_observers_release(void);

/* Engines. Tell that one was started from a seed, or goes on from a state. */
void ranmar_observe_engine(const char *routine, int flavour, int64_t seed, uint64_t skip);
void ranmar_observe_adopted_engine(const char *routine, int flavour);

/* Whether somebody watches; then tell of n numbers that an engine has made from a state. `position`
 * counts from where the engine was started or has adopted a state. */
int ranmar_observes(void);
void ranmar_observe_made(const struct ranmar_state *before, const struct ranmar_flavour *f,
                         uint64_t position, const void *numbers, size_t n);

#endif
