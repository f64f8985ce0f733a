// C++: an engine that gives numbers by flat(), and that the standard library's distributions take.
#include <cstdio>
#include <gpuranmar.hpp>
#include <random>

int main()
{
    gpuranmar::engine<> random(1802);
    long n = 0;
    for (long i = 0; i < 1000000; ++i) {
        const double x = random.flat(), y = random.flat();
        n += x * x + y * y < 1;
    }
    std::printf("%ld of 1000000 points lie in the circle\n", n);
    std::printf("and a die: %d\n", std::uniform_int_distribution<>(1, 6)(random));
}
