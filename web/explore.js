// Explore: one method's parameters on a grid, risk drawn against utility; a point's recipe can be taken.
import { chart } from './chart.js';
import { fill, h, number } from './dom.js';
import { change, hasKeys, state } from './state.js';
import { notes } from './result.js';
import { needKeys, run } from './risk.js';

const setting = { what: 'suppress', over: 'k=2:10:1', risk: 'k-anonymity', utility: 'compare', fixed: '' };

function take(method, columns, row, measured) {
  const params = {};
  columns.forEach((c, i) => { if (i < measured) params[c.replaceAll('_', '-')] = row[i]; });
  change(`${method.replace('protect.', '')} from the map`, r => { r.steps.push({ method, params }); });
  location.hash = '#/protect';
}

function points(answer, id, method, axes) {
  const t = answer.tables.points, last = t.columns.length - 1;
  return [
    answer.charts.map((c, i) => chart(id, '', i, c.title, 640, 380)),
    h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Points' }, h('table', {}, h('caption', {}, 'Points; those that no other beats are marked'),
      h('thead', {}, h('tr', {}, t.columns.slice(0, last).map(c => h('th', { scope: 'col' }, c.replaceAll('_', ' '))), h('th', { scope: 'col' }, 'best'), h('th', { scope: 'col' }, 'take'))),
      h('tbody', {}, t.rows.map(r => h('tr', { class: r[last] ? 'good' : '' }, r.slice(0, last).map(v => h('td', { class: 'num' }, number(v))), h('td', {}, r[last] ? '★' : ''),
        h('td', {}, h('button', { type: 'button', class: 'small', 'aria-label': `Take ${t.columns[0]} ${number(r[0])}`, onclick: () => take(method, t.columns, r, axes) }, 'Take')))))),
    notes(answer.notes)),
  ];
}

export function explorePage(main) {
  if (!hasKeys()) { fill(main, h('h1', {}, 'Explore'), needKeys()); return; }
  const place = h('div'), field = (name, label, help) => h('div', { class: 'field' }, h('label', { for: `x-${name}` }, label), h('input', { id: `x-${name}`, value: setting[name], autocomplete: 'off', 'aria-describedby': `xh-${name}`, oninput: e => { setting[name] = e.target.value; } }), h('p', { class: 'help', id: `xh-${name}` }, help));
  const methods = [...state.methods.values()].filter(m => m.group === 'protect');
  const begin = () => {
    const over = setting.over.split(';').map(s => s.trim()).filter(Boolean);
    const extra = Object.fromEntries(setting.fixed.split(';').map(s => s.trim()).filter(Boolean).map(s => [s.slice(0, s.indexOf('=')).trim(), s.slice(s.indexOf('=') + 1).trim()]));
    if (!('keys' in extra) && state.methods.get(`protect.${setting.what}`)?.params.some(p => p.name === 'keys')) extra.keys = state.recipe.roles.keys;
    run(place, '/api/explore', { method: 'tune', on: 'data', params: { group: 'protect', what: setting.what, over, risk: [setting.risk], utility: [setting.utility], ...extra } }, 'Trying the parameters', ({ id, answer }) => fill(place, points(answer, id, `protect.${setting.what}`, over.length)));
  };
  fill(main, h('h1', {}, 'Explore'), h('p', { class: 'lead' }, 'Try a method’s parameters on a grid: a release is made and measured at each point, and risk is drawn against utility.'),
    h('div', { class: 'form wide' },
      h('div', { class: 'field' }, h('label', { for: 'x-what' }, 'Method'), h('select', { id: 'x-what', onchange: e => { setting.what = e.target.value; } }, methods.map(m => h('option', { value: m.name, selected: m.name === setting.what }, m.name)))),
      field('over', 'Parameters to try', 'k=2:10:1 (from, to, step) or method=mdav,pca; several apart by ;'),
      field('fixed', 'Other parameters', 'vars=income,visits; apart by ;'),
      field('risk', 'Measure of risk', 'a method of risk or attack: k-anonymity, individual.global_risk, linkage'),
      field('utility', 'Measure of utility', 'compare, regression(income ~ age + sex), propensity')),
    h('button', { type: 'button', class: 'primary', id: 'explore', onclick: begin }, 'Draw the map'), place);
}
