/* What the plugins have in common. A function that fails leaves one line about the error and
 * returns 0 or NULL. */
#ifndef RANMAR_DEVICE_ERROR_H
#define RANMAR_DEVICE_ERROR_H

/* The line on the last error of this thread, "" before the first. */
const char *ranmar_device_error(void);

/* Keeps a line, made as by printf, and returns 0, so that a function can end with it. */
__attribute__((format(printf, 1, 2))) int ranmar_device_fail(const char *format, ...);

/* Whether this process may use the GPU. A process forked from one that has begun to use it may not:
 * the driver's threads are not there, and calls would hang. Then a line is kept. */
int ranmar_device_is_ours(void);

/* Whether a device is wanted: GPURANMAR_DEVICE is its number, or a part of its name that is not a
 * number, or empty. */
int ranmar_device_is_wanted(const char *wanted, int number, const char *name);

/* In the tests' build the calls first..last of CUDA or OpenCL, counted from 1, fail instead of
 * being made. ranmar_device_fail_calls() returns how many have been counted since the last time.
 * ranmar_device_before_call() is called before each, if it is set. */
#ifdef RANMAR_TEST_FAILURES
extern void (*ranmar_device_before_call)(long call);
long ranmar_device_fail_calls(long first, long last);
int ranmar_device_made_to_fail(void);
#else
#define ranmar_device_made_to_fail() 0
#endif

#endif
