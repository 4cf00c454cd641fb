# A short face for Meson and Ninja. On a fresh Debian machine every target installs what is missing (as root, or through sudo) and
# says what.

BUILD   ?= build
SEEDS   ?= 2000
PREFIX  ?= /usr/local
SLICE   ?= 0
MAZURKA  = $(BUILD)/mazurka
FORMATTED = git ls-files 'src/*.[ch]' 'test/unit/*.[ch]' 'test/oracle/*.[ch]' include ':!:src/*/linked/*' # which are C++

.PHONY: all pgo demo test test-all matrix oracle bench install asan aarch64 format check-format clean setup

all: $(BUILD)/build.ninja
	@tools/build $(BUILD)

setup:
	@tools/install-packages

$(BUILD)/build.ninja: | setup
	@tools/build --setup $(BUILD) $(MESON_OPTIONS)

# Built twice, the second time with a profile of the first one at work: searches take about a tenth less time.
pgo: BUILD = build-pgo
pgo: | setup
	@$(MAKE) --no-print-directory build-pgo/build.ninja BUILD=build-pgo
	@[ -e build-pgo/profiled ] || tools/profile build-pgo
	@touch build-pgo/profiled
	@tools/build build-pgo

demo: all
	@MAZURKA=$(MAZURKA) tools/demo

# A sample of every suite, in two minutes; another one with SLICE=1, 2, …
test: all
	@python3 test/run.py --build $(BUILD) --sample --slice $(SLICE)

# Every suite: ten minutes on two processors. Of many cases that are alike (random programs, compilers by levels) a part, another one each
# day; ROTATE= leaves none out.
ROTATE ?= --rotate
test-all: all
	@python3 test/run.py --build $(BUILD) $(ROTATE)

# Every program of test/native with every compiler and level of optimisation: some minutes.
matrix: all
	@MATRIX=all python3 test/run.py --build $(BUILD) matrix

# Random programs against exact enumeration: make oracle SEEDS=100000
oracle: all
	@SEEDS=$(SEEDS) python3 test/run.py --build $(BUILD) oracle

bench: pgo
	@python3 bench/run.py --mazurka build-pgo/mazurka
	@python3 bench/native.py --mazurka build-pgo/mazurka
	@python3 bench/estimate.py --mazurka build-pgo/mazurka
	@python3 bench/memory.py build-pgo/mazurka

install: all
	@tools/install $(BUILD) "$(PREFIX)" "$(DESTDIR)"

# Built by clang without warnings, with the address, undefined-behaviour and leak sanitizers for all that does not run on fibers.
# Other suites: make asan SUITES=native. Programs under test may crash: that is the checker's business, not the sanitizer's.
SUITES ?= unit model cli cc counts cycles fuzz bench
asan:
	@CC=clang $(MAKE) --no-print-directory build-asan/build.ninja BUILD=build-asan \
	  MESON_OPTIONS="-Ddebug=true -Doptimization=1 -Db_sanitize=address,undefined -Db_lundef=false -Dwerror=true"
	@tools/build build-asan mazurka mazurka-cc mazurka-c++ oracle $$(ninja -C build-asan -t targets all | \
	  sed -n -e 's/^\(unit_[a-z0-9_]*\): c_LINKER.*/\1/p' -e 's/^\(\(oracle_native\|oracle_weak\|libmazurka-mpi\)[^:]*\.o\): .*/\1/p')
	@ASAN_OPTIONS=handle_segv=0 python3 test/run.py --build build-asan --sample --slice $(SLICE) $(SUITES)

# Built by a cross compiler, run by qemu: doc/native.md says what works there.
aarch64:
	@tools/install-packages --aarch64
	@tools/aarch64 build-aarch64
	@tools/build build-aarch64 $$(ls build-aarch64/emulated)
	@python3 test/run.py --build build-aarch64/emulated aarch64 $(ROTATE)

format:
	@clang-format -i $$($(FORMATTED))

check-format:
	@clang-format --dry-run -Werror $$($(FORMATTED))

clean:
	@rm -rf build build-asan build-pgo build-clang build-aarch64
