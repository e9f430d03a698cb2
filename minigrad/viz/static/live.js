var xe=".minigrad-live, .minigrad-nudge, .minigrad-steps, .minigrad-instrument",tt="data-lm-suppress-shortcuts";function ye(){let r=globalThis;r.minigradKeys||(r.minigradKeys=!0,addEventListener("keydown",it,!0),addEventListener("focusin",nt,!0))}function it({target:r,ctrlKey:e,metaKey:t,altKey:i}){r instanceof Element&&r.closest(xe)!==null&&r.toggleAttribute(tt,!(e||t||i))}function nt({target:r}){if(r instanceof Element&&r.matches("[role=slider]:not([aria-label])")){let t=(r.closest(xe)&&r.closest(".widget-inline-hbox"))?.querySelector("label");r.setAttribute("aria-label",t?.textContent??"")}}var we=`/* What a live graph and nudge share. */
.minigrad-view {
  --sans: Helvetica, Arial, "Liberation Sans", "DejaVu Sans", sans-serif;
  --mono: Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace;
  box-sizing: border-box;
  border: 1px solid var(--minigrad-frame);
  border-radius: 8px;
  background: var(--minigrad-background);
  color: var(--minigrad-text);
  font: 14px / 1.45 var(--sans);
}
.minigrad-view p {
  margin: 0;
}
.minigrad-view .alert {
  color: var(--minigrad-warning);
}
.minigrad-view svg {
  display: block;
}
.minigrad-view .pulse {
  fill: none;
  stroke: var(--minigrad-grad);
  stroke-linecap: round;
  stroke-width: 4.5;
}
.minigrad-view :is(button, select) {
  max-width: 20em;
  border: 0;
  border-radius: 4px;
  padding: 1px 7px;
  background: var(--minigrad-background);
  color: inherit;
  font: inherit;
}
.minigrad-view :is(select, .framed) {
  border: 1px solid var(--minigrad-operation);
}
.minigrad-view :is(button, summary) {
  cursor: pointer;
}
.minigrad-view button:hover {
  background: var(--minigrad-operation_fill);
}
.minigrad-view :is(button, summary, pre, select):focus-visible {
  outline: 2px solid var(--minigrad-grad);
}
`;function F(r){let[e,t]=[r.light,r.dark].map(i=>Object.entries(i).map(([n,s])=>`--minigrad-${n}: ${s};`).join(" "));return`${we}
.minigrad-view { ${e} }
@media (prefers-color-scheme: dark) { body:not([data-jp-theme-light]) .minigrad-view { ${t} } }
body[data-jp-theme-light="false"] .minigrad-view { ${t} }`}var rt=new Set(["restarting","autorestarting","terminating","dead"]);function K(r,e){let t=(i,n)=>{rt.has(n)&&e()};return r?.statusChanged?.connect(t),r?.disposed?.connect(e),()=>{r?.statusChanged?.disconnect(t),r?.disposed?.disconnect(e)}}var Ee=`.minigrad-nudge {
  display: flex;
  flex-direction: column;
  container-type: inline-size;
  max-width: 1180px;
  padding: 8px 14px;
  font-variant-numeric: tabular-nums;
}
.minigrad-nudge .alert {
  order: -2;
}
.minigrad-nudge .bar {
  display: flex;
  order: -1; /* above the picture; by keyboard, the numbers come first */
  align-items: flex-start;
  justify-content: space-between;
  gap: 12px;
  margin-bottom: 8px;
  font-size: 13px;
}
.minigrad-nudge :is(.hint, .idle) {
  color: var(--minigrad-muted);
}
.minigrad-nudge button {
  flex: none;
  padding: 4px 10px;
}
.minigrad-nudge .picture {
  overflow: auto hidden;
}
.minigrad-nudge .both {
  position: relative;
}
.minigrad-nudge svg.above {
  position: absolute;
  inset: 0;
  will-change: transform;
}
.minigrad-nudge :is(.above, .frame),
.minigrad-nudge.gone .hand {
  pointer-events: none;
}
.minigrad-nudge.gone .hand {
  opacity: 0.6;
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
}
.minigrad-nudge .bars {
  display: grid;
  grid-template-columns: auto 190px;
  gap: 0 8px;
  font-size: 12px;
}
.minigrad-nudge .bars:empty {
  display: none;
}
.minigrad-nudge .bars i {
  display: inline-block;
  box-sizing: border-box;
  height: 12px;
  margin-right: 6px;
  background: var(--minigrad-text);
  vertical-align: middle;
}
.minigrad-nudge .predicted i {
  border: 1.5px dashed var(--minigrad-grad);
  background: none;
}
.minigrad-nudge :is(.sentence b, .predicted) {
  color: var(--minigrad-grad);
}
.minigrad-nudge .unseen {
  position: absolute;
  clip-path: inset(50%);
}

/* The picture. A color of its own has only what differs from the others of its kind. */
.minigrad-nudge svg {
  width: 100%;
  height: auto;
  fill: none;
  stroke-width: 1.6;
  font-size: 14px;
  user-select: none;
}
.minigrad-nudge svg :is(text, .now) {
  fill: var(--minigrad-text);
}
.minigrad-nudge svg .muted {
  fill: var(--minigrad-muted);
}
.minigrad-nudge svg .blue {
  fill: var(--minigrad-leaf_text);
}
.minigrad-nudge svg .grad {
  fill: var(--minigrad-grad);
}
.minigrad-nudge svg :is(.head, .fork) {
  fill: var(--minigrad-arrow);
}
.minigrad-nudge svg .head.data {
  fill: var(--minigrad-card);
}
.minigrad-nudge svg :is(.thumb, .from, .guess) {
  fill: var(--minigrad-background);
}
.minigrad-nudge svg .hit {
  fill: transparent;
}
.minigrad-nudge svg .leaf {
  fill: var(--minigrad-leaf_fill);
}
.minigrad-nudge svg :is(.card, .pill) {
  fill: var(--minigrad-operation_fill);
}
.minigrad-nudge svg .result {
  fill: var(--minigrad-result_fill);
  stroke: var(--minigrad-result);
}
.minigrad-nudge svg .result ~ text {
  fill: var(--minigrad-result_text);
}

.minigrad-nudge svg .value {
  stroke: var(--minigrad-arrow);
}
.minigrad-nudge svg :is(.card, .value.data) {
  stroke: var(--minigrad-card);
}
.minigrad-nudge svg .axis {
  stroke: var(--minigrad-frame);
}
.minigrad-nudge svg .pill {
  stroke: var(--minigrad-operation);
}
.minigrad-nudge svg :is(.curve, .sign, .from) {
  stroke: var(--minigrad-text);
}
.minigrad-nudge svg :is(.leaf, .underline, .track, .zero, .thumb, .drop, .pulse.forward),
.minigrad-nudge svg .hand:focus-visible:not(.by-mouse) .frame {
  stroke: var(--minigrad-leaf);
}
.minigrad-nudge svg :is(.grad-road, .tangent, .gap, .slope, .guess),
.minigrad-nudge svg .operation:is(:hover, :focus-visible) .pill {
  stroke: var(--minigrad-grad);
}
.minigrad-nudge svg :is(.axis, .zero, .drop, .gap, .card, .value.data) {
  stroke-width: 1.1;
}
.minigrad-nudge svg :is(.leaf, .frame, .thumb, .base, .curve, .hand:is(:hover, .on) .underline) {
  stroke-width: 2;
}
.minigrad-nudge svg :is(.track, .slope, .sign:not(.base), .operation:is(:hover, :focus-visible) .pill) {
  stroke-width: 3;
  stroke-linecap: round;
}
.minigrad-nudge svg :is(.grad-road, .tangent) {
  stroke-dasharray: 6 4;
}
.minigrad-nudge svg :is(.base, .hand:not(:hover, .on) .underline) {
  stroke-dasharray: 2.5 2.5;
}
.minigrad-nudge svg .track {
  opacity: 0.35;
}
.minigrad-nudge svg .hand:is(:hover, .on) .thumb {
  fill: var(--minigrad-leaf);
}
.minigrad-nudge svg :is(.hand, .operation) {
  cursor: help;
  outline: none;
}
.minigrad-nudge svg .hand {
  cursor: ew-resize;
  touch-action: none;
}

.minigrad-nudge svg .strong {
  font-weight: 600;
}
.minigrad-nudge svg .middle {
  text-anchor: middle;
}
.minigrad-nudge svg .end {
  text-anchor: end;
}
.minigrad-nudge svg .large {
  font-size: 20px;
}
.minigrad-nudge svg .title {
  font-size: 16px;
}
.minigrad-nudge svg .label {
  font-size: 13px;
}
.minigrad-nudge svg .small {
  font-size: 12px;
}
.minigrad-nudge svg .none {
  fill: var(--minigrad-muted);
  font-size: 11px;
  font-weight: 400;
}
/* In a narrow cell the picture is shrunk, so its small texts are larger. */
.minigrad-nudge svg.tight .middle {
  font-size: 15px;
}
.minigrad-nudge svg.tight .small {
  font-size: 13px;
}
@container (max-width: 560px) {
  .minigrad-nudge .hint span {
    display: none;
  }
}
`;function A({x:r,y:e,width:t,height:i}){return{x:r+t/2,y:e+i/2}}function Me(r,e){let t=[...e.keys()].filter(s=>r.has(s)),i=new Set;return t.forEach((s,a)=>{for(let o of t.slice(a+1))ot(n(s),n(o))&&i.add(s).add(o)}),new Set(t.filter(s=>!i.has(s)));function n(s){return[r.get(s),e.get(s)]}}function ot(r,e){let t=n("x","width"),i=n("y","height");return Math.max(0,t[0],i[0])<Math.min(1,t[1],i[1]);function n(s,a){let o=[0,1].map(g=>A(r[g])[s]-A(e[g])[s]),[l,d]=[o[0],o[1]-o[0]],h=g=>Math.max(g[0][a],g[1][a]),c=(h(r)+h(e))/2;if(Math.abs(d)<1e-6)return Math.abs(l)<c?[-1/0,1/0]:[1,0];let p=[(-c-l)/d,(c-l)/d];return[Math.min(...p),Math.max(...p)]}}var dt={ArrowLeft:{x:-1,y:0},ArrowRight:{x:1,y:0},ArrowUp:{x:0,y:-1},ArrowDown:{x:0,y:1}};function ke(r,e,t){let i=dt[t],n=r.get(e);if(i===void 0||n===void 0)return;let s=A(n),[a,o]=[void 0,1/0];for(let[l,d]of r){let h=A(d),[c,p]=[h.x-s.x,h.y-s.y],g=c*i.x+p*i.y,f=Math.abs(c*i.y)+Math.abs(p*i.x);g>1&&g+2*f<o&&([a,o]=[l,g+2*f])}return a}var q=()=>matchMedia("(prefers-reduced-motion: reduce)").matches,lt=140,ht=320,ct=6e4,ut=150,I=class{constructor(e,t){this.frame=e;this.pan=t}frame;pan;picture;running=[];turn=0;async show(e,t){this.halt();let i=this.turn,n=this.picture;if(this.picture=e,this.settle(),n===void 0||!t||e.boxes.size>ut){this.place(e);return}n.svg.parentNode!==this.frame&&this.place(n);let[s,a]=[this.places(n),this.places(e)],o=Me(s,a),l=[...o].filter(f=>mt(s.get(f),a.get(f))>.5),d=new Set([...e.roads.keys()].filter(f=>n.roads.has(f)));l.length>0&&d.clear();let h=[...W(n.groups,o),...W(n.roads,d)],c=[...W(e.groups,o),...W(e.roads,d)];if(await this.play(h,[{opacity:1},{opacity:0}]),this.turn!==i)return;this.frame.style.minHeight=`${this.frame.clientHeight}px`,this.place(e);let p=this.start(c,[{opacity:0},{opacity:0}],ct);if(await Promise.all(l.map(f=>{let v=this.away(e,s.get(f),a.get(f));return this.play([e.groups.get(f)],[{transform:v},{transform:"none"}],ht)})),this.turn!==i)return;let g=this.play(c,[{opacity:0},{opacity:1}]);p.forEach(f=>f.cancel()),await g,this.turn===i&&this.settle()}halt(){this.turn++,this.running.forEach(e=>e.finish()),this.picture?.svg.parentNode===this.frame&&this.settle()}settle(){this.running.forEach(e=>e.cancel()),this.running=[],this.frame.style.minHeight=""}start(e,t,i){let n={duration:i,easing:"ease-in-out",fill:"forwards"},s=e.map(a=>a.animate(t,n));return s.forEach(a=>a.finished.catch(()=>{})),this.running.push(...s),s}async play(e,t,i=lt){let n=this.start(e,t,i);await Promise.allSettled(n.map(s=>s.finished))}place(e){this.frame.replaceChildren(e.svg),this.pan.show(e)}places(e){let t=this.pan.scale(e),i=({x:n,y:s,width:a,height:o})=>({x:n*t,y:s*t,width:a*t,height:o*t});return new Map([...e.boxes].map(([n,s])=>[n,i(s)]))}away(e,t,i){let n=this.pan.scale(e)*e.unit,[s,a]=[A(t),A(i)];return`translate(${(s.x-a.x)/n}px, ${(s.y-a.y)/n}px)`}};function mt(r,e){let[t,i]=[A(r),A(e)];return Math.hypot(i.x-t.x,i.y-t.y)}function W(r,e){return[...r].filter(([t])=>!e.has(t)).map(([,t])=>t)}function re({boxes:r},e){let[t,i,n,s]=r[e];return{x:t,y:i,width:n,height:s}}function Se({lines:r},e){return r[e].map(([t,i])=>({x:t,y:i}))}function U(r){let e=(r??[]).reduce((t,i)=>t*i,1);return e<=4?e:0}function w(r,e=2){if(!Number.isFinite(r))return Number.isNaN(r)?"nan":r>0?"inf":"−inf";let t=Math.abs(r),i=t>=1e5?t.toExponential(1):t.toFixed(t>=1e3?0:e);return(r<0&&Number(i)!==0?"−":"")+i}function pt(r,e=2){return(r<0?"":"+")+w(r,e)}function $e(r){let e=r.reduce((i,n)=>i+n,0);return r.length>4?`sum of ${r.length} = ${w(e)}`:`${r.map((i,n)=>n===0?w(i):` ${i<0?"−":"+"} ${w(Math.abs(i))}`).join("")} = ${w(e)}`}function ae({name:r,by:e,result:t,moved:i,predicted:n}){let s=pt(e,Math.abs(e*100-Math.round(e*100))>1e-6?3:2),a=`You moved ${r} by ${s}. ${t} moved by ${w(i,4)}.`,o=`No gradient predicted it: no path leads back from ${t} to ${r}.`;return[a,Number.isNaN(n)?o:`The gradient predicted ${w(n,4)}.`]}function Ae({by:r,moved:e,predicted:t}){return Math.abs(r)>.3&&Math.abs(e-t)>.02?" A gradient is exact only for a very small move.":""}function Ne(r,e,t){if(e===void 0)return`${w(r)}; grad None: no path to ${t}`;let i=e>0?"rises with it":"falls as it rises";return`${w(r)}; grad ${w(e)}: ${t} ${Math.abs(e)<.005?"hardly moves":i}`}function Le(r,e,t){let i=t.map(({name:n,factor:s,passed:a})=>{let o=[];if(s!=="1"){let l=e===0?"":w(a/e),h=[s==="-1"?"":s,l].filter(c=>c!=="").map(c=>/\s|^[-−]/.test(c)?`(${c})`:c);o.push(...h.map(c=>`${w(e)} × ${c}`))}return`${n} gets ${[...o,w(a)].join(" = ")}`});return`${w(e)} arrives at ${r}. ${i.join("; ")}.`}function Te(r){let e=r.match(/-?\d+(\.\d+)?(e-?\d+)?/g)?.map(Number)??[],t=[];for(let i=0;i+1<e.length;i+=2)t.push({x:e[i],y:e[i+1]});return t}function oe(r,e){return r.map((t,i)=>{let n=r[Math.max(0,i-1)],s=r[Math.min(r.length-1,i+1)],[a,o]=[s.x-n.x,s.y-n.y],l=Math.hypot(a,o)||1;return{x:t.x-o/l*e,y:t.y+a/l*e}})}function C(r,e,t){return Pe(Pe(r,e).reverse(),t).reverse()}function Pe(r,e){let t=r.slice();for(;t.length>1;){let[i,n]=[t[0],t[1]],s=Math.hypot(n.x-i.x,n.y-i.y);if(s>e||t.length===2){let a=Math.min(1,e/(s||1));t[0]={x:i.x+(n.x-i.x)*a,y:i.y+(n.y-i.y)*a};break}e-=s,t.shift()}return t}function Oe(r,e,t){let i=de(r),n=e*i;return C(r,Math.max(0,n-t),i-n)}function de(r){return r.slice(1).reduce((e,{x:t,y:i},n)=>e+Math.hypot(t-r[n].x,i-r[n].y),0)}function O(r){return`M${r.map(({x:e,y:t})=>`${e.toFixed(1)},${t.toFixed(1)}`).join("L")}`}function le(r,e=8){let[t,i]=[r[Math.max(0,r.length-2)],r.at(-1)],n=Math.atan2(i.y-t.y,i.x-t.x),[s,a]=[Math.cos(n)*e,Math.sin(n)*e],o=.48;return O([{x:i.x+s,y:i.y+a},{x:i.x-a*o,y:i.y+s*o},{x:i.x+a*o,y:i.y-s*o}]).concat("Z")}function u(r,e={},t,i){let n=document.createElementNS("http://www.w3.org/2000/svg",r);return E(n,e),i!==void 0&&(n.textContent=i),t?.append(n),n}function E(r,e){for(let[t,i]of Object.entries(e))r.getAttribute(t)!==`${i}`&&r.setAttribute(t,`${i}`)}function $(r,e){r.textContent!==e&&(r.textContent=e)}function T(r,e,t,i){return{x1:r,y1:e,x2:t,y2:i}}var gt=18,ft=30,B=class{paths;running=[];drawn=0;frame=0;constructor(e){this.paths={forward:u("path",{class:"pulse forward"},e),back:u("path",{class:"pulse back"},e)}}start(e){let t=performance.now();this.running.push(...e.map(i=>({...i,begin:t+i.delay}))),cancelAnimationFrame(this.frame),this.frame=requestAnimationFrame(i=>this.draw(i))}stop(){cancelAnimationFrame(this.frame),this.running=[]}draw(e){if(e-this.drawn>=ft){this.drawn=e,this.running.filter(({begin:i})=>i<=e).forEach(({begin:i,duration:n,onWay:s})=>s?.(Ge((e-i)/n))),this.running=this.running.filter(({begin:i,duration:n})=>e<i+n);for(let[i,n]of Object.entries(this.paths)){let a=this.running.filter(o=>o.kind===i&&o.begin<=e).map(({line:o,begin:l,duration:d})=>Oe(o,Ge((e-l)/d),gt));n.setAttribute("d",a.map(O).join(""))}}this.running.length>0&&(this.frame=requestAnimationFrame(t=>this.draw(t)))}};function Ge(r){let e=1-Math.min(1,r);return r<.5?2*r*r:1-2*e*e}var ze=300,Ve={"×":"M-7-7L7 7M-7 7L7-7","+":"M-9 0H9M0-9V9","−":"M-9 0H9"},vt=r=>r.length>1||r[0].endsWith("]"),Ce=r=>`[${r.join(", ")}]`,bt=({sign:r,after:e})=>r==="^"&&e==="2",Be=({sign:r,before:e,after:t})=>[e,r,t].filter(i=>i!=="").join(" "),Z=class{constructor(e,t,i,n){this.graph=e;this.places=t;let[s,a,o]=[u("g",{},i),u("g",{},i),u("g",{},i)];this.pulses=new B(n);let l=this.depths();t.roads.forEach(d=>{this.road(d,s,l),this.label(d,o)}),e.leaves.forEach((d,h)=>this.leaf(h,a)),e.data.forEach((d,h)=>this.data(h,a)),e.operations.forEach((d,h)=>this.operation(h,a)),this.result(u("g",{},a))}graph;places;hands=[];operations=[];updates=[];ways=[];pulses;update(e){this.updates.forEach(t=>t(e))}wave(e){if(q())return;let t=new Set([`l${e}`]);this.places.roads.forEach(()=>{this.places.roads.filter(({from:i})=>t.has(i)).forEach(({to:i})=>t.add(i))}),this.pulses.start(this.ways.filter(({kind:i,from:n})=>i==="back"||t.has(n)))}remove(){this.pulses.stop()}box(e){return re(this.places,e)}depths(){let e=new Map;return this.places.roads.forEach(()=>{this.places.roads.forEach(({from:t,to:i})=>{e.set(i,Math.max(e.get(i)??0,(e.get(t)??0)+1))})}),e}road(e,t,i){let n=Se(this.places,e.id),s=e.width===0,a=e.to[0]==="f",o=C(oe(n,s?0:-4.5),2,a?0:9);if(u("path",{class:s?"value data":"value",d:O(o)},t),!a)u("path",{class:s?"head data":"head",d:le(o)},t);else{let{x:y,y:k}=A(this.box(e.to));u("circle",{class:"fork",cx:y,cy:k,r:this.box(e.to).width/2},t)}if(s)return;let l=e.from[0]==="f",d=C(oe(n.slice().reverse(),-4.5),2,l?2:9),h=u("path",{class:"grad-road",d:O(d)},t),c=l?void 0:u("path",{class:"grad",d:le(d)},t);this.updates.push(({edges:y})=>{let k=e.edges.flatMap(M=>y[M][1].map(Number)),x=Math.max(0,...k.map(Math.abs))||0,S=k.length===0&&U(this.graph.edges[e.edges[0]].shape)>0;E(h,{"stroke-width":(1.1+2.3*Math.min(1,x/1.5)).toFixed(1)}),[h,c].forEach(M=>M&&(M.style.display=S?"none":""))});let p=ze/(i.get("r")??1),[g,f]=[i.get(e.from)??0,i.get(e.to)],v=(f-g)*p,{from:b}=e;this.ways.push({from:b,line:o,kind:"forward",delay:g*p,duration:v}),this.ways.push({from:b,line:d,kind:"back",delay:2*ze-f*p,duration:v})}label({id:e,from:t,to:i,edges:n,rows:s,width:a},o){if(a===0)return;let{x:l,y:d}=A(this.box(e)),{name:h,shape:c}=this.graph.edges[n[0]],p=U(c),f=(t[0]==="o"&&i!=="r"?Array.from({length:s},(b,y)=>y):[]).map(b=>{let y=u("text",{class:"label middle",x:l,y:d-4.5-6-(s-1-b)*16},o);return{named:u("tspan",{class:"muted","font-style":"italic"},y,b===0?h:""),number:u("tspan",{},y)}}),v=Array.from({length:s},(b,y)=>u("text",{class:"label middle grad strong",x:l,y:d+4.5+16+y*16},o));this.updates.push(b=>{let[y]=b.edges[n[0]];f.forEach(({named:x,number:S},M)=>{let L=p===0?Ce(c??[]):y.length>M?w(Number(y[M])):"";$(S,x.textContent&&L?` = ${L}`:L)});let k=n.map(x=>b.edges[x][1].map(Number)).filter(({length:x})=>x>0);v.forEach((x,S)=>{let M=k.map(P=>P[S]),L=M.reduce((P,H)=>P+H,0);$(x,M.length===0?"":i[0]==="f"&&s===1&&M.length>1?$e(M):w(L))})})}leaf(e,t){let{x:i,y:n,width:s,height:a}=this.box(`l${e}`),{name:o,entries:l}=this.graph.leaves[e],d=u("g",{},t);u("rect",{class:"leaf",x:i+1,y:n,width:s-2,height:a,rx:9},d),u("text",{class:"title strong blue",x:i+14,y:n+25},d,o);let h=vt(l);h?u("text",{class:"small muted end",x:i+s-14,y:n+24},d,"value, grad"):u("text",{class:"small grad",x:i+14,y:n+82},d,"grad"),l.forEach((c,p)=>this.hand(e,p,h,d))}hand(e,t,i,n){let{x:s,y:a,width:o}=this.box(`l${e}`),{entries:l,limit:d}=this.graph.leaves[e],h=l[t],c=i?a+32+44*t:a,p=i?{slider:c+17,arrow:c+29,number:c+15,grad:c+34,frame:c,height:42}:{slider:a+48,arrow:a+62,number:a+27,grad:a+82,frame:a+5,height:82},g=i?[s+42,s+o-66]:[s+18,s+o-18],[[f,v],b,y]=[g,s+o-14,p.slider],k={"aria-label":h,"aria-valuemin":-d,"aria-valuemax":d},x=u("g",{class:"hand",role:"slider",tabindex:0,...k},n);u("rect",{class:"frame",x:s+6,y:p.frame,width:o-12,height:p.height,rx:6},x),u("rect",{class:"hit",x:f-10,y:y-12,width:v-f+20,height:24},x),i&&u("text",{class:"small muted",x:s+12,y:y+4},x,h.slice(h.lastIndexOf("[")));let S=(f+v)/2;u("line",{class:"track",...T(f,y,v,y)},x),u("line",{class:"zero",...T(S,y-5,S,y+5)},x);let M=u("path",{class:"grad"},x),L=u("circle",{class:"thumb",r:i?6:7.5,cy:y},x),P=u("rect",{class:"hit",x:b-62,y:p.number-20,width:72,height:28},x),[H,se]=i?["","small"]:["large",""],N=u("text",{class:`number end strong blue ${H}`,x:b,y:p.number},x),D=T(b-(i?36:50),p.number+5.5,b,p.number+5.5),et=u("line",{class:"underline",...D},x),ge=u("text",{class:`grad end strong ${se}`,x:b,y:p.grad},x);this.hands.push({root:x,leaf:e,index:t,track:g,number:[P,N,et]}),this.updates.push(({leaves:fe})=>{let z=fe[e][0][t],ve=fe[e][1],V=ve===null?void 0:Number(ve[t]),be=S+z/d*((v-f)/2);E(L,{cx:be}),$(N,w(z,Math.abs(z*100-Math.round(z*100))>1e-6?3:2)),$(ge,V===void 0?`None: no path to ${this.graph.result}`:w(V,i?3:4)),ge.classList.toggle("none",V===void 0),E(M,{d:V===void 0?"":xt(be,p.arrow,V)}),E(x,{"aria-valuenow":z,"aria-valuetext":Ne(z,V,this.graph.result)})})}data(e,t){let{x:i,y:n,width:s,height:a}=this.box(`d${e}`),{name:o,shape:l}=this.graph.data[e],d=U(l);u("rect",{class:"card",x:i,y:n,width:s,height:a,rx:4},t),u("text",{class:"strong muted",x:i+10,y:n+a/2+5},t,o);let h=Array.from({length:Math.max(d,1)},(c,p)=>u("text",{class:"end",x:i+s-10,y:n+22+p*20},t));this.updates.push(({data:c})=>{h.forEach((p,g)=>$(p,d===0?Ce(l):w(Number(c[e][g]))))})}operation(e,t){let i=this.box(`o${e}`),n=this.graph.operations[e],{x:s,y:a}=A(i),[o,l,d]=[i.x,i.width,i.width<49?46:42],h=u("g",{class:"operation",tabindex:0,role:"img","aria-label":Be(n)},t);u("rect",{class:"pill",x:o,y:a-d/2,width:l,height:d,rx:d/2},h);let c=Be(n);bt(n)?(u("rect",{class:"sign base",x:s-11,y:a-5,width:14,height:14,rx:1.5},h),u("text",{class:"strong",x:s+6,y:a-3},h,"2")):c in Ve?u("path",{class:"sign",d:Ve[c],transform:`translate(${s} ${a})`},h):u("text",{class:"title strong middle",x:s,y:a+6},h,c),u("title",{},h,n.name),this.operations.push(h)}result(e){let{x:t,y:i,width:n,height:s}=this.box("r");u("rect",{class:"result",x:t,y:i,width:n,height:s,rx:9},e),u("text",{class:"title strong",x:t+12,y:i+25},e,this.graph.result);let a=u("text",{class:"large strong end",x:t+n-12,y:i+52},e);this.updates.push(({result:o})=>$(a,w(Number(o),4)))}};function xt(r,e,t){if(!(Math.abs(t)>=.005))return`M${r-2.5},${e}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0Z`;let i=Math.sign(t),n=r+i*Math.min(46,Math.abs(t)*26);return`M${r},${e-1.3}H${n}V${e-4.6}L${n+i*8},${e}L${n},${e+4.6}V${e+1.3}H${r}Z`}function He(r,e,t){let i=e-t.width,s=Object.keys(r.boxes).map(o=>re(r,o)).filter(o=>o.x+o.width>i-8).map(o=>o.y+o.height),a=Object.values(r.lines).flat().filter(([o])=>o>i-8);return{x:i,y:Math.max(0,...s,...a.map(([,o])=>o+4.5))+14}}var R={width:320,height:158},[je,_e,yt]=[22,26,20],wt=0,Y=class{title=u("tspan");note=u("tspan",{class:"grad strong",dx:12});zero=u("line",{class:"axis"});ticks;drop=u("line",{class:"drop"});curve=u("path",{class:"curve"});tangent=u("line",{class:"tangent"});gap=u("line",{class:"gap"});slope=u("line",{class:"slope"});from=u("circle",{class:"from",r:4.5});predicted=u("path",{class:"guess",d:"M0,-6L6,0L0,6L-6,0Z"});now=u("circle",{class:"now",r:5});area;constructor(e,t,i){let n=R.width-je-6,s=R.height-_e-yt,a=this.area={x:t+je,y:i+_e,width:n,height:s},o=u("g",{"aria-hidden":"true"},e);u("text",{x:a.x,y:i+13,class:"label"},o).append(this.title,this.note);let[l,d]=[a.y+s,a.x+n];u("path",{class:"axis",d:`M${a.x},${a.y}V${l}H${d}`},o);let h=["start","middle","end","end","middle"];this.ticks=h.map(f=>u("text",{class:"small muted","text-anchor":f,y:l+14})),E(this.ticks[4],{class:"small strong blue"});let c=`minigrad-plot-${wt++}`,p=u("clipPath",{id:c},o);u("rect",{x:a.x,y:a.y-4,width:n,height:s+8},p);let g=u("g",{"clip-path":`url(#${c})`},o);g.append(this.drop,this.curve,this.tangent,this.gap,this.slope),o.append(this.zero,...this.ticks),g.append(this.from,this.predicted,this.now)}draw(e,t,i,n,s,a){let{x:o,y:l,width:d,height:h}=this.area,c=(e?.points??[]).map(([N,D])=>[N,D===null?NaN:Number(D)]),[p,g]=Et([...c.map(([,N])=>N),s.result,a.result]),f=N=>o+(N+t)/(2*t)*d,v=N=>l+h-(N-p)/(g-p)*h;E(this.curve,{d:Mt(c,f,v)});let b=N=>v(s.result+s.grad*(N-s.value)),y=s.value!==a.value,k=!Number.isNaN(s.grad),[x,S,M]=[f(a.value),v(a.result),b(a.value)];_(y,this.from),_(y&&k,this.predicted,this.gap),_(k,this.tangent,this.slope),E(this.from,{cx:f(s.value),cy:v(s.result)}),k&&(E(this.tangent,T(f(-t),b(-t),f(t),b(t))),E(this.predicted,{transform:`translate(${x} ${M})`}),E(this.gap,T(x,S,x,M))),E(this.now,{cx:x,cy:S}),E(this.drop,T(x,S,x,l+h));let L=(a.grad||0)*h*2*t/((g-p)*d),P=y?13/Math.hypot(1,L):0;E(this.slope,T(x-P,S+P*L,x+P,S-P*L)),$(this.title,`${n} as ${i} moves`);let H=`grad at ${w(s.value)} was ${w(s.grad)}`,se=y?`the line: ${H}`:`slope = grad = ${w(s.grad)}`;$(this.note,k?se:"grad None: no path back"),this.label(t,i,x,p<0&&g>0?v(0):NaN)}label(e,t,i,n){let{x:s,width:a}=this.area,[o,l]=[s+a/2,s+a],d=Math.min(l-30,Math.max(s+30,i)),[h,c,p,g,f]=this.ticks;[h,c,p].forEach((v,b)=>$(v,w((b-1)*e,0))),[s,o,l,s-5,d].forEach((v,b)=>E(this.ticks[b],{x:v})),$(g,"0"),$(f,t),_(Math.abs(d-o)>=24,c),_(!Number.isNaN(n),this.zero,g),E(this.zero,T(s,n||0,l,n||0)),E(g,{y:(n||0)+4})}};function Et(r){let e=r.filter(Number.isFinite),[t,i]=[Math.min(...e),Math.max(...e)];if(e.length===0)return[-1,1];let n=Math.max(1,Math.abs(i)*.05),[s,a]=[(i+t)/2,Math.max(n,i-t)*.58];return[s-a,s+a]}function _(r,...e){e.forEach(t=>t.style.display=r?"":"none")}function Mt(r,e,t){let i=!0;return r.map(([n,s])=>{let a=i?"M":"L";return i=!Number.isFinite(s),i?"":`${a}${e(n).toFixed(1)},${t(s).toFixed(1)}`}).join("")}var ce="http://www.w3.org/1998/Math/MathML",kt=new Set(["display","fence","form","lspace","mathvariant","rspace","separator","stretchy"]);function m(r,e={},t=""){let i=document.createElement(r);return Object.entries(e).forEach(([n,s])=>i.setAttribute(n,s)),i.textContent=t,i}function De({title:r,sentence:e,mathematics:t,rows:i},n){let s=m("section",{class:"panel",role:"region","aria-label":`About ${r}`}),a=m("button",{type:"button","aria-label":"Close",title:"Close (Esc)"},"×");if(a.addEventListener("click",n),s.append(a,m("h4",{},r)),e&&s.append(m("p",{},e)),t){let l=m("div",{class:"formula"});l.append(...St(t)),s.append(l)}let o=m("dl");for(let[l,d]of i)o.append(m("dt",{},l),m("dd",{},d));return s.append(o),s}function St(r){let e=`<mrow xmlns="${ce}">${r}</mrow>`;return[...new DOMParser().parseFromString(e,"application/xml").documentElement.childNodes].flatMap(Fe)}function Fe(r){if(r.nodeType===Node.TEXT_NODE)return[document.createTextNode(r.textContent??"")];if(!(r instanceof Element)||r.namespaceURI!==ce||!r.localName.startsWith("m"))return[];let e=document.createElementNS(ce,r.localName);for(let{name:t,value:i}of r.attributes)kt.has(t)&&e.setAttribute(t,i);return e.append(...[...r.childNodes].flatMap(Fe)),[e]}var $t="The kernel has gone, so these numbers can't be moved. Run the cell again.",Ke="Drag a number and let go: here you'll read how far the result moved, and what its gradient predicted.",At={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1,PageUp:5,PageDown:-5},Nt=700,Lt=330,Pt=[4,12],We=.66,X=class{constructor(e){this.model=e;let t=m("div",{class:"bar"}),i=m("p",{class:"hint"});i.append("Drag a blue number or its slider. ",m("b",{},"Values run forward, gradients run back.")),i.append(m("span",{}," An orange arrow points where the result rises."));let n=m("button",{type:"button",class:"framed"},"Reset");n.addEventListener("click",()=>this.reset()),t.append(i,n);let s=m("div",{class:"say"});s.append(this.sentence,this.bars);let a=F(e.get("themes"))+Ee;this.root.append(m("style",{},a),this.alert,this.frame,t,s,this.news),this.values=this.numbers.leaves.map(([c])=>c.slice()),this.idle();let{signal:o}=this.ended;addEventListener("pointermove",c=>this.onMove(c),{signal:o}),addEventListener("pointerup",()=>this.onEnd(),{signal:o}),addEventListener("pointercancel",()=>this.onEnd(),{signal:o});let l=new ResizeObserver(c=>{this.room=Math.floor(c.at(-1).contentRect.width),this.build()});l.observe(this.frame);let d=()=>this.onAnswer();e.on("change",d);let h=K(e.widget_manager?.kernel,()=>this.gone());o.addEventListener("abort",()=>{e.off("change",d),l.disconnect(),h(),this.picture?.remove()})}model;root=m("section",{class:"minigrad-view minigrad-nudge","aria-label":"Nudge"});alert=m("p",{role:"alert",class:"alert"});frame=m("div",{class:"picture"});sentence=m("p",{class:"sentence"});bars=m("div",{class:"bars","aria-hidden":"true"});news=m("div",{class:"unseen",role:"status","aria-live":"polite"});ended=new AbortController;picture;plot;svg=u("svg");drawn=[void 0,0];values;selected={leaf:0,index:0};start;moving=!1;drag;burst=0;lastWave=0;turn=Math.floor(Math.random()*1e9);waiting=!1;asked=0;moves=new Map;wishes={};room=0;frameAsked=0;remove(){this.ended.abort()}get graph(){return this.model.get("graph")}get numbers(){return this.model.get("numbers")}build(){let{graph:e,room:t}=this,[i,n]=this.drawn;if(t===0||e===i&&t===n)return;this.drawn=[e,t];let s=this.model.get("layouts"),a=s.find(({width:o})=>o<=t)??s.at(-1);if(a===void 0){this.alert.textContent="There is no Graphviz to draw with: pip install pygraphviz";return}this.show(e,a,t),this.svg.classList.toggle("tight",a.tight)}show(e,t,i){let n=this.picture?.hands.findIndex(({root:c})=>c===document.activeElement)??-1,s=Math.max(t.width,Math.min(i,t.width+R.width),R.width),a=He(t,Math.min(s,i/We),R),o=Math.ceil(Math.max(t.height,a.y+R.height)),l=`0 0 ${s} ${o}`;this.svg=u("svg",{viewBox:l,role:"group"});let d=u("svg",{viewBox:l,class:"above","aria-hidden":"true"}),h=m("div",{class:"both"});h.style.width=`${Math.min(s,Math.max(i,s*We))}px`,h.append(this.svg,d),this.plot=new Y(this.svg,a.x,a.y),this.picture?.remove(),this.picture=new Z(e,t,this.svg,d),this.frame.replaceChildren(h),this.picture.hands.forEach(c=>this.bind(c)),this.picture.operations.forEach((c,p)=>this.explain(c,p)),this.update(),this.picture.hands[n]?.root.focus()}bind(e){let{root:t}=e;t.addEventListener("pointerdown",i=>{if(i.button===0){i.preventDefault(),t.focus({preventScroll:!0}),this.begin(e),t.classList.add("on","by-mouse");let n=e.number.includes(i.target);this.drag={hand:e,x:i.clientX,value:this.valueOf(e),onNumber:n},this.onMove(i)}}),t.addEventListener("dblclick",()=>this.resetOne(e)),t.addEventListener("keydown",i=>this.onKey(i,e)),t.addEventListener("focus",()=>this.drag??this.select(e)),t.addEventListener("blur",()=>t.classList.remove("by-mouse"))}onMove({clientX:e,shiftKey:t}){if(this.drag===void 0)return;let{hand:i,x:n,value:s,onNumber:a}=this.drag,o=this.limit(i);if(a){let g=(t?.001:.01)*this.unit(o);this.set(i,s+(e-n)*g,t?3:2);return}let{left:l,width:d}=this.svg.getBoundingClientRect(),h=(e-l)*this.svg.viewBox.baseVal.width/d,[c,p]=i.track;this.set(i,-o+(h-c)/(p-c)*2*o)}onEnd(){this.drag!==void 0&&this.finish()}onKey(e,t){if(e.ctrlKey||e.metaKey||e.altKey)return;let i=this.limit(t),n=this.firstOf(t),s={Home:-i,End:i,Delete:n,Backspace:n},a=(At[e.key]??0)*this.unit(i)*(e.shiftKey?.01:.1),o=a===0?s[e.key]:this.valueOf(t)+a;if(e.key==="Escape")this.cancel(t);else if(o!==void 0)this.press(t,o);else return;this.picture?.hands.forEach(({root:l})=>l.classList.remove("by-mouse")),e.preventDefault(),e.stopPropagation()}press(e,t){this.burst===0&&this.begin(e),clearTimeout(this.burst),this.set(e,t),this.burst=window.setTimeout(()=>this.finish(),Nt)}limit({leaf:e}){return this.graph.leaves[e].limit}firstOf({leaf:e,index:t}){return this.graph.leaves[e].first[t]}valueOf({leaf:e,index:t}){return this.values[e][t]}get name(){return this.graph.leaves[this.selected.leaf].entries[this.selected.index]}unit(e){return 10**Math.max(0,Math.floor(Math.log10(e/2)))}select({leaf:e,index:t}){this.isSelected({leaf:e,index:t})||(this.rest(),this.selected={leaf:e,index:t},this.start=void 0,this.idle(),this.ask({curve:[e,t]}),this.update())}isSelected({leaf:e,index:t}){return e===this.selected.leaf&&t===this.selected.index}begin(e){this.select(e),this.moving=!0,this.start=this.placeOf(e),this.ask({curve:[e.leaf,e.index]})}placeOf({leaf:e,index:t}){let{leaves:i,result:n}=this.numbers;return{value:i[e][0][t],result:Number(n),grad:Number(i[e][1]?.[t]??NaN)}}set({leaf:e,index:t},i,n=2){let{limit:s}=this.graph.leaves[e],a=Number(Math.min(s,Math.max(-s,i)).toFixed(n));if(a===this.values[e][t])return;this.values[e][t]=a,this.moves.set(`${e},${t}`,[e,t,a]),this.ask({});let o=performance.now();o-this.lastWave>Lt&&(this.lastWave=o,this.picture?.wave(e)),this.refresh()}rest(){clearTimeout(this.burst),this.picture?.hands.forEach(({root:e})=>e.classList.remove("on")),[this.burst,this.moving,this.drag]=[0,!1,void 0]}finish(){this.rest(),this.update(),this.announce()}cancel(e){this.moving&&this.start!==void 0&&(this.set(e,this.start.value,6),this.rest(),this.start=void 0,this.idle(),this.update())}resetOne(e){this.begin(e),this.set(e,this.firstOf(e),6),this.finish()}reset(){this.values=this.graph.leaves.map(({first:e})=>e.slice()),this.start=void 0,this.moves.clear(),this.idle(),this.ask({reset:!0,curve:[this.selected.leaf,this.selected.index]}),this.refresh(),this.values.forEach((e,t)=>this.picture?.wave(t)),this.news.textContent="All numbers are back where they were."}ask(e){if(this.wishes={...this.wishes,...e},this.waiting)return;let t=[...this.moves.values()];if(!(t.length===0&&Object.keys(this.wishes).length===0)){this.waiting=!0,this.asked=performance.now(),this.model.send({...this.wishes,moves:t,turn:++this.turn});for(let i of Pt)setTimeout(()=>this.waiting&&this.model.send({ping:!0}),i);this.wishes={},this.moves.clear()}}onAnswer(){let{turn:e,leaves:t,error:i}=this.numbers,n=this.waiting&&e===this.turn;if(this.alert.textContent=i,n&&(this.waiting=!1),!this.waiting&&this.moves.size===0&&!("reset"in this.wishes)&&(this.values=t.map(([s])=>s.slice())),this.update(),this.build(),n){let s=this.asked;requestAnimationFrame(()=>performance.measure("minigrad: nudge",{start:s,end:performance.now()})),this.ask({}),this.announce()}}refresh(){cancelAnimationFrame(this.frameAsked),this.frameAsked=requestAnimationFrame(()=>this.update())}update(){cancelAnimationFrame(this.frameAsked);let e=this.numbers,t=e.leaves.map(([,o],l)=>[this.values[l],o]);this.picture?.update({...e,leaves:t});let i=this.model.get("curve"),n=this.placeOf(this.selected),s=this.isSelected(i)?i:void 0;this.plot?.draw(s,this.limit(this.selected),this.name,this.graph.result,this.start??n,n),this.svg.setAttribute("aria-label",this.model.get("outline"));let a=this.move;a!==void 0&&this.tell(a)}get move(){let e=this.placeOf(this.selected);if(this.start===void 0||this.start.value===e.value)return;let{name:t,start:i}=this,n=e.value-i.value,{result:s}=this.graph;return{name:t,by:n,result:s,moved:e.result-i.result,predicted:i.grad*n}}tell(e){let[t,i]=ae(e),n=Math.max(Math.abs(e.moved),Math.abs(e.predicted||0))||1,s=["moved","predicted"].flatMap(a=>{let o=m("i");o.style.width=`${Math.max(1,Math.abs(e[a])/n*120)}px`;let l=m("span",{class:a});return l.append(o,w(e[a],4)),Number.isNaN(e[a])?[]:[m("span",{class:a},a),l]});this.say([`${t} `,m("b",{},i)],s)}say(e,t=[]){this.sentence.classList.toggle("idle",e[0]===Ke),this.sentence.replaceChildren(...e),this.bars.replaceChildren(...t)}announce(){let e=this.move;e!==void 0&&!this.moving&&!this.waiting&&(this.news.textContent=ae(e).join(" ")+Ae(e))}idle(){this.say([Ke])}explain(e,t){let i=()=>{let{edges:a,operations:o}=this.graph,{sign:l}=o[t],d=this.numbers.edges.map(([,v])=>v.map(Number)),h=a.map((v,b)=>({...v,passed:d[b]})),c=h.filter(({from:v})=>v===`o${t}`),p=h.filter(({to:v,data:b})=>v===`o${t}`&&!b);if([...c,...p].some(({passed:v})=>v.length!==1))return`${l} passes back to each entry of its inputs what arrives times its own slope there.`;let g=c.reduce((v,{passed:b})=>v+b[0],0),f=p.map(({name:v,factor:b,from:y,passed:k})=>({name:v||o[Number(y.slice(1))].sign,factor:b,passed:k[0]}));return Le(l,g,f)},n=()=>{this.drag===void 0&&(this.say([i()]),e.setAttribute("aria-label",i()))},s=()=>this.move===void 0?this.idle():this.tell(this.move);["pointerenter","focus"].forEach(a=>e.addEventListener(a,n)),["pointerleave","blur"].forEach(a=>e.addEventListener(a,s))}gone(){this.alert.textContent=$t,this.root.classList.add("gone"),this.picture?.hands.forEach(({root:e})=>E(e,{"aria-disabled":"true",tabindex:-1}))}};var J=class{root=m("label",{class:"lines"},"Made by ");list=m("select");lines=[];constructor(e){this.root.append(this.list),this.list.addEventListener("change",e)}offer(e){let t=this.list.value;this.lines=e,this.root.hidden=e.length===0;let i=e.map(([n])=>m("option",{value:n},n));this.list.replaceChildren(m("option",{value:""},"any line"),...i),this.list.value=e.some(([n])=>n===t)?t:""}get chosen(){return this.list.value||void 0}mark({svg:e,groups:t}){let i=new Set(this.lines.find(([n])=>n===this.chosen)?.[1]);e.classList.toggle("marked",this.chosen!==void 0);for(let n of t.values())n.setAttribute("aria-current",`${i.has(n.dataset.part??"")}`);return[...t.values()].filter(n=>i.has(n.dataset.part??""))}};var Ie=`.minigrad-live {
  position: relative;
  max-width: 100%;
  font-size: 13px;
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
  padding: 8px 12px;
}
.minigrad-live .alert {
  border-bottom: 1px solid var(--minigrad-frame);
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
`;var[Ue,Ot]=[.02,4],qe=1.25;function Ze(r,e,t){return Math.min(1,Math.max(t,e.width/r.width))}function Ye(r,e){let t=Math.min(1,e.width/r.width,e.height/r.height);return Math.max(Ue,t)}function ue(r,e){let t=Math.log(r)/Math.log(qe),i=e>0?Math.floor(t+.01)+1:Math.ceil(t-.01)-1;return Math.min(Ot,Math.max(Ue,qe**i))}function me(r,e,t,i){return(r+e)*i/t-e}var Gt=.7,Rt=.5,Q=class{constructor(e){this.frame=e;this.controls.append(this.button("−","Zoom out (-)",()=>this.by(-1)),this.percent,this.button("+","Zoom in (+)",()=>this.by(1)),this.button("Whole","Show the whole picture (0)",()=>this.all())),e.addEventListener("wheel",t=>this.onWheel(t),{passive:!1}),e.addEventListener("pointerdown",t=>this.onDrag(t)),this.room=this.measured(),this.resized.observe(e)}frame;controls=m("div",{class:"zoom",role:"group","aria-label":"Zoom"});percent=m("output",{"aria-label":"Zoom"});chosen;shown;resized=new ResizeObserver(()=>{this.room=this.measured(),this.fit()});room;remove(){this.resized.disconnect()}scale(e){let t=this.frame.closest(".pinned")?Rt:Gt;return this.chosen??Ze(e,this.room,t/e.unit)}show(e){this.shown=e,this.frame.parentElement.style.flexBasis=`${e.width}px`,this.fit()}onKey(e){let i={"+":()=>this.by(1),"=":()=>this.by(1),"-":()=>this.by(-1),0:()=>this.all()}[e];return i?.(),i!==void 0}button(e,t,i){let n=m("button",{type:"button","aria-label":t,title:t},e);return n.addEventListener("click",i),n}measured(){let e=parseFloat(getComputedStyle(this.frame).maxHeight);return{width:this.frame.clientWidth||1/0,height:e||1/0}}fit(){if(this.shown!==void 0){let e=this.scale(this.shown);this.shown.svg.style.width=`${this.shown.width*e}px`,this.shown.svg.style.height=`${this.shown.height*e}px`,this.percent.textContent=`${Math.round(e*100)}%`}}by(e){let{width:t,height:i}=this.frame.getBoundingClientRect();this.to(n=>ue(n,e),t/2,i/2)}all(){this.to((e,t)=>Ye(t,this.room),0,0)}to(e,t,i){if(this.shown===void 0)return;let n=this.scale(this.shown);this.chosen=e(n,this.shown);let{scrollLeft:s,scrollTop:a}=this.frame;this.fit(),this.frame.scrollLeft=me(s,t,n,this.chosen),this.frame.scrollTop=me(a,i,n,this.chosen)}onWheel(e){if(e.ctrlKey||e.metaKey){e.preventDefault();let{left:t,top:i}=this.frame.getBoundingClientRect(),n=e.deltaY<0?1:-1;this.to(s=>ue(s,n),e.clientX-t,e.clientY-i)}}onDrag(e){let t=e.target instanceof Element&&e.target.closest("g.box")!==null;if(e.pointerType==="touch"||e.button!==0||t)return;let{scrollLeft:i,scrollTop:n}=this.frame,{clientX:s,clientY:a,pointerId:o}=e,l=h=>{this.frame.scrollLeft=i-h.clientX+s,this.frame.scrollTop=n-h.clientY+a};this.frame.setPointerCapture(o),this.frame.addEventListener("pointermove",l);let d=()=>this.frame.removeEventListener("pointermove",l);for(let h of["pointerup","pointercancel"])this.frame.addEventListener(h,d,{once:!0})}};function Xe(r,e){let t=new DOMParser().parseFromString(r,"image/svg+xml"),i=document.importNode(t.documentElement,!0);i.removeAttribute("style"),i.querySelectorAll("title, desc").forEach(c=>c.remove());let[n=0,s=0,a=1]=i.getAttribute("viewBox").split(" ").map(Number),[o,l]=[G(i,"width"),G(i,"height")],d=o/a,h={svg:i,width:o,height:l,unit:d,groups:new Map,boxes:new Map,roads:new Map};for(let c of i.querySelectorAll("g.road, g.fork")){let{from:p="",to:g=""}=c.dataset,f=c.querySelector("path, ellipse"),v=f?.getAttribute("d")??`${f?.getAttribute("cx")},${f?.getAttribute("cy")}`;c.setAttribute("aria-hidden","true"),h.roads.set([e[p],e[g],v].join(" "),c)}for(let c of i.querySelectorAll("g.box:not(.fork)")){let p=e[c.dataset.part]??c.dataset.part,{x:g,y:f,width:v,height:b}=zt(c);c.dataset.key=p,h.groups.set(p,c),h.boxes.set(p,{x:(g-n)*d,y:(f-s)*d,width:v*d,height:b*d})}return h}function zt(r){let e=[...r.querySelectorAll(".frame:not(.heat)")],t=[...r.querySelectorAll("text")],i=t.filter(h=>!h.hasAttribute("text-anchor")).map(h=>G(h,"x")),[n,s]=["x","y"].map(h=>Math.min(...e.map(c=>G(c,h)))),a=Math.max(...e.map(h=>G(h,"x")+G(h,"width"))),o=Math.max(...e.map(h=>G(h,"y")+G(h,"height"))),l=Math.max(0,...i.map(h=>n-h)),d=Math.max(o,...t.map(h=>G(h,"y")+4));return{x:n-l,y:s,width:a-n+2*l,height:d-s}}function G(r,e){return Number(r.getAttribute(e))}var Vt=.45,[Ct,Bt]=[280,620],pe,ee=class{constructor(e){this.root=e;let t=m("button",{type:"button"},"Put it back here");this.note.append(t);for(let i of[t,this.button])i.addEventListener("click",()=>{this.home===void 0?this.fix():this.release(),this.button.focus({preventScroll:!0})});this.name()}root;button=m("button",{type:"button",class:"framed"});note=m("p",{},"This graph is pinned at the right. ");resized=new ResizeObserver(()=>this.place());home;notebook;remove(){this.home!==void 0&&(this.release(),this.root.remove())}name(){let[e,t]=this.home?["Unpin","Put it back"]:["Pin","Keep the graph in sight beside the notebook"];Object.assign(this.button,{textContent:e,title:t})}fix(){pe?.release(),pe=this,this.home=this.root.parentElement,this.notebook=this.root.closest(".jp-WindowedPanel-outer")??document.body,this.home.append(this.note),document.body.append(this.root),this.root.classList.add("pinned"),this.resized.observe(this.notebook.parentElement),this.place(),this.name()}release(){pe=void 0,this.resized.disconnect(),this.notebook.style.maxWidth="",this.note.remove(),this.root.classList.remove("pinned"),this.root.removeAttribute("style"),this.home?.append(this.root),this.home=void 0,this.name()}place(){let{left:e,top:t,right:i,bottom:n}=this.notebook.parentElement.getBoundingClientRect(),s=Math.min(Bt,Math.max(Ct,(i-e)*Vt)),a={top:`${t}px`,left:`${i-s}px`,width:`${s}px`,maxHeight:`${n-t}px`};Object.assign(this.root.style,a,{display:i>e?"":"none"}),this.notebook.style.maxWidth=`calc(100% - ${s}px)`}};var Je=125,Ht=1e3,jt=8,te=50;function _t(r,e){let t=e.map(a=>r.flat().includes(a[0]??"")?-1:0),i=new Set,n=t.includes(0)?1:0,s=a=>{let o=e.flatMap((l,d)=>t[d]===-1&&a(l)?[d]:[]);o.forEach(l=>t[l]=n),n+=o.length>0?1:0};for(let a of r)a.forEach(o=>i.add(o)),s(o=>o.length===1&&a.includes(o[0])),s(o=>o.length>1&&o.every(l=>i.has(l)));return t.map(a=>a===-1?n:a)}function Dt(r){return Math.min(Je,Ht/(Math.max(0,...r)+1))}function Ft(r){let e=r.split(" = ").at(-1),[t=e,i]=r.split(" × ");return i===void 0?[e,e]:[t,e]}var ie=class{constructor(e,{hops:t}){this.svg=e;let i=[...e.querySelectorAll("g.road:has(.lane.back)")],n=i.map(o=>o.dataset.edges.split(" ")),s=_t(t,n),a=Dt(s);this.layer=u("g",{"aria-hidden":"true"},e),this.pulses=new B(this.layer),this.runs=i.map((o,l)=>{let d=s[l];return{...{kind:"back",delay:d*a,duration:a},...this.run(o,n[l].length>1,s.indexOf(d)===l)}})}svg;layer;pulses;runs;arrivals=[];async start(){this.pulses.start(this.runs);let e=Math.max(0,...this.runs.map(({delay:t,duration:i})=>t+i));await new Promise(t=>setTimeout(t,e+Je))}finish(){this.pulses.stop(),this.arrivals.forEach(e=>e()),this.layer.remove()}run(e,t,i){let n=e.querySelector(".lane.back"),s=this.svg.querySelector(`g.box[data-part="${e.dataset.from}"]`),a=Te(n.getAttribute("d")),o=[...e.querySelectorAll("text.grad")].map(g=>g.textContent).join(""),[l,d]=Ft(o),h=u("text",{class:"token","text-anchor":"middle",dy:4.5},this.layer);E(e,{"data-grad":"waiting"}),E(s,{"data-grad":"waiting"});let c=()=>{E(n,{d:O(a)}),e.removeAttribute("data-grad"),s.removeAttribute("data-grad"),h.remove()};return this.arrivals.push(c),{line:a,onWay:g=>{if(g===1){c(),s.classList.add("landed");return}let f=C(a,0,de(a)*(1-g)),v=g>=.5||t;E(e,{"data-grad":v?"known":"sent"}),E(n,{d:O(f)}),d.length<=jt&&($(h,v?d:l),E(h,{...f.at(-1)})),i&&this.follow(f.at(-1))}}}follow(e){let[t,i]=[this.svg.parentElement,this.svg.viewBox.baseVal],[n,s]=[e.x-i.x,e.y-i.y].map(a=>a*this.svg.clientWidth/i.width);t.scrollLeft=Math.min(n-te,Math.max(t.scrollLeft,n+te-t.clientWidth)),t.scrollTop=Math.min(s-te,Math.max(t.scrollTop,s+te-t.clientHeight))}};var Kt="There is no Graphviz here to draw the picture. Below it is as text.",Wt="The kernel has gone, and with it these tensors: this is how they were last. Run the cell again.",ne=class{constructor(e){this.model=e;this.trips=e.get("travel")?.run??0,this.outline.append(m("summary",{},"As text"),this.text);let t=m("div",{class:"say"});t.append(this.sentence,this.news);let i=m("div",{class:"foot"});i.append(this.outline,this.lines.root,this.fold,this.pan.controls),e.widget_manager!==void 0&&i.append(this.pin.button);let[n,s]=[m("div",{class:"body"}),m("div",{class:"seen"})];s.append(this.frame,t),n.append(s,this.place);let a=e.get("stylesheet")+F(e.get("themes"))+Ie;this.root.append(m("style",{},a),this.alert,this.empty,n,i),this.frame.addEventListener("keydown",d=>this.onKey(d)),this.frame.addEventListener("click",d=>this.onClick(d)),this.frame.addEventListener("focusin",d=>this.onFocus(d)),this.frame.addEventListener("pointerover",d=>this.tell(d.target)),this.frame.addEventListener("pointerleave",()=>this.tell(document.activeElement)),this.fold.addEventListener("click",()=>this.unfold([])),this.root.addEventListener("keydown",d=>{d.key==="Escape"&&this.selected!==void 0&&(d.stopPropagation(),this.select(void 0))});let o=new IntersectionObserver(d=>this.visible=d.at(-1).isIntersecting);o.observe(this.root);let l=()=>{this.update()};e.on("change",l),this.endings.push(()=>o.disconnect(),()=>this.pan.remove(),()=>this.pin.remove(),()=>e.off("change",l),K(e.widget_manager?.kernel,()=>this.alert.textContent=Wt)),l()}model;root=m("div",{class:"minigrad-view minigrad-live"});frame=m("div",{class:"picture"});place=m("div",{class:"place"});empty=m("p",{class:"empty"});sentence=m("p",{class:"sentence","aria-live":"polite"});news=m("p",{role:"status","aria-live":"polite"});alert=m("p",{role:"alert",class:"alert"});text=m("pre",{tabindex:"0","aria-label":"The graph as text"});outline=m("details");fold=m("button",{type:"button",class:"framed"},"Fold again");lines=new J(()=>this.tellOfLine());pan=new Q(this.frame);stage=new I(this.frame,this.pan);pin=new ee(this.root);endings=[];focused;selected;opening;visible=!0;trips;travel;latest=0;remove(){this.endings.forEach(e=>e()),this.latest++}async update(){let e=++this.latest,t=performance.now(),[i,n,s]=[this.model.get("svg"),this.model.get("summary"),this.model.get("outline")];this.frame.setAttribute("aria-busy","true"),this.travel?.finish(),this.sentence.textContent="",this.text.textContent=s,this.news.textContent=this.model.get("news"),this.fold.hidden=this.model.get("unfolded").length===0,this.lines.offer(this.model.get("lines")),this.empty.textContent=i!==""?"":s===n?n:Kt,this.root.classList.toggle("undrawn",i===""),i===""?this.outline.open=!0:await this.show(i,e,t),e===this.latest&&this.frame.setAttribute("aria-busy","false")}async show(e,t,i){let n=Xe(e,this.model.get("parts")),s=this.frame.contains(document.activeElement);n.svg.setAttribute("role","group"),n.svg.setAttribute("aria-label",this.model.get("summary"));for(let[p,g]of n.groups)this.announce(p,g);let a=this.stage.picture?.groups,o=this.opening!==void 0&&e!==this.opening,l=o&&[...n.groups.keys()].find(p=>!a?.has(p));this.opening=o?void 0:this.opening,this.lines.mark(n);let d=!q()&&this.visible,h=this.model.get("travel");this.travel=d&&h!==void 0&&h.run!==this.trips?new ie(n.svg,h):void 0,this.trips=h?.run??0;let c=this.stage.show(n,d);this.rove(l||(n.groups.has(this.focused??"")?this.focused:void 0)),this.select(n.groups.has(this.selected??"")?this.selected:void 0),requestAnimationFrame(()=>performance.measure("minigrad: new picture",{start:i,end:performance.now()})),await c,t===this.latest&&((s||l)&&this.group(this.focused)?.focus({preventScroll:!l}),await this.travel?.start(),t===this.latest&&this.travel?.finish())}announce(e,t){let i=[...t.querySelectorAll("text")].map(d=>d.textContent),{title:n,rows:s,fold:a}=this.details(t)??{title:i.join(" "),rows:[]},o=s.find(([d])=>d==="kind")?.[1],l=a===void 0?"":", folded: press Enter to unfold";t.setAttribute("role","button"),t.setAttribute("aria-label",(o===void 0?n:`${n}, ${o}`)+l),t.setAttribute("aria-expanded",`${e===this.selected}`),t.setAttribute("tabindex","-1")}group(e){return e===void 0?void 0:this.stage.picture?.groups.get(e)}keyOf(e){return e instanceof Element?e.closest("g.box")?.dataset.key:void 0}details(e){return this.model.get("details")[e.dataset.part??""]}tellOfLine(){let t=(this.stage.picture===void 0?[]:this.lines.mark(this.stage.picture)).map(i=>this.details(i)?.title??"");this.news.textContent=this.lines.chosen===void 0?"":`Made there: ${t.join(", ")}`}rove(e){let t=this.stage.picture?.groups??new Map;this.group(this.focused)?.setAttribute("tabindex","-1"),this.focused=e??t.keys().next().value,this.group(this.focused)?.setAttribute("tabindex","0")}onFocus(e){let t=this.keyOf(e.target);t!==void 0&&(this.rove(t),this.tell(e.target))}tell(e){let t=this.group(this.keyOf(e));this.sentence.textContent=(t&&this.details(t)?.sentence)??""}onKey(e){let t=this.keyOf(e.target);if(t===void 0||e.ctrlKey||e.metaKey||e.altKey)return;if(e.key==="Enter"||e.key===" "){e.preventDefault(),this.open(t);return}if(this.pan.onKey(e.key)){e.preventDefault();return}let i=ke(this.stage.picture.boxes,t,e.key);i!==void 0&&(e.preventDefault(),this.group(i)?.focus())}onClick(e){let t=this.keyOf(e.target);t!==void 0&&(this.group(t)?.focus({preventScroll:!0}),this.open(t===this.selected?void 0:t))}open(e){let t=this.group(e),i=t===void 0?void 0:this.details(t)?.fold;i===void 0?this.select(e):this.unfold([...this.model.get("unfolded"),i])}unfold(e){this.opening=this.model.get("svg"),this.model.set("unfolded",e),this.model.save_changes()}select(e){let t=this.place.contains(document.activeElement),i=this.selected;this.group(i)?.setAttribute("aria-expanded","false"),this.selected=e;let n=this.group(e);n?.setAttribute("aria-expanded","true");let s=n===void 0?void 0:this.details(n);this.place.replaceChildren(...s===void 0?[]:[De(s,()=>this.select(void 0))]),t&&this.group(e??i)?.focus({preventScroll:!0})}};var It=({model:r,el:e})=>Qe(new ne(r),e),an=({model:r,el:e})=>Qe(new X(r),e);function Qe(r,e){return ye(),e.append(r.root),()=>r.remove()}function on(r,e){let t=r[""],i=new Set;It({model:{get:s=>t[s],set(s,a){let o=s==="unfolded"?a.at(-1):void 0;t=r[o??""]},save_changes:()=>i.forEach(s=>s()),on:(s,a)=>{i.add(a)},off:(s,a)=>{i.delete(a)}},el:e})}export{an as nudge,It as render,on as standalone};
