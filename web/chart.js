// Charts: drawn by the library as SVG, shown in a shadow root with the page's colours; and tiny bars from a chart's data.
import { text } from './api.js';
import { h } from './dom.js';

const dark = `.chart text{fill:#d4dbe2}.chart .title{fill:#f2f5f7}.chart .label,.chart .tick{fill:#a9b4bf}.chart .grid{stroke:#33404c}
.chart .axis,.chart .reference{stroke:#6f7c88}.chart .s0{color:#56b4e9}.chart .s1{color:#f0974f}.chart .s2{color:#3fd0a4}.chart .s3{color:#dd8cc4}`;
const common = `svg{max-width:100%;height:auto;display:block}.chart>rect:first-of-type{fill:none}
@media (prefers-color-scheme: dark){${dark}}`;

function sheet(css) { const s = new CSSStyleSheet(); s.replaceSync(css); return s; }
const ours = sheet(common);

export function chart(job, of, index, title, width = 560, height = 300) {
  const holder = h('figure', { class: 'chart' }), inside = h('div');
  holder.append(inside);
  const root = inside.attachShadow({ mode: 'open' });
  const path = `/api/jobs/${job}/chart?of=${encodeURIComponent(of)}&index=${index}&width=${width}&height=${height}`;
  text(path).then(svg => {
    const drawn = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement, style = drawn.querySelector('style');
    root.adoptedStyleSheets = [sheet(style ? style.textContent : ''), ours];
    style?.remove();
    drawn.setAttribute('aria-label', title);
    root.append(document.importNode(drawn, true));
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
