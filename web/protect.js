// Protect: steps in a list, each a form from its declaration, and what they do to risk and utility.
import { chart } from './chart.js';
import { job } from './api.js';
import { announce, debounce, fill, h, number, plural } from './dom.js';
import { asList, change, hasKeys, on, state } from './state.js';
import { faults, fields, filledByRole, form } from './form.js';
import { bar, declared, failure, headline, notes, values } from './result.js';
import { needKeys } from './risk.js';

let open = -1; // the step whose form is shown
const short = name => name.replace(/^protect\./, '').replaceAll('-', ' ');
const told = step => Object.entries(step.params).map(([k, v]) => `${k}: ${Array.isArray(v) ? v.join(', ') : v}`).join('; ');

// ---- before → after ----

function compared() {
  const { before, after } = state.preview, rows = [];
  for (const [name, result] of Object.entries(after.results)) {
    if (name === 'summary') continue;
    const first = Object.keys(result.values)[0], head = headline(result)?.name;
    for (const value of new Set([first, head, ...(name === 'risk.k-anonymity' ? ['uniques'] : [])])) {
      if (value === undefined || result.values[value] === null || result.values[value] === undefined) continue;
      rows.push({ name, value, was: before.results[name]?.values[value], now: result.values[value], meaning: declared(name, value)?.meaning || '', utility: name.startsWith('utility.'), better: declared(name, value)?.better });
    }
  }
  return rows;
}

function turn(row) {
  if (row.utility || typeof row.was !== 'number' || typeof row.now !== 'number' || row.was === row.now) return '';
  const less = row.better ? row.better === 'less' : !['k', 'l'].includes(row.value);
  return (row.now < row.was) === less ? 'good' : 'worse';
}

function table(rows, caption, columns) {
  return rows.length > 0 && h('table', { class: 'compare' }, h('caption', {}, caption), h('thead', {}, h('tr', {}, columns.map((c, i) => h('th', { scope: 'col', class: i ? 'num' : '' }, c)))),
    h('tbody', {}, rows.map(r => h('tr', { class: turn(r) }, h('th', { scope: 'row', title: r.meaning }, h('span', { class: 'name' }, r.value.replaceAll('_', ' ')), h('span', { class: 'quiet' }, r.name)),
      columns.length > 2 && h('td', { class: 'num' }, number(r.was)), h('td', { class: 'num' }, number(r.now), turn(r) === 'good' && h('span', { class: 'unseen' }, ' better'), turn(r) === 'worse' && h('span', { class: 'unseen' }, ' worse'))))));
}

function rules() {
  const list = state.preview.after.tables.rules;
  return list && h('ul', { class: 'rules' }, list.rows.map(([rule, met, , why, words]) => {
    const good = met === 'yes';
    return h('li', { class: good ? 'good' : 'bad' }, h('strong', {}, good ? 'satisfied' : 'violated'), ` ${words} `, h('code', {}, rule), why && h('span', { class: 'quiet' }, ` ${why}`));
  }));
}

export function effect(place) {
  if (state.previewFailure) { fill(place, failure(state.previewFailure)); return; }
  if (!state.preview) { fill(place, h('p', { class: 'quiet' }, 'Measuring…')); return; }
  const rows = compared(), gone = state.session.data.rows - state.preview.rows;
  fill(place, h('p', { class: 'verdict small' }, state.preview.after.values.verdict), rules(),
    table(rows.filter(r => !r.utility), 'Risk', ['measure', 'before', 'after']), table(rows.filter(r => r.utility), 'Utility: how far the release is from the original', ['measure', 'after']),
    gone > 0 && h('p', {}, `${plural(gone, 'record')} fewer.`),
    h('p', { class: 'quiet' }, `Measured in ${number(state.preview.seconds, 2)} s.`));
}

// ---- pictures ----

function columnsOf(step) {
  const method = state.methods.get(step.method), names = [];
  for (const p of fields(method)) if (p.kind === 'column' || p.kind === 'columns') names.push(...asList(step.params[p.name] ?? (p.required ? filledByRole(p) : [])));
  return [...new Set(names)].filter(n => !asList(state.recipe.roles.identifiers).includes(n)).slice(0, 6);
}

