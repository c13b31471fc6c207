// A result as the program prints it with --format json, shown: values with their meaning, tables, charts, notes.
import { chart } from './chart.js';
import { grid, h, number } from './dom.js';
import { state } from './state.js';

export const declared = (method, name, kind = 'value') => state.methods.get(method)?.values.find(v => v.kind === kind && v.name === name);

export function values(result) {
  const list = Object.entries(result.values || {}).filter(([, v]) => v !== null);
  return list.length > 0 && h('dl', { class: 'values' }, list.map(([name, value]) => h('div', {},
    h('dt', {}, name.replaceAll('_', ' ')), h('dd', {}, number(value, 6)),
    h('dd', { class: 'meaning' }, declared(result.method, name)?.meaning || ''))));
}

export function notes(list) { return list?.length > 0 && h('ul', { class: 'notes' }, list.map(n => h('li', {}, n))); }

export function show(result, job, of) {
  return [
    values(result),
    (result.charts || []).slice(0, 6).map((c, i) => chart(job, of, i, c.title)),
    Object.entries(result.tables || {}).map(([name, t]) => t.rows.length > 0 && grid(t.columns, t.rows, declared(result.method, name, 'table')?.meaning || name)),
    notes(result.notes),
  ];
}

// The value that stands for a method: its headline, or the first it gives.
export function headline(result) {
  const about = state.methods.get(result.method), names = Object.keys(result.values || {});
  const name = about?.headline && names.includes(about.headline.value) ? about.headline.value : names[0];
  return name === undefined ? null : { name, value: result.values[name], meaning: declared(result.method, name)?.meaning || '' };
}

export function bar(what, share) {
  const percent = Math.round(100 * (share || 0));
  const inner = h('span');
  inner.style.width = `${percent}%`;
  return h('div', { class: 'bar', role: 'progressbar', 'aria-valuenow': percent, 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-label': what || 'Progress' }, inner);
}

// Work under way, with the way to stop it.
export function working(what, stop) {
  const line = h('p', { class: 'quiet' }, what), holder = h('div', { class: 'working', role: 'group', 'aria-label': 'Work under way' }, line, bar(what, 0),
    h('button', { type: 'button', onclick: stop }, 'Stop'));
  holder.tell = (told, share, seconds) => {
    line.textContent = `${told || what}… ${seconds > 1 ? `${Math.round(seconds)} s` : ''}`;
    holder.replaceChild(bar(told, share), holder.children[1]);
  };
  return holder;
}

export function failure(error) { return h('p', { class: 'box bad', role: 'alert' }, error.message); }
