// Risk: the verdict, who is exposed and by what, and every measure that fits.
import { job } from './api.js';
import { fill, grid, h, number, plural } from './dom.js';
import { asList, hasKeys, state } from './state.js';
import { failure, headline, show, working } from './result.js';

const kinds = {
  identity: ['Identity', 'Can a record be named?'],
  attribute: ['Attribute', 'Is something learned of a person, whether or not the record is found?'],
  inferential: ['Inference', 'Can a value be guessed well from the others?'],
  population: ['Population', 'What does the file tell of a group, or of who is in it?'],
};

export function needKeys() {
  return h('p', { class: 'box' }, 'Name the keys first: what might others know about the people in this file? ', h('a', { href: '#/data' }, 'Data'), ' has suggestions.');
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
  if (best && best.values.expected !== null) tiles.push([best.values.expected, 're-identified', `people whom the best of four simulated intruders (${best.values.best}) re-identifies`]);
  if (k) tiles.push([k.values.uniques, 'unique on their keys', `of ${number(rows)} records agree with no other on ${asList(state.recipe.roles.keys).join(', ')}`]);
  if (k) tiles.push([k.values.k, 'the smallest group, k', 'records that share their keys, at the least']);
  if (individual) tiles.push([individual.values.expected_reidentifications, 'expected re-identifications', 'by an intruder who searches the population for all the keys']);
  if (certain) tiles.push([certain.values.certain, 'inferred with certainty', `people whose ${asList(state.recipe.roles.sensitive).join(', ')} can be inferred from the keys`]);
  fill(place, h('p', { class: 'verdict' }, before.values.verdict),
    h('div', { class: 'tiles' }, tiles.map(([value, name, more]) => h('div', { class: 'tile' }, h('p', { class: 'big' }, number(value, 3)), h('p', {}, h('strong', {}, name)), h('p', { class: 'quiet' }, more)))));
}

function keysThatTell(place) {
  run(place, '/api/measure', { method: 'risk.suda', params: {} }, 'Looking for the keys that single people out', ({ answer }) => {
    const sizes = answer.tables.sizes?.rows || [], by = answer.tables.contributions, keys = asList(state.recipe.roles.keys);
    // inspect counts who is alone on small sets of the keys it suggests; those of ours are shown.
    const sets = (state.profile?.tables.keys?.rows || []).filter(r => r[1] > 0 && r[0].split(' × ').every(k => keys.includes(k)));
    const first = sizes.find(r => r[1] > 0);
    fill(place, h('p', {}, first ? `${plural(answer.values.records, 'record')} of ${number(state.session.data.rows)} are singled out by some set of keys; ${first[0] === 1 ? `a single key is enough ${plural(first[1], 'time')}` : `the smallest such sets have ${first[0]} keys`}.` : 'No set of keys singles anyone out.'),
      h('div', { class: 'two' }, sets.length > 0 && grid(['keys', 'alone', 'share'], sets, 'Small sets of keys, and how many people are alone with their values', 12),
        by && grid(['key', 'share of the risk, %'], [...by.rows].sort((a, b) => b[1] - a[1]), 'How much each key gives away')));
  });
}

function people(place) {
  run(place, '/api/people', { count: 5 }, 'Looking for the people at most risk', ({ answer }) => fill(place,
    answer.people.length ? h('ol', { class: 'people' }, answer.people.map(p => h('li', {}, h('details', {},
      h('summary', {}, `Record ${number(p.record)}: found with probability ${number(p.risk, 2)}`), h('ul', {}, p.result.notes.map(n => h('li', {}, n))),
      Object.entries(p.result.tables).map(([, t]) => grid(t.columns, t.rows)))))) : h('p', {}, 'Nobody stands out.')));
}

function measures(place, on) {
  const begin = h('button', { type: 'button', class: 'primary', onclick: () => run(place, '/api/audit', { method: 'audit', params: { time: 60 }, on }, 'Running every risk and attack that fits', draw) }, 'Run every risk and attack');
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
      answer.tables.skipped?.rows.length > 0 && h('details', {}, h('summary', {}, `${plural(answer.tables.skipped.rows.length, 'measure')} not run, and why`), grid(['method', 'why'], answer.tables.skipped.rows)));
  };
  fill(place, begin, h('p', { class: 'quiet' }, 'Each registered measure and attack whose parameters the roles fill; one that would take longer than a minute is left out.'));
}

export function riskPage(main) {
  if (!hasKeys()) { fill(main, h('h1', {}, 'Risk'), needKeys()); return; }
  const top = h('div', { id: 'verdict' }), keys = h('div'), who = h('div'), all = h('div');
  fill(main, h('h1', {}, 'What an intruder would learn'), h('p', { class: 'lead' }, 'Of the data as they are, identifiers dropped, before any step.'), top,
    h('section', {}, h('h2', {}, 'By which keys'), keys), h('section', {}, h('h2', {}, 'The people at most risk'), who), h('section', {}, h('h2', {}, 'Every measure'), all));
  fill(top, h('p', { class: 'quiet' }, 'Measuring…'));
  riskPage.refresh = () => { if (!top.isConnected) return; if (state.previewFailure) fill(top, failure(state.previewFailure)); else verdict(top); };
  riskPage.refresh();
  keysThatTell(keys);
  people(who);
  measures(all, 'data');
}
