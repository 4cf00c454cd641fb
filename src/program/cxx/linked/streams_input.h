#line 2 "<streams>"
// Input (streams.h), and streams for both.
#ifndef MAZURKA_STREAMS_INPUT
#define MAZURKA_STREAMS_INPUT
#pragma GCC system_header

#include "streams_output.h"

namespace std {

template <class C, class T> class basic_istream : virtual public basic_ios<C, T> {
  public:
    MAZURKA_CHARACTER_TYPES

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
    MAZURKA_CHARACTER_TYPES
    explicit basic_iostream(basic_streambuf<C, T> *b) : basic_istream<C, T>(b), basic_ostream<C, T>(b)
    {
        this->init(b);
    }
};

} // namespace std

#endif
