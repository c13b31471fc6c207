// Explore: the risk–utility map of plan and of tune, and the lattice of generalize; what is found there can be taken over as steps.
import { chart } from './chart.js';
import { send } from './api.js';
import { announce, fill, grid, h, number, plural } from './dom.js';
import { asList, change, hasKeys, state } from './state.js';
import { failure, notes } from './result.js';
import { needKeys, run } from './risk.js';

const setting = { kind: 'plan', keep: '', candidates: 100, what: 'suppress', over: 'k=2:10:1', risk: 'k-anonymity', utility: 'compare', fixed: '', k: 3, most: 0 };

function field(name, label, help, more = {}) {
  return h('div', { class: 'field' }, h('label', { for: `x-${name}` }, label), h('input', { id: `x-${name}`, value: setting[name], autocomplete: 'off', spellcheck: 'false', 'aria-describedby': `xh-${name}`, ...more, oninput: e => { setting[name] = e.target.value; } }), h('p', { class: 'help', id: `xh-${name}` }, help));
}

function takeSteps(what, steps, anew) {
  change(what, r => { r.steps = anew ? steps : [...r.steps, ...steps]; });
  announce(`${what}: taken`);
  location.hash = '#/protect';
}

// A recipe in YAML, as plan writes it: its steps become ours.
async function takeYaml(what, yaml, place) {
  try { takeSteps(what, (await send('/api/recipe', new Blob([yaml]))).steps, true); } catch (error) { place.append(failure(error)); }
}

// ---- plan ----

function planMap(place, { id, answer }) {
  const recipes = new Map(answer.tables.recipes?.rows || []), front = answer.tables.front, parts = answer.tables.parts;
  const pick = row => () => takeYaml(`plan: ${row[1]}`, recipes.get(row[0]), place);
  const map = chart(id, '', 0, 'Risk–utility map of the measured releases', 720, 420, label => { const row = front.rows.find(r => label.includes(r[1])) || front.rows[Number(/: (\d+)[ :]/.exec(label)?.[1]) - 1]; if (row) pick(row)(); });
  fill(place, h('p', { class: 'verdict small' }, answer.notes[0]), map, h('p', { class: 'quiet' }, 'Click a point on the front to use its recipe, or use the table below.'),
    h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'The front' }, h('table', { class: 'front' }, h('caption', {}, `${plural(front.rows.length, 'release')} on the Pareto front: no other has less risk and less loss`),
      h('thead', {}, h('tr', {}, ['Steps', 'Risk: share re-identified', 'Information loss', 'Take'].map((t, i) => h('th', { scope: 'col', class: i === 1 || i === 2 ? 'num' : '' }, t)))),
      h('tbody', {}, front.rows.map(r => h('tr', {}, h('th', { scope: 'row' }, r[1]), h('td', { class: 'num' }, number(r[2], 3)), h('td', { class: 'num' }, number(r[3], 3)), h('td', {}, h('button', { type: 'button', class: 'small', 'aria-label': `Take ${r[1]}`, onclick: pick(r) }, 'Take'))))))),
    parts && h('details', {}, h('summary', {}, 'Components of risk and loss'), grid(parts.columns, parts.rows)), notes(answer.notes.slice(1)));
}

function planForm(place) {
  const params = () => ({ candidates: Number(setting.candidates) || 100, ...(setting.keep.trim() ? { keep: setting.keep.split(';').map(s => s.trim()).filter(Boolean) } : {}) });
  return [h('p', {}, 'Searches methods and parameters for the releases with the best trade-off of risk and information loss, by your roles and policy.'),
    h('div', { class: 'form wide' }, field('keep', 'Analyses to keep', 'income ~ age + sex, or table(region, sex). Separate several with semicolons.'), field('candidates', 'Releases to try', 'More releases take longer and give better results', { inputmode: 'numeric' })),
    h('button', { type: 'button', class: 'primary', id: 'explore', onclick: () => run(place, '/api/explore', { method: 'plan', on: 'whole', params: params() }, 'Making and measuring releases', done => planMap(place, done)) }, 'Search')];
}

// ---- tune ----

