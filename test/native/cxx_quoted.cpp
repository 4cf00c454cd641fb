// std::quoted, and a header that needs it: <filesystem> can be included.
// args: -std=c++17
// expect: safe traces=1
#include <cassert>
#include <filesystem>
#include <iomanip>
#include <sstream>
#include <thread>

static std::string written, again;

static void write()
{
    std::ostringstream out;
    const std::string text = "say \"yes\"";
    out << std::quoted(text) << std::quoted("a", '<', '\\') << std::quoted(std::string_view("b"));
    written = out.str();
    std::istringstream in(written);
    in >> std::quoted(again);
}

int main()
{
    std::thread t(write);
    t.join();
    assert(written == "\"say \\\"yes\\\"\"<a<\"b\"");
    assert(again == "say \"yes\"");
}
