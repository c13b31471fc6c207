// A form made from a method's declaration: one field for each parameter, with its help, checked as it is filled in.
import { fresh, h } from './dom.js';
import { asList, columnNames, state } from './state.js';

// The table at hand is no field, nor is the original, which a step is given by itself.
function subject(method) {
  return method.params.find(p => p.kind === 'table' && p.name !== 'original' && (p.positional || p.required))?.name;
}
export function fields(method) {
  const own = method.params.filter(p => p.name !== subject(method) && p.name !== 'original' && p.kind !== 'ledger' && p.kind !== 'schema');
  const where = method.group === 'protect' ? (method.common || []).filter(p => p.name === 'where') : [];
  return [...own, ...where];
}

const roleName = p => (p.role || p.name).replaceAll('_', '-');
// What a role fills need not be given.
export const filledByRole = p => asList(state.recipe.roles[roleName(p)] ?? state.recipe.roles[roleName(p).replaceAll('-', '_')]);

const empty = v => v === undefined || v === null || v === '' || v === false || (Array.isArray(v) && !v.length);
const words = p => p.name.replaceAll('-', ' ').replaceAll('_', ' ');

function numberFault(p, text) {
  const value = typeof text === 'number' ? text : Number(String(text).trim());
  const infinite = /^[-+]?inf(inity)?$/i.test(String(text).trim());
  if (!infinite && (String(text).trim() === '' || Number.isNaN(value))) return 'Enter a number';
  if (p.kind === 'int' && !Number.isInteger(value)) return 'Enter a whole number';
  if (typeof p.least === 'number' && (value < p.least || (p.exclusive && value === p.least))) return `More than ${p.exclusive ? '' : 'or '}${p.least} is required`;
  if (typeof p.most === 'number' && value > p.most) return `At most ${p.most} is required`;
  return '';
}

// What is wrong with these parameters, by name; the server has the last word.
export function faults(method, params) {
  const wrong = {};
  for (const p of fields(method)) {
    const value = params[p.name];
    if (empty(value)) { if (p.required && !filledByRole(p).length) wrong[p.name] = 'This is needed'; }
    else if (p.kind === 'int' || p.kind === 'real') { const fault = numberFault(p, value); if (fault) wrong[p.name] = fault; }
    else if (p.kind === 'reals') { const bad = asList(value).flatMap(v => String(v).split(',')).find(v => Number.isNaN(Number(v.trim())) && !/^[-+]?inf$/i.test(v.trim())); if (bad !== undefined) wrong[p.name] = `'${bad.trim()}' is no number`; }
    else if (p.kind === 'column' || p.kind === 'columns') {
      const gone = asList(value).find(c => !columnNames().includes(c) || asList(state.recipe.roles.identifiers).includes(c));
      if (gone !== undefined) wrong[p.name] = `'${gone}' is not there${asList(state.recipe.roles.identifiers).includes(gone) ? ': identifiers are dropped first' : ''}`;
    }
  }
  for (const rule of method.rules || []) {
    if (rule.rule === 'one_of') {
      const given = rule.parameters.filter(name => !empty(params[name]));
      if (given.length !== 1) for (const name of given.length ? given : rule.parameters) wrong[name] ||= `Exactly one of ${rule.parameters.join(', ')}`;
    }
    if (rule.rule === 'only_with' && !empty(params[rule.parameter]) && rule.parameters.every(name => empty(params[name]))) wrong[rule.parameter] ||= `Only with ${rule.parameters.join(' or ')}`;
  }
  return wrong;
}

// Is the parameter asked for, as the choices stand?
function applies(method, params, p) {
  return (method.rules || []).every(rule => {
    if (rule.rule !== 'only_if' || rule.parameter !== p.name) return true;
    const choice = method.params.find(c => c.name === rule.choice);
    return rule.values.includes(String(params[rule.choice] ?? choice?.default));
  });
}

function checkboxes(id, names, chosen, tell) {
  return h('div', { class: 'picks', id }, names.map(name => h('label', {},
    h('input', { type: 'checkbox', value: name, checked: chosen.includes(name), onchange: e => tell([...e.target.closest('.picks').querySelectorAll('input:checked')].map(i => i.value)) }), name)));
}

function listed(text) {
  const list = text.split(',').map(t => t.trim()).filter(Boolean);
  return list.every(t => !Number.isNaN(Number(t))) ? list.map(Number) : text.trim();
}

