// The server, asked with the token that stood in the address. It is kept for this tab alone.
const key = 'scrim-token';
if (location.hash.length > 20 && !location.hash.includes('/')) {
  sessionStorage.setItem(key, location.hash.slice(1));
  history.replaceState(null, '', location.pathname + '#/data');
}
const token = () => sessionStorage.getItem(key) || '';
export const hasToken = () => token() !== '';

export class Failure extends Error {
  constructor(error) {
    super(error?.message || 'The server does not answer. It may have been stopped. Your work is saved: start scrim serve again.');
  }
}

async function ask(method, path, body) {
  const headers = { Authorization: `Bearer ${token()}` };
  if (body !== undefined && !(body instanceof Blob)) { headers['Content-Type'] = 'application/json'; body = JSON.stringify(body); }
  let reply;
  try { reply = await fetch(path, { method, headers, body }); } catch { throw new Failure(null); }
  if (!reply.ok) throw new Failure((await reply.json().catch(() => ({}))).error);
  return reply;
}

export const get = async path => (await ask('GET', path)).json();
export const put = async (path, body) => (await ask('PUT', path, body)).json();
export const send = async (path, body) => (await ask('POST', path, body)).json();
export const text = async path => (await ask('GET', path)).text();

// A file to keep, under the name that it has on the server.
export async function download(path, name) {
  const blob = await (await ask('GET', path)).blob();
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Work in the background: `then` resolves with what was found; stop() ends it; progress is told as it comes.
export function job(path, body, progress = () => {}) {
  let id = 0, stopped = false;
  const work = (async () => {
    id = (await send(path, body)).job;
    if (stopped) ask('DELETE', `/api/jobs/${id}`).catch(() => {});
    for (;;) {
      const how = await get(`/api/jobs/${id}?wait=400`);
      if (how.state === 'running') { progress(how.what, how.share, how.seconds); continue; }
      if (how.state === 'done') return { id, answer: how.answer, seconds: how.seconds };
      if (how.state === 'stopped') return null;
      throw new Failure(how.error);
    }
  })();
  work.stop = () => { stopped = true; if (id) ask('DELETE', `/api/jobs/${id}`).catch(() => {}); };
  return work;
}
