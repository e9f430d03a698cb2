var Me=".minigrad-live, .minigrad-nudge, .minigrad-steps, .minigrad-instrument",dt="data-lm-suppress-shortcuts";function ke(){let r=globalThis;r.minigradKeys||(r.minigradKeys=!0,addEventListener("keydown",lt,!0),addEventListener("focusin",ct,!0))}function lt({target:r,ctrlKey:e,metaKey:t,altKey:i}){r instanceof Element&&r.closest(Me)!==null&&r.toggleAttribute(dt,!(e||t||i))}function ct({target:r}){if(r instanceof Element&&r.matches("[role=slider]:not([aria-label])")){let t=(r.closest(Me)&&r.closest(".widget-inline-hbox"))?.querySelector("label");r.setAttribute("aria-label",t?.textContent??"")}}var Se=`/* What a live graph and nudge share. */
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
`;function F(r){let[e,t]=[r.light,r.dark].map(i=>Object.entries(i).map(([n,s])=>`--minigrad-${n}: ${s};`).join(" "));return`${Se}
.minigrad-view { ${e} }
@media (prefers-color-scheme: dark) { body:not([data-jp-theme-light]) .minigrad-view { ${t} } }
body[data-jp-theme-light="false"] .minigrad-view { ${t} }`}var ut=new Set(["restarting","autorestarting","terminating","dead"]);function K(r,e){let t=(i,n)=>{ut.has(n)&&e()};return r?.statusChanged?.connect(t),r?.disposed?.connect(e),()=>{r?.statusChanged?.disconnect(t),r?.disposed?.disconnect(e)}}function A({x:r,y:e,width:t,height:i}){return{x:r+t/2,y:e+i/2}}function W({x:r,y:e,width:t,height:i},n){return{x:r*n,y:e*n,width:t*n,height:i*n}}function $e(r,e){let t=[...e.keys()].filter(s=>r.has(s)),i=s=>[r.get(s),e.get(s)],n=new Set;return t.forEach((s,a)=>{for(let o of t.slice(a+1))mt(i(s),i(o))&&n.add(s).add(o)}),new Set(t.filter(s=>!n.has(s)))}function mt(r,e){let t=n("x","width"),i=n("y","height");return Math.max(0,t[0],i[0])<Math.min(1,t[1],i[1]);function n(s,a){let o=[0,1].map(p=>A(r[p])[s]-A(e[p])[s]),[c,l]=[o[0],o[1]-o[0]],h=p=>Math.max(p[0][a],p[1][a]),d=(h(r)+h(e))/2;if(Math.abs(l)<1e-6)return Math.abs(c)<d?[-1/0,1/0]:[1,0];let m=[(-d-c)/l,(d-c)/l];return[Math.min(...m),Math.max(...m)]}}var pt={ArrowLeft:{x:-1,y:0},ArrowRight:{x:1,y:0},ArrowUp:{x:0,y:-1},ArrowDown:{x:0,y:1}};function Ae(r,e,t){let i=pt[t],n=r.get(e);if(i===void 0||n===void 0)return;let s=A(n),[a,o]=[void 0,1/0];for(let[c,l]of r){let h=A(l),[d,m]=[h.x-s.x,h.y-s.y],p=d*i.x+m*i.y,g=Math.abs(d*i.y)+Math.abs(m*i.x);p>1&&p+2*g<o&&([a,o]=[c,p+2*g])}return a}var U=()=>matchMedia("(prefers-reduced-motion: reduce)").matches;function Z(r,e){requestAnimationFrame(()=>performance.measure(`minigrad: ${r}`,{start:e,end:performance.now()}))}var gt=140,ft=320,vt=6e4,bt=150,q=class{constructor(e,t){this.frame=e;this.pan=t}frame;pan;picture;running=[];turn=0;async show(e,t){this.halt();let i=this.turn,n=this.picture;if(this.picture=e,this.settle(),n===void 0||!t||e.boxes.size>bt){this.place(e);return}n.svg.parentNode!==this.frame&&this.place(n);let[s,a]=[this.places(n),this.places(e)],o=$e(s,a),c=[...o].filter(g=>xt(s.get(g),a.get(g))>.5),l=new Set([...e.roads.keys()].filter(g=>n.roads.has(g)));c.length>0&&l.clear();let h=[...I(n.groups,o),...I(n.roads,l)],d=[...I(e.groups,o),...I(e.roads,l)];if(await this.play(h,[{opacity:1},{opacity:0}]),this.turn!==i)return;this.frame.style.minHeight=`${this.frame.clientHeight}px`,this.place(e);let m=this.start(d,[{opacity:0},{opacity:0}],vt);if(await Promise.all(c.map(g=>{let v=this.away(e,s.get(g),a.get(g));return this.play([e.groups.get(g)],[{transform:v},{transform:"none"}],ft)})),this.turn!==i)return;let p=this.play(d,[{opacity:0},{opacity:1}]);m.forEach(g=>g.cancel()),await p,this.turn===i&&this.settle()}halt(){this.turn++,this.running.forEach(e=>e.finish()),this.picture?.svg.parentNode===this.frame&&this.settle()}settle(){this.running.forEach(e=>e.cancel()),this.running=[],this.frame.style.minHeight=""}start(e,t,i){let n={duration:i,easing:"ease-in-out",fill:"forwards"},s=e.map(a=>a.animate(t,n));return s.forEach(a=>a.finished.catch(()=>{})),this.running.push(...s),s}async play(e,t,i=gt){let n=this.start(e,t,i);await Promise.allSettled(n.map(s=>s.finished))}place(e){this.frame.replaceChildren(e.svg),this.pan.show(e)}places(e){let t=this.pan.scale(e);return new Map([...e.boxes].map(([i,n])=>[i,W(n,t)]))}away(e,t,i){let n=this.pan.scale(e)*e.unit,[s,a]=[A(t),A(i)];return`translate(${(s.x-a.x)/n}px, ${(s.y-a.y)/n}px)`}};function xt(r,e){let[t,i]=[A(r),A(e)];return Math.hypot(i.x-t.x,i.y-t.y)}function I(r,e){return[...r].filter(([t])=>!e.has(t)).map(([,t])=>t)}var Ne=`.minigrad-nudge {
  display: flex;
  flex-direction: column;
  container-type: inline-size;
  max-width: 1180px;
  padding: 8px 14px;
  font-variant-numeric: tabular-nums;
}
.minigrad-nudge :is(.alert, .bar) {
  order: -1; /* above the picture; by keyboard, the numbers come first */
}
.minigrad-nudge .bar {
  display: flex;
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
  grid-template-columns: auto auto;
  gap: 0 8px;
  font-size: 12px;
}
.minigrad-nudge .bars i {
  display: inline-block;
  box-sizing: border-box;
  height: 12px;
  margin-right: 6px;
  background: var(--minigrad-text);
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

/* The picture: rules for kinds of lines and texts. */
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
.minigrad-nudge svg :is(.track, .zero) {
  opacity: 0.4;
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
/* In a narrow cell the picture is shrunk, so its small texts are larger. */
.minigrad-nudge svg.tight .label.middle {
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
`;function de({boxes:r},e){let[t,i,n,s]=r[e];return{x:t,y:i,width:n,height:s}}function Le({lines:r},e){return r[e].map(([t,i])=>({x:t,y:i}))}function Y(r){let e=(r??[]).reduce((t,i)=>t*i,1);return e<=4?e:0}function E(r,e=2){if(!Number.isFinite(r))return Number.isNaN(r)?"nan":r>0?"inf":"−inf";let t=Math.abs(r),i=t>=1e5?t.toExponential(1):t.toFixed(t>=1e3?0:e);return(r<0&&Number(i)!==0?"−":"")+i}function wt(r,e=2){return(r<0?"":"+")+E(r,e)}function Pe(r){let e=r.reduce((i,n)=>i+n,0);return r.length>4?`sum of ${r.length} = ${E(e)}`:`${r.map((i,n)=>n===0?E(i):` ${i<0?"−":"+"} ${E(Math.abs(i))}`).join("")} = ${E(e)}`}function le({name:r,by:e,result:t,moved:i,predicted:n}){let s=wt(e,Math.abs(e*100-Math.round(e*100))>1e-6?3:2),a=`You moved ${r} by ${s}. ${t} moved by ${E(i,4)}.`,o=`No gradient predicted it: no path leads back from ${t} to ${r}.`;return[a,Number.isNaN(n)?o:`The gradient predicted ${E(n,4)}.`]}function Te({by:r,moved:e,predicted:t}){return Math.abs(r)>.3&&Math.abs(e-t)>.02?" A gradient is exact only for a very small move.":""}function Ge(r,e,t){if(e===void 0)return`${E(r)}; grad None: no path to ${t}`;let i=e>0?"rises with it":"falls as it rises";return`${E(r)}; grad ${E(e)}: ${t} ${Math.abs(e)<.005?"hardly moves":i}`}function Oe(r,e,t){let i=t.map(({name:n,factor:s,passed:a})=>{let o=e===0?"":E(a/e),h=(s==="1"?[]:[s==="-1"?"":s,o].filter(d=>d!=="")).map(d=>/\s|^[-−]/.test(d)?`(${d})`:d).map(d=>`${E(e)} × ${d}`);return`${n} gets ${[...h,E(a)].join(" = ")}`});return`${E(e)} arrives at ${r}. ${i.join("; ")}.`}function Ve(r){let e=r.match(/-?\d+(\.\d+)?(e-?\d+)?/g)?.map(Number)??[];return e.flatMap((t,i)=>i%2===0?[{x:t,y:e[i+1]}]:[])}function ce(r,e){return r.map((t,i)=>{let n=r[Math.max(0,i-1)],s=r[Math.min(r.length-1,i+1)],[a,o]=[s.x-n.x,s.y-n.y],c=Math.hypot(a,o)||1;return{x:t.x-o/c*e,y:t.y+a/c*e}})}function C(r,e,t){return Re(Re(r,e).reverse(),t).reverse()}function Re(r,e){let t=r.slice();for(;t.length>1;){let[i,n]=[t[0],t[1]],s=Math.hypot(n.x-i.x,n.y-i.y);if(s>e||t.length===2){let a=Math.min(1,e/(s||1));t[0]={x:i.x+(n.x-i.x)*a,y:i.y+(n.y-i.y)*a};break}e-=s,t.shift()}return t}function ze(r,e,t){let i=he(r),n=e*i;return C(r,Math.max(0,n-t),i-n)}function he(r){return r.slice(1).reduce((e,{x:t,y:i},n)=>e+Math.hypot(t-r[n].x,i-r[n].y),0)}function G(r){return`M${r.map(({x:e,y:t})=>`${e.toFixed(1)},${t.toFixed(1)}`).join("L")}`}function ue(r,e=8){let[t,i]=[r[Math.max(0,r.length-2)],r.at(-1)],n=Math.atan2(i.y-t.y,i.x-t.x),[s,a]=[Math.cos(n)*e,Math.sin(n)*e],o=.48;return G([{x:i.x+s,y:i.y+a},{x:i.x-a*o,y:i.y+s*o},{x:i.x+a*o,y:i.y-s*o}]).concat("Z")}function u(r,e={},t,i=""){let n=document.createElementNS("http://www.w3.org/2000/svg",r);return y(n,e),n.textContent=i,t?.append(n),n}function y(r,e){for(let[t,i]of Object.entries(e))r.getAttribute(t)!==`${i}`&&r.setAttribute(t,`${i}`)}function $(r,e){r.textContent!==e&&(r.textContent=e)}function T(r,e,t,i){return{x1:r,y1:e,x2:t,y2:i}}var Et=18,Mt=30,B=class{paths;running=[];drawn=0;frame=0;constructor(e){this.paths={forward:u("path",{class:"pulse forward"},e),back:u("path",{class:"pulse back"},e)}}start(e){let t=performance.now();this.running.push(...e.map(i=>({...i,begin:t+i.delay}))),cancelAnimationFrame(this.frame),this.frame=requestAnimationFrame(i=>this.draw(i))}stop(){cancelAnimationFrame(this.frame),this.running=[]}draw(e){if(e-this.drawn>=Mt){this.drawn=e,this.running.filter(({begin:i})=>i<=e).forEach(({begin:i,duration:n,onWay:s})=>s?.(Ce((e-i)/n))),this.running=this.running.filter(({begin:i,duration:n})=>e<i+n);for(let[i,n]of Object.entries(this.paths)){let a=this.running.filter(o=>o.kind===i&&o.begin<=e).map(({line:o,begin:c,duration:l})=>ze(o,Ce((e-c)/l),Et));n.setAttribute("d",a.map(G).join(""))}}this.running.length>0&&(this.frame=requestAnimationFrame(t=>this.draw(t)))}};function Ce(r){let e=1-Math.min(1,r);return r<.5?2*r*r:1-2*e*e}var je=300,He={"×":"M-7-7L7 7M-7 7L7-7","+":"M-9 0H9M0-9V9","−":"M-9 0H9"},_e=r=>r.length>1||r[0].endsWith("]"),De=r=>`[${r.join(", ")}]`,kt=({sign:r,after:e})=>r==="^"&&e==="2",Fe=({sign:r,before:e,after:t})=>[e,r,t].filter(i=>i!=="").join(" ");function Ke({leaves:r}){return r.flatMap(({entries:e,limit:t,first:i},n)=>{let s=10**Math.max(0,Math.floor(Math.log10(t/2)));return e.map((a,o)=>({leaf:n,index:o,name:a,limit:t,first:i[o],unit:s}))})}var X=class{constructor(e,t,i,n,s){this.graph=e;this.places=t;let[a,o,c]=[u("g",{},n),u("g",{},n),u("g",{},n)];this.pulses=new B(s);let l=this.depths();t.roads.forEach(d=>{this.road(d,a,l),this.label(d,c)});let h=e.leaves.map((d,m)=>this.leaf(m,o));i.forEach(d=>this.hand(d,h[d.leaf])),e.data.forEach((d,m)=>this.data(m,o)),e.operations.forEach((d,m)=>this.operation(m,o)),this.result(u("g",{},o))}graph;places;hands=[];operations=[];updates=[];ways=[];pulses;update(e){this.updates.forEach(t=>t(e))}wave(e){if(U())return;let t=new Set([`l${e}`]);this.places.roads.forEach(()=>{this.places.roads.filter(({from:i})=>t.has(i)).forEach(({to:i})=>t.add(i))}),this.pulses.start(this.ways.filter(({kind:i,from:n})=>i==="back"||t.has(n)))}remove(){this.pulses.stop()}box(e){return de(this.places,e)}depths(){let e=new Map;return this.places.roads.forEach(()=>{this.places.roads.forEach(({from:t,to:i})=>{e.set(i,Math.max(e.get(i)??0,(e.get(t)??0)+1))})}),e}road(e,t,i){let n=Le(this.places,e.id),s=e.width===0,a=e.to[0]==="f",o=C(ce(n,s?0:-4.5),2,a?0:9);if(u("path",{class:s?"value data":"value",d:G(o)},t),!a)u("path",{class:s?"head data":"head",d:ue(o)},t);else{let{x:w,y:k}=A(this.box(e.to));u("circle",{class:"fork",cx:w,cy:k,r:this.box(e.to).width/2},t)}if(s)return;let c=e.from[0]==="f",l=C(ce(n.slice().reverse(),-4.5),2,c?2:9),h=u("path",{class:"grad-road",d:G(l)},t),d=c?void 0:u("path",{class:"grad",d:ue(l)},t);this.updates.push(({edges:w})=>{let k=e.edges.flatMap(M=>w[M][1].map(Number)),x=Math.max(0,...k.map(Math.abs))||0,S=k.length===0&&Y(this.graph.edges[e.edges[0]].shape)>0;y(h,{"stroke-width":(1.1+2.3*Math.min(1,x/1.5)).toFixed(1)}),[h,d].forEach(M=>M&&(M.style.display=S?"none":""))});let m=je/(i.get("r")??1),[p,g]=[i.get(e.from)??0,i.get(e.to)],v=(g-p)*m,{from:b}=e;this.ways.push({from:b,line:o,kind:"forward",delay:p*m,duration:v}),this.ways.push({from:b,line:l,kind:"back",delay:2*je-g*m,duration:v})}label({id:e,from:t,to:i,edges:n,rows:s,width:a},o){if(a===0)return;let{x:c,y:l}=A(this.box(e)),{name:h,shape:d}=this.graph.edges[n[0]],m=Y(d),g=(t[0]==="o"&&i!=="r"?Array.from({length:s},(b,w)=>w):[]).map(b=>{let w=u("text",{class:"label middle",x:c,y:l-4.5-6-(s-1-b)*16},o);return{named:u("tspan",{class:"muted","font-style":"italic"},w,b===0?h:""),number:u("tspan",{},w)}}),v=Array.from({length:s},(b,w)=>u("text",{class:"label middle grad strong",x:c,y:l+4.5+16+w*16},o));this.updates.push(b=>{let[w]=b.edges[n[0]];g.forEach(({named:x,number:S},M)=>{let L=m===0?De(d??[]):w.length>M?E(Number(w[M])):"";$(S,x.textContent&&L?` = ${L}`:L)});let k=n.map(x=>b.edges[x][1].map(Number)).filter(({length:x})=>x>0);v.forEach((x,S)=>{let M=k.map(P=>P[S]),L=M.reduce((P,j)=>P+j,0);$(x,M.length===0?"":i[0]==="f"&&s===1&&M.length>1?Pe(M):E(L))})})}leaf(e,t){let{x:i,y:n,width:s,height:a}=this.box(`l${e}`),{name:o,entries:c}=this.graph.leaves[e],l=u("g",{},t);return u("rect",{class:"leaf",x:i+1,y:n,width:s-2,height:a,rx:9},l),u("text",{class:"title strong blue",x:i+14,y:n+25},l,o),_e(c)?u("text",{class:"small muted end",x:i+s-14,y:n+24},l,"value, grad"):u("text",{class:"small grad",x:i+14,y:n+82},l,"grad"),l}hand(e,t){let{leaf:i,index:n,name:s,limit:a}=e,{x:o,y:c,width:l}=this.box(`l${i}`),h=_e(this.graph.leaves[i].entries),d=h?c+32+44*n:c,m=h?{slider:d+17,arrow:d+29,number:d+15,grad:d+34,frame:d,height:42}:{slider:c+48,arrow:c+62,number:c+27,grad:c+82,frame:c+5,height:82},p=h?[o+42,o+l-66]:[o+18,o+l-18],[[g,v],b,w]=[p,o+l-14,m.slider],k={"aria-label":s,"aria-valuemin":-a,"aria-valuemax":a},x=u("g",{class:"hand",role:"slider",tabindex:0,...k},t);u("rect",{class:"frame",x:o+6,y:m.frame,width:l-12,height:m.height,rx:6},x),u("rect",{class:"hit",x:g-10,y:w-12,width:v-g+20,height:24},x),h&&u("text",{class:"small muted",x:o+12,y:w+4},x,s.slice(s.lastIndexOf("[")));let S=(g+v)/2;u("line",{class:"track",...T(g,w,v,w)},x),u("line",{class:"zero",...T(S,w-5,S,w+5)},x);let M=u("path",{class:"grad"},x),L=u("circle",{class:"thumb",r:h?6:7.5,cy:w},x),P=u("rect",{class:"hit",x:b-62,y:m.number-20,width:72,height:28},x),[j,oe]=h?["","small"]:["large",""],N=u("text",{class:`number end strong blue ${j}`,x:b,y:m.number},x),D=T(b-(h?36:50),m.number+5.5,b,m.number+5.5),ot=u("line",{class:"underline",...D},x),xe=u("text",{x:b,y:m.grad},x);this.hands.push({root:x,entry:e,track:p,number:[P,N,ot]}),this.updates.push(({leaves:ye})=>{let V=ye[i][0][n],we=ye[i][1],z=we===null?void 0:Number(we[n]),Ee=S+V/a*((v-g)/2);y(L,{cx:Ee}),$(N,E(V,Math.abs(V*100-Math.round(V*100))>1e-6?3:2)),$(xe,z===void 0?`None: no path to ${this.graph.result}`:E(z,h?3:4)),y(xe,{class:z===void 0?"small muted end":`grad end strong ${oe}`}),y(M,{d:z===void 0?"":St(Ee,m.arrow,z,h?.3:1)}),y(x,{"aria-valuenow":V,"aria-valuetext":Ge(V,z,this.graph.result)})})}data(e,t){let{x:i,y:n,width:s,height:a}=this.box(`d${e}`),{name:o,shape:c}=this.graph.data[e],l=Y(c);u("rect",{class:"card",x:i,y:n,width:s,height:a,rx:4},t),u("text",{class:"strong muted",x:i+10,y:n+a/2+5},t,o);let h=Array.from({length:Math.max(l,1)},(d,m)=>u("text",{class:"end",x:i+s-10,y:n+22+m*20},t));this.updates.push(({data:d})=>{h.forEach((m,p)=>$(m,l===0?De(c):E(Number(d[e][p]))))})}operation(e,t){let i=this.box(`o${e}`),n=this.graph.operations[e],{x:s,y:a}=A(i),[o,c,l]=[i.x,i.width,i.width<49?46:42],h=u("g",{class:"operation",tabindex:0,role:"img","aria-label":Fe(n)},t);u("rect",{class:"pill",x:o,y:a-l/2,width:c,height:l,rx:l/2},h);let d=Fe(n);kt(n)?(u("rect",{class:"sign base",x:s-11,y:a-5,width:14,height:14,rx:1.5},h),u("text",{class:"strong",x:s+6,y:a-3},h,"2")):d in He?u("path",{class:"sign",d:He[d],transform:`translate(${s} ${a})`},h):u("text",{class:"title strong middle",x:s,y:a+6},h,d),u("title",{},h,n.name),this.operations.push(h)}result(e){let{x:t,y:i,width:n,height:s}=this.box("r");u("rect",{class:"result",x:t,y:i,width:n,height:s,rx:9},e),u("text",{class:"title strong",x:t+12,y:i+25},e,this.graph.result);let a=u("text",{class:"large strong end",x:t+n-12,y:i+52},e);this.updates.push(({result:o})=>$(a,E(Number(o),4)))}};function St(r,e,t,i){if(!(Math.abs(t)>=.005))return`M${r-2.5},${e}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0Z`;let n=Math.sign(t),s=r+n*Math.min(46,Math.abs(t)*26)*i;return`M${r},${e-1.3}H${s}V${e-4.6}L${s+n*8},${e}L${s},${e+4.6}V${e+1.3}H${r}Z`}function We(r,e,t){let i=e-t.width,s=Object.keys(r.boxes).map(o=>de(r,o)).filter(o=>o.x+o.width>i-8).map(o=>o.y+o.height),a=Object.values(r.lines).flat().filter(([o])=>o>i-8);return{x:i,y:Math.max(0,...s,...a.map(([,o])=>o+4.5))+14}}var R={width:320,height:158},[Ie,qe,$t]=[22,26,20],At=0,J=class{title=u("tspan");note=u("tspan",{class:"grad strong",dx:12});zero=u("line",{class:"axis"});ticks;drop=u("line",{class:"drop"});curve=u("path",{class:"curve"});tangent=u("line",{class:"tangent"});gap=u("line",{class:"gap"});slope=u("line",{class:"slope"});from=u("circle",{class:"from",r:4.5});predicted=u("path",{class:"guess",d:"M0,-6L6,0L0,6L-6,0Z"});now=u("circle",{class:"now",r:5});area;constructor(e,t,i){let n=R.width-Ie-6,s=R.height-qe-$t,a=this.area={x:t+Ie,y:i+qe,width:n,height:s},o=u("g",{"aria-hidden":"true"},e);u("text",{x:a.x,y:i+13,class:"label"},o).append(this.title,this.note);let[c,l]=[a.y+s,a.x+n];u("path",{class:"axis",d:`M${a.x},${a.y}V${c}H${l}`},o);let h=["start","middle","end","end","middle"];this.ticks=h.map(g=>u("text",{class:"small muted","text-anchor":g,y:c+14})),y(this.ticks[4],{class:"small strong blue"});let d=`minigrad-plot-${At++}`,m=u("clipPath",{id:d},o);u("rect",{x:a.x,y:a.y-4,width:n,height:s+8},m);let p=u("g",{"clip-path":`url(#${d})`},o);p.append(this.drop,this.curve,this.tangent,this.gap,this.slope),o.append(this.zero,...this.ticks),p.append(this.from,this.predicted,this.now)}draw(e,{limit:t,name:i},n,s,a){let{x:o,y:c,width:l,height:h}=this.area,d=(e?.points??[]).map(([N,D])=>[N,D===null?NaN:Number(D)]),[m,p]=Nt([...d.map(([,N])=>N),s.result,a.result]),g=N=>o+(N+t)/(2*t)*l,v=N=>c+h-(N-m)/(p-m)*h;y(this.curve,{d:Lt(d,g,v)});let b=N=>v(s.result+s.grad*(N-s.value)),w=s.value!==a.value,k=!Number.isNaN(s.grad),[x,S,M]=[g(a.value),v(a.result),b(a.value)];_(w,this.from),_(w&&k,this.predicted,this.gap),_(k,this.tangent,this.slope),y(this.from,{cx:g(s.value),cy:v(s.result)}),k&&(y(this.tangent,T(g(-t),b(-t),g(t),b(t))),y(this.predicted,{transform:`translate(${x} ${M})`}),y(this.gap,T(x,S,x,M))),y(this.now,{cx:x,cy:S}),y(this.drop,T(x,S,x,c+h));let L=(a.grad||0)*h*2*t/((p-m)*l),P=w?13/Math.hypot(1,L):0;y(this.slope,T(x-P,S+P*L,x+P,S-P*L)),$(this.title,`${n} as ${i} moves`);let j=`grad at ${E(s.value)} was ${E(s.grad)}`,oe=w?`the line: ${j}`:`slope = grad = ${E(s.grad)}`;$(this.note,k?oe:"grad None: no path back"),this.label(t,i,x,m<0&&p>0?v(0):NaN)}label(e,t,i,n){let{x:s,width:a}=this.area,[o,c]=[s+a/2,s+a],l=Math.min(c-30,Math.max(s+30,i)),[h,d,m,p,g]=this.ticks;[h,d,m].forEach((v,b)=>$(v,E((b-1)*e,0))),[s,o,c,s-5,l].forEach((v,b)=>y(this.ticks[b],{x:v})),$(p,"0"),$(g,t),_(Math.abs(l-o)>=24,d),_(!Number.isNaN(n),this.zero,p),y(this.zero,T(s,n||0,c,n||0)),y(p,{y:(n||0)+4})}};function Nt(r){let e=r.filter(Number.isFinite),[t,i]=[Math.min(...e),Math.max(...e)];if(e.length===0)return[-1,1];let n=Math.max(1,Math.abs(i)*.05),[s,a]=[(i+t)/2,Math.max(n,i-t)*.58];return[s-a,s+a]}function _(r,...e){e.forEach(t=>t.style.display=r?"":"none")}function Lt(r,e,t){let i=([s,a])=>`L${e(s).toFixed(1)},${t(a).toFixed(1)}`;return r.map(s=>Number.isFinite(s[1])?i(s):" ").join("").replace(/(^|\s)L/g,"M")}var pe="http://www.w3.org/1998/Math/MathML",Pt=new Set(["display","fence","form","lspace","mathvariant","rspace","separator","stretchy"]);function f(r,e={},...t){let i=document.createElement(r);return Object.entries(e).forEach(([n,s])=>i.setAttribute(n,s)),i.append(...t),i}function Ue({title:r,sentence:e,mathematics:t,rows:i},n){let s=f("button",{type:"button","aria-label":"Close",title:"Close (Esc)"},"×");return s.addEventListener("click",n),f("section",{class:"panel",role:"region","aria-label":`About ${r}`},s,f("h4",{},r),...e?[f("p",{},e)]:[],...t?[f("div",{class:"formula"},...Tt(t))]:[],f("dl",{},...i.flatMap(([a,o])=>[f("dt",{},a),f("dd",{},o)])))}function Tt(r){let e=`<mrow xmlns="${pe}">${r}</mrow>`;return[...new DOMParser().parseFromString(e,"application/xml").documentElement.childNodes].flatMap(Ze)}function Ze(r){if(r.nodeType===Node.TEXT_NODE)return[document.createTextNode(r.textContent??"")];if(!(r instanceof Element)||r.namespaceURI!==pe||!r.localName.startsWith("m"))return[];let e=document.createElementNS(pe,r.localName);for(let{name:t,value:i}of r.attributes)Pt.has(t)&&e.setAttribute(t,i);return e.append(...[...r.childNodes].flatMap(Ze)),[e]}var Gt="The kernel has gone, so these numbers can't be moved. Run the cell again.",Ye="Drag a number and let go: here you'll read how far the result moved, and what its gradient predicted.",Ot={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1,PageUp:5,PageDown:-5},Rt=700,Vt=330,zt=[4,12],Xe=.66,Q=class{constructor(e){this.model=e;let t=f("b",{},"Values run forward, gradients run back."),i=f("span",{}," An orange arrow points where the result rises."),n=f("p",{class:"hint"},"Drag a blue number or its slider. ",t,i),s=f("button",{type:"button",class:"framed"},"Reset");s.addEventListener("click",()=>this.reset());let a=f("div",{class:"bar"},n,s),o=f("div",{class:"say"},this.sentence,this.bars),c=F(e.get("themes"))+Ne;this.root.append(f("style",{},c),this.alert,this.frame,a,o,this.news),this.values=this.numbers.leaves.map(([g])=>g.slice()),this.entries=Ke(this.graph),this.selected=this.entries[0],this.idle();let{signal:l}=this.ended;addEventListener("pointermove",g=>this.onMove(g),{signal:l});let h=()=>this.drag&&this.finish();["pointerup","pointercancel"].forEach(g=>addEventListener(g,h,{signal:l}));let d=new ResizeObserver(g=>{this.room=Math.floor(g.at(-1).contentRect.width),this.build()});d.observe(this.frame);let m=()=>this.onAnswer();e.on("change",m);let p=K(e.widget_manager?.kernel,()=>this.gone());l.addEventListener("abort",()=>{e.off("change",m),d.disconnect(),p(),this.picture?.remove()})}model;root=f("section",{class:"minigrad-view minigrad-nudge","aria-label":"Nudge"});alert=f("p",{role:"alert",class:"alert"});frame=f("div",{class:"picture"});sentence=f("p",{class:"sentence"});bars=f("div",{class:"bars","aria-hidden":"true"});news=f("div",{class:"unseen",role:"status","aria-live":"polite"});ended=new AbortController;picture;plot;svg=u("svg");drawn=[void 0,0];values;entries;selected;start;moving=!1;drag;burst=0;lastWave=0;turn=Math.floor(Math.random()*1e9);waiting=!1;asked=0;moves=new Map;wishes={};room=0;frameAsked=0;remove(){this.ended.abort()}get graph(){return this.model.get("graph")}get numbers(){return this.model.get("numbers")}build(){let{graph:e,room:t,drawn:i}=this;if(t===0||e===i[0]&&t===i[1])return;this.drawn=[e,t];let n=this.model.get("layouts"),s=n.find(({width:p})=>p<=t)??n.at(-1);if(s===void 0){this.alert.textContent="There is no Graphviz to draw with: pip install pygraphviz";return}let a=this.picture?.hands.findIndex(({root:p})=>p===document.activeElement)??-1,o=Math.max(s.width,Math.min(t,s.width+R.width),R.width),c=We(s,Math.min(o,t/Xe),R),l=Math.ceil(Math.max(s.height,c.y+R.height)),h=`0 0 ${o} ${l}`;this.svg=u("svg",{viewBox:h,role:"group",class:s.tight?"tight":""});let d=u("svg",{viewBox:h,class:"above","aria-hidden":"true"}),m=f("div",{class:"both"},this.svg,d);m.style.width=`${Math.min(o,Math.max(t,o*Xe))}px`,this.plot=new J(this.svg,c.x,c.y),this.picture?.remove(),this.picture=new X(e,s,this.entries,this.svg,d),this.frame.replaceChildren(m),this.picture.hands.forEach(p=>this.bind(p)),this.picture.operations.forEach((p,g)=>this.explain(p,g)),this.update(),this.picture.hands[a]?.root.focus()}bind(e){let{root:t,entry:i}=e;t.addEventListener("pointerdown",n=>{if(n.button===0){n.preventDefault(),t.focus({preventScroll:!0}),this.begin(i),t.classList.add("on","by-mouse");let s=e.number.includes(n.target);this.drag={...e,x:n.clientX,value:this.valueOf(i),onNumber:s},this.onMove(n)}}),t.addEventListener("dblclick",()=>{this.begin(i),this.set(i,i.first,6),this.finish()}),t.addEventListener("keydown",n=>this.onKey(n,i)),t.addEventListener("focus",()=>this.drag??this.select(i)),t.addEventListener("blur",()=>t.classList.remove("by-mouse"))}onMove({clientX:e,shiftKey:t}){if(this.drag===void 0)return;let{entry:i,x:n,value:s,onNumber:a}=this.drag,[o,c]=this.drag.track,{left:l,width:h}=this.svg.getBoundingClientRect(),d=(e-l)*this.svg.viewBox.baseVal.width/h,m=s+(e-n)*(t?.001:.01)*i.unit,p=(2*(d-o)/(c-o)-1)*i.limit;this.set(i,a?m:p,a&&t?3:2)}onKey(e,t){if(e.ctrlKey||e.metaKey||e.altKey)return;let{limit:i,first:n,unit:s}=t,a={Home:-i,End:i,Delete:n,Backspace:n},o=(Ot[e.key]??0)*s*(e.shiftKey?.01:.1),c=o===0?a[e.key]:this.valueOf(t)+o;if(e.key==="Escape")this.cancel(t);else if(c!==void 0)this.press(t,c);else return;this.picture?.hands.forEach(({root:l})=>l.classList.remove("by-mouse")),e.preventDefault(),e.stopPropagation()}press(e,t){this.burst===0&&this.begin(e),clearTimeout(this.burst),this.set(e,t),this.burst=window.setTimeout(()=>this.finish(),Rt)}valueOf({leaf:e,index:t}){return this.values[e][t]}select(e){e!==this.selected&&(this.rest(),this.selected=e,this.idle(),this.ask({curve:[e.leaf,e.index]}),this.update())}begin(e){this.select(e),this.moving=!0,this.start=this.placeOf(e),this.ask({curve:[e.leaf,e.index]})}placeOf({leaf:e,index:t}){let{leaves:i,result:n}=this.numbers;return{value:i[e][0][t],result:Number(n),grad:Number(i[e][1]?.[t]??NaN)}}set({leaf:e,index:t,limit:i},n,s=2){let a=Number(Math.min(i,Math.max(-i,n)).toFixed(s));if(a===this.values[e][t])return;this.values[e][t]=a,this.moves.set(`${e},${t}`,[e,t,a]),this.ask({});let o=performance.now();o-this.lastWave>Vt&&(this.lastWave=o,this.picture?.wave(e)),this.refresh()}rest(){clearTimeout(this.burst),this.picture?.hands.forEach(({root:e})=>e.classList.remove("on")),[this.burst,this.moving,this.drag]=[0,!1,void 0]}finish(){this.rest(),this.update(),this.announce()}cancel(e){this.moving&&this.start!==void 0&&(this.set(e,this.start.value,6),this.rest(),this.idle(),this.update())}reset(){this.values=this.graph.leaves.map(({first:e})=>e.slice()),this.moves.clear(),this.idle(),this.ask({reset:!0,curve:[this.selected.leaf,this.selected.index]}),this.refresh(),this.values.forEach((e,t)=>this.picture?.wave(t)),this.news.textContent="All numbers are back where they were."}ask(e){this.wishes={...this.wishes,...e};let t=[...this.moves.values()];this.waiting||t.length===0&&Object.keys(this.wishes).length===0||(this.waiting=!0,this.asked=performance.now(),this.model.send({...this.wishes,moves:t,turn:++this.turn}),zt.forEach(i=>setTimeout(()=>this.waiting&&this.model.send({ping:!0}),i)),this.wishes={},this.moves.clear())}onAnswer(){let{turn:e,leaves:t,error:i}=this.numbers,n=this.waiting&&e===this.turn;this.alert.textContent=i,this.waiting&&=!n,!this.waiting&&this.moves.size===0&&!("reset"in this.wishes)&&(this.values=t.map(([s])=>s.slice())),this.update(),this.build(),n&&(Z("nudge",this.asked),this.ask({}),this.announce())}refresh(){cancelAnimationFrame(this.frameAsked),this.frameAsked=requestAnimationFrame(()=>this.update())}update(){cancelAnimationFrame(this.frameAsked);let e=this.numbers,t=e.leaves.map(([,c],l)=>[this.values[l],c]);this.picture?.update({...e,leaves:t});let i=this.model.get("curve"),n=this.placeOf(this.selected),{leaf:s,index:a}=this.selected,o=i.leaf===s&&i.index===a?i:void 0;this.plot?.draw(o,this.selected,this.graph.result,this.start??n,n),this.svg.setAttribute("aria-label",this.model.get("outline")),this.move&&this.tell(this.move)}get move(){let e=this.placeOf(this.selected);if(this.start===void 0||this.start.value===e.value)return;let{start:t}=this,[{name:i},{result:n}]=[this.selected,this.graph],s=e.value-t.value;return{name:i,by:s,result:n,moved:e.result-t.result,predicted:t.grad*s}}tell(e){let[t,i]=le(e),n=Math.max(Math.abs(e.moved||0),Math.abs(e.predicted||0))||1,s=["moved","predicted"].flatMap(a=>{let o=f("i");o.style.width=`${Math.max(1,Math.abs(e[a])/n*120)}px`;let c=f("span",{class:a},o,E(e[a],4));return Number.isNaN(e[a])?[]:[f("span",{class:a},a),c]});this.say([`${t} `,f("b",{},i)],s)}say(e,t=[]){this.sentence.classList.toggle("idle",e[0]===Ye),this.sentence.replaceChildren(...e),this.bars.replaceChildren(...t)}announce(){let e=this.move;e!==void 0&&!this.moving&&!this.waiting&&(this.news.textContent=le(e).join(" ")+Te(e))}idle(){this.start=void 0,this.say([Ye])}explain(e,t){let i=()=>{let{edges:a,operations:o}=this.graph,{sign:c}=o[t],l=this.numbers.edges.map(([,v])=>v.map(Number)),h=a.map((v,b)=>({...v,passed:l[b]})),d=h.filter(({from:v})=>v===`o${t}`),m=h.filter(({to:v,data:b})=>v===`o${t}`&&!b);if([...d,...m].some(({passed:v})=>v.length!==1))return`${c} passes back to each entry of its inputs what arrives times its own slope there.`;let p=d.reduce((v,{passed:b})=>v+b[0],0),g=m.map(({name:v,factor:b,from:w,passed:k})=>({name:v||o[Number(w.slice(1))].sign,factor:b,passed:k[0]}));return Oe(c,p,g)},n=()=>{this.drag===void 0&&(this.say([i()]),e.setAttribute("aria-label",i()))},s=()=>this.move!==void 0?this.tell(this.move):this.moving||this.idle();["pointerenter","focus"].forEach(a=>e.addEventListener(a,n)),["pointerleave","blur"].forEach(a=>e.addEventListener(a,s))}gone(){this.alert.textContent=Gt,this.root.classList.add("gone"),this.picture?.hands.forEach(({root:e})=>y(e,{"aria-disabled":"true",tabindex:-1}))}};function Je(r,e){for(let[t,[i,n]]of Object.entries(e)){let s=ge(r,t),a=s?.querySelector(".lane")?.getAttribute("d");s&&a&&(s.removeAttribute("aria-hidden"),y(s,{role:"button",tabindex:0,"aria-label":i,"aria-pressed":`${n}`}),u("path",{class:"target",d:a},s))}}function ge(r,e){return r?.querySelector(`.road[data-edges="${e}"]`)}function ee(r){return r instanceof Element?r.closest(".road[role=button]")?.dataset.edges:void 0}var te=class{list=f("select");root=f("label",{class:"lines"},"Made by ",this.list);lines=[];constructor(e){this.list.addEventListener("change",e)}offer(e){let t=this.list.value;this.lines=e,this.root.hidden=e.length===0;let i=e.map(([n])=>f("option",{value:n},n));this.list.replaceChildren(f("option",{value:""},"any line"),...i),this.list.value=e.some(([n])=>n===t)?t:""}get chosen(){return this.list.value||void 0}mark({svg:e,groups:t}){let i=new Set(this.lines.find(([n])=>n===this.chosen)?.[1]);e.classList.toggle("marked",this.chosen!==void 0);for(let n of t.values())n.setAttribute("aria-current",`${i.has(n.dataset.part??"")}`);return[...t.values()].filter(n=>i.has(n.dataset.part??""))}};var Qe=`.minigrad-live {
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

/* An arrow that is a button: pressed, no gradient goes back along it. */
.minigrad-live .road[role="button"] {
  cursor: pointer;
  outline: none;
}
.minigrad-live .road .target {
  fill: none;
  stroke: transparent;
  stroke-width: 34;
  pointer-events: stroke;
}
.minigrad-live .minigrad-picture .road[role="button"]:is(:hover, :focus-visible) .lane {
  stroke: var(--minigrad-leaf);
  stroke-width: 3.5;
}
.minigrad-live .minigrad-picture .road[aria-pressed="true"] .lane {
  stroke-dasharray: 1.5 6;
}
.minigrad-live .road[aria-pressed="true"] text.grad {
  text-decoration: line-through;
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
`;var[tt,Bt]=[.02,4],et=1.25;function it(r,e,t){return Math.min(1,Math.max(t,e.width/r.width))}function nt(r,e){let t=Math.min(1,e.width/r.width,e.height/r.height);return Math.max(tt,t)}function fe(r,e){let t=Math.log(r)/Math.log(et),i=e>0?Math.floor(t+.01)+1:Math.ceil(t-.01)-1;return Math.min(Bt,Math.max(tt,et**i))}function ve(r,e,t,i){return(r+e)*i/t-e}var jt=.7,Ht=.5,ie=class{constructor(e){this.frame=e;this.controls.append(this.button("−","Zoom out (-)",()=>this.by(-1)),this.percent,this.button("+","Zoom in (+)",()=>this.by(1)),this.button("Whole","Show the whole picture (0)",()=>this.all())),e.addEventListener("wheel",t=>this.onWheel(t),{passive:!1}),e.addEventListener("pointerdown",t=>this.onDrag(t)),this.room=this.measured(),this.resized.observe(e)}frame;controls=f("div",{class:"zoom",role:"group","aria-label":"Zoom"});percent=f("output",{"aria-label":"Zoom"});chosen;shown;resized=new ResizeObserver(()=>{this.room=this.measured(),this.fit()});room;remove(){this.resized.disconnect()}scale(e){let t=this.frame.closest(".pinned, .minigrad-instrument")?Ht:jt;return this.chosen??it(e,this.room,t/e.unit)}show(e){this.shown=e,this.frame.parentElement.style.flexBasis=`${e.width}px`,this.fit()}onKey(e){let i={"+":()=>this.by(1),"=":()=>this.by(1),"-":()=>this.by(-1),0:()=>this.all()}[e];return i?.(),i!==void 0}button(e,t,i){let n=f("button",{type:"button","aria-label":t,title:t},e);return n.addEventListener("click",i),n}measured(){let e=parseFloat(getComputedStyle(this.frame).maxHeight);return{width:this.frame.clientWidth||1/0,height:e||1/0}}fit(){if(this.shown!==void 0){let e=this.scale(this.shown);this.shown.svg.style.width=`${this.shown.width*e}px`,this.shown.svg.style.height=`${this.shown.height*e}px`,this.percent.textContent=`${Math.round(e*100)}%`}}by(e){let{width:t,height:i}=this.frame.getBoundingClientRect();this.to(n=>fe(n,e),t/2,i/2)}all(){this.to((e,t)=>nt(t,this.room),0,0)}to(e,t,i){if(this.shown===void 0)return;let n=this.scale(this.shown);this.chosen=e(n,this.shown);let{scrollLeft:s,scrollTop:a}=this.frame;this.fit(),this.frame.scrollLeft=ve(s,t,n,this.chosen),this.frame.scrollTop=ve(a,i,n,this.chosen)}onWheel(e){if(e.ctrlKey||e.metaKey){e.preventDefault();let{left:t,top:i}=this.frame.getBoundingClientRect(),n=e.deltaY<0?1:-1;this.to(s=>fe(s,n),e.clientX-t,e.clientY-i)}}onDrag(e){let t=e.target instanceof Element&&e.target.closest("g.box, .road[role=button]")!==null;if(e.pointerType==="touch"||e.button!==0||t)return;let{scrollLeft:i,scrollTop:n}=this.frame,{clientX:s,clientY:a,pointerId:o}=e,c=h=>{this.frame.scrollLeft=i-h.clientX+s,this.frame.scrollTop=n-h.clientY+a};this.frame.setPointerCapture(o),this.frame.addEventListener("pointermove",c);let l=()=>this.frame.removeEventListener("pointermove",c);for(let h of["pointerup","pointercancel"])this.frame.addEventListener(h,l,{once:!0})}};function st(r,e){let t=new DOMParser().parseFromString(r,"image/svg+xml"),i=document.importNode(t.documentElement,!0);i.removeAttribute("style"),i.querySelectorAll("title, desc").forEach(d=>d.remove());let[n=0,s=0,a=1]=i.getAttribute("viewBox").split(" ").map(Number),[o,c]=[O(i,"width"),O(i,"height")],l=o/a,h={svg:i,width:o,height:c,unit:l,groups:new Map,boxes:new Map,roads:new Map};for(let d of i.querySelectorAll("g.road, g.fork")){let{from:m="",to:p=""}=d.dataset,g=d.querySelector("path, ellipse"),v=g?.getAttribute("d")??`${g?.getAttribute("cx")},${g?.getAttribute("cy")}`;d.setAttribute("aria-hidden","true"),h.roads.set([e[m],e[p],v].join(" "),d)}for(let d of i.querySelectorAll("g.box:not(.fork)")){let m=e[d.dataset.part]??d.dataset.part,{x:p,y:g,width:v,height:b}=_t(d);d.dataset.key=m,h.groups.set(m,d),h.boxes.set(m,W({x:p-n,y:g-s,width:v,height:b},l))}return h}function _t(r){let e=[...r.querySelectorAll(".frame:not(.heat)")],t=[...r.querySelectorAll("text")],i=d=>Math.min(...e.map(m=>O(m,d))),n=t.filter(d=>!d.hasAttribute("text-anchor")).map(d=>O(d,"x")),[s,a]=[i("x"),i("y")],o=Math.max(...e.map(d=>O(d,"x")+O(d,"width"))),c=Math.max(...e.map(d=>O(d,"y")+O(d,"height"))),l=Math.max(0,...n.map(d=>s-d)),h=Math.max(c,...t.map(d=>O(d,"y")+4));return{x:s-l,y:a,width:o-s+2*l,height:h-a}}function O(r,e){return Number(r.getAttribute(e))}var Dt=.45,[Ft,Kt]=[280,620],be,ne=class{constructor(e){this.root=e;for(let t of[this.back,this.button])t.addEventListener("click",()=>{this.home===void 0?this.fix():this.release(),this.button.focus({preventScroll:!0})});this.name()}root;button=f("button",{type:"button",class:"framed"});back=f("button",{type:"button"},"Put it back here");note=f("p",{},"This graph is pinned at the right. ",this.back);resized=new ResizeObserver(()=>this.place());home;notebook;remove(){this.home!==void 0&&(this.release(),this.root.remove())}name(){let[e,t]=this.home?["Unpin","Put it back"]:["Pin","Keep the graph in sight beside the notebook"];Object.assign(this.button,{textContent:e,title:t})}fix(){be?.release(),be=this,this.home=this.root.parentElement,this.notebook=this.root.closest(".jp-WindowedPanel-outer")??document.body,this.home.append(this.note),document.body.append(this.root),this.root.classList.add("pinned"),this.resized.observe(this.notebook.parentElement),this.place(),this.name()}release(){be=void 0,this.resized.disconnect(),this.notebook.style.maxWidth="",this.note.remove(),this.root.classList.remove("pinned"),this.root.removeAttribute("style"),this.home?.append(this.root),this.home=void 0,this.name()}place(){let{left:e,top:t,right:i,bottom:n}=this.notebook.parentElement.getBoundingClientRect(),s=Math.min(Kt,Math.max(Ft,(i-e)*Dt)),a={top:`${t}px`,left:`${i-s}px`,width:`${s}px`,maxHeight:`${n-t}px`};Object.assign(this.root.style,a,{display:i>e?"":"none"}),this.notebook.style.maxWidth=`calc(100% - ${s}px)`}};var rt=125,Wt=1e3,It=8,se=50;function qt(r,e){let t=e.map(a=>r.flat().includes(a[0]??"")?-1:0),i=new Set,n=t.includes(0)?1:0,s=a=>{let o=e.flatMap((c,l)=>t[l]===-1&&a(c)?[l]:[]);o.forEach(c=>t[c]=n),n+=o.length>0?1:0};for(let a of r)a.forEach(o=>i.add(o)),s(o=>o.length===1&&a.includes(o[0])),s(o=>o.length>1&&o.every(c=>i.has(c)));return t.map(a=>a===-1?n:a)}function Ut(r){return Math.min(rt,Wt/(Math.max(0,...r)+1))}function Zt(r){let e=r.split(" = ").at(-1),[t=e,i]=r.split(" × ");return i===void 0?[e,e]:[t,e]}var re=class{constructor(e,{hops:t}){this.svg=e;let i=[...e.querySelectorAll("g.road:has(.lane.back)")],n=i.map(o=>o.dataset.edges.split(" ")),s=qt(t,n),a=Ut(s);this.layer=u("g",{"aria-hidden":"true"},e),this.pulses=new B(this.layer),this.runs=i.map((o,c)=>{let l=s[c];return{...{kind:"back",delay:l*a,duration:a},...this.run(o,n[c].length>1,s.indexOf(l)===c)}})}svg;layer;pulses;runs;arrivals=[];async start(){this.pulses.start(this.runs);let e=Math.max(0,...this.runs.map(({delay:t,duration:i})=>t+i));await new Promise(t=>setTimeout(t,e+rt))}finish(){this.pulses.stop(),this.arrivals.forEach(e=>e()),this.layer.remove()}run(e,t,i){let n=e.querySelector(".lane.back"),s=this.svg.querySelector(`g.box[data-part="${e.dataset.from}"]`),a=Ve(n.getAttribute("d")),o=[...e.querySelectorAll("text.grad")].map(p=>p.textContent).join(""),[c,l]=Zt(o),h=u("text",{class:"token","text-anchor":"middle",dy:4.5},this.layer);[e,s].forEach(p=>y(p,{"data-grad":"waiting"}));let d=()=>{y(n,{d:G(a)}),[e,s].forEach(p=>p.removeAttribute("data-grad")),h.remove()};return this.arrivals.push(d),{line:a,onWay:p=>{if(p===1){d(),s.classList.add("landed");return}let g=C(a,0,he(a)*(1-p)),v=p>=.5||t;y(e,{"data-grad":v?"known":"sent"}),y(n,{d:G(g)}),l.length<=It&&($(h,v?l:c),y(h,{...g.at(-1)})),i&&this.follow(g.at(-1))}}}follow(e){let[t,i]=[this.svg.parentElement,this.svg.viewBox.baseVal],[n,s]=[e.x-i.x,e.y-i.y].map(a=>a*this.svg.clientWidth/i.width);t.scrollLeft=Math.min(n-se,Math.max(t.scrollLeft,n+se-t.clientWidth)),t.scrollTop=Math.min(s-se,Math.max(t.scrollTop,s+se-t.clientHeight))}};var Yt="There is no Graphviz here to draw the picture. Below it is as text.",Xt="The kernel has gone, and with it these tensors: this is how they were last. Run the cell again.",ae=class{constructor(e){this.model=e;this.trips=e.get("travel")?.run??0,this.outline.append(f("summary",{},"As text"),this.text);let t=f("div",{class:"foot"},this.outline,this.lines.root,this.fold,this.pan.controls);e.widget_manager!==void 0&&t.append(this.pin.button);let i=f("div",{class:"say"},this.sentence,this.news),n=f("div",{class:"seen"},this.frame,i),s=f("div",{class:"body"},n,this.place),a=e.get("stylesheet")+F(e.get("themes"))+Qe;this.root.append(f("style",{},a),this.alert,this.empty,s,t),this.frame.addEventListener("keydown",l=>this.onKey(l)),this.frame.addEventListener("click",l=>this.onClick(l)),this.frame.addEventListener("focusin",l=>this.onFocus(l)),this.frame.addEventListener("pointerover",l=>this.tell(l.target)),this.frame.addEventListener("pointerleave",()=>this.tell(document.activeElement)),this.fold.addEventListener("click",()=>this.unfold([])),this.root.addEventListener("keydown",l=>{l.key==="Escape"&&this.selected!==void 0&&(l.stopPropagation(),this.select(void 0))});let o=new IntersectionObserver(l=>this.visible=l.at(-1).isIntersecting);o.observe(this.root);let c=()=>{this.update()};e.on("change",c),this.endings.push(()=>o.disconnect(),()=>this.pan.remove(),()=>this.pin.remove(),()=>e.off("change",c),K(e.widget_manager?.kernel,()=>this.alert.textContent=Xt)),c()}model;root=f("div",{class:"minigrad-view minigrad-live"});frame=f("div",{class:"picture"});place=f("div",{class:"place"});empty=f("p",{class:"empty"});sentence=f("p",{class:"sentence","aria-live":"polite"});news=f("p",{role:"status","aria-live":"polite"});alert=f("p",{role:"alert",class:"alert"});text=f("pre",{tabindex:"0","aria-label":"The graph as text"});outline=f("details");fold=f("button",{type:"button",class:"framed"},"Fold again");lines=new te(()=>this.tellOfLine());pan=new ie(this.frame);stage=new q(this.frame,this.pan);pin=new ne(this.root);endings=[];focused;selected;opening;visible=!0;trips;travel;latest=0;remove(){this.endings.forEach(e=>e()),this.latest++}async update(){let e=++this.latest,t=performance.now(),[i,n,s]=[this.model.get("svg"),this.model.get("summary"),this.model.get("outline")];this.frame.setAttribute("aria-busy","true"),this.travel?.finish(),this.sentence.textContent="",this.text.textContent=s,this.news.textContent=this.model.get("news"),this.fold.hidden=this.model.get("unfolded").length===0,this.lines.offer(this.model.get("lines")),this.empty.textContent=i!==""?"":s===n?n:Yt,this.root.classList.toggle("undrawn",i===""),i===""?this.outline.open=!0:await this.show(i,e,t),e===this.latest&&this.frame.setAttribute("aria-busy","false")}async show(e,t,i){let n=st(e,this.model.get("parts")),s=this.frame.contains(document.activeElement),a=s?ee(document.activeElement):void 0;Je(n.svg,this.model.get("arrows")??{}),y(n.svg,{role:"group","aria-label":this.model.get("summary")});for(let[p,g]of n.groups)this.announce(p,g);let o=this.stage.picture?.groups,c=this.opening!==void 0&&e!==this.opening,l=c&&[...n.groups.keys()].find(p=>!o?.has(p));this.opening=c?void 0:this.opening,this.lines.mark(n);let h=!U()&&this.visible,d=this.model.get("travel");this.travel=h&&d!==void 0&&d.run!==this.trips?new re(n.svg,d):void 0,this.trips=d?.run??0;let m=this.stage.show(n,h);this.rove(l||(n.groups.has(this.focused??"")?this.focused:void 0)),this.select(n.groups.has(this.selected??"")?this.selected:void 0),Z("new picture",i),await m,t===this.latest&&((s||l)&&(a?ge(n.svg,a):this.group(this.focused))?.focus({preventScroll:!l}),await this.travel?.start(),t===this.latest&&this.travel?.finish())}announce(e,t){let i=[...t.querySelectorAll("text")].map(h=>h.textContent),{title:n,rows:s,fold:a}=this.details(t)??{title:i.join(" "),rows:[]},o=s.find(([h])=>h==="kind")?.[1],c=a===void 0?"":", folded: press Enter to unfold",l=(o===void 0?n:`${n}, ${o}`)+c;y(t,{role:"button","aria-label":l,"aria-expanded":`${e===this.selected}`,tabindex:-1})}group(e){return e===void 0?void 0:this.stage.picture?.groups.get(e)}keyOf(e){return e instanceof Element?e.closest("g.box")?.dataset.key:void 0}details(e){return this.model.get("details")[e.dataset.part??""]}tellOfLine(){let t=(this.stage.picture===void 0?[]:this.lines.mark(this.stage.picture)).map(i=>this.details(i)?.title??"");this.news.textContent=this.lines.chosen===void 0?"":`Made there: ${t.join(", ")}`}rove(e){let t=this.stage.picture?.groups??new Map;this.group(this.focused)?.setAttribute("tabindex","-1"),this.focused=e??t.keys().next().value,this.group(this.focused)?.setAttribute("tabindex","0")}onFocus(e){let t=this.keyOf(e.target);t!==void 0&&(this.rove(t),this.tell(e.target))}tell(e){let t=this.group(this.keyOf(e));this.sentence.textContent=(t&&this.details(t)?.sentence)??""}onKey(e){let[t,i]=[this.keyOf(e.target),ee(e.target)];if((t??i)===void 0||e.ctrlKey||e.metaKey||e.altKey)return;let n=t&&Ae(this.stage.picture.boxes,t,e.key);if(["Enter"," ",...i?["Delete"]:[]].includes(e.key))this.act(t,i);else if(n!==void 0)this.group(n)?.focus();else if(!this.pan.onKey(e.key))return;e.preventDefault()}onClick(e){let t=this.keyOf(e.target);this.group(t)?.focus({preventScroll:!0}),this.act(t,ee(e.target))}act(e,t){t!==void 0?(this.model.set("pressed",t),this.model.save_changes()):e!==void 0&&this.open(e===this.selected?void 0:e)}open(e){let t=this.group(e),i=t===void 0?void 0:this.details(t)?.fold;i===void 0?this.select(e):this.unfold([...this.model.get("unfolded"),i])}unfold(e){this.opening=this.model.get("svg"),this.model.set("unfolded",e),this.model.save_changes()}select(e){let t=this.place.contains(document.activeElement),i=this.selected;this.group(i)?.setAttribute("aria-expanded","false"),this.selected=e;let n=this.group(e);n?.setAttribute("aria-expanded","true");let s=n===void 0?void 0:this.details(n);this.place.replaceChildren(...s===void 0?[]:[Ue(s,()=>this.select(void 0))]),t&&this.group(e??i)?.focus({preventScroll:!0})}};var Jt=({model:r,el:e})=>at(new ae(r),e),bn=({model:r,el:e})=>at(new Q(r),e);function at(r,e){return ke(),e.append(r.root),()=>r.remove()}function xn(r,e){let t=r[""],i=new Set;Jt({model:{get:s=>t[s],set(s,a){let o=s==="unfolded"?a.at(-1):void 0;t=r[o??""]},save_changes:()=>i.forEach(s=>s()),on:(s,a)=>{i.add(a)},off:(s,a)=>{i.delete(a)}},el:e})}export{bn as nudge,Jt as render,xn as standalone};
