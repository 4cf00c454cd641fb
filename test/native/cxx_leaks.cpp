// --check=leaks and uninitialised in C++: containers, local statics, thread-local objects and exceptions leave nothing behind; what is
// not deleted, a ring of shared pointers, and a member that no constructor has set are found.
// args: --check=default,leaks,uninitialised
// expect: safe
// args: --check=default,leaks,uninitialised --cc=clang --cflags=-O2
// expect: safe
// args: --check=default,leaks -DKIND=1
// expect: unsafe leak 50
// args: --check=default,leaks -DKIND=1 --cc=clang
// expect: unsafe leak 50
// args: --check=default,leaks -DKIND=2
// expect: unsafe leak *
// args: --check=default,uninitialised -DKIND=3
// expect: unsafe uninitialised 56
// args: --check=default,uninitialised -DKIND=3 --cc=clang
// expect: unsafe uninitialised 56
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

struct Node {
  std::shared_ptr<Node> next;
  std::string name = "a name that is too long for the object itself";
  int value;
};
static std::map<std::string, std::vector<int>> table;
static thread_local std::vector<std::string> own;
static Node *volatile hidden;

static std::string &local() {
  static std::string text(100, 'x');
  return text;
}

static void uses_everything() {
  own.push_back(local());
  try {
    throw std::runtime_error(own[0]);
  } catch (const std::exception &e) {
    own.push_back(e.what());
  }
}

int main() {
#if KIND == 1
  hidden = nullptr;
  hidden = new Node, hidden = nullptr;
#elif KIND == 2
  auto a = std::make_shared<Node>(), b = std::make_shared<Node>();
  a->next = b, b->next = a;
#elif KIND == 3
  hidden = new Node; // value is not set
  hidden->value = hidden->value + 1;
  delete hidden;
#else
  std::thread t(uses_everything);
  t.join();
  uses_everything();
  table["one"].assign(100, 1);
  auto node = std::make_shared<Node>();
  node->next = std::make_shared<Node>();
  node->value = static_cast<int>(table["one"].size());
#endif
}