let drawn = null;
function pictures(place, index) {
  const columns = columnsOf(state.recipe.steps[index]);
  drawn?.stop();
  if (!columns.length || state.recipe.steps[index].draft || state.recipe.steps[index].off) { fill(place); return; }
  const work = drawn = job('/api/picture', { step: index, columns });
  work.then(done => {
    if (!done || drawn !== work || !place.isConnected) return;
    const charts = done.answer.charts;
    fill(place, h('h4', {}, 'Before and after this step'), h('div', { class: 'pictures' }, charts.map((c, i) => {
      const two = charts.filter(o => o.title === c.title).length > 1, second = charts.findIndex(o => o.title === c.title) < i;
      return h('div', {}, two && h('p', { class: 'quiet' }, second ? 'after' : 'before'), chart(done.id, '', i, `${c.title}, ${two ? (second ? 'after' : 'before') : 'before and after'}`, 360, 240));
    })));
  }, () => fill(place));
}

// ---- the list ----

function edit(index, name, params) {
  const step = state.recipe.steps[index];
  if (step?.method !== name) return; // it was moved or removed meanwhile
  const method = state.methods.get(step.method), draft = Object.keys(faults(method, params)).length > 0;
  change(`${short(step.method)}`, r => { r.steps[index] = { ...r.steps[index], params, draft: draft || undefined }; }, 'typing');
}

function shift(index, by) {
  const to = index + by;
  change(`order of ${short(state.recipe.steps[index].method)}`, r => { const [s] = r.steps.splice(index, 1); r.steps.splice(to, 0, s); });
  if (open === index) open = to;
  announce(`now step ${to + 1}`);
}

function outcome(index) {
  const p = state.preview;
  if (!p || state.recipe.steps[index].draft) return null;
  if (p.failed === index) return h('p', { class: 'box bad', role: 'alert' }, p.error.message);
  const result = p.steps[index];
  return result && h('details', {}, h('summary', {}, 'Result of this step'), values(result), notes(result.notes));
}

function item(step, index, refresh) {
  const method = state.methods.get(step.method), last = state.recipe.steps.length - 1, name = short(step.method), shown = open === index;
  const place = h('div', { class: 'pictures-place' }), out = h('div', { class: 'outcome', 'data-step': index }, outcome(index));
  const slow = debounce(300, params => edit(index, step.method, params));
  const li = h('li', { class: `step${step.off ? ' off' : ''}${step.draft ? ' draft' : ''}` },
    h('div', { class: 'row' },
      h('button', { type: 'button', class: 'title', 'aria-expanded': String(shown), 'aria-label': `Step ${index + 1}: ${name}`, onclick: () => { open = shown ? -1 : index; refresh(); } }, h('span', { class: 'count' }, index + 1), h('span', {}, name), h('span', { class: 'quiet told' }, told(step))),
      h('span', { class: 'tag', hidden: !step.draft }, 'not complete'),
      h('span', { class: 'buttons' },
        h('label', { class: 'switch' }, h('input', { type: 'checkbox', checked: !step.off, 'aria-label': `Step ${index + 1}, ${name}, is on`, onchange: e => change(`${name} ${e.target.checked ? 'on' : 'off'}`, r => { if (e.target.checked) delete r.steps[index].off; else r.steps[index].off = true; }) }), 'on'),
        h('button', { type: 'button', class: 'small', disabled: index === 0, 'aria-label': `Move ${name} up`, onclick: () => shift(index, -1) }, '↑'),
        h('button', { type: 'button', class: 'small', disabled: index === last, 'aria-label': `Move ${name} down`, onclick: () => shift(index, 1) }, '↓'),
        h('button', { type: 'button', class: 'small', 'aria-label': `Remove ${name}`, onclick: () => { open = -1; change(`${name} removed`, r => { r.steps.splice(index, 1); }); } }, 'Remove'))),
    shown && h('p', {}, method.summary, method.source && h('span', { class: 'quiet' }, ` (${method.source})`)),
    shown && form(method, step.params, slow), shown && place, out);
  if (shown) setTimeout(() => pictures(place, index));
  return li;
}

// ---- adding ----

