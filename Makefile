# A short face for Meson and Ninja. On a fresh Debian machine `make demo` and `make test` install what is
# missing (as root, or through sudo) and say what.

BUILD   ?= build
SEEDS   ?= 2000
PREFIX  ?= /usr/local
MAZURKA  = $(BUILD)/mazurka

.PHONY: all demo test matrix oracle bench install asan format clean setup

all: $(BUILD)/profiled
	@ninja -C $(BUILD)

setup:
	@tools/install-packages

$(BUILD)/build.ninja: | setup
	@meson setup $(BUILD) $(MESON_OPTIONS)

# Not where options of one's own ask for something special, nor with PROFILE=no.
$(BUILD)/profiled: | $(BUILD)/build.ninja
	@[ -n "$(MESON_OPTIONS)" ] || [ "$(PROFILE)" = no ] || tools/profile $(BUILD)
	@touch $@

demo: all
	@MAZURKA=$(MAZURKA) tools/demo

test: all
	@python3 test/run.py --build $(BUILD)

# Every program of test/native with every compiler and level of optimisation: some minutes.
matrix: all
	@MATRIX=all python3 test/run.py --build $(BUILD) matrix

# Random programs against exact enumeration: make oracle SEEDS=100000
oracle: all
	@SEEDS=$(SEEDS) python3 test/run.py --build $(BUILD) oracle

bench: all
	@python3 bench/run.py --mazurka $(MAZURKA)
	@python3 bench/native.py --mazurka $(MAZURKA)
	@python3 bench/estimate.py --mazurka $(MAZURKA)

install: all
	@install -D -m 755 $(MAZURKA) "$(DESTDIR)$(PREFIX)/bin/mazurka"
	@install -D -m 755 $(BUILD)/mazurka-wide "$(DESTDIR)$(PREFIX)/libexec/mazurka/mazurka-wide"
	@install -D -m 644 include/mazurka.h "$(DESTDIR)$(PREFIX)/include/mazurka.h"

# Everything again under the address, undefined-behaviour and leak sanitizers.
asan:
	@SEEDS=300 $(MAKE) test BUILD=build-asan MESON_OPTIONS="-Dbuildtype=debugoptimized -Db_sanitize=address,undefined"

format:
	@clang-format -i $$(git ls-files 'src/*.[ch]' 'test/unit/*.[ch]' 'test/oracle/*.[ch]' include)

clean:
	@rm -rf build build-asan
