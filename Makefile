# The two commands are `make demo` and `make check`. Each installs what is missing first (scripts/packages), then configures, builds and runs.
.PHONY: all build dist deb clang packages check check-core check-asan check-tsan check-release check-reproducible check-peers demo install python wheel tarball r docs format format-check tidy analyse new-method bench fuzz paper-tables same soak audit-release coverage-release ledger-campaign fault-campaign mutants mutation serve-campaign bench-serve scrub-model clean
BUILD ?= build
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local

all: build

# What only builds or shows the program needs no test tools (and no PostgreSQL server, which Debian starts).
packages:
	@scripts/packages $(if $(filter-out all build install dist deb demo python docs clang packages,$(MAKECMDGOALS)),check,build)

# Whoever only builds and installs has the libraries, or asks for them (`make packages`); everything else brings its own.
ifneq ($(filter-out all build install dist,$(or $(MAKECMDGOALS),all)),)
NEEDED = packages
endif
SCRIM_WERROR ?= OFF
build: $(NEEDED)
	@mkdir -p $(BUILD)
	@cmake -S . -B $(BUILD) -G Ninja -DCMAKE_INSTALL_PREFIX=$(PREFIX) -DSCRIM_WERROR=$(SCRIM_WERROR) > $(BUILD)/configure.log 2>&1 || (cat $(BUILD)/configure.log; echo 'Is a library missing? `make packages` installs what Debian has of them.'; exit 1)
	@ninja -C $(BUILD) -j $(JOBS) --quiet

# Every test that needs no peer, as built for use: what a newcomer runs.
check: build
	@ninja -C $(BUILD) -j $(JOBS) --quiet tests
	@ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS) -LE peers

# The same under AddressSanitizer and UndefinedBehaviorSanitizer (CI).
check-asan: packages
	@mkdir -p build-asan
	@cmake -S . -B build-asan -G Ninja -DSCRIM_SANITIZE=ON > build-asan/configure.log 2>&1 || (cat build-asan/configure.log; exit 1)
	@ninja -C build-asan -j $(JOBS) --quiet scrim examples docs tests
	@ctest --test-dir build-asan --output-on-failure -j $(JOBS) -LE 'peers|unsanitized'

# The same under ThreadSanitizer: eight threads of a host and every method (tests/unit/api/threads.c), the servers, and all else that is not the program's alone.
check-tsan: packages
	@mkdir -p build-tsan
	@cmake -S . -B build-tsan -G Ninja -DSCRIM_SANITIZE=thread > build-tsan/configure.log 2>&1 || (cat build-tsan/configure.log; exit 1)
	@ninja -C build-tsan -j $(JOBS) --quiet scrim tests
	@TSAN_OPTIONS=halt_on_error=1 ctest --test-dir build-tsan --output-on-failure -j $(JOBS) -R '^unit-|^known-|^serve-' -LE 'peers|unsanitized'

# As distributions build: -O3 without assertions, optimised across files (LTO); its program and libraries, and the tests that hold them.
check-release: packages
	@mkdir -p build-release
	@cmake -S . -B build-release -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON > build-release/configure.log 2>&1 || (cat build-release/configure.log; exit 1)
	@ninja -C build-release -j $(JOBS) --quiet all tests
	@ctest --test-dir build-release --output-on-failure -j $(JOBS) -LE peers

# The tests against R and Chromium.
check-peers: build
	@scripts/packages peers
	@scripts/duckdb $(BUILD)/duckdb || true
	@scripts/axe $(BUILD)/axe || true
	@ninja -C $(BUILD) -j $(JOBS) --quiet tests
	@ctest --test-dir $(BUILD) --output-on-failure -L peers

# The core alone, by five libraries: its examples work, or say what this build leaves out.
check-core: $(NEEDED)
	@mkdir -p build-core
	@cmake -S . -B build-core -G Ninja -DSCRIM_CORE=ON -DSCRIM_WERROR=$(SCRIM_WERROR) > build-core/configure.log 2>&1 || (cat build-core/configure.log; exit 1)
	@ninja -C build-core -j $(JOBS) --quiet scrim
	@scripts/core-check build-core/scrim

