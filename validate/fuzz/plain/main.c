/* Runs a fuzzing target without libFuzzer: on the files that are named, or, where there are none,
 * on inputs that are always the same. So the targets are tests for every compiler. */
#include "../fuzz.h"

#include "../../tests/random.h"

static void run_file(const char *name)
{
    enum { MOST = 1 << 16 };
    uint8_t *const data = malloc(MOST);
    FILE *const file = fopen(name, "rb");
    REQUIRE(data && file);
    const size_t size = fread(data, 1, MOST, file);
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
}

static void run_random(void)
{
    enum { INPUTS = 200, MOST = 200 };
    uint8_t data[MOST];
    random_state = 1;
    for (int i = 0; i < INPUTS; ++i) {
        const size_t size = random_word() % MOST;
        for (size_t k = 0; k < size; ++k)
            data[k] = (uint8_t)random_word();
        LLVMFuzzerTestOneInput(data, size);
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i)
        run_file(argv[i]);
    if (argc == 1)
        run_random();
    puts("ok 1 - all inputs\n1..1");
    return EXIT_SUCCESS;
}
