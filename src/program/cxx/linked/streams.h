#line 2 "<streams>"
// Streams of characters, in place of the installed library's: those are made of locales, which are state that
// outlives an execution, and of code whose accesses are not seen. Formats are those of the "C" locale.
//
// A stream is an object of the program like any other: two threads that use one at the same time race. Not so
// the standard ones (cout, cerr, clog, cin), for which the language forbids that: their state is read without a hook
// and written past the looking for races, but is taken back as all memory is.
#ifndef MAZURKA_STREAMS
#define MAZURKA_STREAMS
#pragma GCC system_header

#include "streams_input.h"

namespace std {

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

// What is to be written in quotes is a template of the installed library.
#if __cplusplus >= 201402L
#include <bits/quoted_string.h>

namespace std {
#define MAZURKA_QUOTED(parameters, type)                                                                     \
    template <MAZURKA_LIST parameters>                                                                       \
    auto quoted(MAZURKA_LIST type s, C quote = C('"'), C escape = C('\\'))                                   \
    {                                                                                                        \
        return __detail::_Quoted_string<MAZURKA_LIST type, C>(s, quote, escape);                             \
    }
#define MAZURKA_LIST(...) __VA_ARGS__
MAZURKA_QUOTED((class C), (const C *))
MAZURKA_QUOTED((class C, class T, class A), (const basic_string<C, T, A> &))
MAZURKA_QUOTED((class C, class T, class A), (basic_string<C, T, A> &))
#if __cplusplus >= 201703L
MAZURKA_QUOTED((class C, class T), (basic_string_view<C, T>))
#endif
#undef MAZURKA_LIST
#undef MAZURKA_QUOTED
} // namespace std
#endif

#endif