const groups = [
  ['Reduce detail: released values stay true', ['recode', 'top-bottom', 'generalize', 'round', 'drop', 'shift-dates', 'pseudonym', 'mondrian', 'datafly', 'location']],
  ['Suppress cells or records', ['suppress', 'argus', 'suppress-records', 'sample']],
  ['Change values', ['microaggregate', 'noise', 'rank-swap', 'swap', 'pram', 'shuffle']],
  ['Free text', ['scrub.text']],
];
function adder(refresh) {
  const all = [...state.methods.values()].filter(m => m.group === 'protect' || m.method === 'scrub.text'), idOf = m => m.group === 'protect' ? m.name : m.method, known = groups.flatMap(g => g[1]);
  const rest = all.filter(m => !known.includes(idOf(m))).map(idOf), list = h('div', { class: 'methods' });
  const add = name => { open = state.recipe.steps.length; const id = name.includes('.') ? name : `protect.${name}`, method = state.methods.get(id); const draft = Object.keys(faults(method, {})).length > 0;
    change(`${short(name)} added`, r => { r.steps.push({ method: id, params: {}, ...(draft ? { draft: true } : {}) }); }); announce(`${short(name)} added as step ${open + 1}`); refresh(); };
  const draw = word => fill(list, [...groups, ['Others', rest]].map(([title, names]) => {
    const found = names.map(n => all.find(m => idOf(m) === n)).filter(m => m && (!word || `${m.name} ${m.summary}`.toLowerCase().includes(word)));
    return found.length > 0 && h('section', {}, h('h3', {}, title), h('ul', {}, found.map(m => h('li', {}, h('button', { type: 'button', class: 'method', onclick: () => add(idOf(m)) }, h('strong', {}, short(m.name)), h('span', {}, m.summary))))));
  }));
  draw('');
  return h('details', { class: 'adder', open: !state.recipe.steps.length }, h('summary', { id: 'add-step' }, 'Add a step'),
    h('label', { class: 'search' }, h('span', {}, 'Find'), h('input', { type: 'search', id: 'find-method', oninput: e => draw(e.target.value.trim().toLowerCase()) })), list);
}

export function protectPage(main) {
  if (!hasKeys()) { fill(main, h('h1', {}, 'Protect'), needKeys()); return; }
  const list = h('ol', { class: 'steps', 'aria-label': 'Steps' }), place = h('div', { id: 'effect' }), busy = h('div', { id: 'busy' });
  const refresh = () => fill(list, state.recipe.steps.map((s, i) => item(s, i, refresh)));
  fill(main, h('h1', {}, 'Protect'), h('div', { class: 'split' },
    h('div', {}, h('p', { class: 'lead' }, 'Methods are listed from the mildest to the strongest. Direct identifiers are removed before the first step.'), list, adder(refresh)),
    h('aside', { tabindex: 0, 'aria-label': 'Before and after' }, h('h2', {}, 'Before → after'), busy, place)));
  refresh();
  effect(place);
}

on('preview', () => {
  const place = document.getElementById('effect'), busy = document.getElementById('busy');
  if (!place) return;
  if (busy) fill(busy);
  effect(place);
  for (const out of document.querySelectorAll('.outcome')) fill(out, outcome(Number(out.dataset.step)));
  const p = state.preview;
  if (p && p.failed === undefined) announce(p.after.values.verdict);
});
// While a form is typed in it is not drawn again: only what stands in the step's line is.
on('draw', how => {
  const li = how === 'typing' && document.querySelectorAll('.steps > .step')[open], step = state.recipe?.steps[open];
  if (!li || !step) return;
  li.querySelector('.told').textContent = told(step);
  li.classList.toggle('draft', Boolean(step.draft));
  li.querySelector('.tag').hidden = !step.draft;
});
on('previewing', (what, share, seconds, work) => {
  const busy = document.getElementById('busy');
  if (busy && seconds > 0.7) fill(busy, h('div', { class: 'working' }, h('p', { class: 'quiet' }, `${what}… ${Math.round(seconds)} s`), bar(what, share), h('button', { type: 'button', onclick: () => work.stop() }, 'Stop')));
});
on('recipe', () => { const place = document.querySelector('.pictures-place'); if (place && open >= 0 && state.recipe.steps[open]) pictures(place, open); });
