// Streams: what they print and read is what the installed library's would; cout may be used by two threads at once,
// another stream may not.
// args: --cflags=-std=c++17
// expect: safe traces=1
// args: --cc=clang --cflags='-std=c++20 -O2'
// expect: safe traces=1
// args: --cflags='-std=c++17 -O0 -DSHARED'
// expect: unsafe data-race *
#include <algorithm>
#include <cassert>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>
template <class... A> std::string str(A... a) {
  std::ostringstream s;
  (s << ... << a);
  return s.str();
}
struct point {
  int x, y;
};
std::ostream &operator<<(std::ostream &o, const point &p) { return o << '(' << p.x << ", " << p.y << ')'; }
std::istream &operator>>(std::istream &i, point &p) {
  char c;
  return i >> c >> p.x >> c >> p.y >> c;
}
int main() {
  std::cout << "hello " << 3 << ' ' << 1.5 << true << std::endl;
  assert(str(1, 'c', "text", 2.5, true, std::string("s"), 3u, 4l, 5ull, (short)6) == "1ctext2.51s3456");
  assert(str(std::hex, 255, std::showbase, 255, std::uppercase, 255, std::oct, 8) == "ff0xff0XFF010");
  assert(str(std::setw(5), 42, std::left, std::setw(5), 42, '|', std::internal, std::setw(6), std::setfill('0'), -42) ==
         "   4242   |-00042");
  assert(str(std::fixed, std::setprecision(2), 3.14159, std::scientific, 31.4159, std::defaultfloat, 1e10, ' ', 0.1f) ==
         "3.143.14e+011e+10 0.1");
  assert(str(std::boolalpha, true, false, std::noboolalpha, true) == "truefalse1");
  assert(str(std::setprecision(12), 0.1, std::showpos, 5) == "0.1+5");
  assert(str(std::setw(8), std::string("abc"), std::setw(3), 'x') == "     abc  x");
  std::istringstream in("12 -7 3.5 word 0x1f (4, 5)\nline two\nrest");
  int a;
  int b;
  double d;
  std::string w;
  int h;
  point p;
  in >> a >> b >> d >> w >> std::hex >> h >> std::dec >> p;
  assert(a == 12 && b == -7 && d == 3.5 && w == "word" && h == 31 && p.x == 4 && p.y == 5);
  std::string line;
  std::getline(in, line);
  assert(line.empty());
  std::getline(in, line);
  assert(line == "line two");
  in >> w;
  assert(w == "rest" && in.eof() && !in.fail());
  in >> w;
  assert(in.fail());
  in.clear();
  std::istringstream bad("x");
  bad >> a;
  assert(bad.fail() && a == 0);
  std::stringstream both;
  both << 5 << " " << 6;
  both >> a >> b;
  assert(a == 5 && b == 6 && both.eof());
  both.str("");
  both.clear();
  both << point{1, 2};
  assert(both.str() == "(1, 2)");
  std::istringstream many("1 2 3");
  std::vector<int> v((std::istream_iterator<int>(many)), std::istream_iterator<int>());
  assert(v.size() == 3);
  std::ostringstream o;
  std::copy(v.begin(), v.end(), std::ostream_iterator<int>(o, ","));
  assert(o.str() == "1,2,3,");
  assert(o.tellp() == 6);
  std::shared_ptr<int> sp;
  (o << sp.get());
  std::thread t([] { std::cout << "in thread " << std::setw(3) << 1 << "\n"; });
  std::cout << "in main " << std::hex << 255 << std::dec << std::endl;
  std::cerr << std::this_thread::get_id() << "\n";
  t.join();
  std::ifstream f("/nonexistent/file");
  assert(!f && !f.is_open());
  std::string none;
  assert(!(std::cin >> none));
#ifdef SHARED
  std::ostringstream shared;
  std::thread other([&] { shared << 1; });
  shared << 2;
  other.join();
#endif
}
