// Risk: the verdict, who is exposed and by what, and every measure that fits.
import { job } from './api.js';
import { fill, grid, h, number, plural } from './dom.js';
import { asList, hasKeys, state } from './state.js';
import { failure, headline, show, working } from './result.js';

const kinds = {
  identity: ['Identity', 'Can an intruder link a record to a person?'],
  attribute: ['Attribute', 'Can an intruder learn a sensitive value of a person, with or without the record?'],
  inferential: ['Inference', 'Can an intruder predict a sensitive value from the other columns?'],
  population: ['Population', 'What does the file disclose about groups, or about membership in the file?'],
};

export function needKeys() {
  return h('p', { class: 'box' }, 'Choose the quasi-identifiers (keys) first: what may an intruder know about the people in this file?  ', h('a', { href: '#/data' }, 'Data'), ' has suggestions.');
}

// One job, its progress, and what is drawn when it is done.
export function run(place, path, body, what, draw) {
  const work = job(path, body, (w, s, t) => box.tell(w, s, t)), box = working(what, () => work.stop());
  fill(place, box);
  work.then(done => { if (!place.isConnected) return; if (done) draw(done); else fill(place, h('p', { class: 'quiet' }, 'Stopped.')); }, error => fill(place, failure(error)));
  return work;
}

function verdict(place) {
  const before = state.preview?.before;
  if (!before) return;
  const k = before.results['risk.k-anonymity'], individual = before.results['risk.individual'], best = before.results['risk.reidentification'], certain = before.results['attack.homogeneity'];
  const rows = state.session.data.rows, tiles = [];
  if (best && best.values.expected !== null) tiles.push([best.values.expected, 're-identified', `people re-identified by the best of four simulated intruders (${best.values.best})`]);
  if (k) tiles.push([k.values.uniques, 'unique on their keys', `of ${number(rows)} records are unique on ${asList(state.recipe.roles.keys).join(', ')}`]);
  if (k) tiles.push([k.values.k, 'smallest equivalence class, k', 'people who share their quasi-identifiers, at least']);
  if (individual) tiles.push([individual.values.expected_reidentifications, 'expected re-identifications', 'by an intruder who does not know who is in the file and searches the population by the keys']);
  if (certain) tiles.push([certain.values.certain, 'inferred with certainty', `people whose ${asList(state.recipe.roles.sensitive).join(', ')} can be inferred with certainty from the keys alone`]);
  fill(place, h('p', { class: 'verdict' }, before.values.verdict),
    h('div', { class: 'tiles' }, tiles.map(([value, name, more]) => h('div', { class: 'tile' }, h('p', { class: 'big' }, number(value, 3)), h('p', {}, h('strong', {}, name)), h('p', { class: 'quiet' }, more)))));
}

function keysThatTell(place) {
  run(place, '/api/measure', { method: 'risk.suda', params: {} }, 'Searching for keys on which people are unique', ({ answer }) => {
    const sizes = answer.tables.sizes?.rows || [], by = answer.tables.contributions, keys = asList(state.recipe.roles.keys);
    // inspect counts who is alone on small sets of the keys it suggests; those of ours are shown.
    const sets = (state.profile?.tables.keys?.rows || []).filter(r => r[1] > 0 && r[0].split(' × ').every(k => keys.includes(k)));
    const first = sizes.find(r => r[1] > 0);
    fill(place, h('p', {}, first ? `${plural(answer.values.records, 'record')} of ${number(state.session.data.rows)} are unique on some set of keys; ${first[0] === 1 ? `a single key is enough ${plural(first[1], 'time')}` : `the smallest such sets have ${first[0]} keys`}.` : 'No record is unique on any set of keys.'),
      h('div', { class: 'two' }, sets.length > 0 && grid(['keys', 'alone', 'share'], sets, 'Small sets of keys, and the number of people who are unique on them', 12),
        by && grid(['key', 'share of the risk, %'], [...by.rows].sort((a, b) => b[1] - a[1]), 'Contribution of each key to the risk')));
  });
}

function people(place) {
  run(place, '/api/people', { count: 5 }, 'Searching for the people at highest risk', ({ answer }) => fill(place,
    answer.people.length ? h('ol', { class: 'people' }, answer.people.map(p => h('li', {}, h('details', {},
      h('summary', {}, `Record ${number(p.record)}: re-identified with probability ${number(p.risk, 2)}`), h('ul', {}, p.result.notes.map(n => h('li', {}, n))),
      Object.entries(p.result.tables).map(([, t]) => grid(t.columns, t.rows)))))) : h('p', {}, 'No record has a high risk.')));
}

function measures(place, on) {
  const begin = h('button', { type: 'button', class: 'primary', onclick: () => run(place, '/api/audit', { method: 'audit', params: { time: 60 }, on }, 'Running all applicable risk measures and attacks', draw) }, 'Run all risk measures and attacks');
  const draw = ({ id, answer }) => {
    const groups = new Map(Object.keys(kinds).map(k => [k, []]));
    for (const [name, result] of Object.entries(answer.results)) {
      const about = state.methods.get(name);
      if (about) groups.get(about.disclosure?.[0] in kinds ? about.disclosure[0] : 'identity').push([name, result, about]);
    }
    fill(place, h('p', { class: 'verdict' }, answer.values.verdict),
      [...groups].filter(([, list]) => list.length).map(([kind, list]) => h('section', {}, h('h3', {}, kinds[kind][0]), h('p', { class: 'quiet' }, kinds[kind][1]),
        list.map(([name, result, about]) => {
          const head = headline(result), inside = h('div'), box = h('details', { class: 'measure' }, h('summary', {}, h('span', { class: 'name' }, name), h('span', { class: 'what' }, about.summary), head && h('span', { class: 'value' }, `${head.name.replaceAll('_', ' ')} ${number(head.value)}`)), inside);
          box.addEventListener('toggle', () => { if (box.open && !inside.childElementCount) fill(inside, head && h('p', {}, head.meaning), show(result, id, name)); });
          return box;
        }))),
      answer.tables.skipped?.rows.length > 0 && h('details', {}, h('summary', {}, `${plural(answer.tables.skipped.rows.length, 'measure')} not run, with the reason`), grid(['method', 'why'], answer.tables.skipped.rows)));
  };
  fill(place, begin, h('p', { class: 'quiet' }, 'All measures and attacks for which the roles provide the parameters. Those that would take longer than one minute are skipped.'));
}

export function riskPage(main) {
  if (!hasKeys()) { fill(main, h('h1', {}, 'Risk'), needKeys()); return; }
  const top = h('div', { id: 'verdict' }), keys = h('div'), who = h('div'), all = h('div');
  fill(main, h('h1', {}, 'Disclosure risk'), h('p', { class: 'lead' }, 'For the original data without direct identifiers, before any step.'), top,
    h('section', {}, h('h2', {}, 'Keys that make records unique'), keys), h('section', {}, h('h2', {}, 'The people at highest risk'), who), h('section', {}, h('h2', {}, 'Every measure'), all));
  fill(top, h('p', { class: 'quiet' }, 'Measuring…'));
  riskPage.refresh = () => { if (!top.isConnected) return; if (state.previewFailure) fill(top, failure(state.previewFailure)); else verdict(top); };
  riskPage.refresh();
  keysThatTell(keys);
  people(who);
  measures(all, 'data');
}
