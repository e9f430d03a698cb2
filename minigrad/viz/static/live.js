var pe=".minigrad-live, .minigrad-nudge, .minigrad-steps, .minigrad-instrument",Ue="data-lm-suppress-shortcuts";function ge(){let s=globalThis;s.minigradKeys||(s.minigradKeys=!0,addEventListener("keydown",Ze,!0),addEventListener("focusin",Ye,!0))}function Ze({target:s,ctrlKey:e,metaKey:t,altKey:i}){s instanceof Element&&s.closest(pe)!==null&&s.toggleAttribute(Ue,!(e||t||i))}function Ye({target:s}){if(s instanceof Element&&s.matches("[role=slider]:not([aria-label])")){let t=(s.closest(pe)&&s.closest(".widget-inline-hbox"))?.querySelector("label");s.setAttribute("aria-label",t?.textContent??"")}}function K(s,e){let[t,i]=[e.light,e.dark].map(n=>Object.entries(n).map(([r,a])=>`--minigrad-${r}: ${a};`).join(" "));return`
${s} { ${t} }
@media (prefers-color-scheme: dark) { body:not([data-jp-theme-light]) ${s} { ${i} } }
body[data-jp-theme-light="false"] ${s} { ${i} }`}var Xe=new Set(["restarting","autorestarting","terminating","dead"]);function D(s,e){let t=(i,n)=>{Xe.has(n)&&e()};return s?.statusChanged?.connect(t),s?.disposed?.connect(e),()=>{s?.statusChanged?.disconnect(t),s?.disposed?.disconnect(e)}}var fe=`.minigrad-nudge {
  display: flex;
  flex-direction: column;
  container-type: inline-size;
  box-sizing: border-box;
  max-width: 1180px;
  border: 1px solid var(--minigrad-frame);
  border-radius: 8px;
  padding: 8px 14px;
  background: var(--minigrad-background);
  color: var(--minigrad-text);
  font:
    14px / 1.45 -apple-system,
    "Segoe UI",
    "Helvetica Neue",
    Helvetica,
    Arial,
    "Liberation Sans",
    sans-serif;
}
.minigrad-nudge.gone .hand {
  pointer-events: none;
  opacity: 0.6;
}
.minigrad-nudge p {
  margin: 0;
}
.minigrad-nudge .alert {
  order: -2;
  color: var(--minigrad-warning);
}
.minigrad-nudge .bar {
  display: flex;
  order: -1; /* above the picture; by keyboard, the numbers come first */
  align-items: flex-start;
  justify-content: space-between;
  gap: 12px;
  margin-bottom: 8px;
}
.minigrad-nudge :is(.hint, .idle) {
  color: var(--minigrad-muted);
}
.minigrad-nudge .hint {
  font-size: 13px;
}
.minigrad-nudge button {
  flex: none;
  height: 28px;
  border: 1px solid var(--minigrad-operation);
  border-radius: 6px;
  padding: 0 10px;
  background: var(--minigrad-background);
  color: inherit;
  font: inherit;
  font-size: 13px;
  cursor: pointer;
}
.minigrad-nudge button:hover {
  background: var(--minigrad-operation_fill);
}
.minigrad-nudge button:focus-visible {
  outline: 2px solid var(--minigrad-leaf);
  outline-offset: 2px;
}
.minigrad-nudge .picture {
  overflow-x: auto;
  overflow-y: hidden;
}
.minigrad-nudge svg {
  display: block;
  width: 100%;
  height: auto;
  user-select: none;
}
.minigrad-nudge .both {
  position: relative;
}
.minigrad-nudge svg.above {
  position: absolute;
  inset: 0;
  pointer-events: none;
  will-change: transform;
}
.minigrad-nudge .say {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 4px 16px;
  min-height: 48px;
  margin-top: 8px;
  border-top: 1px solid var(--minigrad-frame);
  padding-top: 6px;
}
.minigrad-nudge .sentence {
  flex: 1 1 300px;
  font-size: 15px;
  font-variant-numeric: tabular-nums;
}
.minigrad-nudge .sentence b {
  color: var(--minigrad-grad);
}
.minigrad-nudge .bars {
  display: grid;
  grid-template-columns: auto 190px;
  align-items: center;
  gap: 2px 8px;
}
.minigrad-nudge .bars:empty {
  display: none;
}
.minigrad-nudge .bar-row {
  display: flex;
  align-items: center;
  gap: 6px;
}
.minigrad-nudge .bar-text {
  font-size: 12px;
  text-align: right;
  font-variant-numeric: tabular-nums;
}
.minigrad-nudge .bar-text.predicted {
  color: var(--minigrad-grad);
}
.minigrad-nudge :is(.bar-moved, .bar-predicted) {
  box-sizing: border-box;
  height: 12px;
  background: var(--minigrad-text);
}
.minigrad-nudge .bar-predicted {
  border: 1.5px dashed var(--minigrad-grad);
  background: none;
}
.minigrad-nudge .unseen {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
.minigrad-nudge svg text {
  fill: var(--minigrad-text);
  font-size: 13px;
  font-variant-numeric: tabular-nums;
}
.minigrad-nudge svg .grad {
  fill: var(--minigrad-grad);
}
.minigrad-nudge svg .strong {
  font-weight: 600;
}
.minigrad-nudge svg :is(.label, .word) {
  text-anchor: middle;
}
.minigrad-nudge svg .name {
  fill: var(--minigrad-muted);
  font-style: italic;
}
.minigrad-nudge svg .value {
  fill: none;
  stroke: var(--minigrad-arrow);
  stroke-width: 1.6;
}
.minigrad-nudge svg .value.data {
  stroke: var(--minigrad-card);
  stroke-width: 1.3;
}
.minigrad-nudge svg .head,
.minigrad-nudge svg .fork {
  fill: var(--minigrad-arrow);
}
.minigrad-nudge svg .head.data {
  fill: var(--minigrad-card);
}
.minigrad-nudge svg .grad-road {
  fill: none;
  stroke: var(--minigrad-grad);
  stroke-dasharray: 6 4;
}
.minigrad-nudge svg :is(.grad-head, .slope-arrow) {
  fill: var(--minigrad-grad);
}
.minigrad-nudge svg .pulse {
  fill: none;
  stroke: var(--minigrad-leaf);
  stroke-width: 4.5;
  stroke-linecap: round;
}
.minigrad-nudge svg .pulse.back {
  stroke: var(--minigrad-grad);
}
.minigrad-nudge svg .leaf {
  fill: var(--minigrad-leaf_fill);
  stroke: var(--minigrad-leaf);
  stroke-width: 2;
}
.minigrad-nudge svg :is(.leaf-name, .result-name) {
  fill: var(--minigrad-leaf_text);
  font-size: 16px;
  font-weight: 700;
}
.minigrad-nudge svg .key {
  font-size: 12px;
}
.minigrad-nudge svg .key:not(.grad) {
  fill: var(--minigrad-muted);
}
.minigrad-nudge svg .hand {
  cursor: ew-resize;
  outline: none;
  touch-action: none;
}
.minigrad-nudge svg :is(.hit, .frame) {
  fill: transparent;
}
.minigrad-nudge svg .frame {
  pointer-events: none;
}
.minigrad-nudge svg .hand:focus-visible:not(.by-mouse) .frame {
  stroke: var(--minigrad-leaf);
  stroke-width: 2;
}
.minigrad-nudge svg .number {
  fill: var(--minigrad-leaf_text);
  font-size: 21px;
  font-weight: 700;
  text-anchor: end;
}
.minigrad-nudge svg .number.small {
  font-size: 14px;
}
.minigrad-nudge svg .underline {
  stroke: var(--minigrad-leaf);
  stroke-width: 1.6;
  stroke-dasharray: 2 2.5;
}
.minigrad-nudge svg .hand:is(:hover, .on) .underline {
  stroke-width: 2.2;
  stroke-dasharray: none;
}
.minigrad-nudge svg .track {
  opacity: 0.35;
  stroke: var(--minigrad-leaf);
  stroke-width: 3;
  stroke-linecap: round;
}
.minigrad-nudge svg .zero {
  opacity: 0.6;
  stroke: var(--minigrad-leaf);
}
.minigrad-nudge svg .thumb {
  fill: var(--minigrad-background);
  stroke: var(--minigrad-leaf);
  stroke-width: 2.5;
}
.minigrad-nudge svg .hand:is(:hover, .on) .thumb {
  fill: var(--minigrad-leaf);
}
.minigrad-nudge svg .grad-value {
  fill: var(--minigrad-grad);
  font-size: 14px;
  font-weight: 600;
  text-anchor: end;
}
.minigrad-nudge svg .grad-value.small {
  font-size: 12px;
}
.minigrad-nudge svg .grad-value.none {
  fill: var(--minigrad-muted);
  font-size: 11px;
  font-weight: 400;
}
.minigrad-nudge svg .data-card {
  fill: var(--minigrad-operation_fill);
  stroke: var(--minigrad-card);
  stroke-width: 1.1;
}
.minigrad-nudge svg .data-name {
  fill: var(--minigrad-muted);
  font-weight: 600;
}
.minigrad-nudge svg .data-value {
  font-size: 14px;
  text-anchor: end;
}
.minigrad-nudge svg .operation {
  outline: none;
  cursor: help;
}
.minigrad-nudge svg .pill {
  fill: var(--minigrad-operation_fill);
  stroke: var(--minigrad-operation);
  stroke-width: 1.5;
}
.minigrad-nudge svg .operation:is(:hover, :focus-visible) .pill {
  stroke: var(--minigrad-grad);
  stroke-width: 3;
}
.minigrad-nudge svg .sign {
  fill: none;
  stroke: var(--minigrad-text);
  stroke-width: 2.6;
  stroke-linecap: round;
}
.minigrad-nudge svg .sign.base {
  stroke-width: 2;
  stroke-dasharray: 3 2.2;
}
.minigrad-nudge svg .power {
  font-size: 14px;
  font-weight: 700;
}
.minigrad-nudge svg .word {
  font-size: 17px;
  font-weight: 600;
}
.minigrad-nudge svg .result {
  fill: var(--minigrad-result_fill);
  stroke: var(--minigrad-result);
  stroke-width: 1.6;
}
.minigrad-nudge svg .result-name {
  fill: var(--minigrad-result_text);
}
.minigrad-nudge svg .result-value {
  fill: var(--minigrad-result_text);
  font-size: 19px;
  font-weight: 700;
  text-anchor: end;
}
.minigrad-nudge svg .axis {
  stroke: var(--minigrad-frame);
}
.minigrad-nudge svg .tick {
  fill: var(--minigrad-muted);
  font-size: 11px;
}
.minigrad-nudge svg .tick.dragged {
  fill: var(--minigrad-leaf_text);
  font-weight: 700;
}
.minigrad-nudge svg .drop {
  stroke: var(--minigrad-leaf);
}
.minigrad-nudge svg .curve {
  fill: none;
  stroke: var(--minigrad-text);
  stroke-width: 2;
}
.minigrad-nudge svg :is(.tangent, .gap, .slope) {
  stroke: var(--minigrad-grad);
  stroke-width: 1.8;
  stroke-dasharray: 6 4;
}
.minigrad-nudge svg .gap {
  stroke-width: 1.2;
  stroke-dasharray: none;
}
.minigrad-nudge svg .slope {
  stroke-width: 3.2;
  stroke-dasharray: none;
  stroke-linecap: round;
}
.minigrad-nudge svg .from {
  fill: var(--minigrad-background);
  stroke: var(--minigrad-text);
  stroke-width: 1.6;
}
.minigrad-nudge svg .now {
  fill: var(--minigrad-text);
}
.minigrad-nudge svg .predicted {
  fill: var(--minigrad-background);
  stroke: var(--minigrad-grad);
  stroke-width: 1.8;
}
/* In a narrow cell the picture is shrunk, so its small texts are larger. */
.minigrad-nudge svg.tight :is(.label, .grad-value) {
  font-size: 15px;
}
.minigrad-nudge svg.tight :is(.key, .tick, .grad-value.small) {
  font-size: 13px;
}
@container (max-width: 560px) {
  .minigrad-nudge .hint span {
    display: none;
  }
}
`;function ne({boxes:s},e){let[t,i,n,r]=s[e];return{x:t,y:i,width:n,height:r}}function ve({lines:s},e){return s[e].map(([t,i])=>({x:t,y:i}))}function F(s){let e=(s??[]).reduce((t,i)=>t*i,1);return e<=4?e:0}function b(s,e=2){if(!Number.isFinite(s))return Number.isNaN(s)?"nan":s>0?"inf":"−inf";let t=Math.abs(s),i=t>=1e5?t.toExponential(1):t.toFixed(t>=1e3?0:e);return(s<0&&Number(i)!==0?"−":"")+i}function Qe(s,e=2){return(s<0?"":"+")+b(s,e)}function be(s){let e=s.reduce((i,n)=>i+n,0);return s.length>4?`sum of ${s.length} = ${b(e)}`:`${s.map((i,n)=>n===0?b(i):` ${i<0?"−":"+"} ${b(Math.abs(i))}`).join("")} = ${b(e)}`}function re({name:s,by:e,result:t,moved:i,predicted:n}){let r=Qe(e,Math.abs(e*100-Math.round(e*100))>1e-6?3:2),a=`You moved ${s} by ${r}. ${t} moved by ${b(i,4)}.`,o=`No gradient predicted it: no path leads back from ${t} to ${s}.`;return[a,Number.isNaN(n)?o:`The gradient predicted ${b(n,4)}.`]}function xe({by:s,moved:e,predicted:t}){return Math.abs(s)>.3&&Math.abs(e-t)>.02?" A gradient is exact only for a very small move.":""}function ye(s,e,t){if(e===void 0)return`${b(s)}; grad None: no path to ${t}`;let i=e>0?"rises with it":"falls as it rises";return`${b(s)}; grad ${b(e)}: ${t} ${Math.abs(e)<.005?"hardly moves":i}`}function we(s,e,t){let i=t.map(({name:n,factor:r,passed:a})=>{let o=[];if(r!=="1"){let h=e===0?"":b(a/e),l=[r==="-1"?"":r,h].filter(c=>c!=="").map(c=>/\s|^[-−]/.test(c)?`(${c})`:c);o.push(...l.map(c=>`${b(e)} × ${c}`))}return`${n} gets ${[...o,b(a)].join(" = ")}`});return`${b(e)} arrives at ${s}. ${i.join("; ")}.`}function Ee(s){let e=s.match(/-?\d+(\.\d+)?(e-?\d+)?/g)?.map(Number)??[],t=[];for(let i=0;i+1<e.length;i+=2)t.push({x:e[i],y:e[i+1]});return t}function se(s,e){return s.map((t,i)=>{let n=s[Math.max(0,i-1)],r=s[Math.min(s.length-1,i+1)],[a,o]=[r.x-n.x,r.y-n.y],h=Math.hypot(a,o)||1;return{x:t.x-o/h*e,y:t.y+a/h*e}})}function B(s,e,t){return ke(ke(s,e).reverse(),t).reverse()}function ke(s,e){let t=s.slice();for(;t.length>1;){let[i,n]=[t[0],t[1]],r=Math.hypot(n.x-i.x,n.y-i.y);if(r>e||t.length===2){let a=Math.min(1,e/(r||1));t[0]={x:i.x+(n.x-i.x)*a,y:i.y+(n.y-i.y)*a};break}e-=r,t.shift()}return t}function Me(s,e,t){let i=ae(s),n=e*i;return B(s,Math.max(0,n-t),i-n)}function ae(s){return s.slice(1).reduce((e,{x:t,y:i},n)=>e+Math.hypot(t-s[n].x,i-s[n].y),0)}function G(s){return`M${s.map(({x:e,y:t})=>`${e.toFixed(1)},${t.toFixed(1)}`).join("L")}`}function oe(s,e=8){let[t,i]=[s[Math.max(0,s.length-2)],s.at(-1)],n=Math.atan2(i.y-t.y,i.x-t.x),[r,a]=[Math.cos(n)*e,Math.sin(n)*e],o=.48;return G([{x:i.x+r,y:i.y+a},{x:i.x-a*o,y:i.y+r*o},{x:i.x+a*o,y:i.y-r*o}]).concat("Z")}function u(s,e={},t,i){let n=document.createElementNS("http://www.w3.org/2000/svg",s);return x(n,e),i!==void 0&&(n.textContent=i),t?.append(n),n}function x(s,e){for(let[t,i]of Object.entries(e))s.getAttribute(t)!==`${i}`&&s.setAttribute(t,`${i}`)}function $(s,e){s.textContent!==e&&(s.textContent=e)}var et=18,tt=30,H=class{paths;running=[];drawn=0;frame=0;constructor(e){this.paths={forward:u("path",{class:"pulse forward"},e),back:u("path",{class:"pulse back"},e)}}start(e){let t=performance.now();this.running.push(...e.map(i=>({...i,begin:t+i.delay}))),cancelAnimationFrame(this.frame),this.frame=requestAnimationFrame(i=>this.draw(i))}stop(){cancelAnimationFrame(this.frame),this.running=[]}draw(e){if(e-this.drawn>=tt){this.drawn=e,this.running.filter(({begin:i})=>i<=e).forEach(({begin:i,duration:n,onWay:r})=>r?.(Se((e-i)/n))),this.running=this.running.filter(({begin:i,duration:n})=>e<i+n);for(let[i,n]of Object.entries(this.paths)){let a=this.running.filter(o=>o.kind===i&&o.begin<=e).map(({line:o,begin:h,duration:d})=>Me(o,Se((e-h)/d),et));n.setAttribute("d",a.map(G).join(""))}}this.running.length>0&&(this.frame=requestAnimationFrame(t=>this.draw(t)))}};function Se(s){let e=1-Math.min(1,s);return s<.5?2*s*s:1-2*e*e}var $e=300,Ae={"×":"M-7-7L7 7M-7 7L7-7","+":"M-9 0H9M0-9V9","−":"M-9 0H9"},it=()=>matchMedia("(prefers-reduced-motion: reduce)").matches,nt=s=>s.length>1||s[0].endsWith("]"),Le=s=>`[${s.join(", ")}]`,rt=({sign:s,after:e})=>s==="^"&&e==="2",Pe=({sign:s,before:e,after:t})=>[e,s,t].filter(i=>i!=="").join(" "),W=class{constructor(e,t,i,n){this.graph=e;this.places=t;let[r,a,o]=[u("g",{},i),u("g",{},i),u("g",{},i)];this.pulses=new H(n);let h=this.depths();t.roads.forEach(d=>{this.road(d,r,h),this.label(d,o)}),e.leaves.forEach((d,l)=>this.leaf(l,a)),e.data.forEach((d,l)=>this.data(l,a)),e.operations.forEach((d,l)=>this.operation(l,a)),this.result(a)}graph;places;hands=[];operations=[];updates=[];ways=[];pulses;update(e){this.updates.forEach(t=>t(e))}wave(e){if(it())return;let t=new Set([`l${e}`]);this.places.roads.forEach(()=>{this.places.roads.filter(({from:i})=>t.has(i)).forEach(({to:i})=>t.add(i))}),this.pulses.start(this.ways.filter(({kind:i,from:n})=>i==="back"||t.has(n)))}remove(){this.pulses.stop()}box(e){return ne(this.places,e)}depths(){let e=new Map;return this.places.roads.forEach(()=>{this.places.roads.forEach(({from:t,to:i})=>{e.set(i,Math.max(e.get(i)??0,(e.get(t)??0)+1))})}),e}road(e,t,i){let n=ve(this.places,e.id),r=e.width===0,a=e.to[0]==="f",o=B(se(n,r?0:-4.5),2,a?0:9);if(u("path",{class:r?"value data":"value",d:G(o)},t),!a)u("path",{class:r?"head data":"head",d:oe(o)},t);else{let{x:M,y:S,width:k,height:y}=this.box(e.to);u("circle",{class:"fork",cx:M+k/2,cy:S+y/2,r:k/2},t)}if(r)return;let h=e.from[0]==="f",d=B(se(n.slice().reverse(),-4.5),2,h?2:9),l=u("path",{class:"grad-road",d:G(d)},t),c=h?void 0:u("path",{class:"grad-head",d:oe(d)},t);this.updates.push(({edges:M})=>{let S=e.edges.flatMap(E=>M[E][1].map(Number)),k=Math.max(0,...S.map(Math.abs))||0,y=S.length===0&&F(this.graph.edges[e.edges[0]].shape)>0;x(l,{"stroke-width":(1.1+2.3*Math.min(1,k/1.5)).toFixed(1)}),[l,c].forEach(E=>E&&(E.style.display=y?"none":""))});let p=$e/(i.get("r")??1),[f,g]=[i.get(e.from)??0,i.get(e.to)],v=(g-f)*p,{from:A}=e;this.ways.push({from:A,line:o,kind:"forward",delay:f*p,duration:v}),this.ways.push({from:A,line:d,kind:"back",delay:2*$e-g*p,duration:v})}label({id:e,from:t,to:i,edges:n,rows:r,width:a},o){if(a===0)return;let{x:h,y:d,width:l,height:c}=this.box(e),[p,f]=[h+l/2,d+c/2],{name:g,shape:v}=this.graph.edges[n[0]],A=F(v),S=(t[0]==="o"&&i!=="r"?Array.from({length:r},(y,E)=>E):[]).map(y=>{let E={class:"label",x:p,y:f-4.5-6-(r-1-y)*16},P=u("text",E,o);return{named:u("tspan",{class:"name"},P,y===0?g:""),number:u("tspan",{},P)}}),k=Array.from({length:r},(y,E)=>u("text",{class:"label grad strong",x:p,y:f+4.5+16+E*16},o));this.updates.push(y=>{let[E]=y.edges[n[0]];S.forEach(({named:N,number:R},L)=>{let w=A===0?Le(v??[]):E.length>L?b(Number(E[L])):"";$(R,N.textContent&&w?` = ${w}`:w)});let P=n.map(N=>y.edges[N][1].map(Number)).filter(({length:N})=>N>0);k.forEach((N,R)=>{let L=P.map(T=>T[R]),w=L.reduce((T,V)=>T+V,0);$(N,L.length===0?"":i[0]==="f"&&r===1&&L.length>1?be(L):b(w))})})}leaf(e,t){let{x:i,y:n,width:r,height:a}=this.box(`l${e}`),{name:o,entries:h}=this.graph.leaves[e],d=u("g",{},t);u("rect",{class:"leaf",x:i+1,y:n,width:r-2,height:a,rx:9},d),u("text",{class:"leaf-name",x:i+14,y:n+25},d,o);let l=nt(h);l?u("text",{class:"key",x:i+r-14,y:n+24,"text-anchor":"end"},d,"value, grad"):u("text",{class:"key grad",x:i+14,y:n+82},d,"grad"),h.forEach((c,p)=>this.hand(e,p,l,d))}hand(e,t,i,n){let{x:r,y:a,width:o}=this.box(`l${e}`),{entries:h,limit:d}=this.graph.leaves[e],l=i?a+32+44*t:a,c=i?l+17:a+48,p=i?[r+42,r+o-66]:[r+18,r+o-18],f=r+o-14,g={role:"slider",tabindex:0,"aria-label":h[t],"aria-valuemin":-d,"aria-valuemax":d},v=u("g",{class:"hand",...g},n),A=i?{y:l,height:42}:{y:a+5,height:82};if(u("rect",{class:"frame",x:r+6,width:o-12,rx:6,...A},v),u("rect",{class:"hit",x:p[0]-10,y:c-12,width:p[1]-p[0]+20,height:24},v),i){let L=h[t].slice(h[t].lastIndexOf("["));u("text",{class:"key",x:r+12,y:c+4},v,L)}u("line",{class:"track",x1:p[0],x2:p[1],y1:c,y2:c},v);let M=(p[0]+p[1])/2;u("line",{class:"zero",x1:M,x2:M,y1:c-5,y2:c+5},v);let S=u("path",{class:"slope-arrow"},v),k=u("circle",{class:"thumb",r:i?6:7.5,cy:c},v),y=i?l+15:a+27,E=u("rect",{class:"hit",x:f-62,y:y-20,width:72,height:28},v),P=u("text",{class:i?"number small":"number",x:f,y},v),N=u("line",{class:"underline",x1:f-(i?36:50),x2:f,y1:y+5.5,y2:y+5.5},v),R=u("text",{class:i?"grad-value small":"grad-value",x:f,y:i?l+34:a+82},v);this.hands.push({root:v,leaf:e,index:t,track:p,number:[E,P,N]}),this.updates.push(({leaves:L})=>{let w=L[e][0][t],T=L[e][1],V=T===null?void 0:Number(T[t]),me=M+w/d*((p[1]-p[0])/2);x(k,{cx:me}),$(P,b(w,Math.abs(w*100-Math.round(w*100))>1e-6?3:2)),$(R,V===void 0?`None: no path to ${this.graph.result}`:b(V,i?3:4)),R.classList.toggle("none",V===void 0),x(S,{d:V===void 0?"":st(me,c+(i?12:14),V)}),x(v,{"aria-valuenow":w,"aria-valuetext":ye(w,V,this.graph.result)})})}data(e,t){let{x:i,y:n,width:r,height:a}=this.box(`d${e}`),{name:o,shape:h}=this.graph.data[e],d=F(h);u("rect",{class:"data-card",x:i,y:n,width:r,height:a,rx:4},t),u("text",{class:"data-name",x:i+10,y:n+a/2+5},t,o);let l=Array.from({length:Math.max(d,1)},(c,p)=>u("text",{class:"data-value",x:i+r-10,y:n+22+p*20},t));this.updates.push(({data:c})=>{l.forEach((p,f)=>$(p,d===0?Le(h):b(Number(c[e][f]))))})}operation(e,t){let i=this.box(`o${e}`),n=this.graph.operations[e],[r,a]=[i.x+i.width/2,i.y+i.height/2],[o,h,d]=[i.x,i.width,i.width<49?46:42],l=u("g",{class:"operation",tabindex:0,role:"img","aria-label":Pe(n)},t);u("rect",{class:"pill",x:o,y:a-d/2,width:h,height:d,rx:d/2},l);let c=Pe(n);rt(n)?(u("rect",{class:"sign base",x:r-11,y:a-5,width:14,height:14,rx:1.5},l),u("text",{class:"power",x:r+6,y:a-3},l,"2")):c in Ae?u("path",{class:"sign",d:Ae[c],transform:`translate(${r} ${a})`},l):u("text",{class:"word",x:r,y:a+6},l,c),u("title",{},l,n.name),this.operations.push(l)}result(e){let{x:t,y:i,width:n,height:r}=this.box("r");u("rect",{class:"result",x:t,y:i,width:n,height:r,rx:9},e),u("text",{class:"result-name",x:t+12,y:i+25},e,this.graph.result);let a=u("text",{class:"result-value",x:t+n-12,y:i+52},e);this.updates.push(({result:o})=>$(a,b(Number(o),4)))}};function st(s,e,t){if(!(Math.abs(t)>=.005))return`M${s-2.5},${e}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0Z`;let i=Math.sign(t),n=s+i*Math.min(46,Math.abs(t)*26);return`M${s},${e-1.3}H${n}V${e-4.6}L${n+i*8},${e}L${n},${e+4.6}V${e+1.3}H${s}Z`}function Te(s,e,t){let i=e-t.width,r=Object.keys(s.boxes).map(o=>ne(s,o)).filter(o=>o.x+o.width>i-8).map(o=>o.y+o.height),a=Object.values(s.lines).flat().filter(([o])=>o>i-8);return{x:i,y:Math.max(0,...r,...a.map(([,o])=>o+4.5))+14}}var C={width:320,height:158},[Ge,Oe,at]=[22,26,20],ot=0,q=class{title=u("tspan");note=u("tspan",{class:"grad strong",dx:12});zero=u("line",{class:"axis"});ticks;drop=u("line",{class:"drop"});curve=u("path",{class:"curve"});tangent=u("line",{class:"tangent"});gap=u("line",{class:"gap"});slope=u("line",{class:"slope"});from=u("circle",{class:"from",r:4.5});predicted=u("path",{class:"predicted",d:"M0,-6L6,0L0,6L-6,0Z"});now=u("circle",{class:"now",r:5});area;constructor(e,t,i){let n=C.width-Ge-6,r=C.height-Oe-at,a=this.area={x:t+Ge,y:i+Oe,width:n,height:r},o=u("g",{"aria-hidden":"true"},e);u("text",{x:a.x,y:i+13,class:"label-left"},o).append(this.title,this.note);let[h,d]=[a.y+r,a.x+n];u("line",{class:"axis",x1:a.x,x2:d,y1:h,y2:h},o),u("line",{class:"axis",x1:a.x,x2:a.x,y1:a.y,y2:h},o),x(this.zero,{x1:a.x,x2:d});let l=["start","middle","end","end","middle"];this.ticks=l.map(g=>u("text",{class:"tick","text-anchor":g,y:h+14})),this.ticks[4].classList.add("dragged");let c=`minigrad-plot-${ot++}`,p=u("clipPath",{id:c},o);u("rect",{x:a.x,y:a.y-4,width:n,height:r+8},p);let f=u("g",{"clip-path":`url(#${c})`},o);f.append(this.drop,this.curve,this.tangent,this.gap,this.slope),o.append(this.zero,...this.ticks),f.append(this.from,this.predicted,this.now)}draw(e,t,i,n,r,a){let{x:o,y:h,width:d,height:l}=this.area,c=(e?.points??[]).map(([w,T])=>[w,T===null?NaN:Number(T)]),[p,f]=dt([...c.map(([,w])=>w),r.result,a.result]),g=w=>o+(w+t)/(2*t)*d,v=w=>h+l-(w-p)/(f-p)*l;x(this.curve,{d:lt(c,g,v)});let A=w=>v(r.result+r.grad*(w-r.value)),M=r.value!==a.value,S=!Number.isNaN(r.grad),[k,y,E]=[g(a.value),v(a.result),A(a.value)];j(M,this.from),j(M&&S,this.predicted,this.gap),j(S,this.tangent,this.slope),x(this.from,{cx:g(r.value),cy:v(r.result)}),S&&(x(this.tangent,I(g(-t),A(-t),g(t),A(t))),x(this.predicted,{transform:`translate(${k} ${E})`}),x(this.gap,I(k,y,k,E))),x(this.now,{cx:k,cy:y}),x(this.drop,I(k,y,k,h+l));let P=(a.grad||0)*l*2*t/((f-p)*d),N=M?13/Math.hypot(1,P):0;x(this.slope,I(k-N,y+N*P,k+N,y-N*P)),$(this.title,`${n} as ${i} moves`);let R=`grad at ${b(r.value)} was ${b(r.grad)}`,L=M?`the line: ${R}`:`slope = grad = ${b(r.grad)}`;$(this.note,S?L:"grad None: no path back"),this.label(t,i,k,p<0&&f>0?v(0):NaN)}label(e,t,i,n){let{x:r,width:a,y:o}=this.area,h=r+a/2;[r,h,r+a].forEach((l,c)=>{$(this.ticks[c],b((c-1)*e,0)),this.ticks[c].setAttribute("x",`${l}`)}),j(!Number.isNaN(n),this.zero,this.ticks[3]),x(this.zero,{y1:n||o,y2:n||o}),x(this.ticks[3],{x:r-5,y:(n||o)+4}),$(this.ticks[3],"0"),$(this.ticks[4],t);let d=Math.min(r+a-30,Math.max(r+30,i));this.ticks[4].setAttribute("x",`${d}`),j(Math.abs(d-h)>=24,this.ticks[1])}};function dt(s){let e=s.filter(Number.isFinite),[t,i]=[Math.min(...e),Math.max(...e)];if(e.length===0)return[-1,1];let n=Math.max(1,Math.abs(i)*.05);if(i-t<n){let a=(i+t)/2;[t,i]=[a-n/2,a+n/2]}let r=(i-t)*.08;return[t-r,i+r]}function j(s,...e){e.forEach(t=>t.style.display=s?"":"none")}function lt(s,e,t){let i=!0;return s.map(([n,r])=>{let a=i?"M":"L";return i=!Number.isFinite(r),i?"":`${a}${e(n).toFixed(1)},${t(r).toFixed(1)}`}).join("")}function I(s,e,t,i){return{x1:s,y1:e,x2:t,y2:i}}var le="http://www.w3.org/1998/Math/MathML",ht=new Set(["display","fence","form","lspace","mathvariant","rspace","separator","stretchy"]);function m(s,e={},t=""){let i=document.createElement(s);return Object.entries(e).forEach(([n,r])=>i.setAttribute(n,r)),i.textContent=t,i}function ze({title:s,sentence:e,mathematics:t,rows:i},n){let r=m("section",{class:"panel",role:"region","aria-label":`About ${s}`}),a=m("button",{type:"button","aria-label":"Close",title:"Close (Esc)"},"×");if(a.addEventListener("click",n),r.append(a,m("h4",{},s)),e&&r.append(m("p",{},e)),t){let h=m("div",{class:"formula"});h.append(...ct(t)),r.append(h)}let o=m("dl");for(let[h,d]of i)o.append(m("dt",{},h),m("dd",{},d));return r.append(o),r}function ct(s){let e=`<mrow xmlns="${le}">${s}</mrow>`;return[...new DOMParser().parseFromString(e,"application/xml").documentElement.childNodes].flatMap(Re)}function Re(s){if(s.nodeType===Node.TEXT_NODE)return[document.createTextNode(s.textContent??"")];if(!(s instanceof Element)||s.namespaceURI!==le||!s.localName.startsWith("m"))return[];let e=document.createElementNS(le,s.localName);for(let{name:t,value:i}of s.attributes)ht.has(t)&&e.setAttribute(t,i);return e.append(...[...s.childNodes].flatMap(Re)),[e]}var ut="The kernel has gone, so these numbers can't be moved. Run the cell again.",mt="Drag a number and let go: here you'll read how far the result moved, and what its gradient predicted.",Ve={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1,PageUp:5,PageDown:-5},pt=700,gt=330,ft=[4,12],Ce=.66,U=class{constructor(e){this.model=e;let t=m("div",{class:"bar"}),i=m("p",{class:"hint"});i.append("Drag a blue number or its slider. ",m("b",{},"Values run forward, gradients run back.")),i.append(m("span",{}," An orange arrow points where the result rises."));let n=m("button",{type:"button"},"Reset");n.addEventListener("click",()=>this.reset()),t.append(i,n);let r=m("div",{class:"say"});r.append(this.sentence,this.bars);let a=fe+K(".minigrad-nudge",e.get("themes"));this.root.append(m("style",{},a),this.alert,this.frame,t,r,this.news),this.values=this.numbers.leaves.map(([c])=>c.slice()),this.idle();let o=()=>this.onAnswer();e.on("change",o);let[h,d]=[c=>this.onMove(c),()=>this.onEnd()];addEventListener("pointermove",h),addEventListener("pointerup",d),addEventListener("pointercancel",d);let l=new ResizeObserver(c=>{this.room=Math.floor(c.at(-1).contentRect.width),this.build()});l.observe(this.frame),this.endings.push(()=>e.off("change",o),()=>removeEventListener("pointermove",h),()=>removeEventListener("pointerup",d),()=>removeEventListener("pointercancel",d),()=>l.disconnect(),D(e.widget_manager?.kernel,()=>this.gone()))}model;root=m("section",{class:"minigrad-nudge","aria-label":"Nudge"});alert=m("p",{role:"alert",class:"alert"});frame=m("div",{class:"picture"});sentence=m("p",{class:"sentence"});bars=m("div",{class:"bars","aria-hidden":"true"});news=m("div",{class:"unseen",role:"status","aria-live":"polite"});endings=[];picture;plot;svg=u("svg");drawn=[void 0,0];values;selected=[0,0];start;moving=!1;drag;burst=0;lastWave=0;turn=Math.floor(Math.random()*1e9);waiting=!1;asked=0;moves=new Map;wishes={};room=0;frameAsked=0;remove(){this.endings.forEach(e=>e()),this.picture?.remove()}get numbers(){return this.model.get("numbers")}build(){let[e,t]=[this.model.get("graph"),this.room],[i,n]=this.drawn;if(t===0||e===i&&t===n)return;this.drawn=[e,t];let r=this.model.get("layouts"),a=r.find(({width:o})=>o<=t)??r.at(-1);if(a===void 0){this.alert.textContent="There is no Graphviz to draw with: pip install pygraphviz";return}this.show(e,a,t),this.svg.classList.toggle("tight",a.tight)}show(e,t,i){let n=this.picture?.hands.findIndex(({root:c})=>c===document.activeElement)??-1,r=Math.max(t.width,Math.min(i,t.width+C.width),C.width),a=Te(t,Math.min(r,i/Ce),C),o=Math.ceil(Math.max(t.height,a.y+C.height)),h=`0 0 ${r} ${o}`;this.svg=u("svg",{viewBox:h,role:"group"});let d=u("svg",{viewBox:h,class:"above","aria-hidden":"true"}),l=m("div",{class:"both"});l.style.width=`${Math.min(r,Math.max(i,r*Ce))}px`,l.append(this.svg,d),this.plot=new q(this.svg,a.x,a.y),this.picture?.remove(),this.picture=new W(e,t,this.svg,d),this.frame.replaceChildren(l),this.picture.hands.forEach(c=>this.bind(c)),this.picture.operations.forEach((c,p)=>this.explain(c,p)),this.update(),this.picture.hands[n]?.root.focus()}bind(e){let{root:t,leaf:i,index:n}=e;t.addEventListener("pointerdown",r=>{if(r.button===0){r.preventDefault(),t.focus({preventScroll:!0}),this.begin([i,n]),t.classList.add("on","by-mouse");let a=e.number.includes(r.target);this.drag={hand:e,x:r.clientX,value:this.values[i][n],onNumber:a},this.onMove(r)}}),t.addEventListener("dblclick",()=>this.resetOne([i,n])),t.addEventListener("keydown",r=>this.onKey(r,[i,n])),t.addEventListener("focus",()=>this.drag??this.select([i,n])),t.addEventListener("blur",()=>t.classList.remove("by-mouse"))}onMove({clientX:e,shiftKey:t}){if(this.drag===void 0)return;let{hand:i,x:n,value:r,onNumber:a}=this.drag,o=this.limit([i.leaf,i.index]);if(a){let f=t?.1:1;this.set([i.leaf,i.index],r+(e-n)*.01*f*this.unit(o),t?3:2);return}let{left:h,width:d}=this.svg.getBoundingClientRect(),l=(e-h)*this.svg.viewBox.baseVal.width/d,[c,p]=i.track;this.set([i.leaf,i.index],-o+(l-c)/(p-c)*2*o)}onEnd(){this.drag!==void 0&&this.finish()}onKey(e,t){if(e.ctrlKey||e.metaKey||e.altKey)return;let[i,n]=t,r=this.limit(t);if(e.key==="Escape")this.cancel(t);else if(e.key in Ve){let a=Ve[e.key]*this.unit(r)*(e.shiftKey?.01:.1);this.press(t,this.values[i][n]+a)}else if(e.key==="Home"||e.key==="End")this.press(t,e.key==="Home"?-r:r);else if(e.key==="Delete"||e.key==="Backspace")this.press(t,this.model.get("graph").leaves[i].first[n]);else return;this.picture?.hands.forEach(({root:a})=>a.classList.remove("by-mouse")),e.preventDefault(),e.stopPropagation()}press(e,t){this.burst===0&&this.begin(e),clearTimeout(this.burst),this.set(e,t),this.burst=window.setTimeout(()=>this.finish(),pt)}limit([e]){return this.model.get("graph").leaves[e].limit}unit(e){return 10**Math.max(0,Math.floor(Math.log10(e/2)))}select(e){`${e}`!=`${this.selected}`&&(this.rest(),this.selected=e,this.start=void 0,this.idle(),this.ask({curve:e}),this.update())}begin(e){this.select(e),this.moving=!0,this.start=this.placeOf(e),this.ask({curve:e})}placeOf([e,t]){let{leaves:i,result:n}=this.numbers;return{value:i[e][0][t],result:Number(n),grad:Number(i[e][1]?.[t]??NaN)}}set([e,t],i,n=2){let r=this.limit([e,t]),a=Number(Math.min(r,Math.max(-r,i)).toFixed(n));if(a===this.values[e][t])return;this.values[e][t]=a,this.moves.set(`${e},${t}`,[e,t,a]),this.ask({});let o=performance.now();o-this.lastWave>gt&&(this.lastWave=o,this.picture?.wave(e)),this.refresh()}rest(){clearTimeout(this.burst),this.picture?.hands.forEach(({root:e})=>e.classList.remove("on")),[this.burst,this.moving,this.drag]=[0,!1,void 0]}finish(){this.rest(),this.update(),this.announce()}cancel(e){this.moving&&this.start!==void 0&&(this.set(e,this.start.value,6),this.rest(),this.start=void 0,this.idle(),this.update())}resetOne(e){this.begin(e),this.set(e,this.model.get("graph").leaves[e[0]].first[e[1]],6),this.finish()}reset(){this.values=this.model.get("graph").leaves.map(({first:e})=>e.slice()),this.start=void 0,this.moves.clear(),this.idle(),this.ask({reset:!0,curve:this.selected}),this.refresh(),this.values.forEach((e,t)=>this.picture?.wave(t)),this.news.textContent="All numbers are back where they were."}ask(e){if(this.wishes={...this.wishes,...e},this.waiting)return;let t=[...this.moves.values()];if(!(t.length===0&&Object.keys(this.wishes).length===0)){this.waiting=!0,this.asked=performance.now(),this.model.send({...this.wishes,moves:t,turn:++this.turn});for(let i of ft)setTimeout(()=>this.waiting&&this.model.send({ping:!0}),i);this.wishes={},this.moves.clear()}}onAnswer(){let{turn:e,leaves:t,error:i}=this.numbers,n=this.waiting&&e===this.turn;if(this.alert.textContent=i,n&&(this.waiting=!1),!this.waiting&&this.moves.size===0&&!("reset"in this.wishes)&&(this.values=t.map(([r])=>r.slice())),this.update(),this.build(),n){let r=this.asked;requestAnimationFrame(()=>performance.measure("minigrad: nudge",{start:r,end:performance.now()})),this.ask({}),this.announce()}}refresh(){cancelAnimationFrame(this.frameAsked),this.frameAsked=requestAnimationFrame(()=>this.update())}update(){cancelAnimationFrame(this.frameAsked);let e=this.numbers,t=e.leaves.map(([,p],f)=>[this.values[f],p]);this.picture?.update({...e,leaves:t});let[i,n]=this.selected,{leaves:r,result:a}=this.model.get("graph"),o=this.model.get("curve"),h=o.leaf===i&&o.index===n?o:void 0,d=this.placeOf(this.selected),l=this.start??d;this.plot?.draw(h,this.limit(this.selected),r[i].entries[n],a,l,d),this.svg.setAttribute("aria-label",this.model.get("outline"));let c=this.move;c!==void 0&&this.tell(c)}get move(){let e=this.placeOf(this.selected);if(this.start===void 0||this.start.value===e.value)return;let{leaves:t,result:i}=this.model.get("graph"),n=e.value-this.start.value;return{name:t[this.selected[0]].entries[this.selected[1]],by:n,result:i,moved:e.result-this.start.result,predicted:this.start.grad*n}}tell(e){let[t,i]=re(e);this.sentence.className="sentence",this.sentence.replaceChildren(`${t} `,m("b",{},i));let n=[["moved",e.moved],["predicted",e.predicted]].filter(([,a])=>!Number.isNaN(a)),r=Math.max(...n.map(([,a])=>Math.abs(a)))||1;this.bars.replaceChildren(...n.flatMap(([a,o])=>{let h=m("span",{class:`bar-${a}`});h.style.width=`${Math.max(1,Math.abs(o)/r*120)}px`;let d=m("span",{class:"bar-row"});return d.append(h,m("span",{class:`bar-text ${a}`},b(o,4))),[m("span",{class:`bar-text ${a}`},a),d]}))}announce(){let e=this.move;e!==void 0&&!this.moving&&!this.waiting&&(this.news.textContent=re(e).join(" ")+xe(e))}idle(){this.sentence.className="sentence idle",this.sentence.textContent=mt,this.bars.replaceChildren()}explain(e,t){let i=()=>{let{edges:a,operations:o}=this.model.get("graph"),h=this.numbers.edges.map(([,g])=>g.map(Number)),d=a.flatMap(({from:g},v)=>g===`o${t}`?[h[v]]:[]),l=a.flatMap(({to:g,name:v,factor:A,from:M,data:S},k)=>g===`o${t}`&&!S?[{name:v||o[Number(M.slice(1))].sign,factor:A,passed:h[k]}]:[]),{sign:c}=o[t],p=[...d,...l.map(({passed:g})=>g)].every(({length:g})=>g===1),f=d.reduce((g,[v])=>g+v,0);return p?we(c,f,l.map(g=>({...g,passed:g.passed[0]}))):`${c} passes back to each entry of its inputs what arrives times its own slope there.`},n=()=>{this.drag===void 0&&(this.sentence.className="sentence",this.sentence.textContent=i(),e.setAttribute("aria-label",i()),this.bars.replaceChildren())},r=()=>this.move===void 0?this.idle():this.tell(this.move);["pointerenter","focus"].forEach(a=>e.addEventListener(a,n)),["pointerleave","blur"].forEach(a=>e.addEventListener(a,r))}gone(){this.alert.textContent=ut,this.root.classList.add("gone"),this.picture?.hands.forEach(({root:e})=>x(e,{"aria-disabled":"true",tabindex:-1}))}};function O({x:s,y:e,width:t,height:i}){return{x:s+t/2,y:e+i/2}}function Be(s,e){let t=[...e.keys()].filter(r=>s.has(r)),i=new Set;return t.forEach((r,a)=>{for(let o of t.slice(a+1))vt(n(r),n(o))&&i.add(r).add(o)}),new Set(t.filter(r=>!i.has(r)));function n(r){return[s.get(r),e.get(r)]}}function vt(s,e){let t=n("x","width"),i=n("y","height");return Math.max(0,t[0],i[0])<Math.min(1,t[1],i[1]);function n(r,a){let o=[0,1].map(f=>O(s[f])[r]-O(e[f])[r]),[h,d]=[o[0],o[1]-o[0]],l=f=>Math.max(f[0][a],f[1][a]),c=(l(s)+l(e))/2;if(Math.abs(d)<1e-6)return Math.abs(h)<c?[-1/0,1/0]:[1,0];let p=[(-c-h)/d,(c-h)/d];return[Math.min(...p),Math.max(...p)]}}var bt={ArrowLeft:{x:-1,y:0},ArrowRight:{x:1,y:0},ArrowUp:{x:0,y:-1},ArrowDown:{x:0,y:1}};function He(s,e,t){let i=bt[t],n=s.get(e);if(i===void 0||n===void 0)return;let r=O(n),[a,o]=[void 0,1/0];for(let[h,d]of s){let l=O(d),[c,p]=[l.x-r.x,l.y-r.y],f=c*i.x+p*i.y,g=Math.abs(c*i.y)+Math.abs(p*i.x);f>1&&f+2*g<o&&([a,o]=[h,f+2*g])}return a}var Z=class{root=m("label",{class:"lines"},"Made by ");list=m("select");lines=[];constructor(e){this.root.append(this.list),this.list.addEventListener("change",e)}offer(e){let t=this.list.value;this.lines=e,this.root.hidden=e.length===0;let i=e.map(([n])=>m("option",{value:n},n));this.list.replaceChildren(m("option",{value:""},"any line"),...i),this.list.value=e.some(([n])=>n===t)?t:""}get chosen(){return this.list.value||void 0}mark({svg:e,groups:t}){let i=new Set(this.lines.find(([n])=>n===this.chosen)?.[1]);e.classList.toggle("marked",this.chosen!==void 0);for(let n of t.values())n.setAttribute("aria-current",`${i.has(n.dataset.part??"")}`);return[...t.values()].filter(n=>i.has(n.dataset.part??""))}};var _e=`.minigrad-live {
  --sans: Helvetica, Arial, "Liberation Sans", "DejaVu Sans", sans-serif;
  --mono: Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace;
  position: relative;
  box-sizing: border-box;
  max-width: 100%;
  border: 1px solid var(--minigrad-frame);
  border-radius: 8px;
  background: var(--minigrad-background);
  color: var(--minigrad-text);
  font: 13px / 1.45 var(--sans);
}
.minigrad-live.pinned {
  position: fixed;
  z-index: 10;
  overflow: auto;
}
.minigrad-live :is(.empty:empty, .alert:empty, .place:empty, .lines[hidden]),
.minigrad-live.undrawn .picture {
  display: none;
}
.minigrad-live :is(.empty, .alert) {
  margin: 0;
  padding: 8px 12px;
}
.minigrad-live .alert {
  border-bottom: 1px solid var(--minigrad-frame);
  color: var(--minigrad-warning);
}
.minigrad-live .body {
  display: flex;
  flex-wrap: wrap;
  align-items: flex-start;
}
.minigrad-live .seen {
  flex: 1 1 auto;
  min-width: 0;
}
.minigrad-live .picture {
  max-height: max(300px, 100vh - 260px);
  overflow: auto;
}
.minigrad-live .place {
  position: sticky;
  top: 0;
  flex: 1 1 200px;
  min-width: 0;
  max-width: 480px;
}

.minigrad-live svg {
  display: block;
  overflow: visible;
}
.minigrad-live g.box[tabindex] {
  cursor: pointer;
  outline: none;
}
.minigrad-live g.box:focus-visible {
  outline: 2px solid var(--minigrad-leaf);
  outline-offset: 3px;
}
.minigrad-live .minigrad-picture g.box:is([aria-expanded="true"], [aria-current="true"]) .frame:not(.heat) {
  stroke-width: 3;
}
.minigrad-live svg.marked g:is(.box[aria-current="false"], .road) {
  opacity: 0.4;
}

/* A gradient on its way: what it hasn't reached isn't there yet. */
.minigrad-live :is([data-grad="waiting"] .lane.back, [data-grad] .tip.back),
.minigrad-live :is([data-grad="waiting"], [data-grad="sent"]) :is(text.grad, .heat.grad) {
  visibility: hidden;
}
.minigrad-live .pulse {
  fill: none;
  stroke: var(--minigrad-grad);
  stroke-linecap: round;
  stroke-width: 4.5;
}
.minigrad-live .minigrad-picture .token {
  fill: var(--minigrad-background);
  stroke: var(--minigrad-grad);
  stroke-linejoin: round;
  stroke-width: 13;
  paint-order: stroke;
  font: bold 12.5px var(--sans);
}
.minigrad-live .operation.landed .frame {
  animation: minigrad-ring 300ms ease-out;
}
.minigrad-live .landed :is(text.grad, .heat.grad) {
  stroke: transparent;
  stroke-linejoin: round;
  stroke-width: 12;
  paint-order: stroke;
  animation: minigrad-flash 700ms ease-out;
}
@keyframes minigrad-ring {
  from {
    stroke: var(--minigrad-grad);
    stroke-width: 7;
  }
}
@keyframes minigrad-flash {
  from {
    stroke: color-mix(in srgb, var(--minigrad-grad) 45%, transparent);
  }
}

/* What is pointed at, or else what is new: one place for both, so that nothing moves. */
.minigrad-live .say {
  display: grid;
  min-height: 1.45em;
  max-height: 4.5em;
  overflow: auto;
  padding: 4px 12px;
  font-size: 14px;
}
.minigrad-live .say p {
  grid-area: 1 / 1;
  margin: 0;
  overflow-wrap: anywhere;
}
.minigrad-live .sentence:not(:empty) + p {
  visibility: hidden;
}

.minigrad-live .panel {
  margin: 8px 10px;
  padding: 8px 12px;
  border: 1px solid var(--minigrad-frame);
  border-radius: 6px;
  overflow-wrap: anywhere;
}
.minigrad-live .panel button {
  float: right;
}
.minigrad-live h4 {
  margin: 0 0 4px;
  font: bold 14px / 1.4 var(--mono);
}
.minigrad-live .panel :is(p, .formula) {
  margin: 0 0 8px;
  overflow-x: auto;
  font-size: 15px;
}
.minigrad-live dl {
  display: grid;
  grid-template-columns: max-content minmax(0, 1fr);
  align-items: baseline;
  gap: 2px 14px;
  max-height: 24em;
  margin: 0;
  overflow: auto;
}
/* JupyterLab has lists of its own look. */
.minigrad-live :is(dt, dd) {
  all: unset;
}
.minigrad-live dt {
  color: var(--minigrad-muted);
  white-space: nowrap;
}
.minigrad-live :is(dd, pre) {
  color: inherit;
  font: 12px / 1.5 var(--mono);
}

.minigrad-live .foot {
  display: flex;
  flex-wrap: wrap;
  align-items: baseline;
  gap: 0 1.5em;
  padding: 0 12px 6px;
  color: var(--minigrad-muted);
  font-size: 12px;
}
.minigrad-live .zoom {
  margin-left: auto;
  white-space: nowrap;
}
.minigrad-live output {
  display: inline-block;
  min-width: 3em;
}
.minigrad-live details[open] {
  flex-basis: 100%;
}
.minigrad-live pre {
  max-height: 20em;
  margin: 4px 0;
  overflow: auto;
  background: transparent;
  white-space: pre-wrap;
}
.minigrad-live :is(button, select) {
  max-width: 20em;
  border: 0;
  border-radius: 4px;
  padding: 1px 7px;
  background: var(--minigrad-background);
  color: inherit;
  font: inherit;
}
.minigrad-live :is(select, .framed) {
  border: 1px solid var(--minigrad-operation);
}
.minigrad-live :is(button, summary) {
  cursor: pointer;
}
.minigrad-live button:hover {
  background: var(--minigrad-operation_fill);
}
.minigrad-live :is(button, summary, pre, select):focus-visible {
  outline: 2px solid var(--minigrad-grad);
}
`;var yt=140,wt=320,kt=6e4,Et=150,X=class{constructor(e,t){this.frame=e;this.pan=t}frame;pan;picture;running=[];turn=0;async show(e,t){this.halt();let i=this.turn,n=this.picture;if(this.picture=e,this.settle(),n===void 0||!t||e.boxes.size>Et){this.place(e);return}n.svg.parentNode!==this.frame&&this.place(n);let[r,a]=[this.places(n),this.places(e)],o=Be(r,a),h=[...o].filter(g=>Mt(r.get(g),a.get(g))>.5),d=new Set([...e.roads.keys()].filter(g=>n.roads.has(g)));h.length>0&&d.clear();let l=[...Y(n.groups,o),...Y(n.roads,d)],c=[...Y(e.groups,o),...Y(e.roads,d)];if(await this.play(l,[{opacity:1},{opacity:0}]),this.turn!==i)return;this.frame.style.minHeight=`${this.frame.clientHeight}px`,this.place(e);let p=this.start(c,[{opacity:0},{opacity:0}],kt);if(await Promise.all(h.map(g=>{let v=this.away(e,r.get(g),a.get(g));return this.play([e.groups.get(g)],[{transform:v},{transform:"none"}],wt)})),this.turn!==i)return;let f=this.play(c,[{opacity:0},{opacity:1}]);p.forEach(g=>g.cancel()),await f,this.turn===i&&this.settle()}halt(){this.turn++,this.running.forEach(e=>e.finish()),this.picture?.svg.parentNode===this.frame&&this.settle()}settle(){this.running.forEach(e=>e.cancel()),this.running=[],this.frame.style.minHeight=""}start(e,t,i){let n={duration:i,easing:"ease-in-out",fill:"forwards"},r=e.map(a=>a.animate(t,n));return r.forEach(a=>a.finished.catch(()=>{})),this.running.push(...r),r}async play(e,t,i=yt){let n=this.start(e,t,i);await Promise.allSettled(n.map(r=>r.finished))}place(e){this.frame.replaceChildren(e.svg),this.pan.show(e)}places(e){let t=this.pan.scale(e),i=({x:n,y:r,width:a,height:o})=>({x:n*t,y:r*t,width:a*t,height:o*t});return new Map([...e.boxes].map(([n,r])=>[n,i(r)]))}away(e,t,i){let n=this.pan.scale(e)*e.unit,[r,a]=[O(t),O(i)];return`translate(${(r.x-a.x)/n}px, ${(r.y-a.y)/n}px)`}};function Mt(s,e){let[t,i]=[O(s),O(e)];return Math.hypot(i.x-t.x,i.y-t.y)}function Y(s,e){return[...s].filter(([t])=>!e.has(t)).map(([,t])=>t)}var[Ke,St]=[.02,4],je=1.25;function De(s,e,t){return Math.min(1,Math.max(t,e.width/s.width))}function Fe(s,e){let t=Math.min(1,e.width/s.width,e.height/s.height);return Math.max(Ke,t)}function he(s,e){let t=Math.log(s)/Math.log(je),i=e>0?Math.floor(t+.01)+1:Math.ceil(t-.01)-1;return Math.min(St,Math.max(Ke,je**i))}function ce(s,e,t,i){return(s+e)*i/t-e}var Nt=.7,$t=.5,J=class{constructor(e){this.frame=e;this.controls.append(this.button("−","Zoom out (-)",()=>this.by(-1)),this.percent,this.button("+","Zoom in (+)",()=>this.by(1)),this.button("Whole","Show the whole picture (0)",()=>this.all())),e.addEventListener("wheel",t=>this.onWheel(t),{passive:!1}),e.addEventListener("pointerdown",t=>this.onDrag(t)),this.room=this.measured(),this.resized.observe(e)}frame;controls=m("div",{class:"zoom",role:"group","aria-label":"Zoom"});percent=m("output",{"aria-label":"Zoom"});chosen;shown;resized=new ResizeObserver(()=>{this.room=this.measured(),this.fit()});room;remove(){this.resized.disconnect()}scale(e){let t=this.frame.closest(".pinned")?$t:Nt;return this.chosen??De(e,this.room,t/e.unit)}show(e){this.shown=e,this.frame.parentElement.style.flexBasis=`${e.width}px`,this.fit()}onKey(e){let i={"+":()=>this.by(1),"=":()=>this.by(1),"-":()=>this.by(-1),0:()=>this.all()}[e];return i?.(),i!==void 0}button(e,t,i){let n=m("button",{type:"button","aria-label":t,title:t},e);return n.addEventListener("click",i),n}measured(){let e=parseFloat(getComputedStyle(this.frame).maxHeight);return{width:this.frame.clientWidth||1/0,height:e||1/0}}fit(){if(this.shown!==void 0){let e=this.scale(this.shown);this.shown.svg.style.width=`${this.shown.width*e}px`,this.shown.svg.style.height=`${this.shown.height*e}px`,this.percent.textContent=`${Math.round(e*100)}%`}}by(e){let{width:t,height:i}=this.frame.getBoundingClientRect();this.to(n=>he(n,e),t/2,i/2)}all(){this.to((e,t)=>Fe(t,this.room),0,0)}to(e,t,i){if(this.shown===void 0)return;let n=this.scale(this.shown);this.chosen=e(n,this.shown);let{scrollLeft:r,scrollTop:a}=this.frame;this.fit(),this.frame.scrollLeft=ce(r,t,n,this.chosen),this.frame.scrollTop=ce(a,i,n,this.chosen)}onWheel(e){if(e.ctrlKey||e.metaKey){e.preventDefault();let{left:t,top:i}=this.frame.getBoundingClientRect(),n=e.deltaY<0?1:-1;this.to(r=>he(r,n),e.clientX-t,e.clientY-i)}}onDrag(e){let t=e.target instanceof Element&&e.target.closest("g.box")!==null;if(e.pointerType==="touch"||e.button!==0||t)return;let{scrollLeft:i,scrollTop:n}=this.frame,{clientX:r,clientY:a,pointerId:o}=e,h=l=>{this.frame.scrollLeft=i-l.clientX+r,this.frame.scrollTop=n-l.clientY+a};this.frame.setPointerCapture(o),this.frame.addEventListener("pointermove",h);let d=()=>this.frame.removeEventListener("pointermove",h);for(let l of["pointerup","pointercancel"])this.frame.addEventListener(l,d,{once:!0})}};function We(s,e){let t=new DOMParser().parseFromString(s,"image/svg+xml"),i=document.importNode(t.documentElement,!0);i.removeAttribute("style"),i.querySelectorAll("title, desc").forEach(c=>c.remove());let[n=0,r=0,a=1]=i.getAttribute("viewBox").split(" ").map(Number),[o,h]=[z(i,"width"),z(i,"height")],d=o/a,l={svg:i,width:o,height:h,unit:d,groups:new Map,boxes:new Map,roads:new Map};for(let c of i.querySelectorAll("g.road, g.fork")){let{from:p="",to:f=""}=c.dataset,g=c.querySelector("path, ellipse"),v=g?.getAttribute("d")??`${g?.getAttribute("cx")},${g?.getAttribute("cy")}`;c.setAttribute("aria-hidden","true"),l.roads.set([e[p],e[f],v].join(" "),c)}for(let c of i.querySelectorAll("g.box:not(.fork)")){let p=e[c.dataset.part]??c.dataset.part,{x:f,y:g,width:v,height:A}=At(c);c.dataset.key=p,l.groups.set(p,c),l.boxes.set(p,{x:(f-n)*d,y:(g-r)*d,width:v*d,height:A*d})}return l}function At(s){let e=[...s.querySelectorAll(".frame:not(.heat)")],t=[...s.querySelectorAll("text")],i=t.filter(l=>!l.hasAttribute("text-anchor")).map(l=>z(l,"x")),[n,r]=["x","y"].map(l=>Math.min(...e.map(c=>z(c,l)))),a=Math.max(...e.map(l=>z(l,"x")+z(l,"width"))),o=Math.max(...e.map(l=>z(l,"y")+z(l,"height"))),h=Math.max(0,...i.map(l=>n-l)),d=Math.max(o,...t.map(l=>z(l,"y")+4));return{x:n-h,y:r,width:a-n+2*h,height:d-r}}function z(s,e){return Number(s.getAttribute(e))}var Lt=.45,[Pt,Tt]=[280,620],ue,Q=class{constructor(e){this.root=e;let t=m("button",{type:"button"},"Put it back here");this.note.append(t);for(let i of[t,this.button])i.addEventListener("click",()=>{this.home===void 0?this.fix():this.release(),this.button.focus({preventScroll:!0})});this.name()}root;button=m("button",{type:"button",class:"framed"});note=m("p",{},"This graph is pinned at the right. ");resized=new ResizeObserver(()=>this.place());home;notebook;remove(){this.home!==void 0&&(this.release(),this.root.remove())}name(){let[e,t]=this.home?["Unpin","Put it back"]:["Pin","Keep the graph in sight beside the notebook"];Object.assign(this.button,{textContent:e,title:t})}fix(){ue?.release(),ue=this,this.home=this.root.parentElement,this.notebook=this.root.closest(".jp-WindowedPanel-outer")??document.body,this.home.append(this.note),document.body.append(this.root),this.root.classList.add("pinned"),this.resized.observe(this.notebook.parentElement),this.place(),this.name()}release(){ue=void 0,this.resized.disconnect(),this.notebook.style.maxWidth="",this.note.remove(),this.root.classList.remove("pinned"),this.root.removeAttribute("style"),this.home?.append(this.root),this.home=void 0,this.name()}place(){let{left:e,top:t,right:i,bottom:n}=this.notebook.parentElement.getBoundingClientRect(),r=Math.min(Tt,Math.max(Pt,(i-e)*Lt)),a={top:`${t}px`,left:`${i-r}px`,width:`${r}px`,maxHeight:`${n-t}px`};Object.assign(this.root.style,a,{display:i>e?"":"none"}),this.notebook.style.maxWidth=`calc(100% - ${r}px)`}};var Ie=125,Gt=1e3,Ot=8,ee=50;function zt(s,e){let t=e.map(a=>s.flat().includes(a[0]??"")?-1:0),i=new Set,n=t.includes(0)?1:0,r=a=>{let o=e.flatMap((h,d)=>t[d]===-1&&a(h)?[d]:[]);o.forEach(h=>t[h]=n),n+=o.length>0?1:0};for(let a of s)a.forEach(o=>i.add(o)),r(o=>o.length===1&&a.includes(o[0])),r(o=>o.length>1&&o.every(h=>i.has(h)));return t.map(a=>a===-1?n:a)}function Rt(s){return Math.min(Ie,Gt/(Math.max(0,...s)+1))}function Vt(s){let e=s.split(" = ").at(-1),[t=e,i]=s.split(" × ");return i===void 0?[e,e]:[t,e]}var te=class{constructor(e,{hops:t}){this.svg=e;let i=[...e.querySelectorAll("g.road:has(.lane.back)")],n=i.map(o=>o.dataset.edges.split(" ")),r=zt(t,n),a=Rt(r);this.layer=u("g",{"aria-hidden":"true"},e),this.pulses=new H(this.layer),this.runs=i.map((o,h)=>{let d=r[h];return{...{kind:"back",delay:d*a,duration:a},...this.run(o,n[h].length>1,r.indexOf(d)===h)}})}svg;layer;pulses;runs;arrivals=[];async start(){this.pulses.start(this.runs);let e=Math.max(0,...this.runs.map(({delay:t,duration:i})=>t+i));await new Promise(t=>setTimeout(t,e+Ie))}finish(){this.pulses.stop(),this.arrivals.forEach(e=>e()),this.layer.remove()}run(e,t,i){let n=e.querySelector(".lane.back"),r=this.svg.querySelector(`g.box[data-part="${e.dataset.from}"]`),a=Ee(n.getAttribute("d")),o=[...e.querySelectorAll("text.grad")].map(f=>f.textContent).join(""),[h,d]=Vt(o),l=u("text",{class:"token","text-anchor":"middle",dy:4.5},this.layer);x(e,{"data-grad":"waiting"}),x(r,{"data-grad":"waiting"});let c=()=>{x(n,{d:G(a)}),e.removeAttribute("data-grad"),r.removeAttribute("data-grad"),l.remove()};return this.arrivals.push(c),{line:a,onWay:f=>{if(f===1){c(),r.classList.add("landed");return}let g=B(a,0,ae(a)*(1-f)),v=f>=.5||t;x(e,{"data-grad":v?"known":"sent"}),x(n,{d:G(g)}),d.length<=Ot&&($(l,v?d:h),x(l,{...g.at(-1)})),i&&this.follow(g.at(-1))}}}follow(e){let[t,i]=[this.svg.parentElement,this.svg.viewBox.baseVal],[n,r]=[e.x-i.x,e.y-i.y].map(a=>a*this.svg.clientWidth/i.width);t.scrollLeft=Math.min(n-ee,Math.max(t.scrollLeft,n+ee-t.clientWidth)),t.scrollTop=Math.min(r-ee,Math.max(t.scrollTop,r+ee-t.clientHeight))}};var Ct="There is no Graphviz here to draw the picture. Below it is as text.",Bt="The kernel has gone, and with it these tensors: this is how they were last. Run the cell again.",ie=class{constructor(e){this.model=e;this.trips=e.get("travel")?.run??0,this.outline.append(m("summary",{},"As text"),this.text);let t=m("div",{class:"say"});t.append(this.sentence,this.news);let i=m("div",{class:"foot"});i.append(this.outline,this.lines.root,this.fold,this.pan.controls),e.widget_manager!==void 0&&i.append(this.pin.button);let[n,r]=[m("div",{class:"body"}),m("div",{class:"seen"})];r.append(this.frame,t),n.append(r,this.place);let a=e.get("stylesheet")+_e+K(".minigrad-live",e.get("themes"));this.root.append(m("style",{},a),this.alert,this.empty,n,i),this.frame.addEventListener("keydown",d=>this.onKey(d)),this.frame.addEventListener("click",d=>this.onClick(d)),this.frame.addEventListener("focusin",d=>this.onFocus(d)),this.frame.addEventListener("pointerover",d=>this.tell(d.target)),this.frame.addEventListener("pointerleave",()=>this.tell(document.activeElement)),this.fold.addEventListener("click",()=>this.unfold([])),this.root.addEventListener("keydown",d=>{d.key==="Escape"&&this.selected!==void 0&&(d.stopPropagation(),this.select(void 0))});let o=new IntersectionObserver(d=>this.visible=d.at(-1).isIntersecting);o.observe(this.root);let h=()=>{this.update()};e.on("change",h),this.endings.push(()=>o.disconnect(),()=>this.pan.remove(),()=>this.pin.remove(),()=>e.off("change",h),D(e.widget_manager?.kernel,()=>this.alert.textContent=Bt)),h()}model;root=m("div",{class:"minigrad-live"});frame=m("div",{class:"picture"});place=m("div",{class:"place"});empty=m("p",{class:"empty"});sentence=m("p",{class:"sentence","aria-live":"polite"});news=m("p",{role:"status","aria-live":"polite"});alert=m("p",{role:"alert",class:"alert"});text=m("pre",{tabindex:"0","aria-label":"The graph as text"});outline=m("details");fold=m("button",{type:"button",class:"framed"},"Fold again");lines=new Z(()=>this.tellOfLine());pan=new J(this.frame);stage=new X(this.frame,this.pan);pin=new Q(this.root);endings=[];focused;selected;opening;visible=!0;trips;travel;latest=0;remove(){this.endings.forEach(e=>e()),this.latest++}async update(){let e=++this.latest,t=performance.now(),[i,n,r]=[this.model.get("svg"),this.model.get("summary"),this.model.get("outline")];this.frame.setAttribute("aria-busy","true"),this.travel?.finish(),this.sentence.textContent="",this.text.textContent=r,this.news.textContent=this.model.get("news"),this.fold.hidden=this.model.get("unfolded").length===0,this.lines.offer(this.model.get("lines")),this.empty.textContent=i!==""?"":r===n?n:Ct,this.root.classList.toggle("undrawn",i===""),i===""?this.outline.open=!0:await this.show(i,e,t),e===this.latest&&this.frame.setAttribute("aria-busy","false")}async show(e,t,i){let n=We(e,this.model.get("parts")),r=this.frame.contains(document.activeElement);n.svg.setAttribute("role","group"),n.svg.setAttribute("aria-label",this.model.get("summary"));for(let[p,f]of n.groups)this.announce(p,f);let a=this.stage.picture?.groups,o=this.opening!==void 0&&e!==this.opening,h=o&&[...n.groups.keys()].find(p=>!a?.has(p));this.opening=o?void 0:this.opening,this.lines.mark(n);let d=!matchMedia("(prefers-reduced-motion: reduce)").matches&&this.visible,l=this.model.get("travel");this.travel=d&&l!==void 0&&l.run!==this.trips?new te(n.svg,l):void 0,this.trips=l?.run??0;let c=this.stage.show(n,d);this.rove(h||(n.groups.has(this.focused??"")?this.focused:void 0)),this.select(n.groups.has(this.selected??"")?this.selected:void 0),requestAnimationFrame(()=>performance.measure("minigrad: new picture",{start:i,end:performance.now()})),await c,t===this.latest&&((r||h)&&this.group(this.focused)?.focus({preventScroll:!h}),await this.travel?.start(),t===this.latest&&this.travel?.finish())}announce(e,t){let i=[...t.querySelectorAll("text")].map(d=>d.textContent),{title:n,rows:r,fold:a}=this.details(t)??{title:i.join(" "),rows:[]},o=r.find(([d])=>d==="kind")?.[1],h=a===void 0?"":", folded: press Enter to unfold";t.setAttribute("role","button"),t.setAttribute("aria-label",(o===void 0?n:`${n}, ${o}`)+h),t.setAttribute("aria-expanded",`${e===this.selected}`),t.setAttribute("tabindex","-1")}group(e){return e===void 0?void 0:this.stage.picture?.groups.get(e)}keyOf(e){return e instanceof Element?e.closest("g.box")?.dataset.key:void 0}details(e){return this.model.get("details")[e.dataset.part??""]}tellOfLine(){let t=(this.stage.picture===void 0?[]:this.lines.mark(this.stage.picture)).map(i=>this.details(i)?.title??"");this.news.textContent=this.lines.chosen===void 0?"":`Made there: ${t.join(", ")}`}rove(e){let t=this.stage.picture?.groups??new Map;this.group(this.focused)?.setAttribute("tabindex","-1"),this.focused=e??t.keys().next().value,this.group(this.focused)?.setAttribute("tabindex","0")}onFocus(e){let t=this.keyOf(e.target);t!==void 0&&(this.rove(t),this.tell(e.target))}tell(e){let t=this.group(this.keyOf(e));this.sentence.textContent=(t&&this.details(t)?.sentence)??""}onKey(e){let t=this.keyOf(e.target);if(t===void 0||e.ctrlKey||e.metaKey||e.altKey)return;if(e.key==="Enter"||e.key===" "){e.preventDefault(),this.open(t);return}if(this.pan.onKey(e.key)){e.preventDefault();return}let i=He(this.stage.picture.boxes,t,e.key);i!==void 0&&(e.preventDefault(),this.group(i)?.focus())}onClick(e){let t=this.keyOf(e.target);t!==void 0&&(this.group(t)?.focus({preventScroll:!0}),this.open(t===this.selected?void 0:t))}open(e){let t=this.group(e),i=t===void 0?void 0:this.details(t)?.fold;i===void 0?this.select(e):this.unfold([...this.model.get("unfolded"),i])}unfold(e){this.opening=this.model.get("svg"),this.model.set("unfolded",e),this.model.save_changes()}select(e){let t=this.place.contains(document.activeElement),i=this.selected;this.group(i)?.setAttribute("aria-expanded","false"),this.selected=e;let n=this.group(e);n?.setAttribute("aria-expanded","true");let r=n===void 0?void 0:this.details(n);this.place.replaceChildren(...r===void 0?[]:[ze(r,()=>this.select(void 0))]),t&&this.group(e??i)?.focus({preventScroll:!0})}};var Ht=({model:s,el:e})=>qe(new ie(s),e),Ui=({model:s,el:e})=>qe(new U(s),e);function qe(s,e){return ge(),e.append(s.root),()=>s.remove()}function Zi(s,e){let t=s[""],i=new Set;Ht({model:{get:r=>t[r],set(r,a){let o=r==="unfolded"?a.at(-1):void 0;t=s[o??""]},save_changes:()=>i.forEach(r=>r()),on:(r,a)=>{i.add(a)},off:(r,a)=>{i.delete(a)}},el:e})}export{Ui as nudge,Ht as render,Zi as standalone};
