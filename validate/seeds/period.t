#!/bin/bash
# The period of the sequence, and how long a unit error stays small: docs/seeds-evidence.md.
cd "$(dirname "$0")/../.." && . validate/tests/tap.sh

is_prime() { [ "$(factor "$1")" = "$1: $1" ]; }
for n in 11447 13842607235828485645766393 $((2 ** 24 - 3)) $((2 ** 48 - 59)); do
    ok "$n is a prime" is_prime "$n"
done
ok 'the period of x, and of the arithmetic part' python3 - <<'END'
N = 97

def times(a, b, m):  # of polynomials modulo t^97 + t^64 - 1 and m, lowest power first
    c = [0] * (2 * N - 1)
    for i, x in enumerate(a):
        if x:
            for j, y in enumerate(b):
                c[i + j] += x * y
    for i in range(2 * N - 2, N - 1, -1):  # t^97 = 1 - t^64
        c[i - N] += c[i]
        c[i - N + 64] -= c[i]
    return [x % m for x in c[:N]]

def power(n, m):  # t^n
    r = [1] + [0] * (N - 1)
    for bit in bin(n)[2:]:
        r = times(r, r, m)
        if bit == "1":
            r = times(r, [0, 1] + [0] * (N - 2), m)
    return r

one, full, factors = [1] + [0] * (N - 1), 2**97 - 1, (11447, 13842607235828485645766393)
assert factors[0] * factors[1] == full
assert power(full, 2) == one                               # modulo 2 every period divides this,
assert all(power(full // f, 2) != one for f in factors)    # and is no smaller;
assert power(2 * full, 8) != one                           # each further bit doubles it
assert full % (2**24 - 3) and full % (2**48 - 59)
END

ok 'a unit error is below 2^-20 up to position 4013' python3 - <<'END'
last = 0
for word in range(97):
    h = [int(i == word) for i in range(97)]
    for n in range(97, 97 + 6000):
        h.append(h[n - 97] - h[n - 33])
    last = max(last, max(n for n in range(len(h)) if abs(h[n]) < 2**28) - 97)
assert last == 4013, last
END
finish
