// The parts of set, list and unordered_map that are not in headers, against a plain array: order, size, the rules of
// red-black trees, after each of many insertions and removals.
// args: --cflags=-std=c++17 --cflags=-O2
// expect: safe traces=1
// args: --cflags=-std=c++17 --cflags=-O2 --cc=clang
// expect: safe traces=1
#include <cassert>
#include <cstdlib>
#include <list>
#include <set>
#include <unordered_map>

using node = const std::_Rb_tree_node_base;

static int black_height(node *n) {
  if (!n)
    return 0;
  for (node *child : {n->_M_left, n->_M_right})
    assert(!child || (child->_M_parent == n && (n->_M_color == std::_S_black || child->_M_color == std::_S_black)));
  int left = black_height(n->_M_left), right = black_height(n->_M_right);
  assert(left == right);
  return left + (n->_M_color == std::_S_black);
}

static void compare(const std::set<int> &set, const std::unordered_map<int, int> &map, const bool *there, size_t count) {
  assert(set.size() == count && map.size() == count);
  size_t seen = 0;
  int last = -1;
  for (int x : set) {
    assert(x > last && there[x] && map.count(x));
    last = x;
    seen++;
  }
  assert(seen == count);
  for (auto i = set.rbegin(); i != set.rend(); ++i)
    seen--;
  assert(seen == 0);
  black_height(set.end()._M_node->_M_parent);
}

int main() {
  std::set<int> set;
  std::unordered_map<int, int> map;
  bool there[32] = {};
  size_t count = 0;
  for (int i = 0; i < 300; i++) {
    int k = rand() % 32;
    if (rand() % 2) {
      assert(set.insert(k).second == !there[k]);
      map[k] = i;
      count += !there[k];
      there[k] = true;
    } else {
      assert(set.erase(k) == there[k] && map.erase(k) == there[k]);
      count -= there[k];
      there[k] = false;
    }
    compare(set, map, there, count);
  }
  std::list<int> a{3, 1, 2}, b, c{9};
  a.sort();
  a.reverse();
  a.swap(b);
  b.splice(b.begin(), c);
  assert(a.empty() && c.empty() && b == (std::list<int>{9, 3, 2, 1}));
}
