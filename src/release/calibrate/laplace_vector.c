/* A vector of statistics, each with Laplace noise of its own: --elements. ε and zCDP add up; the areas under the ROC curve are simulated. */
#include "base/elementary.h"
#include "math/privacy/roc.h"
#include "release/calibrate/calibrate.h"

/* What has a meaning only for one statistic, or is found from one. */
static Status check_alone(Run *run, const CalibrateArgs *a) {
    static const char *const other[] = { "delta", "range", "world_values", "tight", "times", "with", "method", "worlds", "prior" };
    const bool given[] = { !isnan(a->delta),  !isnan(a->range), a->world_values.count > 0, a->tight,        a->times > 1,
                           a->with.count > 0, a->method > 0,    a->worlds != ABSENT,       !isnan(a->prior) };
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        if (!given[i]) continue;
        fail(run->work.error, BAD, "cannot be used with --elements");
        return error_parameter(run->work.error, other[i]);
    }
    return OK;
}

static void list_elements(Run *run, const CalibrateArgs *a) {
    double shift = isnan(a->sensitivity) ? 1 : a->sensitivity;
    Grid *grid = grid_new(run->result, "elements", "element:integer noncentrality:real sigma:real variance:real auc:real");
    for (int64_t i = 0; i < a->elements.count; i++) {
        double e = a->elements.at[i], b = shift / e;
        Noise noise = { .family = LAPLACE_NOISE, .scale = 1, .shift = e };
        grid_integer(grid, i + 1);
        grid_missing(grid);
        grid_real(grid, e > 0 ? M_SQRT2 * b : NAN);
        grid_real(grid, e > 0 ? 2 * b * b : NAN);
        grid_real(grid, noise_auc(&noise));
    }
    grid_done(grid);
}

Status calibrate_laplace_vector(Run *run, const CalibrateArgs *a) {
    Status status = OK;
    Result *result = run->result;
    RocEstimate blind, informed;
    RandomStream pairs = run_stream(run, "", "draws"), single = run_stream(run, "", "informed");
    double epsilon = 0, zcdp = 0;
    TRY(check_alone(run, a));
    for (int64_t i = 0; i < a->elements.count; i++) {
        epsilon += a->elements.at[i];
        zcdp += laplace_zcdp(a->elements.at[i]);
    }
    TRY(roc_laplace_simulate(&run->work, a->elements.at, a->elements.count, false, a->draws, &pairs, &blind));
    TRY(roc_laplace_simulate(&run->work, a->elements.at, a->elements.count, true, a->draws, &single, &informed));
    result_real(result, "epsilon", epsilon);
    result_real(result, "delta", 0);
    result_real(result, "zcdp", zcdp);
    result_real(result, "auc", blind.auc);
    result_real(result, "auc_lower", blind.lower);
    result_real(result, "auc_upper", blind.upper);
    result_real(result, "auc_error", roc_simulation_error(a->draws, 0.001));
    result_real(result, "privacy", 1 - blind.auc);
    result_real(result, "auc_informed", informed.auc);
    result_real(result, "bayes_factor", exp(epsilon));
    list_elements(run, a);
    result_note(result,
                "ε and ρ are the sums over the elements. The areas of the whole vector were simulated: auc assumes an adversary with "
                "two releases who does not know the signs of the changes, auc_informed one release and knowledge of both tables.");
done:
    return status;
}
