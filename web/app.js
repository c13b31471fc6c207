// The page: its parts, and what happens when the recipe changes.
import { hasToken, get } from './api.js';
import { $, announce, fill, h, plural } from './dom.js';
import { loadMethods, on, redo, state, takeSession, undo } from './state.js';
import { preview } from './live.js';
import { dataPage } from './data.js';
import { riskPage } from './risk.js';
import { protectPage } from './protect.js';
import { explorePage } from './explore.js';
import { releasePage } from './release.js';

const pages = [['data', 'Data', dataPage], ['risk', 'Risk', riskPage], ['protect', 'Protect', protectPage], ['explore', 'Explore', explorePage], ['release', 'Release', releasePage]];
const here = () => pages.find(([name]) => location.hash === `#/${name}`) || pages[0];

function tabs() {
  fill($('tabs'), pages.map(([name, title], i) => h('li', {}, h('a', { href: `#/${name}`, 'aria-current': here()[0] === name ? 'page' : undefined, class: !state.session?.data && i ? 'off' : '' },
    h('span', { class: 'step', 'aria-hidden': 'true' }, i + 1), title))));
}

function draw() {
  tabs();
  const [name, title, page] = here(), main = $('main');
  document.title = state.session?.data ? `${title}: ${state.session.data.name} — scrim` : 'scrim';
  main.dataset.page = name;
  if (name !== 'data' && !state.session.data) { location.hash = '#/data'; return; }
  page(main);
}

function header() {
  const data = state.session.data;
  fill($('about'), data ? [h('strong', {}, data.name), ` ${plural(data.rows, 'record')}`] : '');
}

on('session', () => { header(); if (location.hash !== '#/data') location.hash = '#/data'; draw(); preview(); });
on('preview', () => riskPage.refresh?.());
on('recipe', preview);
on('draw', what => { const at = document.activeElement, mark = at?.getAttribute('aria-label') || at?.id; if (what !== 'typing') draw(); if (mark && document.activeElement === document.body) [...document.querySelectorAll('[aria-label], [id]')].find(e => (e.getAttribute('aria-label') || e.id) === mark)?.focus(); });

addEventListener('hashchange', () => { if (location.hash === '#main') return; draw(); $('main').focus(); announce(here()[1]); });
addEventListener('keydown', e => {
  if (!(e.ctrlKey || e.metaKey) || e.key.toLowerCase() !== 'z' || /INPUT|TEXTAREA/.test(e.target.tagName)) return;
  e.preventDefault();
  if (e.shiftKey) redo(); else undo();
});
$('undo').addEventListener('click', undo);
$('redo').addEventListener('click', redo);

async function start() {
  if (!hasToken()) { fill($('main'), h('h1', {}, 'Which session is this?'), h('p', { class: 'box' }, 'Open the address that ', h('code', {}, 'scrim serve'), ' printed. It contains the token of your session.')); return; }
  try {
    await loadMethods();
    takeSession(await get('/api/session'));
  } catch (error) { fill($('main'), h('h1', {}, 'There is no session'), h('p', { class: 'box bad', role: 'alert' }, error.message)); }
}
start();
