// Elements made from data: text is always text, never markup.
export function h(tag, attrs = {}, ...children) {
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(attrs || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) el.addEventListener(name.slice(2), value);
    else if (name === 'class') el.className = value;
    else if (['value', 'checked', 'disabled', 'selected', 'open', 'draggable'].includes(name)) el[name] = value;
    else el.setAttribute(name, value === true ? '' : value);
  }
  add(el, children);
  return el;
}

function add(el, children) {
  for (const child of children.flat(Infinity)) if (child !== null && child !== undefined && child !== false) el.append(child);
}

export function fill(el, ...children) {
  el.replaceChildren();
  add(el, children);
  return el;
}

export const $ = id => document.getElementById(id);

let last = 0;
export const fresh = name => `${name}-${++last}`;

// Said to screen readers; seen by nobody.
export function announce(text) { $('announce').textContent = text; }

export function number(value, digits = 4) {
  if (value === null || value === undefined) return '—';
  if (typeof value !== 'number') return String(value);
  if (Number.isInteger(value)) return value.toLocaleString('en', { useGrouping: Math.abs(value) >= 10000 });
  const rounded = Number(value.toPrecision(digits));
  return Math.abs(rounded) >= 1e-5 && Math.abs(rounded) < 1e9 ? rounded.toLocaleString('en', { maximumSignificantDigits: digits }) : String(rounded);
}

export function plural(count, one, many = one + 's') { return `${number(count)} ${count === 1 ? one : many}`; }

export function debounce(wait, call) {
  let timer;
  return (...args) => { clearTimeout(timer); timer = setTimeout(() => call(...args), wait); };
}

// A table from columns and rows, for eyes and for screen readers; numbers stand to the right.
export function grid(columns, rows, caption, most = 60) {
  const numeric = columns.map((_, j) => rows.some(r => typeof r[j] === 'number') && rows.every(r => r[j] === null || typeof r[j] === 'number'));
  return h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': caption || 'Table' },
    h('table', {},
      caption && h('caption', {}, caption),
      h('thead', {}, h('tr', {}, columns.map((c, j) => h('th', { scope: 'col', class: numeric[j] && 'num' }, String(c).replaceAll('_', ' '))))),
      h('tbody', {}, rows.slice(0, most).map(r => h('tr', {}, r.map((cell, j) => h('td', { class: numeric[j] && 'num' }, number(cell))))))),
    rows.length > most && h('p', { class: 'quiet' }, `and ${number(rows.length - most)} more`));
}
