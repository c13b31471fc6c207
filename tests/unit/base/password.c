/* Which names hold a password. */
#include "base/password.h"
#include "testing.h"

static void addresses(void **unused) {
    (void)unused;
    static const char *const yes[] = { "postgres://bob:geheim@host:1/db",
                                       "POSTGRESQL://bob:geheim@host/db#t",
                                       "postgres:/bob:geheim@host/db",
                                       "postgrse://bob:geheim@host/db",
                                       "postgres://bob:a/b@host/db",
                                       "postgres://host/db?password=geheim",
                                       "postgres://h/d?pass%77ord=geheim",
                                       "postgres://h/d?PASS%57ORD=x",
                                       "host=h password=geheim",
                                       "host=h PassWord = 'x y'",
                                       "postgres://h/d?sslpassword=x#t",
                                       "host=h pwd=x",
                                       "mysql://bob:x@h/db",
                                       "postgres://u@h/d?user=a&passwd%3Dx=y" };
    static const char *const no[] = { "",
                                      "people.csv",
                                      "passwords.csv",
                                      "postgres://bob@host:5432/db#t",
                                      "pass%7",
                                      "sqlite:a.sqlite#t",
                                      "postgres://bob:…@h/d#t",
                                      "a:b@c.csv",
                                      "password",
                                      "C:/data/people.csv",
                                      "%",
                                      "postgres://host:5432/db?user=bob" };
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        if (!holds_password(yes[i])) fail_msg("%s", yes[i]);
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (holds_password(no[i])) fail_msg("%s", no[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = { cmocka_unit_test(addresses) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
