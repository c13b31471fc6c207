/* False position after Illinois (Dowell & Jarratt 1971), kept a little inside the bracket, and a bisection every third step unless the last
 * three have quartered it. */
#include "math/root.h"
#include "base/elementary.h"

Status root_narrow(RootFunction *function, void *data, double *low, double *high, double width, Error *error) {
    double at_low = function(*low, data), at_high = function(*high, data), before = *high - *low;
    int side = 0;
    for (int turn = 0; *high - *low > width; turn++) {
        double length = *high - *low, share = at_low / (at_low - at_high);
        if (turn % 3 == 2) {
            if (length > before / 4) share = 0.5;
            before = length;
        }
        double inside = 0.5 * width / length; /* a step past the root by less than the width closes the other side */
        if (!(share > inside)) share = inside;
        if (!(share < 1 - inside)) share = 1 - inside;
        double x = *low + share * length, value = function(x, data);
        if (isnan(at_low) || isnan(at_high) || isnan(value))
            return fail(error, FAILED, "a function whose root was sought gave no number within its bracket");
        if (x <= *low || x >= *high) break; /* the ends are neighbours */
        if (value > 0) {
            *low = x;
            at_low = value;
            if (side > 0) at_high /= 2;
            side = 1;
        } else {
            *high = x;
            at_high = value;
            if (side < 0) at_low /= 2;
            side = -1;
        }
    }
    return OK;
}
