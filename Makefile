# The two commands are `make demo` and `make check`; everything here installs what is missing first.
.PHONY: all build packages peers check check-quick check-asan check-peers demo clean
BUILD ?= build
JOBS ?= $(shell nproc)

all: build

packages:
	@scripts/packages build

build: packages
	@cmake -S . -B $(BUILD) -G Ninja > $(BUILD).log 2>&1 || (mkdir -p $(BUILD); cat $(BUILD).log; exit 1)
	@rm -f $(BUILD).log
	@ninja -C $(BUILD) -j $(JOBS) --quiet

check-quick: build
	@ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS)

clean:
	rm -rf build build-asan demo
