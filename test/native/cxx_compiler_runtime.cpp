// Arithmetic that the compiler leaves to functions of its own (libgcc): they touch no memory that anybody else knows.
// expect: safe traces=1
#include <cassert>
#include <complex>
#include <thread>

static std::complex<float> f(1, 2);
static std::complex<double> d(1, 2);
static std::complex<long double> l(1, 2);
static __int128 wide = (__int128)1 << 90;
static unsigned __int128 natural = 1000;
static int bits = 0x55;

static void compute()
{
    f = f * f / f;
    d = d * d / d;
    l = l * l / l;
    wide = wide / 3 % 1000003 * 7;
    natural = natural / 3 % 100;
    d *= double(wide) + double(natural) + float(natural);
    wide += (__int128)d.real() + (__int128)l.real() + (unsigned __int128)f.imag();
    bits = __builtin_popcount(bits) + __builtin_popcountll(7) + __builtin_clrsb(bits) + __builtin_parity(bits);
    l = __builtin_powil(l.real(), bits) + __builtin_powi(d.imag(), 3);
    __int128 product;
    assert(!__builtin_mul_overflow(wide, (__int128)3, &product));
}

int main()
{
    std::thread t(compute);
    t.join();
    assert(f.imag() == 2 && natural == 33);
}
