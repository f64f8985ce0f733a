/* Makes the two functions of a level, `refill` and `array`, from its
 *
 *   fill(s, f, out, n, kind, way)
 *
 * where kind is that of f, n is at least 1, and out is aligned for vectors if the numbers go past
 * the caches. */

INLINE void fill_by_kind(struct ranmar_state *s, const struct ranmar_flavour *f, char *out,
                         size_t n, enum ranmar_way way)
{
    switch (ranmar_kind_of(f)) {
    case RANMAR_ORIGINAL:
        fill(s, f, out, n, RANMAR_ORIGINAL, way);
        break;
    case RANMAR_SINGLE:
        fill(s, f, out, n, RANMAR_SINGLE, way);
        break;
    case RANMAR_EXTENDED:
        fill(s, f, out, n, RANMAR_EXTENDED, way);
        break;
    case RANMAR_LUXURY:
        fill(s, f, out, n, RANMAR_LUXURY, way);
        break;
    }
}

#if HAS_REFILL
static void refill(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, size_t n)
{
    fill_by_kind(s, f, out, n, RANMAR_REFILL);
}
#endif

#if HAS_WIDE_NUMBERS
static void wide(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, size_t n)
{
    fill_by_kind(s, f, out, n, RANMAR_WIDE);
}
#else
#define wide refill
#endif

#if HAS_STORES_PAST_CACHES
/* Not inlined, because every small array would then have to save registers for it. */
__attribute__((noinline)) static void array_past_caches(struct ranmar_state *s,
                                                        const struct ranmar_flavour *f, char *out,
                                                        size_t n, size_t head)
{
    if (head > 0)
        wide(s, f, out, head);
    fill_by_kind(s, f, out + head * ranmar_number_size(f), n - head, RANMAR_PAST_CACHES);
    end_stores_past_caches();
}

static void array(struct ranmar_state *s, const struct ranmar_flavour *f, void *out, size_t n)
{
    size_t head;
    if (ranmar_goes_past_caches(out, n, ranmar_number_size(f), sizeof(vec), &head))
        array_past_caches(s, f, out, n, head);
    else
        wide(s, f, out, n);
}
#else
#define array wide
#endif
