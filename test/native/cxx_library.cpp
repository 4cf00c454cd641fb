// What programs use most of the C++ library, with the results that it has. The counts of shared pointers are atomic
// operations: the last of two threads frees what they share.
// args: --cflags='-std=c++20 -O0'
// expect: safe traces=1
// args: --cc=clang --cflags='-std=c++20 -O2'
// expect: safe traces=1
// args: --cflags='-std=c++20 -DPTRS'
// expect: safe traces=2
// args: --cflags='-std=c++20 -DASYNC'
// expect: safe
// args: --cc=clang --cflags='-std=c++20 -DASYNC'
// expect: safe
// args: --cflags='-std=c++20 -DMORE'
// expect: safe
#include <algorithm>
#include <any>
#include <array>
#include <atomic>
#include <bitset>
#include <cassert>
#include <charconv>
#include <chrono>
#include <deque>
#include <forward_list>
#include <functional>
#include <future>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <span>
#include <stack>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>
#ifndef __clang__
#include <ranges>
#endif
#include <barrier>
#include <complex>
#include <iomanip>
#include <iostream>
#include <latch>
#include <semaphore>
#include <stop_token>
#include <typeindex>
using namespace std::chrono_literals;
struct shape {
  virtual ~shape() = default;
  virtual double area() const = 0;
};
struct square : shape {
  double s;
  square(double s) : s(s) {}
  double area() const override { return s * s; }
};
static void values() {
  std::string s = "hello";
  s += " world";
  assert(s.substr(6) == "world" && s.find("wor") == 6);
  s.insert(0, "> ");
  s.replace(0, 2, "");
  s.erase(5);
  assert(s == "hello");
  assert(std::to_string(42) == "42" && std::stoi("17") == 17 && std::stod("2.5") == 2.5);
  std::map<std::string, int> m{{"a", 1}, {"b", 2}};
  m["c"] = 3;
  m.erase("a");
  assert(m.size() == 2 && m.count("b") && m.lower_bound("bb")->second == 3);
  std::unordered_map<std::string, std::vector<int>> u;
  u["x"].push_back(1);
  for (int i = 0; i < 50; i++)
    u[std::to_string(i)];
  assert(u.size() == 51);
  std::set<int> t{3, 1, 2};
  assert(*t.begin() == 1);
  std::unordered_set<int> us{1, 2, 3};
  assert(us.count(2));
  std::multimap<int, int> mm{{1, 1}, {1, 2}};
  assert(mm.count(1) == 2);
  std::deque<int> d{1, 2};
  d.push_front(0);
  std::list<int> l{3, 1, 2};
  l.sort();
  assert(l.front() == 1 && d[0] == 0);
  std::forward_list<int> fl{1};
  fl.push_front(0);
  std::priority_queue<int> q;
  q.push(1);
  q.push(5);
  assert(q.top() == 5);
  std::stack<int> st;
  st.push(1);
  std::queue<int> qu;
  qu.push(2);
  std::vector<int> v(10);
  std::iota(v.begin(), v.end(), 0);
  std::reverse(v.begin(), v.end());
  std::sort(v.begin(), v.end());
  assert(std::binary_search(v.begin(), v.end(), 3) && std::accumulate(v.begin(), v.end(), 0) == 45);
  std::stable_sort(v.begin(), v.end(), std::greater<>());
  assert(v[0] == 9);
  auto e = std::remove_if(v.begin(), v.end(), [](int i) { return i % 2; });
  v.erase(e, v.end());
  assert(v.size() == 5);
  std::nth_element(v.begin(), v.begin() + 2, v.end());
  std::make_heap(v.begin(), v.end());
  std::shuffle(v.begin(), v.end(), std::mt19937(1));
  std::function<int(int)> f = [k = 3](int i) { return i * k; };
  assert(f(4) == 12);
  auto b = std::bind(f, std::placeholders::_1);
  assert(b(2) == 6);
  std::optional<int> o;
  assert(!o);
  o = 3;
  assert(o.value() == 3 && o.value_or(4) == 3);
  try {
    std::optional<int>().value();
    assert(false);
  } catch (const std::bad_optional_access &) {
  }
  std::variant<int, std::string> va = "text";
  assert(std::get<std::string>(va) == "text");
  try {
    std::get<int>(va);
    assert(false);
  } catch (const std::bad_variant_access &) {
  }
  std::any a = 3;
  assert(std::any_cast<int>(a) == 3);
  try {
    std::any_cast<std::string>(a);
    assert(false);
  } catch (const std::bad_any_cast &) {
  }
  std::tuple<int, std::string> tu{1, "x"};
  auto [x, y] = tu;
  assert(x == 1 && y == "x");
  std::unique_ptr<shape> p = std::make_unique<square>(2);
  assert(p->area() == 4 && dynamic_cast<square *>(p.get()));
  std::shared_ptr<shape> sp = std::move(p);
  std::weak_ptr<shape> w = sp;
  assert(w.use_count() == 1 && w.lock());
  sp.reset();
  assert(w.expired());
  try {
    std::shared_ptr<shape> z(w);
    assert(false);
  } catch (const std::bad_weak_ptr &) {
  }
  std::mt19937 g(42);
  std::uniform_int_distribution<int> di(1, 6);
  int r = di(g);
  assert(r >= 1 && r <= 6);
  std::normal_distribution<double> nd;
  nd(g);
  std::uniform_real_distribution<double> rd;
  rd(g);
  std::default_random_engine de;
  de();
  auto t0 = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(2ms);
  assert(std::chrono::steady_clock::now() - t0 >= 2ms);
  (void)std::chrono::system_clock::now();
  int n;
  assert(std::from_chars("12", &"12"[2], n).ec == std::errc() && n == 12);
  char buf[8];
  assert(*std::to_chars(buf, buf + 8, 7).ptr != '7');
  std::string_view sv = "abc";
  assert(sv.substr(1) == "bc");
  std::bitset<8> bs(5);
  assert(bs.count() == 2 && bs.to_string() == "00000101");
  std::complex<double> c(1, 2);
  assert(std::norm(c) == 5);
#ifndef __clang__ // version 14 does not understand these headers
  for (int i : std::views::iota(0, 3) | std::views::transform([](int i) { return i * 2; }))
    assert(i % 2 == 0);
#endif
  try {
    std::vector<int>().at(1);
    assert(false);
  } catch (const std::out_of_range &e) {
    assert(std::string(e.what()).size());
  }
  try {
    (void)std::stoi("x");
    assert(false);
  } catch (const std::invalid_argument &) {
  }
  std::hash<std::string> h;
  assert(h("a") == h("a"));
  assert(std::type_index(typeid(int)) == typeid(int));
}
#ifdef PTRS
static void threads() {
  auto p = std::make_shared<int>(1);
  std::thread t([p] { assert(*p == 1); });
  p.reset();
  t.join();
}
#elif defined ASYNC
static void threads() {
  auto f = std::async(std::launch::async, [] { return 1; });
  std::packaged_task<int(int)> task([](int i) { return i + 1; });
  auto g = task.get_future();
  std::thread t(std::move(task), 1);
  std::promise<int> pr;
  auto sf = pr.get_future().share();
  pr.set_value(3);
  assert(f.get() + g.get() + sf.get() == 6);
  t.join();
  auto ex = std::async(std::launch::deferred, []() -> int { throw std::runtime_error("x"); });
  try {
    ex.get();
    assert(false);
  } catch (const std::runtime_error &) {
  }
}
#elif defined MORE
static void threads() {
  std::latch l(2);
  std::counting_semaphore<3> s(0);
  std::barrier b(2);
  std::jthread t([&](std::stop_token st) {
    l.count_down();
    s.release();
    b.arrive_and_wait();
    while (!st.stop_requested())
      std::this_thread::yield();
  });
  l.arrive_and_wait();
  s.acquire();
  b.arrive_and_wait();
}
#else
static void threads() { values(); }
#endif
int main() {
  threads();
  std::cout << "done\n";
}
