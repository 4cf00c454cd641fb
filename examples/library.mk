# The rules of these examples: a library LIBRARY.c with its header, and a client that takes the name of one of TESTS.

CFLAGS  ?= -std=c11 -O2 -Wall -Wextra
LDLIBS   = -pthread
MAZURKA ?= mazurka
BUILD   ?= build
ifdef BUG
override CFLAGS += -DBUG=$(BUG)
endif

.PHONY: all test check clean

all: $(BUILD)/client

$(BUILD)/client: $(BUILD)/client.o $(BUILD)/lib$(LIBRARY).a
	$(CC) -o $@ $^ $(LDLIBS)

$(BUILD)/lib$(LIBRARY).a: $(BUILD)/$(LIBRARY).o
	$(AR) rcs $@ $^

$(BUILD)/%.o: %.c $(LIBRARY).h Makefile ../library.mk
	@mkdir -p $(BUILD)
	$(CC) $(CFLAGS) -c -o $@ $<

test: all
	$(BUILD)/client

# The same rules with another compiler, in a directory of its own.
check:
	@$(MAKE) --no-print-directory all CC="$(MAZURKA) cc" BUILD=$(BUILD)/checked$(BUG)
	@for test in $(TESTS); do \
		$(MAZURKA) check $(BUILD)/checked$(BUG)/client -- $$test || exit 1; \
	done

clean:
	rm -rf $(BUILD)
