/* The page of random words: filled, wiped, given back. */
#include "math/random_bits.h"
#include "base/elementary.h"
#include <sodium.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096 };
_Static_assert(sizeof(RandomBitsPage) <= PAGE, "the page is one page");

static Status open_page(RandomBits *bits, Error *error) {
    void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return out_of_memory(error);
    bits->page = page;
    bits->mapped = true;
    bits->buffered = madvise(page, PAGE, MADV_WIPEONFORK) == 0;
    madvise(page, PAGE, MADV_DONTDUMP);
    return OK;
}

Status random_bits_open(RandomBits *bits, Error *error) {
    *bits = (RandomBits){ .error = error };
    return open_page(bits, error);
}

Status random_bits_open_reader(RandomBits *bits, RandomReader *reader, Error *error) {
    *bits = (RandomBits){ .reader = reader, .error = error };
    return open_page(bits, error);
}

Status random_bits_open_known(RandomBits *bits, const uint64_t *words, size_t count, Error *error) {
    *bits = (RandomBits){ .known = words, .known_count = count, .error = error };
    return open_page(bits, error);
}

void random_bits_close(RandomBits *bits) {
    if (!bits->mapped) return;
    sodium_memzero(bits->page, PAGE);
    munmap(bits->page, PAGE);
    *bits = (RandomBits){ 0 };
}

void random_bits_fill(RandomBits *bits) {
    RandomBitsPage *page = bits->page;
    size_t count = bits->buffered ? sizeof page->word / sizeof *page->word : 1;
    page->at = 0;
    if (memory_lost() && bits->status == OK) bits->status = out_of_memory(bits->error); /* samplers end here */
    if (!bits->buffered) page->left = 0;                                                /* nothing may be kept that a fork would share */
    if (bits->known) {
        count = 1;
        page->word[0] = bits->known_count ? *bits->known : 0;
        if (!bits->known_count && bits->status == OK) bits->status = fail(bits->error, FAILED, "the known words have run out");
        else if (bits->known_count) {
            bits->known++;
            bits->known_count--;
        }
    } else if (bits->reader) {
        count = 1;
        page->word[0] = reader_word(bits->reader);
    } else if (bits->status != OK || (bits->status = system_random(page->word, count * sizeof *page->word, bits->error)) != OK) {
        memset(page->word, 0, sizeof page->word);
    }
    page->filled = count;
}

/* p = m·2^(−zeros) with m in [1/2, 1): the number is below p where `zeros` digits are 0 and the next 53 make less than m. */
bool bits_chance(RandomBits *bits, double p) {
    int exponent;
    if (!(p > 0)) return false;
    if (p >= 1) return true;
    double m = frexp(p, &exponent);
    for (int zeros = -exponent; zeros > 0; zeros--)
        if (bits_coin(bits)) return false;
    return bits_word(bits) >> 11 < (uint64_t)ldexp(m, 53);
}
