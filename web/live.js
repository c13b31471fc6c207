// What is measured at each change.
import { job } from './api.js';
import { emit, hasKeys, state } from './state.js';

// Every change is measured: before and after, of the measures that are quick, and of those the policy names.
const live = ['risk.k-anonymity', 'risk.individual', 'risk.l-diversity', 'attack.homogeneity', 'utility.compare'];
const thorough = ['utility.loss'], FEW = 20000; // records up to which what takes longer is measured at each change, too
let current = null;
export function preview() {
  if (!state.session?.data || !hasKeys()) { state.preview = null; emit('preview'); return; }
  current?.stop();
  const work = job('/api/preview', { only: [...live, ...(state.session.data.rows <= FEW ? thorough.filter(m => state.methods.has(m)) : [])] }, (what, share, seconds) => emit('previewing', what, share, seconds, work));
  current = work;
  emit('previewing', 'Measuring', 0, 0, work);
  work.then(done => { if (current !== work) return; state.previewFailure = null; if (done) state.preview = { ...done.answer, job: done.id, seconds: done.seconds }; emit('preview'); },
    error => { if (current !== work) return; state.previewFailure = error; emit('preview'); });
}
