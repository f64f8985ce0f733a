/* Runs the real kernels on the CPU, with each sync_warp() left out in turn. Then, in one of the two
 * orders of the lanes, the numbers must be wrong or the lanes must miss each other. So every
 * sync_warp() is needed, and the tests see it when one is missing. */
#include <algorithm>
#include <string>
#include <vector>

#include "gpuranmar_cuda.h"
#include "gpuranmar_definition.h"
#include "tap.h"

/* Whether `whole` begins with `part`. */
static bool begins(const std::vector<char> &whole, const std::vector<char> &part)
{
    return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

/* Runs every kernel, flavour by flavour, and returns what they have written. If `want` is given, it
 * stops after the first flavour that makes anything else, or in which lanes miss each other. */
static std::vector<char> all_work(const std::vector<char> *want)
{
    std::vector<char> made;
    const size_t n = 1500, size = n * sizeof(double);
    emulated_reset(); /* so that the table of jumps is made anew */
    for (int flavour = GPURANMAR_DOUBLE; flavour <= GPURANMAR_KEYED; ++flavour) {
        gpuranmar_cuda_generator *g;
        char *memory;
        MUST(cudaMalloc(&memory, size));
        MUST(gpuranmar_cuda_create(&g, flavour));
        MUST(gpuranmar_cuda_set_position(g, 1234567));
        for (int instances : {1, 2, 7}) {
            if (instances > 1)
                MUST(gpuranmar_cuda_set_instances(g, instances, instances * 64 + 1));
            /* Fills with numbers before the first row of 32, some with numbers after the last. */
            for (size_t count : {1200, 31 + 320, 2 * 129, 299}) {
                if (flavour == GPURANMAR_SINGLE)
                    MUST(gpuranmar_cuda_generate_single(g, (float *)memory + 1, count));
                else
                    MUST(gpuranmar_cuda_generate_double(g, (double *)memory + 1, count));
                made.insert(made.end(), memory, memory + count * 4);
                if (instances > 1)
                    continue;
                /* The fill must have left the right state too: the next fill may start from the
                 * base instead, and would not show it. */
                MUST(gpuranmar_cuda_states(g, (struct ranmar_state *)memory, 10, 98765));
                made.insert(made.end(), memory, memory + 10 * GPURANMAR_CUDA_STATE_SIZE);
            }
        }
        gpuranmar_cuda_destroy(g);
        MUST(cudaFree(memory));
        if (want && (!begins(*want, made) || emulated::missed_meetings != 0))
            break;
    }
    return made;
}

/* Whether both orders of the lanes give the wanted numbers, and no lane misses the others. */
static bool is_right(const std::vector<char> &want)
{
    emulated::missed_meetings = 0;
    bool good = true;
    for (bool order : {false, true}) {
        emulated::descending = order;
        good = good && all_work(&want) == want && emulated::missed_meetings == 0;
    }
    return good;
}

int main()
{
    const std::vector<char> want = all_work(nullptr);
    tap(is_right(want), "both orders of the lanes");
    const size_t sites = emulated::sync_sites();
    tap(sites > 5, "sync_warp() is met");
    for (size_t site = 0; site < sites; ++site) {
        emulated::leave_out(site);
        tap(!is_right(want), (std::string("without ") + emulated::sync_site(site)).c_str());
    }
    emulated::leave_out(emulated::none);
    tap(is_right(want), "with every sync_warp() again");
    return tap_done();
}