# Two builds in different folders give the same bytes.
check-reproducible: build
	@scripts/reproducible $(BUILD)

demo: build
	@scripts/demo

# The sources of this commit as an archive, and Debian packages made of it: build/dist/.
dist:
	@scripts/dist $(BUILD)/dist
deb: dist
	@scripts/packages deb
	@scripts/deb $(BUILD)/dist

# Another compiler reads the same files: what it warns of is an error (CI).
clang: packages
	@scripts/packages fuzz
	@mkdir -p build-clang
	@CC=clang cmake -S . -B build-clang -G Ninja -DSCRIM_WERROR=ON > build-clang/configure.log 2>&1 || (cat build-clang/configure.log; exit 1)
	@ninja -C build-clang -j $(JOBS) --quiet scrim_objects

# The R package, built and installed into R_LIB (docs/r.md).
R_LIB ?= $(BUILD)/r/library
r: build
	@command -v R > /dev/null || scripts/packages peers
	@scripts/r-package $(BUILD) $(abspath $(R_LIB)) && echo "library(scrim, lib.loc = \"$(abspath $(R_LIB))\")"

# The Python package as a wheel with the library in it: build/wheels/scrim-….whl (docs/python.md).
python: build
	@mkdir -p $(BUILD)/wheels
	@cd bindings/python && SCRIM_BUILD=$(abspath $(BUILD)) python3 -B -c "import backend; print('$(BUILD)/wheels/' + backend.build_wheel('$(abspath $(BUILD))/wheels'))"

# For a Linux without Debian's libraries: the wheel with all of them in it, and the program in a folder that can lie anywhere (build/dist/).
wheel tarball: build
	@scripts/self-contained $@ $(BUILD)

install: build
	@cmake --install $(BUILD) --prefix $(PREFIX)

# The reference parts of docs/methods/ and their index, from the registry.
docs: build
	@BUILD=$(BUILD) scripts/docs

# Writes a method's three files and its page, ready to be filled in: make new-method GROUP=risk NAME=my-measure
new-method:
	@scripts/new-method "$(GROUP)" "$(NAME)"

# Lays out the C files as .clang-format says; format-check only complains. tidy asks what a second reader would (.clang-tidy);
# analyse walks the paths, too, of the files that changed lately (SINCE=HEAD~20), or of every one: `make analyse ALL=1`.
format format-check:
	@scripts/packages style
	@scripts/format $(if $(filter format-check,$@),check)
tidy analyse: build
	@scripts/packages style
	@scripts/tidy $(BUILD) $(if $(filter analyse,$@),analyse $(if $(ALL),all))

# Builds the benchmarks and lists them; `make bench NAME=csv` runs one.
bench: build
	@ninja -C $(BUILD) -j $(JOBS) --quiet benches
	@if [ -n "$(NAME)" ]; then $(BUILD)/bench-$(NAME); else ls $(BUILD)/bench-*; fi

# Runs each fuzz target for SECONDS of processor time (clang, libFuzzer), or one, `make fuzz NAME=csv`; what it learns stays in build-fuzz/corpus, and with KEEP=1 the least of it in tests/fuzz/corpus.
SECONDS ?= 60
fuzz:
	@scripts/packages fuzz
	@mkdir -p build-fuzz
	@CC=clang cmake -S . -B build-fuzz -G Ninja -DSCRIM_SANITIZE=ON -DSCRIM_FUZZ=ON -DSCRIM_WERROR=OFF > build-fuzz/configure.log 2>&1 || (cat build-fuzz/configure.log; exit 1)
	@ninja -C build-fuzz -j $(JOBS) --quiet $(if $(NAME),fuzz-$(NAME),fuzzers)
	@scripts/fuzz build-fuzz $(SECONDS) $(or $(NAME),all) $(if $(KEEP),keep)

