// Data: open a file, see its columns, say what each is.
import { failure, notes, working } from './result.js';
import { spark } from './chart.js';
import { announce, fill, h, number, plural } from './dom.js';
import { job, send } from './api.js';
import { asList, change, emit, on, roleOf, roles, roleWords, setRole, single, state, takeSession } from './state.js';

async function upload(file, beside, box) {
  const most = state.session.upload_limit;
  if (file.size > most) return fill(box, failure({ message: `${file.name} has ${number(Math.round(file.size / 1048576))} MiB; the limit is ${number(Math.round(most / 1048576))} MiB (scrim serve --upload-limit).` }));
  fill(box, h('p', { class: 'quiet', role: 'status' }, `Reading ${file.name}…`));
  try {
    const session = await send(`/api/data?name=${encodeURIComponent(file.name)}${beside ? '&beside=1' : ''}`, file);
    if (beside) { state.session.tables = session.tables; emit('tables'); fill(box); announce(`${file.name} is there`); }
    else takeSession(session);
  } catch (error) { fill(box, failure(error)); }
}

function opener() {
  const told = h('div'), input = h('input', { type: 'file', id: 'file', class: 'unseen', onchange: e => e.target.files[0] && upload(e.target.files[0], false, told) });
  const zone = h('div', { class: 'drop' },
    h('p', {}, h('strong', {}, 'Drop a file here'), ', or'), h('div', { class: 'row center' }, h('label', { class: 'button', for: 'file' }, 'Choose a file'), input,
      h('button', { type: 'button', onclick: async () => { try { takeSession(await send('/api/example', {})); } catch (e) { fill(told, failure(e)); } } }, 'Use the fictitious clinic')),
    h('p', { class: 'quiet' }, 'CSV, SPSS, Stata, SAS, Excel, Arrow, SQLite. The file is read on this computer and is not sent anywhere else.'));
  zone.addEventListener('dragover', e => { e.preventDefault(); zone.classList.add('over'); });
  zone.addEventListener('dragleave', () => zone.classList.remove('over'));
  zone.addEventListener('drop', e => { e.preventDefault(); zone.classList.remove('over'); if (e.dataTransfer.files[0]) upload(e.dataTransfer.files[0], false, told); });
  return h('section', { class: 'opener' }, zone, told);
}

const rowsOf = table => table.rows.map(r => Object.fromEntries(table.columns.map((c, i) => [c, r[i]])));
const article = role => roleWords[role]?.[0] || role;

function give(column, role) {
  change(role ? `${column}: ${article(role).toLowerCase()}` : `${column}: no role`, recipe => setRole(recipe, column, role));
  announce(role ? `${column} now has the role: ${article(role)}` : `${column} now has no role`);
}

function columnRow(about, picture, label) {
  const role = roleOf(about.column), suggests = about.role && about.role !== role;
  const choose = h('select', { 'aria-label': `Role of ${about.column}`, onchange: e => give(about.column, e.target.value) },
    h('option', { value: '' }, 'no role'), roles.map(r => h('option', { value: r, selected: r === role }, roleWords[r][0])));
  const row = h('tr', { draggable: true, class: role ? `is-${role}` : '' },
    h('th', { scope: 'row' }, about.column, label && h('span', { class: 'label' }, label)),
    h('td', { 'data-name': 'Type' }, about.type),
    h('td', { class: 'num', 'data-name': 'Missing' }, number(about.missing)),
    h('td', { class: 'num', 'data-name': 'Distinct' }, number(about.distinct)),
    h('td', { class: 'picture' }, picture && spark(picture, `${about.column}: ${picture.series[0].text ? picture.series[0].text.map((t, i) => `${t} ${picture.series[0].y[i]}`).join(', ') : 'histogram'}`)),
    h('td', { class: 'role' }, choose),
    h('td', { class: 'why' }, about.role ? [suggests ? h('button', { type: 'button', class: 'small', onclick: () => give(about.column, about.role) }, `Take: ${roleWords[about.role][0]}`) : h('span', { class: 'tick' }, '✓ '), h('span', { class: 'quiet' }, about.reason || '')] : h('span', { class: 'quiet' }, about.reason || '')));
  row.addEventListener('dragstart', e => { e.dataTransfer.setData('text/plain', about.column); e.dataTransfer.effectAllowed = 'move'; });
  return row;
}

