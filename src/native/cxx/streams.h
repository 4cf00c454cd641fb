#line 2 "<streams>"
// Streams of characters, in place of the installed library's: those are made of locales, which are state that
// outlives an execution, and of code whose accesses are not seen. Formats are those of the "C" locale.
//
// A stream is an object of the program like any other: two threads that use one at the same time race. Not so
// the standard ones (cout, cerr, clog, cin), for which the language forbids that: their state is read unseen
// and written past the looking for races, but is taken back as all memory is.
#ifndef MAZURKA_STREAMS
#define MAZURKA_STREAMS
#pragma GCC system_header

#include <iosfwd>

#include <bits/localefwd.h>
#include <ext/atomicity.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <system_error>

extern "C" void __mazurka_store(void *to, const void *from, std::size_t bytes);

namespace std {

enum _Ios_Fmtflags : unsigned {};
enum _Ios_Openmode : unsigned {};
enum _Ios_Iostate : unsigned {};
enum _Ios_Seekdir { _S_beg, _S_cur, _S_end };

#define MAZURKA_BITS(type)                                                                                   \
    constexpr type operator&(type a, type b) { return type(unsigned(a) & unsigned(b)); }                     \
    constexpr type operator|(type a, type b) { return type(unsigned(a) | unsigned(b)); }                     \
    constexpr type operator^(type a, type b) { return type(unsigned(a) ^ unsigned(b)); }                     \
    constexpr type operator~(type a) { return type(~unsigned(a)); }                                          \
    inline type &operator&=(type &a, type b) { return a = a & b; }                                           \
    inline type &operator|=(type &a, type b) { return a = a | b; }                                           \
    inline type &operator^=(type &a, type b) { return a = a ^ b; }
MAZURKA_BITS(_Ios_Fmtflags)
MAZURKA_BITS(_Ios_Openmode)
MAZURKA_BITS(_Ios_Iostate)
#undef MAZURKA_BITS

enum class io_errc { stream = 1 };

class ios_base {
  public:
    typedef _Ios_Fmtflags fmtflags;
    typedef _Ios_Openmode openmode;
    typedef _Ios_Iostate iostate;
    typedef _Ios_Seekdir seekdir;

    static constexpr fmtflags boolalpha = fmtflags(1), dec = fmtflags(2), fixed = fmtflags(4), hex = fmtflags(8),
                              internal = fmtflags(16), left = fmtflags(32), oct = fmtflags(64),
                              right = fmtflags(128), scientific = fmtflags(256), showbase = fmtflags(512),
                              showpoint = fmtflags(1024), showpos = fmtflags(2048), skipws = fmtflags(4096),
                              unitbuf = fmtflags(8192), uppercase = fmtflags(16384),
                              adjustfield = fmtflags(16 | 32 | 128), basefield = fmtflags(2 | 8 | 64),
                              floatfield = fmtflags(4 | 256);
    static constexpr iostate goodbit = iostate(0), badbit = iostate(1), eofbit = iostate(2), failbit = iostate(4);
    static constexpr openmode app = openmode(1), ate = openmode(2), binary = openmode(4), in = openmode(8),
                              out = openmode(16), trunc = openmode(32);
    static constexpr seekdir beg = _S_beg, cur = _S_cur, end = _S_end;

    class failure : public runtime_error {
      public:
        explicit failure(const char *what) : runtime_error(what) {}
    };

    class Init {}; // the standard streams are there before anything else

    virtual ~ios_base() {}
    ios_base(const ios_base &) = delete;
    ios_base &operator=(const ios_base &) = delete;

    fmtflags flags() const { return get(flags_); }
    fmtflags flags(fmtflags to) { return exchange(flags_, to); }
    fmtflags setf(fmtflags on) { return exchange(flags_, flags() | on); }
    fmtflags setf(fmtflags on, fmtflags mask) { return exchange(flags_, (flags() & ~mask) | (on & mask)); }
    void unsetf(fmtflags off) { exchange(flags_, flags() & ~off); }
    streamsize precision() const { return get(precision_); }
    streamsize precision(streamsize to) { return exchange(precision_, to); }
    streamsize width() const { return get(width_); }
    streamsize width(streamsize to) { return get(width_) == to ? to : exchange(width_, to); }
    static bool sync_with_stdio(bool = true) { return true; }
    // Locales are refused by these names.
    locale getloc() const;
    const locale &_M_getloc() const;
    locale imbue(const locale &);

