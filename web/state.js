// What the page knows: the session, its recipe with its history, and who wants to hear of changes.
import { get, put, Failure } from './api.js';
import { $, announce } from './dom.js';

export const state = { methods: new Map(), session: null, recipe: null, profile: null, preview: null, previewFailure: null };

const listeners = new Map();
export function on(event, call) { listeners.set(event, [...(listeners.get(event) || []), call]); }
export function emit(event, ...args) { for (const call of listeners.get(event) || []) call(...args); }

const clone = value => JSON.parse(JSON.stringify(value));
let past = [], future = [];

export async function loadMethods() {
  for (const method of await get('/api/methods')) state.methods.set(method.method, method);
}

export function takeSession(session) {
  state.session = session;
  state.recipe = session.data ? session.recipe : null;
  for (const step of state.recipe?.steps || []) if (step.draft || !step.off) delete step.off; // a draft was off for the server alone
  state.profile = state.preview = state.previewFailure = null;
  past = [];
  future = [];
  showHistory();
  emit('session');
}

// Steps that are not complete are switched off for the server: they are no part of the recipe yet.
const forServer = recipe => ({ ...recipe, steps: recipe.steps.map(s => ({ method: s.method, params: s.params, off: Boolean(s.off || s.draft), ...(s.draft ? { draft: true } : {}) })) });

let saving = Promise.resolve();
export function save() {
  $('saved').textContent = 'Saving…';
  const body = forServer(state.recipe);
  saving = saving.then(() => put('/api/recipe', body)).then(
    () => { $('saved').textContent = 'Saved'; },
    error => { $('saved').textContent = error instanceof Failure ? error.message : 'Not saved'; });
  return saving;
}

// Every change of the recipe goes through here: it can be undone.
export function change(what, edit, how) {
  const before = clone(state.recipe);
  edit(state.recipe);
  if (JSON.stringify(before) === JSON.stringify(state.recipe)) return;
  past.push({ what, recipe: before });
  future = [];
  showHistory();
  emit('draw', how || what); // at once: what is typed next must not be lost to a later drawing
  save().then(() => emit('recipe', how || what));
}

function move(from, to, word) {
  const step = from.pop();
  if (!step) return;
  to.push({ what: step.what, recipe: clone(state.recipe) });
  state.recipe = step.recipe;
  announce(`${word}: ${step.what}`);
  showHistory();
  emit('draw', word);
  save().then(() => emit('recipe', word));
}
export const undo = () => move(past, future, 'Undone');
export const redo = () => move(future, past, 'Done again');

function showHistory() {
  const label = (list, word) => (list.length ? `${word}: ${list.at(-1).what}` : word);
  for (const [id, list, word] of [['undo', past, 'Undo'], ['redo', future, 'Redo']]) {
    $(id).disabled = !list.length;
    $(id).title = label(list, word);
  }
}

export const roles = ['keys', 'sensitive', 'numeric', 'weight', 'household', 'identifiers'];
export const single = role => role === 'weight' || role === 'household';
export const roleWords = {
  keys: ['Keys', 'Quasi-identifiers: columns that an intruder may know about a person'],
  sensitive: ['Sensitive', 'Sensitive attributes: values that must not be disclosed'],
  numeric: ['Numbers', 'Numeric columns to protect'],
  weight: ['Weight', 'Sampling weight'],
  household: ['Household', 'Household number'],
  identifiers: ['Identifiers', 'Direct identifiers such as names, numbers, addresses: removed from every release'],
};
export const asList = value => (value === undefined ? [] : Array.isArray(value) ? value : [value]);
export function roleOf(column) { return roles.find(r => asList(state.recipe.roles[r]).includes(column)) || ''; }
export function setRole(recipe, column, role) {
  for (const r of roles) {
    const left = asList(recipe.roles[r]).filter(c => c !== column);
    if (single(r)) { if (!left.length) delete recipe.roles[r]; else recipe.roles[r] = left[0]; }
    else if (left.length) recipe.roles[r] = left; else delete recipe.roles[r];
  }
  if (!role) return;
  if (single(role)) recipe.roles[role] = column;
  else {
    const order = state.session.data.columns.map(c => c.name), list = [...asList(recipe.roles[role]), column];
    recipe.roles[role] = list.sort((a, b) => order.indexOf(a) - order.indexOf(b));
  }
}
export const columnNames = () => state.session.data.columns.map(c => c.name);
export const hasKeys = () => asList(state.recipe?.roles.keys).length > 0;
