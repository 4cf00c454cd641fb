#line 2 "<streams>"
// What all streams have in common (streams.h): flags, states, buffers.
#ifndef MAZURKA_STREAMS_BASE
#define MAZURKA_STREAMS_BASE
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

// What classes of streams and buffers call the types that they are made of.
#define MAZURKA_CHARACTER_TYPES                                                                              \
    typedef C char_type;                                                                                     \
    typedef T traits_type;                                                                                   \
    typedef typename T::int_type int_type;                                                                   \
    typedef typename T::pos_type pos_type;                                                                   \
    typedef typename T::off_type off_type;

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

    template <class T> __attribute__((no_sanitize_thread, noinline)) static T without_hook(const T *from)
    {
        return *from;
    }
    template <class T> T get(const T &field) const { return standard_ ? without_hook(&field) : field; }
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
    MAZURKA_CHARACTER_TYPES

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
    MAZURKA_CHARACTER_TYPES

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

} // namespace std

#endif
