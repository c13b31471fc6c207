// Release: the policy, the release itself, and what there is to take away.
import { download, job, send, text } from './api.js';
import { announce, fill, h, number } from './dom.js';
import { change, hasKeys, state } from './state.js';
import { failure, notes, working } from './result.js';
import { needKeys } from './risk.js';
import { effect } from './protect.js';

// The policies that come with the program are named in the help of audit's parameter.
function builtIn() {
  const help = state.methods.get('audit')?.params.find(p => p.name === 'policy')?.help || '', list = help.split('program: ')[1];
  return list ? list.split(',').map(n => n.trim()) : [];
}

function policy() {
  const now = state.recipe.policy, own = now && typeof now === 'object', names = builtIn();
  const rules = h('textarea', { id: 'rules', rows: 5, spellcheck: 'false', 'aria-describedby': 'rules-help', placeholder: 'risk.k-anonymity.k >= 3\nattack.homogeneity.certain == 0', onchange: e => {
    const list = e.target.value.split('\n').map(l => l.trim().replace(/^-\s*/, '')).filter(Boolean);
    change('own rules', r => { r.policy = list.length ? { rules: list } : null; });
  } }, own ? now.rules.join('\n') : '');
  const choose = h('select', { id: 'policy', onchange: e => change('policy', r => { r.policy = e.target.value === 'own' ? { rules: ['risk.k-anonymity.k >= 3', 'risk.individual.max_risk <= 0.1', 'risk.reidentification.share <= 0.1', 'attack.homogeneity.certain == 0', 'risk.residual.count == 0'] } : e.target.value || null; }) },
    h('option', { value: '' }, 'no policy: the release is not judged'), names.map(n => h('option', { value: n, selected: now === n }, n)), h('option', { value: 'own', selected: own }, 'own rules'));
  return h('section', {}, h('h2', {}, 'Policy'), h('div', { class: 'field' }, h('label', { for: 'policy' }, 'Policy for this release'), choose),
    own && h('div', { class: 'field' }, h('label', { for: 'rules' }, 'Rules'), rules, h('p', { class: 'help', id: 'rules-help' }, 'One rule per line: a method, one of its values, a comparison and a number. A rule that cannot be computed counts as violated.')));
}

function files(list, place) {
  const save = f => async () => { try { await download(`/api/files/${encodeURIComponent(f.name)}`, f.name); } catch (e) { place.append(failure(e)); } };
  return h('ul', { class: 'files' }, list.map(f => h('li', {}, h('button', { type: 'button', class: 'primary', 'data-file': f.name, onclick: save(f) }, `Download ${f.name}`), h('span', { class: 'quiet' }, `${f.what} (${number(f.bytes)} bytes)`))));
}

function make(place, body) {
  const work = job('/api/release', body, (w, s, t) => box.tell(w, s, t)), box = working('Making and measuring the release', () => work.stop());
  fill(place, box);
  work.then(done => {
    if (!place.isConnected) return;
    if (!done) { fill(place, h('p', {}, 'Stopped. Nothing was written.')); return; }
    const { result, files: list } = done.answer, broken = result.values.state === 'not ready', amber = result.values.state === 'residual risk' || result.values.state === 'not judged';
    announce(result.values.verdict);
    fill(place, h('p', { class: `verdict ${broken ? 'bad' : amber ? 'warn' : 'good'}` }, result.values.verdict), files(list, place),
      h('div', { class: 'row' }, broken && !body.keep && h('button', { type: 'button', onclick: () => make(place, { ...body, keep: true }) }, 'Write the release nevertheless'),
      !body.public && h('button', { type: 'button', id: 'public', onclick: () => make(place, { ...body, public: true }) }, 'Also make the public report')), notes(result.notes));
  }, error => fill(place, failure(error)));
}

// A recipe or manifest of an earlier day: its steps, and roles and policy where they stand in it.
function opener() {
  const told = h('div'), input = h('input', { type: 'file', id: 'recipe-file', class: 'unseen', accept: '.yaml,.yml,.json', onchange: async e => {
    try {
      const read = await send('/api/recipe', new Blob([await e.target.files[0].text()]));
      change(`recipe ${e.target.files[0].name}`, r => { r.steps = read.steps; if (read.roles) r.roles = read.roles; if (read.policy && (typeof read.policy === 'object' || builtIn().includes(read.policy))) r.policy = read.policy; });
    } catch (error) { fill(told, failure(error)); }
  } });
  return h('span', {}, ' ', h('label', { class: 'button', for: 'recipe-file' }, 'Open a recipe'), input, told);
}

export function releasePage(main) {
  if (!hasKeys()) { fill(main, h('h1', {}, 'Release'), needKeys()); return; }
  const place = h('div', { id: 'made' }), state_ = h('div', { id: 'effect' }), recipe = h('pre', { tabindex: 0, 'aria-label': 'The recipe' });
  const drafts = state.recipe.steps.filter(s => s.draft).length;
  fill(main, h('h1', {}, 'Release'), h('div', { class: 'split' }, h('div', {}, policy(),
    h('section', {}, h('h2', {}, 'Make the release'), drafts > 0 && h('p', { class: 'box' }, `${drafts} of the steps ${drafts === 1 ? 'is' : 'are'} not complete and left out.`),
      h('p', {}, 'Runs the recipe as “scrim run” does: direct identifiers are removed, the steps are run, risk and utility are measured before and after, the release is judged by the policy and written with its manifest.'),
      h('button', { type: 'button', class: 'primary', id: 'make', onclick: () => make(place, {}) }, 'Make the release'), place),
    h('details', {}, h('summary', {}, 'The recipe'), recipe, h('button', { type: 'button', onclick: () => download('/api/recipe', 'recipe.yaml') }, 'Download recipe.yaml'), opener())),
  h('aside', { tabindex: 0, 'aria-label': 'How it stands' }, h('h2', {}, 'How it stands'), state_)));
  effect(state_);
  text('/api/recipe').then(t => { recipe.textContent = t; }, () => {});
}