  protected:
    explicit ios_base(bool standard = false) : standard_(standard) {}

    template <class T> __attribute__((no_sanitize_thread, noinline)) static T unseen(const T *from)
    {
        return *from;
    }
    template <class T> T get(const T &field) const { return standard_ ? unseen(&field) : field; }
    template <class T> T exchange(T &field, T to)
    {
        T old = get(field);
        if (standard_)
            __mazurka_store(&field, &to, sizeof to);
        else
            field = to;
        return old;
    }

    bool standard_;
    fmtflags flags_ = dec | skipws;
    streamsize precision_ = 6, width_ = 0;
};

// ---- buffers ----------------------------------------------------------------------------------------------

template <class C, class T> class basic_streambuf {
  public:
    typedef C char_type;
    typedef T traits_type;
    typedef typename T::int_type int_type;
    typedef typename T::pos_type pos_type;
    typedef typename T::off_type off_type;

    virtual ~basic_streambuf() {}
    basic_streambuf *pubsetbuf(C *s, streamsize n) { return setbuf(s, n); }
    pos_type pubseekoff(off_type off, ios_base::seekdir dir, ios_base::openmode mode = ios_base::in | ios_base::out)
    {
        return seekoff(off, dir, mode);
    }
    pos_type pubseekpos(pos_type pos, ios_base::openmode mode = ios_base::in | ios_base::out)
    {
        return seekpos(pos, mode);
    }
    int pubsync() { return sync(); }
    streamsize in_avail() { return gptr_ < egptr_ ? egptr_ - gptr_ : showmanyc(); }
    int_type sgetc() { return gptr_ < egptr_ ? T::to_int_type(*gptr_) : underflow(); }
    int_type sbumpc() { return gptr_ < egptr_ ? T::to_int_type(*gptr_++) : uflow(); }
    int_type snextc() { return T::eq_int_type(sbumpc(), T::eof()) ? T::eof() : sgetc(); }
    streamsize sgetn(C *s, streamsize n) { return xsgetn(s, n); }
    int_type sputbackc(C c)
    {
        return gptr_ > eback_ && T::eq(c, gptr_[-1]) ? T::to_int_type(*--gptr_) : pbackfail(T::to_int_type(c));
    }
    int_type sungetc() { return gptr_ > eback_ ? T::to_int_type(*--gptr_) : pbackfail(T::eof()); }
    int_type sputc(C c)
    {
        if (pptr_ < epptr_)
            return T::to_int_type(*pptr_++ = c);
        return overflow(T::to_int_type(c));
    }
    streamsize sputn(const C *s, streamsize n) { return xsputn(s, n); }

  protected:
    basic_streambuf() {}
    C *eback() const { return eback_; }
    C *gptr() const { return gptr_; }
    C *egptr() const { return egptr_; }
    C *pbase() const { return pbase_; }
    C *pptr() const { return pptr_; }
    C *epptr() const { return epptr_; }
    void gbump(int n) { gptr_ += n; }
    void pbump(int n) { pptr_ += n; }
    void setg(C *back, C *now, C *end) { eback_ = back, gptr_ = now, egptr_ = end; }
    void setp(C *begin, C *end) { pbase_ = pptr_ = begin, epptr_ = end; }
    virtual basic_streambuf *setbuf(C *, streamsize) { return this; }
    virtual pos_type seekoff(off_type, ios_base::seekdir, ios_base::openmode) { return pos_type(off_type(-1)); }
    virtual pos_type seekpos(pos_type pos, ios_base::openmode mode) { return seekoff(off_type(pos), ios_base::beg, mode); }
    virtual int sync() { return 0; }
    virtual streamsize showmanyc() { return 0; }
    virtual int_type underflow() { return T::eof(); }
    virtual int_type uflow()
    {
        return T::eq_int_type(underflow(), T::eof()) ? T::eof() : T::to_int_type(*gptr_++);
    }
    virtual int_type pbackfail(int_type) { return T::eof(); }
    virtual int_type overflow(int_type) { return T::eof(); }
    virtual streamsize xsgetn(C *s, streamsize n)
    {
        streamsize done = 0;
        for (int_type c; done < n && !T::eq_int_type(c = sbumpc(), T::eof()); done++)
            s[done] = T::to_char_type(c);
        return done;
    }
    virtual streamsize xsputn(const C *s, streamsize n)
    {
        streamsize done = 0;
        while (done < n && !T::eq_int_type(sputc(s[done]), T::eof()))
            done++;
        return done;
    }

  private:
    C *eback_ = nullptr, *gptr_ = nullptr, *egptr_ = nullptr, *pbase_ = nullptr, *pptr_ = nullptr,
      *epptr_ = nullptr;
};

_GLIBCXX_BEGIN_NAMESPACE_CXX11
template <class C, class T, class A> class basic_stringbuf : public basic_streambuf<C, T> {
    typedef basic_streambuf<C, T> base;
    basic_string<C, T, A> text_;
    size_t read_ = 0, write_ = 0;

  public:
    typedef typename T::int_type int_type;
    explicit basic_stringbuf(ios_base::openmode = ios_base::in | ios_base::out) {}
    explicit basic_stringbuf(const basic_string<C, T, A> &s, ios_base::openmode mode = ios_base::in | ios_base::out)
    {
        str(s);
        if ((mode & (ios_base::ate | ios_base::app)) != 0)
            write_ = s.size();
    }
    basic_string<C, T, A> str() const { return text_; }
    void str(const basic_string<C, T, A> &s) { text_ = s, read_ = write_ = 0; }
    void swap(basic_stringbuf &o) { text_.swap(o.text_), std::swap(read_, o.read_), std::swap(write_, o.write_); }

  protected:
    streamsize showmanyc() override { return streamsize(text_.size() - read_); }
    int_type underflow() override { return read_ < text_.size() ? T::to_int_type(text_[read_]) : T::eof(); }
    int_type uflow() override { return read_ < text_.size() ? T::to_int_type(text_[read_++]) : T::eof(); }
    int_type pbackfail(int_type c) override
    {
        if (read_ == 0)
            return T::eof();
        read_--;
        if (!T::eq_int_type(c, T::eof()))
            text_[read_] = T::to_char_type(c);
        return T::not_eof(c);
    }
    int_type overflow(int_type c) override
    {
        C one = T::to_char_type(c);
        xsputn(&one, T::eq_int_type(c, T::eof()) ? 0 : 1);
        return T::not_eof(c);
    }
    streamsize xsputn(const C *s, streamsize n) override
    {
        size_t over = text_.size() - write_ < size_t(n) ? text_.size() - write_ : size_t(n);
        text_.replace(write_, over, s, size_t(n));
        write_ += size_t(n);
        return n;
    }
    typename base::pos_type seekoff(typename base::off_type off, ios_base::seekdir dir,
                                    ios_base::openmode mode) override
    {
        typedef typename base::pos_type pos_type;
        typedef typename base::off_type off_type;
        bool reads = (mode & ios_base::in) != 0, writes = (mode & ios_base::out) != 0;
        off_type from = dir == ios_base::beg ? 0
                        : dir == ios_base::end ? off_type(text_.size())
                        : reads                ? off_type(read_)
                                               : off_type(write_);
        if (from + off < 0 || from + off > off_type(text_.size()))
            return pos_type(off_type(-1));
        if (reads)
            read_ = size_t(from + off);
        if (writes)
            write_ = size_t(from + off);
        return pos_type(from + off);
    }
};

_GLIBCXX_END_NAMESPACE_CXX11

// ---- what all streams have in common ----------------------------------------------------------------------

template <class C, class T> class basic_ios : public ios_base {
  public:
    typedef C char_type;
    typedef T traits_type;
    typedef typename T::int_type int_type;

    explicit basic_ios(basic_streambuf<C, T> *b) { init(b); }
    iostate rdstate() const { return this->get(state_); }
    void clear(iostate to = goodbit)
    {
        if (!buffer_)
            to |= badbit;
        if (rdstate() != to)
            this->exchange(state_, to);
        if ((to & exceptions()) != 0)
            throw failure("basic_ios::clear: iostream error");
    }
    void setstate(iostate more) { clear(rdstate() | more); }
    void _M_setstate(iostate more) { this->exchange(state_, rdstate() | more); }
    bool good() const { return rdstate() == goodbit; }
    bool eof() const { return (rdstate() & eofbit) != 0; }
    bool fail() const { return (rdstate() & (badbit | failbit)) != 0; }
    bool bad() const { return (rdstate() & badbit) != 0; }
    explicit operator bool() const { return !fail(); }
    bool operator!() const { return fail(); }
    iostate exceptions() const { return this->get(exceptions_); }
    void exceptions(iostate on)
    {
        this->exchange(exceptions_, on);
        clear(rdstate());
    }
    basic_ostream<C, T> *tie() const { return nullptr; }
    basic_ostream<C, T> *tie(basic_ostream<C, T> *) { return nullptr; }
    basic_streambuf<C, T> *rdbuf() const { return this->get(buffer_); }
    basic_streambuf<C, T> *rdbuf(basic_streambuf<C, T> *to)
    {
        basic_streambuf<C, T> *old = this->exchange(buffer_, to);
        clear();
        return old;
    }
    C fill() const { return this->get(fill_); }
    C fill(C to) { return this->exchange(fill_, to); }
    C widen(char c) const { return C(c); }
    char narrow(C c, char) const { return char(c); }
    basic_ios &copyfmt(const basic_ios &from)
    {
        this->flags(from.flags()), this->precision(from.precision()), this->width(from.width()), fill(from.fill());
        return *this;
    }

  protected:
    explicit basic_ios(bool standard = false) : ios_base(standard) {}
    void init(basic_streambuf<C, T> *b) { buffer_ = b; }

  private:
    basic_streambuf<C, T> *buffer_ = nullptr;
    iostate state_ = goodbit, exceptions_ = goodbit;
    C fill_ = C(' ');
};

// ---- output -----------------------------------------------------------------------------------------------

template <class C, class T> class basic_ostream : virtual public basic_ios<C, T> {
  public:
    typedef C char_type;
    typedef T traits_type;
    typedef typename T::int_type int_type;
    typedef typename T::pos_type pos_type;
    typedef typename T::off_type off_type;

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

// ---- input ------------------------------------------------------------------------------------------------

template <class C, class T> class basic_istream : virtual public basic_ios<C, T> {
  public:
    typedef C char_type;
    typedef T traits_type;
    typedef typename T::int_type int_type;
    typedef typename T::pos_type pos_type;
    typedef typename T::off_type off_type;

    class sentry {
        bool good_;

      public:
        explicit sentry(basic_istream &is, bool keeps_space = false)
        {
            if (!keeps_space && is.good() && (is.flags() & ios_base::skipws) != 0)
                is.skip_space();
            good_ = is.good();
            if (!good_)
                is.setstate(ios_base::failbit);
        }
        explicit operator bool() const { return good_; }
    };

    explicit basic_istream(basic_streambuf<C, T> *b) { this->init(b); }
    basic_istream(basic_streambuf<C, T> *b, bool standard) : basic_ios<C, T>(standard) { this->init(b); }
    virtual ~basic_istream() {}

    basic_istream &operator>>(basic_istream &(*how)(basic_istream &)) { return how(*this); }
    basic_istream &operator>>(ios_base &(*how)(ios_base &)) { return how(*this), *this; }
    basic_istream &operator>>(bool &n)
    {
        long value = 0;
        *this >> value;
        n = value != 0;
        if (value != 0 && value != 1)
            this->setstate(ios_base::failbit);
        return *this;
    }
    basic_istream &operator>>(short &n) { return integer(n); }
    basic_istream &operator>>(unsigned short &n) { return natural(n); }
    basic_istream &operator>>(int &n) { return integer(n); }
    basic_istream &operator>>(unsigned &n) { return natural(n); }
    basic_istream &operator>>(long &n) { return integer(n); }
    basic_istream &operator>>(unsigned long &n) { return natural(n); }
    basic_istream &operator>>(long long &n) { return integer(n); }
    basic_istream &operator>>(unsigned long long &n) { return natural(n); }
    basic_istream &operator>>(float &x) { return floating(x, strtof); }
    basic_istream &operator>>(double &x) { return floating(x, strtod); }

    streamsize gcount() const { return count_; }
    int_type peek()
    {
        count_ = 0;
        int_type c = this->good() ? this->rdbuf()->sgetc() : T::eof();
        if (T::eq_int_type(c, T::eof()))
            this->setstate(ios_base::eofbit);
        return c;
    }
    int_type get()
    {
        int_type c = this->good() ? this->rdbuf()->sbumpc() : T::eof();
        count_ = !T::eq_int_type(c, T::eof());
        if (!count_)
            this->setstate(ios_base::eofbit | ios_base::failbit);
        return c;
    }
    basic_istream &get(C &c)
    {
        int_type got = get();
        if (count_)
            c = T::to_char_type(got);
        return *this;
    }
    basic_istream &getline(C *to, streamsize room, C delimiter)
    {
        streamsize n = 0;
        count_ = 0;
        for (;;) {
            int_type c = this->good() ? this->rdbuf()->sgetc() : T::eof();
            if (T::eq_int_type(c, T::eof())) {
                this->setstate(count_ ? ios_base::eofbit : ios_base::eofbit | ios_base::failbit);
                break;
            }
            if (!T::eq(T::to_char_type(c), delimiter) && n + 1 >= room) {
                this->setstate(ios_base::failbit);
                break;
            }
            this->rdbuf()->sbumpc();
            count_++;
            if (T::eq(T::to_char_type(c), delimiter))
                break;
            to[n++] = T::to_char_type(c);
        }
        if (room > 0)
            to[n] = C();
        return *this;
    }
    basic_istream &getline(C *to, streamsize room) { return getline(to, room, C('\n')); }
    basic_istream &ignore(streamsize n = 1, int_type until = T::eof())
    {
        for (count_ = 0; this->good() && (n == numeric_limits<streamsize>::max() || count_ < n);) {
            int_type c = this->rdbuf()->sbumpc();
            if (T::eq_int_type(c, T::eof())) {
                this->setstate(ios_base::eofbit);
                break;
            }
            count_++;
            if (T::eq_int_type(c, until))
                break;
        }
        return *this;
    }
    basic_istream &read(C *to, streamsize n)
    {
        count_ = this->good() ? this->rdbuf()->sgetn(to, n) : 0;
        if (count_ != n)
            this->setstate(ios_base::eofbit | ios_base::failbit);
        return *this;
    }
    basic_istream &unget() { return back(this->rdbuf()->sungetc()); }
    basic_istream &putback(C c) { return back(this->rdbuf()->sputbackc(c)); }
    int sync() { return this->rdbuf() ? this->rdbuf()->pubsync() : -1; }
    pos_type tellg()
    {
        return this->fail() ? pos_type(off_type(-1)) : this->rdbuf()->pubseekoff(0, ios_base::cur, ios_base::in);
    }
    basic_istream &seekg(pos_type to) { return seekg(off_type(to), ios_base::beg); }
    basic_istream &seekg(off_type off, ios_base::seekdir dir)
    {
        this->clear(this->rdstate() & ~ios_base::eofbit);
        if (!this->fail() && this->rdbuf()->pubseekoff(off, dir, ios_base::in) == pos_type(off_type(-1)))
            this->setstate(ios_base::failbit);
        return *this;
    }

    static bool is_space(int_type c)
    {
        return !T::eq_int_type(c, T::eof()) && memchr(" \t\n\v\f\r", T::to_char_type(c), 6);
    }
    void skip_space()
    {
        int_type c = this->rdbuf()->sgetc();
        while (is_space(c))
            c = this->rdbuf()->snextc();
        if (T::eq_int_type(c, T::eof()))
            this->setstate(ios_base::eofbit);
    }

  private:
    streamsize count_ = 0;

    basic_istream &back(int_type result)
    {
        if (T::eq_int_type(result, T::eof()))
            this->setstate(ios_base::badbit);
        return *this;
    }
    // The characters of a number, as many as could belong to one.
    string number(bool is_floating)
    {
        string s;
        if (!sentry(*this))
            return s;
        bool hex = (this->flags() & ios_base::basefield) == ios_base::hex;
        for (int_type c = this->rdbuf()->sgetc();; c = this->rdbuf()->snextc()) {
            if (T::eq_int_type(c, T::eof())) {
                this->setstate(ios_base::eofbit);
                break;
            }
            char one = T::to_char_type(c), last = s.empty() ? char(0) : s[s.size() - 1];
            bool sign = (one == '+' || one == '-') && (s.empty() || (is_floating && (last == 'e' || last == 'E')));
            bool digit = (one >= '0' && one <= '9') || (hex && one && strchr("abcdefABCDEFxX", one));
            bool point = is_floating && ((one == '.' && s.find('.') == string::npos) ||
                                         ((one == 'e' || one == 'E') && s.find_first_of("eE") == string::npos));
            if (!sign && !digit && !point)
                break;
            s.push_back(one);
        }
        return s;
    }
    int base() const
    {
        ios_base::fmtflags b = this->flags() & ios_base::basefield;
        return b == ios_base::hex ? 16 : b == ios_base::oct ? 8 : b == ios_base::dec ? 10 : 0;
    }
    template <class N> basic_istream &integer(N &n)
    {
        string s = number(false);
        if (s.empty() && this->fail())
            return *this;
        char *after;
        errno = 0;
        long long value = strtoll(s.c_str(), &after, base());
        bool wrong = s.empty() || *after, low = value < (long long)numeric_limits<N>::min(),
             high = value > (long long)numeric_limits<N>::max();
        n = wrong ? N(0) : low ? numeric_limits<N>::min() : high ? numeric_limits<N>::max() : N(value);
        if (wrong || low || high || errno)
            this->setstate(ios_base::failbit);
        return *this;
    }
    template <class N> basic_istream &natural(N &n)
    {
        string s = number(false);
        if (s.empty() && this->fail())
            return *this;
        char *after;
        errno = 0;
        unsigned long long value = strtoull(s.c_str(), &after, base());
        bool wrong = s.empty() || *after, high = s[0] != '-' && value > numeric_limits<N>::max();
        n = wrong ? N(0) : high ? numeric_limits<N>::max() : N(value);
        if (wrong || high || errno)
            this->setstate(ios_base::failbit);
        return *this;
    }
    template <class F> basic_istream &floating(F &x, F (*parse)(const char *, char **))
    {
        string s = number(true);
        if (s.empty() && this->fail())
            return *this;
        char *after;
        x = parse(s.c_str(), &after);
        if (s.empty() || *after) {
            x = 0;
            this->setstate(ios_base::failbit);
        }
        return *this;
    }
};

template <class T> basic_istream<char, T> &operator>>(basic_istream<char, T> &is, char &c)
{
    typename basic_istream<char, T>::sentry ready(is);
    if (ready)
        is.get(c);
    return is;
}
template <class T> basic_istream<char, T> &operator>>(basic_istream<char, T> &is, unsigned char &c)
{
    return is >> reinterpret_cast<char &>(c);
}
template <class S, class V>
auto operator>>(S &&is, V &&value) ->
    typename enable_if<!is_lvalue_reference<S>::value && is_base_of<ios_base, S>::value, S &&>::type
{
    is >> static_cast<V &&>(value);
    return static_cast<S &&>(is);
}
template <class C, class T> basic_istream<C, T> &ws(basic_istream<C, T> &is)
{
    is.skip_space();
    return is;
}

template <> inline istream &operator>>(istream &is, string &s)
{
    istream::sentry ready(is);
    if (!ready)
        return is;
    streamsize most = is.width() > 0 ? is.width() : numeric_limits<streamsize>::max();
    s.clear();
    for (int c = is.rdbuf()->sgetc(); streamsize(s.size()) < most; c = is.rdbuf()->snextc()) {
        if (c == EOF)
            is.setstate(ios_base::eofbit);
        if (c == EOF || istream::is_space(c))
            break;
        s.push_back(char(c));
    }
    is.width(0);
    if (s.empty())
        is.setstate(ios_base::failbit);
    return is;
}
template <> inline istream &getline(istream &is, string &s, char delimiter)
{
    istream::sentry ready(is, true);
    if (!ready)
        return is;
    s.clear();
    bool took = false;
    for (;;) {
        int c = is.rdbuf()->sbumpc();
        if (c == EOF) {
            is.setstate(took ? ios_base::eofbit : ios_base::eofbit | ios_base::failbit);
            return is;
        }
        took = true;
        if (char(c) == delimiter)
            return is;
        s.push_back(char(c));
    }
}

template <class C, class T> class basic_iostream : public basic_istream<C, T>, public basic_ostream<C, T> {
  public:
    typedef C char_type;
    typedef T traits_type;
    typedef typename T::int_type int_type;
    typedef typename T::pos_type pos_type;
    typedef typename T::off_type off_type;
    explicit basic_iostream(basic_streambuf<C, T> *b) : basic_istream<C, T>(b), basic_ostream<C, T>(b)
    {
        this->init(b);
    }
};

// ---- strings ----------------------------------------------------------------------------------------------

_GLIBCXX_BEGIN_NAMESPACE_CXX11
#define MAZURKA_STRING_STREAM(name, base, mode)                                                              \
    template <class C, class T, class A> class name : public base<C, T> {                                    \
        basic_stringbuf<C, T, A> buffer_;                                                                    \
                                                                                                             \
      public:                                                                                                \
        explicit name(ios_base::openmode = mode) : base<C, T>(nullptr) { this->init(&buffer_); }             \
        explicit name(const basic_string<C, T, A> &s, ios_base::openmode how = mode)                         \
            : base<C, T>(nullptr), buffer_(s, how)                                                           \
        {                                                                                                    \
            this->init(&buffer_);                                                                            \
        }                                                                                                    \
        name(name &&from) : base<C, T>(nullptr)                                                              \
        {                                                                                                    \
            this->init(&buffer_);                                                                            \
            buffer_.swap(from.buffer_);                                                                      \
            this->copyfmt(from);                                                                             \
            this->clear(from.rdstate());                                                                     \
        }                                                                                                    \
        name &operator=(name &&from)                                                                         \
        {                                                                                                    \
            buffer_.swap(from.buffer_);                                                                      \
            this->copyfmt(from);                                                                             \
            this->clear(from.rdstate());                                                                     \
            return *this;                                                                                    \
        }                                                                                                    \
        basic_stringbuf<C, T, A> *rdbuf() const                                                              \
        {                                                                                                    \
            return const_cast<basic_stringbuf<C, T, A> *>(&buffer_);                                         \
        }                                                                                                    \
        basic_string<C, T, A> str() const { return buffer_.str(); }                                          \
        void str(const basic_string<C, T, A> &s) { buffer_.str(s); }                                         \
    };
MAZURKA_STRING_STREAM(basic_istringstream, basic_istream, ios_base::in)
MAZURKA_STRING_STREAM(basic_ostringstream, basic_ostream, ios_base::out)
MAZURKA_STRING_STREAM(basic_stringstream, basic_iostream, ios_base::in | ios_base::out)
#undef MAZURKA_STRING_STREAM
_GLIBCXX_END_NAMESPACE_CXX11

// ---- files: to read, as the C library has them ------------------------------------------------------------

template <class C, class T> class basic_filebuf : public basic_streambuf<C, T> {
    FILE *file_ = nullptr;
    bool owner_ = false;

  public:
    typedef typename T::int_type int_type;
    basic_filebuf() {}
    explicit basic_filebuf(FILE *file) : file_(file) {}
    ~basic_filebuf() { close(); }
    bool is_open() const { return file_ != nullptr; }
    basic_filebuf *open(const char *path, ios_base::openmode mode)
    {
        if (file_)
            return nullptr;
        bool reads = (mode & ios_base::in) != 0, writes = (mode & ios_base::out) != 0;
        file_ = fopen(path, (mode & ios_base::app) != 0 ? "a" : reads && writes ? "r+" : writes ? "w" : "r");
        owner_ = true;
        return file_ ? this : nullptr;
    }
    basic_filebuf *close()
    {
        if (!file_ || !owner_)
            return nullptr;
        fclose(file_);
        file_ = nullptr;
        return this;
    }

  protected:
    int_type underflow() override
    {
        int c = uflow();
        return c == EOF ? EOF : ungetc(c, file_);
    }
    int_type uflow() override { return file_ ? fgetc(file_) : EOF; }
    int_type pbackfail(int_type c) override
    {
        if (c != EOF)
            return ungetc(c, file_);
        return fseek(file_, -1, SEEK_CUR) == 0 ? 0 : EOF;
    }
    int_type overflow(int_type c) override { return c == EOF ? 0 : file_ ? fputc(c, file_) : EOF; }
    streamsize xsputn(const C *s, streamsize n) override
    {
        return file_ ? streamsize(fwrite(s, 1, size_t(n), file_)) : 0;
    }
    int sync() override { return file_ ? fflush(file_) : 0; }
};

#define MAZURKA_FILE_STREAM(name, base, mode)                                                                \
    template <class C, class T> class name : public base<C, T> {                                             \
        basic_filebuf<C, T> buffer_;                                                                         \
                                                                                                             \
      public:                                                                                                \
        name() : base<C, T>(nullptr) { this->init(&buffer_); }                                               \
        explicit name(const char *path, ios_base::openmode how = mode) : base<C, T>(nullptr)                 \
        {                                                                                                    \
            this->init(&buffer_);                                                                            \
            open(path, how);                                                                                 \
        }                                                                                                    \
        explicit name(const string &path, ios_base::openmode how = mode) : name(path.c_str(), how) {}        \
        bool is_open() const { return buffer_.is_open(); }                                                   \
        void open(const char *path, ios_base::openmode how = mode)                                           \
        {                                                                                                    \
            if (!buffer_.open(path, how | (mode)))                                                           \
                this->setstate(ios_base::failbit);                                                           \
        }                                                                                                    \
        void open(const string &path, ios_base::openmode how = mode) { open(path.c_str(), how); }            \
        void close()                                                                                         \
        {                                                                                                    \
            if (!buffer_.close())                                                                            \
                this->setstate(ios_base::failbit);                                                           \
        }                                                                                                    \
    };
MAZURKA_FILE_STREAM(basic_ifstream, basic_istream, ios_base::in)
MAZURKA_FILE_STREAM(basic_ofstream, basic_ostream, ios_base::out)
MAZURKA_FILE_STREAM(basic_fstream, basic_iostream, ios_base::in | ios_base::out)
#undef MAZURKA_FILE_STREAM

extern istream cin;
extern ostream cout, cerr, clog;

// ---- manipulators -----------------------------------------------------------------------------------------

#define MAZURKA_FLAG(name, on, mask)                                                                         \
    inline ios_base &name(ios_base &s)                                                                       \
    {                                                                                                        \
        s.setf(on, mask);                                                                                    \
        return s;                                                                                            \
    }
#define MAZURKA_SWITCH(name)                                                                                 \
    MAZURKA_FLAG(name, ios_base::name, ios_base::name)                                                       \
    MAZURKA_FLAG(no##name, ios_base::fmtflags(0), ios_base::name)
MAZURKA_SWITCH(boolalpha)
MAZURKA_SWITCH(showbase)
MAZURKA_SWITCH(showpoint)
MAZURKA_SWITCH(showpos)
MAZURKA_SWITCH(skipws)
MAZURKA_SWITCH(uppercase)
MAZURKA_SWITCH(unitbuf)
MAZURKA_FLAG(dec, ios_base::dec, ios_base::basefield)
MAZURKA_FLAG(hex, ios_base::hex, ios_base::basefield)
MAZURKA_FLAG(oct, ios_base::oct, ios_base::basefield)
MAZURKA_FLAG(left, ios_base::left, ios_base::adjustfield)
MAZURKA_FLAG(right, ios_base::right, ios_base::adjustfield)
MAZURKA_FLAG(internal, ios_base::internal, ios_base::adjustfield)
MAZURKA_FLAG(fixed, ios_base::fixed, ios_base::floatfield)
MAZURKA_FLAG(scientific, ios_base::scientific, ios_base::floatfield)
MAZURKA_FLAG(hexfloat, ios_base::floatfield, ios_base::floatfield)
MAZURKA_FLAG(defaultfloat, ios_base::fmtflags(0), ios_base::floatfield)
#undef MAZURKA_SWITCH
#undef MAZURKA_FLAG

#define MAZURKA_MANIPULATOR(name, type, how)                                                                 \
    struct _Mazurka_##name {                                                                                 \
        type value;                                                                                          \
    };                                                                                                       \
    inline _Mazurka_##name name(type value)                                                                  \
    {                                                                                                        \
        return {value};                                                                                      \
    }                                                                                                        \
    template <class C, class T> basic_ostream<C, T> &operator<<(basic_ostream<C, T> &s, _Mazurka_##name m)   \
    {                                                                                                        \
        how;                                                                                                 \
        return s;                                                                                            \
    }                                                                                                        \
    template <class C, class T> basic_istream<C, T> &operator>>(basic_istream<C, T> &s, _Mazurka_##name m)   \
    {                                                                                                        \
        how;                                                                                                 \
        return s;                                                                                            \
    }
MAZURKA_MANIPULATOR(setw, int, s.width(m.value))
MAZURKA_MANIPULATOR(setprecision, int, s.precision(m.value))
MAZURKA_MANIPULATOR(setfill, char, s.fill(C(m.value)))
MAZURKA_MANIPULATOR(setiosflags, ios_base::fmtflags, s.setf(m.value))
MAZURKA_MANIPULATOR(resetiosflags, ios_base::fmtflags, s.unsetf(m.value))
MAZURKA_MANIPULATOR(setbase, int, s.setf(m.value == 16 ? ios_base::hex : m.value == 8 ? ios_base::oct
                    : m.value == 10 ? ios_base::dec : ios_base::fmtflags(0), ios_base::basefield))
#undef MAZURKA_MANIPULATOR

} // namespace std

#endif
