/* Recipes with a promise: what of them may be told. */
#ifndef SCRIM_RECIPE_FORMAL_GUARANTEE_H
#define SCRIM_RECIPE_FORMAL_GUARANTEE_H
#include "recipe/recipe.h"

/* The last step that promises something of the records of the table that it is given, and makes a table; where no step makes a table, the
 * last that promises; -1: none. Whatever is told of a release of such a recipe is made of that table, or of the answers, and not of the
 * input: no hash, no count and no measure of that. */
int64_t recipe_guarantee(const Recipe *recipe);
/* Does any of its first `steps` steps make a table? */
bool recipe_makes_table(const Recipe *recipe, int64_t steps);
/* Only answers are released: the table at hand stays the input, and is no one's. */
bool recipe_answers(const Recipe *recipe);
/* Does what this step finds follow from records that a promise hides? Then it makes a table for that: others are refused. */
bool recipe_step_tells(const Recipe *recipe, int64_t step);
/* Does each record that this step makes follow from one record of its input alone, with the arguments that it has? */
bool recipe_one_by_one(const Step *step);
/* BAD where the release, a rule, a measure or an error would follow from such records, unless a step before the promise refuses its table;
 * and where a step before the promise makes records of several. */
MUST_CHECK Status recipe_check_guarantee(Work *work, const Recipe *recipe);
#endif