# gcc and clang, -O0 and -O2: every method's example gives the same bytes by all four.
same:
	@scripts/packages fuzz
	@for c in gcc clang; do for o in 0 2; do b=build-$$c-O$$o; mkdir -p $$b; \
	  CC=$$c cmake -S . -B $$b -G Ninja -DSCRIM_WERROR=OFF -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O$$o > $$b/configure.log 2>&1 || { cat $$b/configure.log; exit 1; }; \
	  ninja -C $$b -j $(JOBS) --quiet scrim || exit 1; done; done
	@scripts/same-bytes build-gcc-O0/scrim build-gcc-O2/scrim build-clang-O0/scrim build-clang-O2/scrim

# The papers' own tables beside what this program gives; NAME=nbrs prints one paper's.
paper-tables: build
	@ninja -C $(BUILD) -j $(JOBS) --quiet papers
	@status=0; for tool in $(BUILD)/paper-$(or $(NAME),*); do $$tool || status=1; done; exit $$status

# The built program over real files, made harder, held against what must hold whatever the data (docs/soak.md): make soak DATA=folder SEEDS=10.
DATA ?= data
SEEDS ?= 10
soak: build
	@python3 -B tests/soak/soak.py $(BUILD)/scrim $(DATA) --seeds $(SEEDS) $(SOAK)

# A million releases from each of two neighbouring tables, for every query and promise: what the noise really keeps. `make check` runs a short form.
audit-release: build
	@ninja -C $(BUILD) -j $(JOBS) --quiet test-statistical-release_audit
	@$(BUILD)/test-statistical-release_audit 1000000 system

# How often the intervals of regression, logistic regression and correlation hold the truth; `make check` runs a short form.
coverage-release: build
	@ninja -C $(BUILD) -j $(JOBS) --quiet test-statistical-release_coverage
	@$(BUILD)/test-statistical-release_coverage 400

clean:
	rm -rf build build-asan build-core build-tsan build-release build-clang build-fuzz build-gcc-O0 build-gcc-O2 build-clang-O0 build-clang-O2 demo

# The ledger's long campaign: 1,000 kills and 16 processes of 1,000 requests, on SQLite and on a PostgreSQL of its own.
ledger-campaign: build
	@ninja -C $(BUILD) -j $(JOBS) --quiet test-unit-ledger-ledger
	@time LEDGER_KILLS=1000 LEDGER_PROCESSES=16 LEDGER_REQUESTS=1000 $(BUILD)/test-unit-ledger-ledger

# The query server's long campaign: 200 kills while 16 clients ask.
serve-campaign: build
	@time QUERIES_KILLS=200 QUERIES_CLIENTS=16 SCRIM=$(BUILD)/scrim python3 -B tests/server/queries.py

# The query server under load: 64 clients for a minute, the ledger in memory and on the disk.
bench-serve: build
	@SCRIM=$(BUILD)/scrim python3 -B bench/serve.py

# Every allocation, open, write, fsync, rename and mkdir of every command made to fail, EACH of each kind at most.
EACH ?= 100
fault-campaign: build
	@ninja -C $(BUILD) -j $(JOBS) --quiet fault
	@scripts/fault-campaign $(BUILD) $(EACH)

# Sixty changes of one line each: would a test notice? (tests/mutants.txt, docs/mutants.md)
mutants: build
	@scripts/mutants $(BUILD)

# N changes drawn at random from the code that keeps promises: how many would a test notice? SEED draws others (scripts/mutation).
N ?= 300
SEED ?= 1
mutation: build
	@scripts/mutation $(BUILD) $(N) $(SEED)

# The tagger of scrub, from the project's own sentences and lists: the same bytes each time.
scrub-model: build
	@ninja -C $(BUILD) -j $(JOBS) --quiet scrub-train
	@python3 -B tools/scrub_corpus.py train 120000 1 > $(BUILD)/scrub-train.txt
	@python3 -B tools/scrub_corpus.py held 5000 2 > $(BUILD)/scrub-held.txt
	@$(BUILD)/scrub-train $(BUILD)/scrub-train.txt $(BUILD)/scrub-held.txt share/scrub/model.bin