function widget(p, id, value, tell, describe) {
  const shared = { id, 'aria-describedby': describe };
  const released = columnNames().filter(c => !asList(state.recipe.roles.identifiers).includes(c));
  const preset = p.default === null || p.default === undefined ? '' : String(p.default);
  switch (p.kind) {
    case 'flag': return h('input', { ...shared, type: 'checkbox', checked: value === true, onchange: e => tell(e.target.checked || undefined) });
    case 'choice': return h('select', { ...shared, onchange: e => tell(e.target.value || undefined) },
      h('option', { value: '' }, preset ? `${preset} (default)` : 'choose…'), p.choices.filter(c => c !== preset).map(c => h('option', { value: c, selected: c === value }, c)));
    case 'column': return h('select', { ...shared, onchange: e => tell(e.target.value || undefined) },
      h('option', { value: '' }, filledByRole(p)[0] ? `${filledByRole(p)[0]} (by its role)` : 'choose a column…'), released.map(c => h('option', { value: c, selected: c === value }, c)));
    case 'columns': return checkboxes(id, released, asList(value), list => tell(list.length ? list : undefined));
    case 'int': case 'real': return h('input', { ...shared, inputmode: 'decimal', autocomplete: 'off', value: value ?? '', placeholder: preset || (filledByRole(p)[0] ?? ''),
      oninput: e => tell(e.target.value.trim() === '' ? undefined : Number.isNaN(Number(e.target.value)) ? e.target.value : Number(e.target.value)) });
    case 'table': case 'tables': return h('select', { ...shared, multiple: p.kind === 'tables', onchange: e => { const list = [...e.target.selectedOptions].map(o => o.value).filter(Boolean); tell(!list.length ? undefined : p.kind === 'tables' ? list : list[0]); } },
      p.kind === 'table' && h('option', { value: '' }, 'none'), state.session.tables.map(t => h('option', { value: t, selected: asList(value).includes(t) }, t)),
      !state.session.tables.length && p.kind === 'tables' && h('option', { disabled: true }, 'upload tables on the page Data'));
    case 'reals': case 'texts': return h('input', { ...shared, autocomplete: 'off', value: asList(value).join(', '), placeholder: asList(p.default).join(', ') || (p.kind === 'reals' ? 'numbers, separated by commas' : ''), oninput: e => tell(e.target.value.trim() ? listed(e.target.value) : undefined) });
    default: return h('input', { ...shared, autocomplete: 'off', spellcheck: 'false', value: asList(value).join(', '), placeholder: preset || filledByRole(p).join(', ') || { expression: 'age > 90 & sex == f', pairs: 'age:0:100', groups: 'a,b;c,d', formula: 'y ~ a + b' }[p.kind] || '', oninput: e => tell(e.target.value.trim() || undefined) });
  }
}

// The form itself. `told(params)` hears of each change.
export function form(method, params, told) {
  const now = { ...params }, holder = h('div', { class: 'form' }), spots = new Map(), touched = new Set(Object.keys(params));
  const refresh = () => {
    const wrong = faults(method, now);
    for (const [name, { error, input, row }] of spots) {
      const text = wrong[name] && touched.has(name) ? wrong[name] : '';
      error.textContent = text;
      if (input.setAttribute) input.setAttribute('aria-invalid', text ? 'true' : 'false');
      row.hidden = !applies(method, now, method.params.find(p => p.name === name) || { name });
    }
  };
  const one = p => {
    const id = fresh('field'), help = fresh('help'), error = h('span', { class: 'fault', id: fresh('fault') });
    const tell = value => {
      touched.add(p.name);
      if (value === undefined) delete now[p.name]; else now[p.name] = value;
      refresh();
      told({ ...now });
    };
    const input = widget(p, id, now[p.name], tell, `${help} ${error.id}`);
    const group = p.kind === 'columns';
    const by = filledByRole(p);
    const name = [words(p), p.required && !by.length && h('span', { class: 'needed' }, ' needed'), p.kind === 'columns' && by.length > 0 && h('span', { class: 'quiet' }, ` by role: ${by.join(', ')}`)];
    const row = group
      ? h('fieldset', { class: 'field' }, h('legend', {}, name), h('p', { class: 'help', id: help }, p.help), input, error)
      : h('div', { class: `field ${p.kind}` }, h('label', { for: id }, name), input, h('p', { class: 'help', id: help }, p.help), error);
    spots.set(p.name, { error, input, row });
    return row;
  };
  const all = fields(method), oneOf = (method.rules || []).filter(r => r.rule === 'one_of').flatMap(r => r.parameters);
  const usual = all.filter((p, i) => p.required || (i < 2 && p.kind !== 'table') || oneOf.includes(p.name) || now[p.name] !== undefined || ['int', 'choice', 'reals'].includes(p.kind) || p.name === 'k');
  const rest = all.filter(p => !usual.includes(p));
  holder.append(...usual.slice(0, 12).map(one));
  const more = [...usual.slice(12), ...rest];
  if (more.length) holder.append(h('details', {}, h('summary', {}, `More: ${more.slice(0, 4).map(words).join(', ')}${more.length > 4 ? ', …' : ''}`), more.map(one)));
  if (!all.length) holder.append(h('p', { class: 'quiet' }, 'There is nothing to choose.'));
  refresh();
  return holder;
}