// Bins to drop columns into; each name in them can be taken out again.
function bins() {
  return h('div', { class: 'bins' }, roles.map(role => {
    const list = asList(state.recipe.roles[role]), bin = h('section', { class: `bin is-${role}`, 'aria-label': roleWords[role][0] },
      h('h3', {}, roleWords[role][0]), h('p', { class: 'quiet' }, roleWords[role][1]),
      h('ul', {}, list.map(c => h('li', {}, c, h('button', { type: 'button', class: 'x', 'aria-label': `Take ${c} out of ${roleWords[role][0]}`, onclick: () => give(c, '') }, '×')))));
    bin.addEventListener('dragover', e => { e.preventDefault(); bin.classList.add('over'); });
    bin.addEventListener('dragleave', () => bin.classList.remove('over'));
    bin.addEventListener('drop', e => { e.preventDefault(); bin.classList.remove('over'); const c = e.dataTransfer.getData('text/plain'); if (state.session.data.columns.some(x => x.name === c)) give(c, role); });
    return bin;
  }));
}

function suggestAll() {
  const list = rowsOf(state.profile.tables.profile).filter(c => c.role && !roleOf(c.column));
  change('suggested roles', recipe => { const taken = new Set(); for (const c of list) { if (single(c.role) && (taken.has(c.role) || recipe.roles[c.role])) continue; taken.add(c.role); setRole(recipe, c.column, c.role); } });
  announce(`${plural(list.length, 'suggestion')} taken`);
}

function columns() {
  const { profile, labels } = state.profile.tables, charts = new Map(state.profile.charts.map(c => [c.title, c]));
  const names = new Map((labels ? rowsOf(labels) : []).map(l => [l.column, l.label]));
  return h('section', {},
    h('div', { class: 'row' }, h('h2', {}, 'Columns'), h('button', { type: 'button', class: 'primary', id: 'suggest', onclick: suggestAll }, 'Take all suggestions')),
    h('p', { class: 'quiet' }, 'Suggestions are based on names and counts. Confirm them: all measures depend on the choice of quasi-identifiers (keys). Choose a role in each row, or drag a row into a box.'),
    h('table', { class: 'columns' }, h('caption', { class: 'unseen' }, 'The columns of the file and their roles'),
      h('thead', {}, h('tr', {}, ['Column', 'Type', 'Missing', 'Distinct', 'Values', 'Role', 'Suggestion'].map((t, i) => h('th', { scope: 'col', class: i === 2 || i === 3 ? 'num' : '' }, t)))),
      h('tbody', {}, rowsOf(profile).map(c => columnRow(c, charts.get(c.column), names.get(c.column))))),
    notes(state.profile.notes.slice(1)));
}

function besides() {
  const told = h('div'), input = h('input', { type: 'file', class: 'unseen', id: 'beside', onchange: e => e.target.files[0] && upload(e.target.files[0], true, told) });
  return h('section', {}, h('h2', {}, 'Other tables'), h('p', { class: 'quiet' }, 'Further tables that some methods need: a population, a holdout, hierarchies.'),
    h('ul', { class: 'chips' }, state.session.tables.map(t => h('li', {}, t))), h('div', { class: 'row' }, h('label', { class: 'button', for: 'beside' }, 'Add a table'), input), told);
}

export function dataPage(main) {
  const { data, restored } = state.session;
  if (!data) { fill(main, h('h1', {}, 'Open your data'), opener()); return; }
  const place = h('div');
  fill(main, h('h1', {}, data.name), h('p', { class: 'lead' }, `${plural(data.rows, 'record')}, ${plural(data.columns.length, 'column')}.`),
    restored && h('p', { class: 'box' }, 'Your earlier work on these data was restored: roles, steps and policy. ', h('button', { type: 'button', class: 'small', onclick: () => { state.session.restored = false; change('start again', r => { r.roles = {}; r.steps = []; r.policy = null; }); } }, 'Start again')),
    place, h('details', {}, h('summary', {}, 'Open another file'), opener()));
  const draw = () => fill(place, bins(), columns(), besides());
  if (state.profile) { draw(); return; }
  const work = job('/api/profile', {}, (w, s, t) => box.tell(w, s, t)), box = working('Profiling the columns', () => work.stop());
  fill(place, box);
  work.then(done => { if (!done) return fill(place, h('p', {}, 'Stopped.')); state.profile = done.answer; if (location.hash === '#/data') draw(); }, error => fill(place, failure(error)));
}
on('tables', () => { if (location.hash === '#/data') emit('draw'); });