function tuneMap(place, { id, answer }, method, axes) {
  const t = answer.tables.points, last = t.columns.length - 1;
  const step = row => { const params = {}; t.columns.slice(0, axes).forEach((c, i) => { params[c.replaceAll('_', '-')] = row[i]; }); return [{ method, params }]; };
  fill(place, answer.charts.map((c, i) => chart(id, '', i, c.title, 720, 420)),
    h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Points' }, h('table', {}, h('caption', {}, 'Points. A star marks the Pareto front'),
      h('thead', {}, h('tr', {}, t.columns.slice(0, last).map(c => h('th', { scope: 'col', class: 'num' }, c.replaceAll('_', ' '))), h('th', { scope: 'col' }, 'Best'), h('th', { scope: 'col' }, 'Take'))),
      h('tbody', {}, t.rows.map(r => h('tr', { class: r[last] ? 'good' : '' }, r.slice(0, last).map(v => h('td', { class: 'num' }, number(v))), h('td', {}, r[last] ? '★' : ''),
        h('td', {}, h('button', { type: 'button', class: 'small', 'aria-label': `Take ${t.columns.slice(0, axes).map((c, i) => `${c} ${number(r[i])}`).join(', ')}`, onclick: () => takeSteps('a point of the map', step(r)) }, 'Take'))))))), notes(answer.notes));
}

function tuneForm(place) {
  const begin = () => {
    const over = setting.over.split(';').map(s => s.trim()).filter(Boolean);
    const extra = Object.fromEntries(setting.fixed.split(';').map(s => s.trim()).filter(s => s.includes('=')).map(s => [s.slice(0, s.indexOf('=')).trim(), s.slice(s.indexOf('=') + 1).trim()]));
    for (const p of state.methods.get(`protect.${setting.what}`).params) {
      const role = (p.role || p.name).replaceAll('_', '-');
      if (p.required && !(p.name in extra) && ['column', 'columns'].includes(p.kind) && state.recipe.roles[role] !== undefined) extra[p.name] = state.recipe.roles[role];
    }
    run(place, '/api/explore', { method: 'tune', on: 'data', params: { group: 'protect', what: setting.what, over, risk: setting.risk.split(';').map(s => s.trim()), utility: setting.utility.split(';').map(s => s.trim()), ...extra } }, 'Trying the parameters',
      done => tuneMap(place, done, `protect.${setting.what}`, over.length));
  };
  return [h('p', {}, 'One method’s parameters vary on a grid. A release is made and measured at each point.'), h('div', { class: 'form wide' },
    h('div', { class: 'field' }, h('label', { for: 'x-what' }, 'Method'), h('select', { id: 'x-what', onchange: e => { setting.what = e.target.value; } }, [...state.methods.values()].filter(m => m.group === 'protect').map(m => h('option', { value: m.name, selected: m.name === setting.what }, m.name)))),
    field('over', 'Parameters to try', 'k=2:10:1 (from, to, step) or method=mdav,pca. Separate several with semicolons.'), field('fixed', 'Other parameters', 'vars=income,visits. Separate several with semicolons.'),
    field('risk', 'Measure of risk', 'a method of risk or attack: k-anonymity, individual.global_risk, linkage'), field('utility', 'Measure of utility', 'compare, regression(income ~ age + sex), propensity')),
  h('button', { type: 'button', class: 'primary', id: 'explore', onclick: begin }, 'Draw the map')];
}

// ---- the lattice ----

const MOST_NODES = 400;

function nodesOf(levels) {
  let list = [[]];
  for (const [, , most] of levels) list = list.flatMap(node => Array.from({ length: most }, (_, i) => [...node, i]));
  return list;
}

