// Charts: drawn by the library as SVG, shown in a shadow root with the page's colours; and tiny bars from a chart's data.
import { text } from './api.js';
import { h } from './dom.js';

const dark = `.chart text{fill:#d4dbe2}.chart .title{fill:#f2f5f7}.chart .label,.chart .tick{fill:#a9b4bf}.chart .grid{stroke:#33404c}
.chart .axis,.chart .reference{stroke:#6f7c88}.chart .s0{color:#56b4e9}.chart .s1{color:#f0974f}.chart .s2{color:#3fd0a4}.chart .s3{color:#dd8cc4}`;
const common = `svg{max-width:100%;height:auto;display:block}.chart>rect:first-of-type{fill:none}
@media (prefers-color-scheme: dark){${dark}}`;

function sheet(css) { const s = new CSSStyleSheet(); s.replaceSync(css); return s; }
const ours = sheet(common);

// `picked(label)`: a mark that has a label was clicked.
export function chart(job, of, index, title, width = 560, height = 300, picked = null) {
  const holder = h('figure', { class: 'chart' }), inside = h('div');
  holder.append(inside);
  inside.style.aspectRatio = `${width} / ${height}`; // its place is kept: nothing moves when it comes
  inside.style.maxWidth = `${width}px`;
  const root = inside.attachShadow({ mode: 'open' });
  const path = `/api/jobs/${job}/chart?of=${encodeURIComponent(of)}&index=${index}&width=${width}&height=${height}`;
  text(path).then(svg => {
    let style = ''; // the page's policy allows no style in markup: it becomes a sheet of its own
    const bare = svg.replace(/<style>([^]*?)<\/style>/, (_, css) => { style = css.replaceAll('&gt;', '>').replaceAll('&amp;', '&'); return ''; });
    const drawn = new DOMParser().parseFromString(bare, 'image/svg+xml').documentElement;
    root.adoptedStyleSheets = [sheet(style), ours];
    drawn.setAttribute('aria-label', title);
    const shown = root.appendChild(document.importNode(drawn, true));
    if (picked) shown.addEventListener('click', e => { for (let el = e.target; el && el !== shown; el = el.parentNode) { const label = el.querySelector(':scope > title')?.textContent; if (label) { picked(label); return; } } });
  }, () => holder.remove());
  return holder;
}

// A column at a glance: bars only, described in words for those who do not see them.
export function spark(data, label) {
  const ns = 'http://www.w3.org/2000/svg', y = data?.series[0]?.y || [], most = Math.max(1, ...y), svg = document.createElementNS(ns, 'svg');
  svg.setAttribute('viewBox', '0 0 96 28');
  svg.setAttribute('class', 'spark');
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', label);
  y.forEach((value, i) => {
    const bar = document.createElementNS(ns, 'rect'), wide = 96 / y.length, tall = 26 * value / most;
    for (const [name, v] of [['x', i * wide + 0.5], ['width', Math.max(1, wide - 1)], ['y', 27 - tall], ['height', Math.max(value > 0 ? 1 : 0, tall)]]) bar.setAttribute(name, v.toFixed(2));
    svg.append(bar);
  });
  return svg;
}
