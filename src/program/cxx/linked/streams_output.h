#line 2 "<streams>"
// Output (streams.h).
#ifndef MAZURKA_STREAMS_OUTPUT
#define MAZURKA_STREAMS_OUTPUT
#pragma GCC system_header

#include "streams_base.h"

namespace std {

template <class C, class T> class basic_ostream : virtual public basic_ios<C, T> {
  public:
    MAZURKA_CHARACTER_TYPES

    class sentry {
        bool good_;

      public:
        explicit sentry(basic_ostream &os) : good_(os.good()) {}
        explicit operator bool() const { return good_; }
    };

    explicit basic_ostream(basic_streambuf<C, T> *b) { this->init(b); }
    basic_ostream(basic_streambuf<C, T> *b, bool standard) : basic_ios<C, T>(standard) { this->init(b); }
    virtual ~basic_ostream() {}

    basic_ostream &operator<<(basic_ostream &(*how)(basic_ostream &)) { return how(*this); }
    basic_ostream &operator<<(basic_ios<C, T> &(*how)(basic_ios<C, T> &)) { return how(*this), *this; }
    basic_ostream &operator<<(ios_base &(*how)(ios_base &)) { return how(*this), *this; }
    basic_ostream &operator<<(bool n)
    {
        if ((this->flags() & ios_base::boolalpha) != 0)
            return text(n ? "true" : "false");
        return integer(n, n, false);
    }
    basic_ostream &operator<<(short n) { return integer(n, (unsigned short)n, true); }
    basic_ostream &operator<<(unsigned short n) { return integer(n, n, false); }
    basic_ostream &operator<<(int n) { return integer(n, (unsigned)n, true); }
    basic_ostream &operator<<(unsigned n) { return integer(n, n, false); }
    basic_ostream &operator<<(long n) { return integer(n, (unsigned long)n, true); }
    basic_ostream &operator<<(unsigned long n) { return integer((long long)n, n, false); }
    basic_ostream &operator<<(long long n) { return integer(n, (unsigned long long)n, true); }
    basic_ostream &operator<<(unsigned long long n) { return integer((long long)n, n, false); }
    basic_ostream &operator<<(float x) { return floating("", double(x)); }
    basic_ostream &operator<<(double x) { return floating("", x); }
    basic_ostream &operator<<(long double x) { return floating("L", x); }
    basic_ostream &operator<<(const void *p)
    {
        char digits[32];
        snprintf(digits, sizeof digits, p ? "%p" : "0", p);
        return text(digits);
    }
    basic_ostream &operator<<(const volatile void *p) { return *this << const_cast<const void *>(p); }
    basic_ostream &operator<<(nullptr_t) { return text("nullptr"); }
    basic_ostream &operator<<(basic_streambuf<C, T> *from)
    {
        for (typename T::int_type c; from && !T::eq_int_type(c = from->sbumpc(), T::eof());)
            put(T::to_char_type(c));
        return *this;
    }
    basic_ostream &put(C c) { return write(&c, 1); }
    basic_ostream &write(const C *s, streamsize n)
    {
        if (this->good() && this->rdbuf()->sputn(s, n) != n)
            this->setstate(ios_base::badbit);
        return *this;
    }
    basic_ostream &flush()
    {
        if (this->rdbuf() && this->rdbuf()->pubsync() == -1)
            this->setstate(ios_base::badbit);
        return *this;
    }
    pos_type tellp()
    {
        return this->fail() ? pos_type(off_type(-1)) : this->rdbuf()->pubseekoff(0, ios_base::cur, ios_base::out);
    }
    basic_ostream &seekp(pos_type to) { return seekp(off_type(to), ios_base::beg); }
    basic_ostream &seekp(off_type off, ios_base::seekdir dir)
    {
        if (!this->fail() && this->rdbuf()->pubseekoff(off, dir, ios_base::out) == pos_type(off_type(-1)))
            this->setstate(ios_base::failbit);
        return *this;
    }

    // With the width that was asked for; the first characters are a sign or a prefix.
    basic_ostream &padded(const C *s, streamsize n, streamsize first)
    {
        streamsize missing = this->width() - n;
        ios_base::fmtflags adjust = this->flags() & ios_base::adjustfield;
        this->width(0);
        if (missing <= 0)
            return write(s, n);
        basic_string<C, T> room(size_t(missing), this->fill());
        streamsize before = adjust == ios_base::left ? n : adjust == ios_base::internal ? first : 0;
        write(s, before);
        write(room.data(), missing);
        return write(s + before, n - before);
    }

  private:
    basic_ostream &text(const char *s, streamsize first = 0)
    {
        basic_string<C, T> wide(s, s + strlen(s));
        return padded(wide.data(), streamsize(wide.size()), first);
    }
    basic_ostream &integer(long long value, unsigned long long bits, bool has_sign)
    {
        ios_base::fmtflags f = this->flags(), base = f & ios_base::basefield;
        bool upper = (f & ios_base::uppercase) != 0, shows = (f & ios_base::showbase) != 0;
        char digits[32];
        const char *format = base == ios_base::hex   ? shows ? upper ? "%#llX" : "%#llx" : upper ? "%llX" : "%llx"
                             : base == ios_base::oct ? shows ? "%#llo" : "%llo"
                             : !has_sign             ? "%llu"
                             : (f & ios_base::showpos) != 0 ? "%+lld"
                                                            : "%lld";
        bool decimal = base != ios_base::hex && base != ios_base::oct;
        snprintf(digits, sizeof digits, format, decimal && has_sign ? (unsigned long long)value : bits);
        bool prefix = base == ios_base::hex && shows && bits != 0, sign = *digits == '-' || *digits == '+';
        return text(digits, prefix ? 2 : sign);
    }
    template <class F> basic_ostream &floating(const char *modifier, F x)
    {
        ios_base::fmtflags f = this->flags(), how = f & ios_base::floatfield;
        bool upper = (f & ios_base::uppercase) != 0, exact = how == ios_base::floatfield;
        char letter = exact ? 'a' : how == ios_base::fixed ? 'f' : how == ios_base::scientific ? 'e' : 'g';
        char format[16], digits[512];
        snprintf(format, sizeof format, "%%%s%s%s%s%c", (f & ios_base::showpos) != 0 ? "+" : "",
                 (f & ios_base::showpoint) != 0 ? "#" : "", exact ? "" : ".*", modifier,
                 upper ? char(letter - 'a' + 'A') : letter);
        if (exact)
            snprintf(digits, sizeof digits, format, x);
        else
            snprintf(digits, sizeof digits, format, int(this->precision()), x);
        return text(digits, *digits == '-' || *digits == '+');
    }
};

template <class C, class T> basic_ostream<C, T> &operator<<(basic_ostream<C, T> &os, C c)
{
    return os.padded(&c, 1, 0);
}
template <class T> basic_ostream<char, T> &operator<<(basic_ostream<char, T> &os, char c)
{
    return os.padded(&c, 1, 0);
}
template <class T> basic_ostream<char, T> &operator<<(basic_ostream<char, T> &os, signed char c)
{
    return os << char(c);
}
template <class T> basic_ostream<char, T> &operator<<(basic_ostream<char, T> &os, unsigned char c)
{
    return os << char(c);
}
template <class T> basic_ostream<char, T> &operator<<(basic_ostream<char, T> &os, const char *s)
{
    if (s)
        return os.padded(s, streamsize(strlen(s)), 0);
    os.setstate(ios_base::badbit);
    return os;
}
template <class T> basic_ostream<char, T> &operator<<(basic_ostream<char, T> &os, const signed char *s)
{
    return os << reinterpret_cast<const char *>(s);
}
template <class T> basic_ostream<char, T> &operator<<(basic_ostream<char, T> &os, const unsigned char *s)
{
    return os << reinterpret_cast<const char *>(s);
}
// A stream that is not named: std::ostringstream() << 3.
template <class S, class V>
auto operator<<(S &&os, const V &value) ->
    typename enable_if<!is_lvalue_reference<S>::value && is_base_of<ios_base, S>::value, S &&>::type
{
    os << value;
    return static_cast<S &&>(os);
}

template <class C, class T> basic_ostream<C, T> &flush(basic_ostream<C, T> &os) { return os.flush(); }
template <class C, class T> basic_ostream<C, T> &endl(basic_ostream<C, T> &os) { return os.put(C('\n')).flush(); }
template <class C, class T> basic_ostream<C, T> &ends(basic_ostream<C, T> &os) { return os.put(C()); }

} // namespace std

#endif