// Rows by how much is generalised in all, the finest at the bottom, as lattices are drawn.
function latticeView(place, { answer }, hierarchies) {
  const levels = answer.tables.levels.rows, keys = levels.map(r => r[0]), best = answer.tables.best.rows, found = new Map(best.map(r => [r[1], r]));
  const nodes = answer.values.lattice <= MOST_NODES ? nodesOf(levels) : best.map(r => r[1].split(',').map(Number));
  const rows = new Map();
  for (const node of nodes) { const sum = node.reduce((a, b) => a + b, 0); rows.set(sum, [...(rows.get(sum) || []), node]); }
  const take = node => takeSteps(`generalize ${keys.map((k, i) => `${k} ${node[i]}`).join(', ')}`, [{ method: 'protect.generalize', params: { hierarchies, k: Number(setting.k), 'max-suppression': Number(setting.most), levels: keys.map((k, i) => `${k}:${node[i]}`) } }]);
  const button = node => {
    const row = found.get(node.join(',')), first = row && row[0] === 1, score = row ? number(row[2], 3) : '';
    return h('button', { type: 'button', class: `node ${first ? 'best' : row ? 'valid' : 'invalid'}`, disabled: !row, 'aria-label': `Levels ${keys.map((k, i) => `${k} ${node[i]}`).join(', ')}: ${row ? `loss ${score}, ${plural(row[3], 'record')} suppressed${first ? ', the best' : ''}` : 'does not satisfy the guarantee'}`, onclick: () => take(node) },
      h('span', {}, node.join(' ')), row && h('span', { class: 'score' }, score));
  };
  fill(place, h('p', {}, `Each node is a level for each of ${keys.join(', ')}, with no generalisation (0) at the bottom. ${answer.values.lattice > MOST_NODES ? `Of ${number(answer.values.lattice)} nodes the best are shown.` : `${number(found.size)} of ${number(answer.values.lattice)} nodes keep the promise; the others are faded.`} Click a node to use it.`),
    h('div', { class: 'lattice scroll', role: 'group', 'aria-label': 'The lattice' }, [...rows].sort((a, b) => b[0] - a[0]).map(([, list]) => h('div', { class: 'level' }, list.map(button)))),
    grid(['rank', `levels of ${keys.join(', ')}`, 'loss', 'suppressed', 'classes'], best.slice(0, 20), 'The best nodes'), notes(answer.notes));
}

function latticeForm(place) {
  const tables = state.session.tables, keys = asList(state.recipe.roles.keys), fits = (t, k) => t === `${k}.csv` || t.endsWith(`_hierarchy_${k}.csv`);
  const chosen = tables.filter(t => keys.some(k => fits(t, k))), withOne = keys.filter(k => tables.some(t => fits(t, k))), missing = keys.filter(k => !withOne.includes(k));
  return [h('p', {}, 'Every combination of levels: which of them satisfy the guarantee, and the information loss of each (as in ARX).'),
    missing.length > 0 && h('p', { class: 'box' }, `There is no hierarchy for ${missing.join(', ')}: upload ${missing.map(k => `${k}.csv`).join(', ')} on the page `, h('a', { href: '#/data' }, 'Data'), `, a row per value and a column per level${withOne.length ? `. Until then the lattice is that of ${withOne.join(', ')} alone` : ''}.`),
    h('div', { class: 'form wide' }, field('k', 'k', 'k: smallest number of records in an equivalence class', { inputmode: 'numeric' }), field('most', 'Records that may be suppressed', 'a share, from 0 to 1', { inputmode: 'decimal' })),
    h('button', { type: 'button', class: 'primary', id: 'explore', disabled: !withOne.length, onclick: () => run(place, '/api/explore', { method: 'protect.generalize', on: 'data', params: { keys: withOne, hierarchies: chosen, k: Number(setting.k), 'max-suppression': Number(setting.most), 'runners-up': 1000 } }, 'Searching the lattice', done => latticeView(place, done, chosen)) }, 'Draw the lattice')];
}

export function explorePage(main) {
  if (!hasKeys()) { fill(main, h('h1', {}, 'Explore'), needKeys()); return; }
  const place = h('div', { id: 'map' }), inputs = h('div', { id: 'how' }), forms = { plan: ['Search for the best release', planForm], tune: ['One method’s parameters', tuneForm], lattice: ['The lattice of generalize', latticeForm] };
  if (!state.methods.has('plan')) delete forms.plan;
  if (!forms[setting.kind]) setting.kind = 'tune';
  const draw = () => { fill(place); fill(inputs, forms[setting.kind][1](place)); };
  fill(main, h('h1', {}, 'Explore'), h('p', { class: 'lead' }, 'Compare possible releases: risk against utility.'),
    h('fieldset', { class: 'choices' }, h('legend', { class: 'unseen' }, 'What to explore'), Object.entries(forms).map(([name, [title]]) => h('label', {}, h('input', { type: 'radio', name: 'explore', value: name, checked: name === setting.kind, onchange: () => { setting.kind = name; draw(); } }), title))),
    inputs, place);
  draw();
}
