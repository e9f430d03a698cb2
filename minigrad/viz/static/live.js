var we=".minigrad-live, .minigrad-nudge, .minigrad-steps, .minigrad-instrument",rt="data-lm-suppress-shortcuts";function Ee(){let r=globalThis;r.minigradKeys||(r.minigradKeys=!0,addEventListener("keydown",at,!0),addEventListener("focusin",ot,!0))}function at({target:r,ctrlKey:e,metaKey:t,altKey:i}){r instanceof Element&&r.closest(we)!==null&&r.toggleAttribute(rt,!(e||t||i))}function ot({target:r}){if(r instanceof Element&&r.matches("[role=slider]:not([aria-label])")){let t=(r.closest(we)&&r.closest(".widget-inline-hbox"))?.querySelector("label");r.setAttribute("aria-label",t?.textContent??"")}}var Me=`/* What a live graph and nudge share. */
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
`;function D(r){let[e,t]=[r.light,r.dark].map(i=>Object.entries(i).map(([n,s])=>`--minigrad-${n}: ${s};`).join(" "));return`${Me}
.minigrad-view { ${e} }
@media (prefers-color-scheme: dark) { body:not([data-jp-theme-light]) .minigrad-view { ${t} } }
body[data-jp-theme-light="false"] .minigrad-view { ${t} }`}var lt=new Set(["restarting","autorestarting","terminating","dead"]);function K(r,e){let t=(i,n)=>{lt.has(n)&&e()};return r?.statusChanged?.connect(t),r?.disposed?.connect(e),()=>{r?.statusChanged?.disconnect(t),r?.disposed?.disconnect(e)}}function N({x:r,y:e,width:t,height:i}){return{x:r+t/2,y:e+i/2}}function W({x:r,y:e,width:t,height:i},n){return{x:r*n,y:e*n,width:t*n,height:i*n}}function ke(r,e){let t=[...e.keys()].filter(s=>r.has(s)),i=s=>[r.get(s),e.get(s)],n=new Set;return t.forEach((s,a)=>{for(let o of t.slice(a+1))ht(i(s),i(o))&&n.add(s).add(o)}),new Set(t.filter(s=>!n.has(s)))}function ht(r,e){let t=n("x","width"),i=n("y","height");return Math.max(0,t[0],i[0])<Math.min(1,t[1],i[1]);function n(s,a){let o=[0,1].map(p=>N(r[p])[s]-N(e[p])[s]),[h,l]=[o[0],o[1]-o[0]],c=p=>Math.max(p[0][a],p[1][a]),d=(c(r)+c(e))/2;if(Math.abs(l)<1e-6)return Math.abs(h)<d?[-1/0,1/0]:[1,0];let m=[(-d-h)/l,(d-h)/l];return[Math.min(...m),Math.max(...m)]}}var ct={ArrowLeft:{x:-1,y:0},ArrowRight:{x:1,y:0},ArrowUp:{x:0,y:-1},ArrowDown:{x:0,y:1}};function Se(r,e,t){let i=ct[t],n=r.get(e);if(i===void 0||n===void 0)return;let s=N(n),[a,o]=[void 0,1/0];for(let[h,l]of r){let c=N(l),[d,m]=[c.x-s.x,c.y-s.y],p=d*i.x+m*i.y,f=Math.abs(d*i.y)+Math.abs(m*i.x);p>1&&p+2*f<o&&([a,o]=[h,p+2*f])}return a}var U=()=>matchMedia("(prefers-reduced-motion: reduce)").matches;function Z(r,e){requestAnimationFrame(()=>performance.measure(`minigrad: ${r}`,{start:e,end:performance.now()}))}var ut=140,mt=320,pt=6e4,gt=150,q=class{constructor(e,t){this.frame=e;this.pan=t}frame;pan;picture;running=[];turn=0;async show(e,t){this.halt();let i=this.turn,n=this.picture;if(this.picture=e,this.settle(),n===void 0||!t||e.boxes.size>gt){this.place(e);return}n.svg.parentNode!==this.frame&&this.place(n);let[s,a]=[this.places(n),this.places(e)],o=ke(s,a),h=[...o].filter(f=>ft(s.get(f),a.get(f))>.5),l=new Set([...e.roads.keys()].filter(f=>n.roads.has(f)));h.length>0&&l.clear();let c=[...I(n.groups,o),...I(n.roads,l)],d=[...I(e.groups,o),...I(e.roads,l)];if(await this.play(c,[{opacity:1},{opacity:0}]),this.turn!==i)return;this.frame.style.minHeight=`${this.frame.clientHeight}px`,this.place(e);let m=this.start(d,[{opacity:0},{opacity:0}],pt);if(await Promise.all(h.map(f=>{let v=this.away(e,s.get(f),a.get(f));return this.play([e.groups.get(f)],[{transform:v},{transform:"none"}],mt)})),this.turn!==i)return;let p=this.play(d,[{opacity:0},{opacity:1}]);m.forEach(f=>f.cancel()),await p,this.turn===i&&this.settle()}halt(){this.turn++,this.running.forEach(e=>e.finish()),this.picture?.svg.parentNode===this.frame&&this.settle()}settle(){this.running.forEach(e=>e.cancel()),this.running=[],this.frame.style.minHeight=""}start(e,t,i){let n={duration:i,easing:"ease-in-out",fill:"forwards"},s=e.map(a=>a.animate(t,n));return s.forEach(a=>a.finished.catch(()=>{})),this.running.push(...s),s}async play(e,t,i=ut){let n=this.start(e,t,i);await Promise.allSettled(n.map(s=>s.finished))}place(e){this.frame.replaceChildren(e.svg),this.pan.show(e)}places(e){let t=this.pan.scale(e);return new Map([...e.boxes].map(([i,n])=>[i,W(n,t)]))}away(e,t,i){let n=this.pan.scale(e)*e.unit,[s,a]=[N(t),N(i)];return`translate(${(s.x-a.x)/n}px, ${(s.y-a.y)/n}px)`}};function ft(r,e){let[t,i]=[N(r),N(e)];return Math.hypot(i.x-t.x,i.y-t.y)}function I(r,e){return[...r].filter(([t])=>!e.has(t)).map(([,t])=>t)}var $e=`.minigrad-nudge {
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
`;function oe({boxes:r},e){let[t,i,n,s]=r[e];return{x:t,y:i,width:n,height:s}}function Ne({lines:r},e){return r[e].map(([t,i])=>({x:t,y:i}))}function Y(r){let e=(r??[]).reduce((t,i)=>t*i,1);return e<=4?e:0}function E(r,e=2){if(!Number.isFinite(r))return Number.isNaN(r)?"nan":r>0?"inf":"−inf";let t=Math.abs(r),i=t>=1e5?t.toExponential(1):t.toFixed(t>=1e3?0:e);return(r<0&&Number(i)!==0?"−":"")+i}function bt(r,e=2){return(r<0?"":"+")+E(r,e)}function Le(r){let e=r.reduce((i,n)=>i+n,0);return r.length>4?`sum of ${r.length} = ${E(e)}`:`${r.map((i,n)=>n===0?E(i):` ${i<0?"−":"+"} ${E(Math.abs(i))}`).join("")} = ${E(e)}`}function de({name:r,by:e,result:t,moved:i,predicted:n}){let s=bt(e,Math.abs(e*100-Math.round(e*100))>1e-6?3:2),a=`You moved ${r} by ${s}. ${t} moved by ${E(i,4)}.`,o=`No gradient predicted it: no path leads back from ${t} to ${r}.`;return[a,Number.isNaN(n)?o:`The gradient predicted ${E(n,4)}.`]}function Ae({by:r,moved:e,predicted:t}){return Math.abs(r)>.3&&Math.abs(e-t)>.02?" A gradient is exact only for a very small move.":""}function Pe(r,e,t){if(e===void 0)return`${E(r)}; grad None: no path to ${t}`;let i=e>0?"rises with it":"falls as it rises";return`${E(r)}; grad ${E(e)}: ${t} ${Math.abs(e)<.005?"hardly moves":i}`}function Te(r,e,t){let i=t.map(({name:n,factor:s,passed:a})=>{let o=e===0?"":E(a/e),c=(s==="1"?[]:[s==="-1"?"":s,o].filter(d=>d!=="")).map(d=>/\s|^[-−]/.test(d)?`(${d})`:d).map(d=>`${E(e)} × ${d}`);return`${n} gets ${[...c,E(a)].join(" = ")}`});return`${E(e)} arrives at ${r}. ${i.join("; ")}.`}function Ge(r){let e=r.match(/-?\d+(\.\d+)?(e-?\d+)?/g)?.map(Number)??[];return e.flatMap((t,i)=>i%2===0?[{x:t,y:e[i+1]}]:[])}function le(r,e){return r.map((t,i)=>{let n=r[Math.max(0,i-1)],s=r[Math.min(r.length-1,i+1)],[a,o]=[s.x-n.x,s.y-n.y],h=Math.hypot(a,o)||1;return{x:t.x-o/h*e,y:t.y+a/h*e}})}function C(r,e,t){return Oe(Oe(r,e).reverse(),t).reverse()}function Oe(r,e){let t=r.slice();for(;t.length>1;){let[i,n]=[t[0],t[1]],s=Math.hypot(n.x-i.x,n.y-i.y);if(s>e||t.length===2){let a=Math.min(1,e/(s||1));t[0]={x:i.x+(n.x-i.x)*a,y:i.y+(n.y-i.y)*a};break}e-=s,t.shift()}return t}function Re(r,e,t){let i=he(r),n=e*i;return C(r,Math.max(0,n-t),i-n)}function he(r){return r.slice(1).reduce((e,{x:t,y:i},n)=>e+Math.hypot(t-r[n].x,i-r[n].y),0)}function O(r){return`M${r.map(({x:e,y:t})=>`${e.toFixed(1)},${t.toFixed(1)}`).join("L")}`}function ce(r,e=8){let[t,i]=[r[Math.max(0,r.length-2)],r.at(-1)],n=Math.atan2(i.y-t.y,i.x-t.x),[s,a]=[Math.cos(n)*e,Math.sin(n)*e],o=.48;return O([{x:i.x+s,y:i.y+a},{x:i.x-a*o,y:i.y+s*o},{x:i.x+a*o,y:i.y-s*o}]).concat("Z")}function u(r,e={},t,i=""){let n=document.createElementNS("http://www.w3.org/2000/svg",r);return y(n,e),n.textContent=i,t?.append(n),n}function y(r,e){for(let[t,i]of Object.entries(e))r.getAttribute(t)!==`${i}`&&r.setAttribute(t,`${i}`)}function $(r,e){r.textContent!==e&&(r.textContent=e)}function T(r,e,t,i){return{x1:r,y1:e,x2:t,y2:i}}var xt=18,yt=30,B=class{paths;running=[];drawn=0;frame=0;constructor(e){this.paths={forward:u("path",{class:"pulse forward"},e),back:u("path",{class:"pulse back"},e)}}start(e){let t=performance.now();this.running.push(...e.map(i=>({...i,begin:t+i.delay}))),cancelAnimationFrame(this.frame),this.frame=requestAnimationFrame(i=>this.draw(i))}stop(){cancelAnimationFrame(this.frame),this.running=[]}draw(e){if(e-this.drawn>=yt){this.drawn=e,this.running.filter(({begin:i})=>i<=e).forEach(({begin:i,duration:n,onWay:s})=>s?.(ze((e-i)/n))),this.running=this.running.filter(({begin:i,duration:n})=>e<i+n);for(let[i,n]of Object.entries(this.paths)){let a=this.running.filter(o=>o.kind===i&&o.begin<=e).map(({line:o,begin:h,duration:l})=>Re(o,ze((e-h)/l),xt));n.setAttribute("d",a.map(O).join(""))}}this.running.length>0&&(this.frame=requestAnimationFrame(t=>this.draw(t)))}};function ze(r){let e=1-Math.min(1,r);return r<.5?2*r*r:1-2*e*e}var Ce=300,Be={"×":"M-7-7L7 7M-7 7L7-7","+":"M-9 0H9M0-9V9","−":"M-9 0H9"},He=r=>r.length>1||r[0].endsWith("]"),je=r=>`[${r.join(", ")}]`,wt=({sign:r,after:e})=>r==="^"&&e==="2",_e=({sign:r,before:e,after:t})=>[e,r,t].filter(i=>i!=="").join(" ");function Fe({leaves:r}){return r.flatMap(({entries:e,limit:t,first:i},n)=>{let s=10**Math.max(0,Math.floor(Math.log10(t/2)));return e.map((a,o)=>({leaf:n,index:o,name:a,limit:t,first:i[o],unit:s}))})}var X=class{constructor(e,t,i,n,s){this.graph=e;this.places=t;let[a,o,h]=[u("g",{},n),u("g",{},n),u("g",{},n)];this.pulses=new B(s);let l=this.depths();t.roads.forEach(d=>{this.road(d,a,l),this.label(d,h)});let c=e.leaves.map((d,m)=>this.leaf(m,o));i.forEach(d=>this.hand(d,c[d.leaf])),e.data.forEach((d,m)=>this.data(m,o)),e.operations.forEach((d,m)=>this.operation(m,o)),this.result(u("g",{},o))}graph;places;hands=[];operations=[];updates=[];ways=[];pulses;update(e){this.updates.forEach(t=>t(e))}wave(e){if(U())return;let t=new Set([`l${e}`]);this.places.roads.forEach(()=>{this.places.roads.filter(({from:i})=>t.has(i)).forEach(({to:i})=>t.add(i))}),this.pulses.start(this.ways.filter(({kind:i,from:n})=>i==="back"||t.has(n)))}remove(){this.pulses.stop()}box(e){return oe(this.places,e)}depths(){let e=new Map;return this.places.roads.forEach(()=>{this.places.roads.forEach(({from:t,to:i})=>{e.set(i,Math.max(e.get(i)??0,(e.get(t)??0)+1))})}),e}road(e,t,i){let n=Ne(this.places,e.id),s=e.width===0,a=e.to[0]==="f",o=C(le(n,s?0:-4.5),2,a?0:9);if(u("path",{class:s?"value data":"value",d:O(o)},t),!a)u("path",{class:s?"head data":"head",d:ce(o)},t);else{let{x:w,y:k}=N(this.box(e.to));u("circle",{class:"fork",cx:w,cy:k,r:this.box(e.to).width/2},t)}if(s)return;let h=e.from[0]==="f",l=C(le(n.slice().reverse(),-4.5),2,h?2:9),c=u("path",{class:"grad-road",d:O(l)},t),d=h?void 0:u("path",{class:"grad",d:ce(l)},t);this.updates.push(({edges:w})=>{let k=e.edges.flatMap(M=>w[M][1].map(Number)),x=Math.max(0,...k.map(Math.abs))||0,S=k.length===0&&Y(this.graph.edges[e.edges[0]].shape)>0;y(c,{"stroke-width":(1.1+2.3*Math.min(1,x/1.5)).toFixed(1)}),[c,d].forEach(M=>M&&(M.style.display=S?"none":""))});let m=Ce/(i.get("r")??1),[p,f]=[i.get(e.from)??0,i.get(e.to)],v=(f-p)*m,{from:b}=e;this.ways.push({from:b,line:o,kind:"forward",delay:p*m,duration:v}),this.ways.push({from:b,line:l,kind:"back",delay:2*Ce-f*m,duration:v})}label({id:e,from:t,to:i,edges:n,rows:s,width:a},o){if(a===0)return;let{x:h,y:l}=N(this.box(e)),{name:c,shape:d}=this.graph.edges[n[0]],m=Y(d),f=(t[0]==="o"&&i!=="r"?Array.from({length:s},(b,w)=>w):[]).map(b=>{let w=u("text",{class:"label middle",x:h,y:l-4.5-6-(s-1-b)*16},o);return{named:u("tspan",{class:"muted","font-style":"italic"},w,b===0?c:""),number:u("tspan",{},w)}}),v=Array.from({length:s},(b,w)=>u("text",{class:"label middle grad strong",x:h,y:l+4.5+16+w*16},o));this.updates.push(b=>{let[w]=b.edges[n[0]];f.forEach(({named:x,number:S},M)=>{let A=m===0?je(d??[]):w.length>M?E(Number(w[M])):"";$(S,x.textContent&&A?` = ${A}`:A)});let k=n.map(x=>b.edges[x][1].map(Number)).filter(({length:x})=>x>0);v.forEach((x,S)=>{let M=k.map(P=>P[S]),A=M.reduce((P,H)=>P+H,0);$(x,M.length===0?"":i[0]==="f"&&s===1&&M.length>1?Le(M):E(A))})})}leaf(e,t){let{x:i,y:n,width:s,height:a}=this.box(`l${e}`),{name:o,entries:h}=this.graph.leaves[e],l=u("g",{},t);return u("rect",{class:"leaf",x:i+1,y:n,width:s-2,height:a,rx:9},l),u("text",{class:"title strong blue",x:i+14,y:n+25},l,o),He(h)?u("text",{class:"small muted end",x:i+s-14,y:n+24},l,"value, grad"):u("text",{class:"small grad",x:i+14,y:n+82},l,"grad"),l}hand(e,t){let{leaf:i,index:n,name:s,limit:a}=e,{x:o,y:h,width:l}=this.box(`l${i}`),c=He(this.graph.leaves[i].entries),d=c?h+32+44*n:h,m=c?{slider:d+17,arrow:d+29,number:d+15,grad:d+34,frame:d,height:42}:{slider:h+48,arrow:h+62,number:h+27,grad:h+82,frame:h+5,height:82},p=c?[o+42,o+l-66]:[o+18,o+l-18],[[f,v],b,w]=[p,o+l-14,m.slider],k={"aria-label":s,"aria-valuemin":-a,"aria-valuemax":a},x=u("g",{class:"hand",role:"slider",tabindex:0,...k},t);u("rect",{class:"frame",x:o+6,y:m.frame,width:l-12,height:m.height,rx:6},x),u("rect",{class:"hit",x:f-10,y:w-12,width:v-f+20,height:24},x),c&&u("text",{class:"small muted",x:o+12,y:w+4},x,s.slice(s.lastIndexOf("[")));let S=(f+v)/2;u("line",{class:"track",...T(f,w,v,w)},x),u("line",{class:"zero",...T(S,w-5,S,w+5)},x);let M=u("path",{class:"grad"},x),A=u("circle",{class:"thumb",r:c?6:7.5,cy:w},x),P=u("rect",{class:"hit",x:b-62,y:m.number-20,width:72,height:28},x),[H,ae]=c?["","small"]:["large",""],L=u("text",{class:`number end strong blue ${H}`,x:b,y:m.number},x),F=T(b-(c?36:50),m.number+5.5,b,m.number+5.5),st=u("line",{class:"underline",...F},x),ve=u("text",{x:b,y:m.grad},x);this.hands.push({root:x,entry:e,track:p,number:[P,L,st]}),this.updates.push(({leaves:be})=>{let z=be[i][0][n],xe=be[i][1],V=xe===null?void 0:Number(xe[n]),ye=S+z/a*((v-f)/2);y(A,{cx:ye}),$(L,E(z,Math.abs(z*100-Math.round(z*100))>1e-6?3:2)),$(ve,V===void 0?`None: no path to ${this.graph.result}`:E(V,c?3:4)),y(ve,{class:V===void 0?"small muted end":`grad end strong ${ae}`}),y(M,{d:V===void 0?"":Et(ye,m.arrow,V)}),y(x,{"aria-valuenow":z,"aria-valuetext":Pe(z,V,this.graph.result)})})}data(e,t){let{x:i,y:n,width:s,height:a}=this.box(`d${e}`),{name:o,shape:h}=this.graph.data[e],l=Y(h);u("rect",{class:"card",x:i,y:n,width:s,height:a,rx:4},t),u("text",{class:"strong muted",x:i+10,y:n+a/2+5},t,o);let c=Array.from({length:Math.max(l,1)},(d,m)=>u("text",{class:"end",x:i+s-10,y:n+22+m*20},t));this.updates.push(({data:d})=>{c.forEach((m,p)=>$(m,l===0?je(h):E(Number(d[e][p]))))})}operation(e,t){let i=this.box(`o${e}`),n=this.graph.operations[e],{x:s,y:a}=N(i),[o,h,l]=[i.x,i.width,i.width<49?46:42],c=u("g",{class:"operation",tabindex:0,role:"img","aria-label":_e(n)},t);u("rect",{class:"pill",x:o,y:a-l/2,width:h,height:l,rx:l/2},c);let d=_e(n);wt(n)?(u("rect",{class:"sign base",x:s-11,y:a-5,width:14,height:14,rx:1.5},c),u("text",{class:"strong",x:s+6,y:a-3},c,"2")):d in Be?u("path",{class:"sign",d:Be[d],transform:`translate(${s} ${a})`},c):u("text",{class:"title strong middle",x:s,y:a+6},c,d),u("title",{},c,n.name),this.operations.push(c)}result(e){let{x:t,y:i,width:n,height:s}=this.box("r");u("rect",{class:"result",x:t,y:i,width:n,height:s,rx:9},e),u("text",{class:"title strong",x:t+12,y:i+25},e,this.graph.result);let a=u("text",{class:"large strong end",x:t+n-12,y:i+52},e);this.updates.push(({result:o})=>$(a,E(Number(o),4)))}};function Et(r,e,t){if(!(Math.abs(t)>=.005))return`M${r-2.5},${e}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0Z`;let i=Math.sign(t),n=r+i*Math.min(46,Math.abs(t)*26);return`M${r},${e-1.3}H${n}V${e-4.6}L${n+i*8},${e}L${n},${e+4.6}V${e+1.3}H${r}Z`}function De(r,e,t){let i=e-t.width,s=Object.keys(r.boxes).map(o=>oe(r,o)).filter(o=>o.x+o.width>i-8).map(o=>o.y+o.height),a=Object.values(r.lines).flat().filter(([o])=>o>i-8);return{x:i,y:Math.max(0,...s,...a.map(([,o])=>o+4.5))+14}}var R={width:320,height:158},[Ke,We,Mt]=[22,26,20],kt=0,J=class{title=u("tspan");note=u("tspan",{class:"grad strong",dx:12});zero=u("line",{class:"axis"});ticks;drop=u("line",{class:"drop"});curve=u("path",{class:"curve"});tangent=u("line",{class:"tangent"});gap=u("line",{class:"gap"});slope=u("line",{class:"slope"});from=u("circle",{class:"from",r:4.5});predicted=u("path",{class:"guess",d:"M0,-6L6,0L0,6L-6,0Z"});now=u("circle",{class:"now",r:5});area;constructor(e,t,i){let n=R.width-Ke-6,s=R.height-We-Mt,a=this.area={x:t+Ke,y:i+We,width:n,height:s},o=u("g",{"aria-hidden":"true"},e);u("text",{x:a.x,y:i+13,class:"label"},o).append(this.title,this.note);let[h,l]=[a.y+s,a.x+n];u("path",{class:"axis",d:`M${a.x},${a.y}V${h}H${l}`},o);let c=["start","middle","end","end","middle"];this.ticks=c.map(f=>u("text",{class:"small muted","text-anchor":f,y:h+14})),y(this.ticks[4],{class:"small strong blue"});let d=`minigrad-plot-${kt++}`,m=u("clipPath",{id:d},o);u("rect",{x:a.x,y:a.y-4,width:n,height:s+8},m);let p=u("g",{"clip-path":`url(#${d})`},o);p.append(this.drop,this.curve,this.tangent,this.gap,this.slope),o.append(this.zero,...this.ticks),p.append(this.from,this.predicted,this.now)}draw(e,{limit:t,name:i},n,s,a){let{x:o,y:h,width:l,height:c}=this.area,d=(e?.points??[]).map(([L,F])=>[L,F===null?NaN:Number(F)]),[m,p]=St([...d.map(([,L])=>L),s.result,a.result]),f=L=>o+(L+t)/(2*t)*l,v=L=>h+c-(L-m)/(p-m)*c;y(this.curve,{d:$t(d,f,v)});let b=L=>v(s.result+s.grad*(L-s.value)),w=s.value!==a.value,k=!Number.isNaN(s.grad),[x,S,M]=[f(a.value),v(a.result),b(a.value)];_(w,this.from),_(w&&k,this.predicted,this.gap),_(k,this.tangent,this.slope),y(this.from,{cx:f(s.value),cy:v(s.result)}),k&&(y(this.tangent,T(f(-t),b(-t),f(t),b(t))),y(this.predicted,{transform:`translate(${x} ${M})`}),y(this.gap,T(x,S,x,M))),y(this.now,{cx:x,cy:S}),y(this.drop,T(x,S,x,h+c));let A=(a.grad||0)*c*2*t/((p-m)*l),P=w?13/Math.hypot(1,A):0;y(this.slope,T(x-P,S+P*A,x+P,S-P*A)),$(this.title,`${n} as ${i} moves`);let H=`grad at ${E(s.value)} was ${E(s.grad)}`,ae=w?`the line: ${H}`:`slope = grad = ${E(s.grad)}`;$(this.note,k?ae:"grad None: no path back"),this.label(t,i,x,m<0&&p>0?v(0):NaN)}label(e,t,i,n){let{x:s,width:a}=this.area,[o,h]=[s+a/2,s+a],l=Math.min(h-30,Math.max(s+30,i)),[c,d,m,p,f]=this.ticks;[c,d,m].forEach((v,b)=>$(v,E((b-1)*e,0))),[s,o,h,s-5,l].forEach((v,b)=>y(this.ticks[b],{x:v})),$(p,"0"),$(f,t),_(Math.abs(l-o)>=24,d),_(!Number.isNaN(n),this.zero,p),y(this.zero,T(s,n||0,h,n||0)),y(p,{y:(n||0)+4})}};function St(r){let e=r.filter(Number.isFinite),[t,i]=[Math.min(...e),Math.max(...e)];if(e.length===0)return[-1,1];let n=Math.max(1,Math.abs(i)*.05),[s,a]=[(i+t)/2,Math.max(n,i-t)*.58];return[s-a,s+a]}function _(r,...e){e.forEach(t=>t.style.display=r?"":"none")}function $t(r,e,t){let i=([s,a])=>`L${e(s).toFixed(1)},${t(a).toFixed(1)}`;return r.map(s=>Number.isFinite(s[1])?i(s):" ").join("").replace(/(^|\s)L/g,"M")}var me="http://www.w3.org/1998/Math/MathML",Nt=new Set(["display","fence","form","lspace","mathvariant","rspace","separator","stretchy"]);function g(r,e={},...t){let i=document.createElement(r);return Object.entries(e).forEach(([n,s])=>i.setAttribute(n,s)),i.append(...t),i}function Ie({title:r,sentence:e,mathematics:t,rows:i},n){let s=g("button",{type:"button","aria-label":"Close",title:"Close (Esc)"},"×");return s.addEventListener("click",n),g("section",{class:"panel",role:"region","aria-label":`About ${r}`},s,g("h4",{},r),...e?[g("p",{},e)]:[],...t?[g("div",{class:"formula"},...Lt(t))]:[],g("dl",{},...i.flatMap(([a,o])=>[g("dt",{},a),g("dd",{},o)])))}function Lt(r){let e=`<mrow xmlns="${me}">${r}</mrow>`;return[...new DOMParser().parseFromString(e,"application/xml").documentElement.childNodes].flatMap(qe)}function qe(r){if(r.nodeType===Node.TEXT_NODE)return[document.createTextNode(r.textContent??"")];if(!(r instanceof Element)||r.namespaceURI!==me||!r.localName.startsWith("m"))return[];let e=document.createElementNS(me,r.localName);for(let{name:t,value:i}of r.attributes)Nt.has(t)&&e.setAttribute(t,i);return e.append(...[...r.childNodes].flatMap(qe)),[e]}var At="The kernel has gone, so these numbers can't be moved. Run the cell again.",Ue="Drag a number and let go: here you'll read how far the result moved, and what its gradient predicted.",Pt={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1,PageUp:5,PageDown:-5},Tt=700,Ot=330,Gt=[4,12],Ze=.66,Q=class{constructor(e){this.model=e;let t=g("b",{},"Values run forward, gradients run back."),i=g("span",{}," An orange arrow points where the result rises."),n=g("p",{class:"hint"},"Drag a blue number or its slider. ",t,i),s=g("button",{type:"button",class:"framed"},"Reset");s.addEventListener("click",()=>this.reset());let a=g("div",{class:"bar"},n,s),o=g("div",{class:"say"},this.sentence,this.bars),h=D(e.get("themes"))+$e;this.root.append(g("style",{},h),this.alert,this.frame,a,o,this.news),this.values=this.numbers.leaves.map(([f])=>f.slice()),this.entries=Fe(this.graph),this.selected=this.entries[0],this.idle();let{signal:l}=this.ended;addEventListener("pointermove",f=>this.onMove(f),{signal:l});let c=()=>this.drag&&this.finish();["pointerup","pointercancel"].forEach(f=>addEventListener(f,c,{signal:l}));let d=new ResizeObserver(f=>{this.room=Math.floor(f.at(-1).contentRect.width),this.build()});d.observe(this.frame);let m=()=>this.onAnswer();e.on("change",m);let p=K(e.widget_manager?.kernel,()=>this.gone());l.addEventListener("abort",()=>{e.off("change",m),d.disconnect(),p(),this.picture?.remove()})}model;root=g("section",{class:"minigrad-view minigrad-nudge","aria-label":"Nudge"});alert=g("p",{role:"alert",class:"alert"});frame=g("div",{class:"picture"});sentence=g("p",{class:"sentence"});bars=g("div",{class:"bars","aria-hidden":"true"});news=g("div",{class:"unseen",role:"status","aria-live":"polite"});ended=new AbortController;picture;plot;svg=u("svg");drawn=[void 0,0];values;entries;selected;start;moving=!1;drag;burst=0;lastWave=0;turn=Math.floor(Math.random()*1e9);waiting=!1;asked=0;moves=new Map;wishes={};room=0;frameAsked=0;remove(){this.ended.abort()}get graph(){return this.model.get("graph")}get numbers(){return this.model.get("numbers")}build(){let{graph:e,room:t,drawn:i}=this;if(t===0||e===i[0]&&t===i[1])return;this.drawn=[e,t];let n=this.model.get("layouts"),s=n.find(({width:p})=>p<=t)??n.at(-1);if(s===void 0){this.alert.textContent="There is no Graphviz to draw with: pip install pygraphviz";return}let a=this.picture?.hands.findIndex(({root:p})=>p===document.activeElement)??-1,o=Math.max(s.width,Math.min(t,s.width+R.width),R.width),h=De(s,Math.min(o,t/Ze),R),l=Math.ceil(Math.max(s.height,h.y+R.height)),c=`0 0 ${o} ${l}`;this.svg=u("svg",{viewBox:c,role:"group",class:s.tight?"tight":""});let d=u("svg",{viewBox:c,class:"above","aria-hidden":"true"}),m=g("div",{class:"both"},this.svg,d);m.style.width=`${Math.min(o,Math.max(t,o*Ze))}px`,this.plot=new J(this.svg,h.x,h.y),this.picture?.remove(),this.picture=new X(e,s,this.entries,this.svg,d),this.frame.replaceChildren(m),this.picture.hands.forEach(p=>this.bind(p)),this.picture.operations.forEach((p,f)=>this.explain(p,f)),this.update(),this.picture.hands[a]?.root.focus()}bind(e){let{root:t,entry:i}=e;t.addEventListener("pointerdown",n=>{if(n.button===0){n.preventDefault(),t.focus({preventScroll:!0}),this.begin(i),t.classList.add("on","by-mouse");let s=e.number.includes(n.target);this.drag={...e,x:n.clientX,value:this.valueOf(i),onNumber:s},this.onMove(n)}}),t.addEventListener("dblclick",()=>{this.begin(i),this.set(i,i.first,6),this.finish()}),t.addEventListener("keydown",n=>this.onKey(n,i)),t.addEventListener("focus",()=>this.drag??this.select(i)),t.addEventListener("blur",()=>t.classList.remove("by-mouse"))}onMove({clientX:e,shiftKey:t}){if(this.drag===void 0)return;let{entry:i,x:n,value:s,onNumber:a}=this.drag,[o,h]=this.drag.track,{left:l,width:c}=this.svg.getBoundingClientRect(),d=(e-l)*this.svg.viewBox.baseVal.width/c,m=s+(e-n)*(t?.001:.01)*i.unit,p=(2*(d-o)/(h-o)-1)*i.limit;this.set(i,a?m:p,a&&t?3:2)}onKey(e,t){if(e.ctrlKey||e.metaKey||e.altKey)return;let{limit:i,first:n,unit:s}=t,a={Home:-i,End:i,Delete:n,Backspace:n},o=(Pt[e.key]??0)*s*(e.shiftKey?.01:.1),h=o===0?a[e.key]:this.valueOf(t)+o;if(e.key==="Escape")this.cancel(t);else if(h!==void 0)this.press(t,h);else return;this.picture?.hands.forEach(({root:l})=>l.classList.remove("by-mouse")),e.preventDefault(),e.stopPropagation()}press(e,t){this.burst===0&&this.begin(e),clearTimeout(this.burst),this.set(e,t),this.burst=window.setTimeout(()=>this.finish(),Tt)}valueOf({leaf:e,index:t}){return this.values[e][t]}select(e){e!==this.selected&&(this.rest(),this.selected=e,this.idle(),this.ask({curve:[e.leaf,e.index]}),this.update())}begin(e){this.select(e),this.moving=!0,this.start=this.placeOf(e),this.ask({curve:[e.leaf,e.index]})}placeOf({leaf:e,index:t}){let{leaves:i,result:n}=this.numbers;return{value:i[e][0][t],result:Number(n),grad:Number(i[e][1]?.[t]??NaN)}}set({leaf:e,index:t,limit:i},n,s=2){let a=Number(Math.min(i,Math.max(-i,n)).toFixed(s));if(a===this.values[e][t])return;this.values[e][t]=a,this.moves.set(`${e},${t}`,[e,t,a]),this.ask({});let o=performance.now();o-this.lastWave>Ot&&(this.lastWave=o,this.picture?.wave(e)),this.refresh()}rest(){clearTimeout(this.burst),this.picture?.hands.forEach(({root:e})=>e.classList.remove("on")),[this.burst,this.moving,this.drag]=[0,!1,void 0]}finish(){this.rest(),this.update(),this.announce()}cancel(e){this.moving&&this.start!==void 0&&(this.set(e,this.start.value,6),this.rest(),this.idle(),this.update())}reset(){this.values=this.graph.leaves.map(({first:e})=>e.slice()),this.moves.clear(),this.idle(),this.ask({reset:!0,curve:[this.selected.leaf,this.selected.index]}),this.refresh(),this.values.forEach((e,t)=>this.picture?.wave(t)),this.news.textContent="All numbers are back where they were."}ask(e){this.wishes={...this.wishes,...e};let t=[...this.moves.values()];this.waiting||t.length===0&&Object.keys(this.wishes).length===0||(this.waiting=!0,this.asked=performance.now(),this.model.send({...this.wishes,moves:t,turn:++this.turn}),Gt.forEach(i=>setTimeout(()=>this.waiting&&this.model.send({ping:!0}),i)),this.wishes={},this.moves.clear())}onAnswer(){let{turn:e,leaves:t,error:i}=this.numbers,n=this.waiting&&e===this.turn;this.alert.textContent=i,this.waiting&&=!n,!this.waiting&&this.moves.size===0&&!("reset"in this.wishes)&&(this.values=t.map(([s])=>s.slice())),this.update(),this.build(),n&&(Z("nudge",this.asked),this.ask({}),this.announce())}refresh(){cancelAnimationFrame(this.frameAsked),this.frameAsked=requestAnimationFrame(()=>this.update())}update(){cancelAnimationFrame(this.frameAsked);let e=this.numbers,t=e.leaves.map(([,h],l)=>[this.values[l],h]);this.picture?.update({...e,leaves:t});let i=this.model.get("curve"),n=this.placeOf(this.selected),{leaf:s,index:a}=this.selected,o=i.leaf===s&&i.index===a?i:void 0;this.plot?.draw(o,this.selected,this.graph.result,this.start??n,n),this.svg.setAttribute("aria-label",this.model.get("outline")),this.move&&this.tell(this.move)}get move(){let e=this.placeOf(this.selected);if(this.start===void 0||this.start.value===e.value)return;let{start:t}=this,[{name:i},{result:n}]=[this.selected,this.graph],s=e.value-t.value;return{name:i,by:s,result:n,moved:e.result-t.result,predicted:t.grad*s}}tell(e){let[t,i]=de(e),n=Math.max(Math.abs(e.moved||0),Math.abs(e.predicted||0))||1,s=["moved","predicted"].flatMap(a=>{let o=g("i");o.style.width=`${Math.max(1,Math.abs(e[a])/n*120)}px`;let h=g("span",{class:a},o,E(e[a],4));return Number.isNaN(e[a])?[]:[g("span",{class:a},a),h]});this.say([`${t} `,g("b",{},i)],s)}say(e,t=[]){this.sentence.classList.toggle("idle",e[0]===Ue),this.sentence.replaceChildren(...e),this.bars.replaceChildren(...t)}announce(){let e=this.move;e!==void 0&&!this.moving&&!this.waiting&&(this.news.textContent=de(e).join(" ")+Ae(e))}idle(){this.start=void 0,this.say([Ue])}explain(e,t){let i=()=>{let{edges:a,operations:o}=this.graph,{sign:h}=o[t],l=this.numbers.edges.map(([,v])=>v.map(Number)),c=a.map((v,b)=>({...v,passed:l[b]})),d=c.filter(({from:v})=>v===`o${t}`),m=c.filter(({to:v,data:b})=>v===`o${t}`&&!b);if([...d,...m].some(({passed:v})=>v.length!==1))return`${h} passes back to each entry of its inputs what arrives times its own slope there.`;let p=d.reduce((v,{passed:b})=>v+b[0],0),f=m.map(({name:v,factor:b,from:w,passed:k})=>({name:v||o[Number(w.slice(1))].sign,factor:b,passed:k[0]}));return Te(h,p,f)},n=()=>{this.drag===void 0&&(this.say([i()]),e.setAttribute("aria-label",i()))},s=()=>this.move!==void 0?this.tell(this.move):this.moving||this.idle();["pointerenter","focus"].forEach(a=>e.addEventListener(a,n)),["pointerleave","blur"].forEach(a=>e.addEventListener(a,s))}gone(){this.alert.textContent=At,this.root.classList.add("gone"),this.picture?.hands.forEach(({root:e})=>y(e,{"aria-disabled":"true",tabindex:-1}))}};var ee=class{list=g("select");root=g("label",{class:"lines"},"Made by ",this.list);lines=[];constructor(e){this.list.addEventListener("change",e)}offer(e){let t=this.list.value;this.lines=e,this.root.hidden=e.length===0;let i=e.map(([n])=>g("option",{value:n},n));this.list.replaceChildren(g("option",{value:""},"any line"),...i),this.list.value=e.some(([n])=>n===t)?t:""}get chosen(){return this.list.value||void 0}mark({svg:e,groups:t}){let i=new Set(this.lines.find(([n])=>n===this.chosen)?.[1]);e.classList.toggle("marked",this.chosen!==void 0);for(let n of t.values())n.setAttribute("aria-current",`${i.has(n.dataset.part??"")}`);return[...t.values()].filter(n=>i.has(n.dataset.part??""))}};var Ye=`.minigrad-live {
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
`;var[Je,zt]=[.02,4],Xe=1.25;function Qe(r,e,t){return Math.min(1,Math.max(t,e.width/r.width))}function et(r,e){let t=Math.min(1,e.width/r.width,e.height/r.height);return Math.max(Je,t)}function pe(r,e){let t=Math.log(r)/Math.log(Xe),i=e>0?Math.floor(t+.01)+1:Math.ceil(t-.01)-1;return Math.min(zt,Math.max(Je,Xe**i))}function ge(r,e,t,i){return(r+e)*i/t-e}var Vt=.7,Ct=.5,te=class{constructor(e){this.frame=e;this.controls.append(this.button("−","Zoom out (-)",()=>this.by(-1)),this.percent,this.button("+","Zoom in (+)",()=>this.by(1)),this.button("Whole","Show the whole picture (0)",()=>this.all())),e.addEventListener("wheel",t=>this.onWheel(t),{passive:!1}),e.addEventListener("pointerdown",t=>this.onDrag(t)),this.room=this.measured(),this.resized.observe(e)}frame;controls=g("div",{class:"zoom",role:"group","aria-label":"Zoom"});percent=g("output",{"aria-label":"Zoom"});chosen;shown;resized=new ResizeObserver(()=>{this.room=this.measured(),this.fit()});room;remove(){this.resized.disconnect()}scale(e){let t=this.frame.closest(".pinned, .minigrad-instrument")?Ct:Vt;return this.chosen??Qe(e,this.room,t/e.unit)}show(e){this.shown=e,this.frame.parentElement.style.flexBasis=`${e.width}px`,this.fit()}onKey(e){let i={"+":()=>this.by(1),"=":()=>this.by(1),"-":()=>this.by(-1),0:()=>this.all()}[e];return i?.(),i!==void 0}button(e,t,i){let n=g("button",{type:"button","aria-label":t,title:t},e);return n.addEventListener("click",i),n}measured(){let e=parseFloat(getComputedStyle(this.frame).maxHeight);return{width:this.frame.clientWidth||1/0,height:e||1/0}}fit(){if(this.shown!==void 0){let e=this.scale(this.shown);this.shown.svg.style.width=`${this.shown.width*e}px`,this.shown.svg.style.height=`${this.shown.height*e}px`,this.percent.textContent=`${Math.round(e*100)}%`}}by(e){let{width:t,height:i}=this.frame.getBoundingClientRect();this.to(n=>pe(n,e),t/2,i/2)}all(){this.to((e,t)=>et(t,this.room),0,0)}to(e,t,i){if(this.shown===void 0)return;let n=this.scale(this.shown);this.chosen=e(n,this.shown);let{scrollLeft:s,scrollTop:a}=this.frame;this.fit(),this.frame.scrollLeft=ge(s,t,n,this.chosen),this.frame.scrollTop=ge(a,i,n,this.chosen)}onWheel(e){if(e.ctrlKey||e.metaKey){e.preventDefault();let{left:t,top:i}=this.frame.getBoundingClientRect(),n=e.deltaY<0?1:-1;this.to(s=>pe(s,n),e.clientX-t,e.clientY-i)}}onDrag(e){let t=e.target instanceof Element&&e.target.closest("g.box")!==null;if(e.pointerType==="touch"||e.button!==0||t)return;let{scrollLeft:i,scrollTop:n}=this.frame,{clientX:s,clientY:a,pointerId:o}=e,h=c=>{this.frame.scrollLeft=i-c.clientX+s,this.frame.scrollTop=n-c.clientY+a};this.frame.setPointerCapture(o),this.frame.addEventListener("pointermove",h);let l=()=>this.frame.removeEventListener("pointermove",h);for(let c of["pointerup","pointercancel"])this.frame.addEventListener(c,l,{once:!0})}};function tt(r,e){let t=new DOMParser().parseFromString(r,"image/svg+xml"),i=document.importNode(t.documentElement,!0);i.removeAttribute("style"),i.querySelectorAll("title, desc").forEach(d=>d.remove());let[n=0,s=0,a=1]=i.getAttribute("viewBox").split(" ").map(Number),[o,h]=[G(i,"width"),G(i,"height")],l=o/a,c={svg:i,width:o,height:h,unit:l,groups:new Map,boxes:new Map,roads:new Map};for(let d of i.querySelectorAll("g.road, g.fork")){let{from:m="",to:p=""}=d.dataset,f=d.querySelector("path, ellipse"),v=f?.getAttribute("d")??`${f?.getAttribute("cx")},${f?.getAttribute("cy")}`;d.setAttribute("aria-hidden","true"),c.roads.set([e[m],e[p],v].join(" "),d)}for(let d of i.querySelectorAll("g.box:not(.fork)")){let m=e[d.dataset.part]??d.dataset.part,{x:p,y:f,width:v,height:b}=Bt(d);d.dataset.key=m,c.groups.set(m,d),c.boxes.set(m,W({x:p-n,y:f-s,width:v,height:b},l))}return c}function Bt(r){let e=[...r.querySelectorAll(".frame:not(.heat)")],t=[...r.querySelectorAll("text")],i=d=>Math.min(...e.map(m=>G(m,d))),n=t.filter(d=>!d.hasAttribute("text-anchor")).map(d=>G(d,"x")),[s,a]=[i("x"),i("y")],o=Math.max(...e.map(d=>G(d,"x")+G(d,"width"))),h=Math.max(...e.map(d=>G(d,"y")+G(d,"height"))),l=Math.max(0,...n.map(d=>s-d)),c=Math.max(h,...t.map(d=>G(d,"y")+4));return{x:s-l,y:a,width:o-s+2*l,height:c-a}}function G(r,e){return Number(r.getAttribute(e))}var Ht=.45,[jt,_t]=[280,620],fe,ie=class{constructor(e){this.root=e;for(let t of[this.back,this.button])t.addEventListener("click",()=>{this.home===void 0?this.fix():this.release(),this.button.focus({preventScroll:!0})});this.name()}root;button=g("button",{type:"button",class:"framed"});back=g("button",{type:"button"},"Put it back here");note=g("p",{},"This graph is pinned at the right. ",this.back);resized=new ResizeObserver(()=>this.place());home;notebook;remove(){this.home!==void 0&&(this.release(),this.root.remove())}name(){let[e,t]=this.home?["Unpin","Put it back"]:["Pin","Keep the graph in sight beside the notebook"];Object.assign(this.button,{textContent:e,title:t})}fix(){fe?.release(),fe=this,this.home=this.root.parentElement,this.notebook=this.root.closest(".jp-WindowedPanel-outer")??document.body,this.home.append(this.note),document.body.append(this.root),this.root.classList.add("pinned"),this.resized.observe(this.notebook.parentElement),this.place(),this.name()}release(){fe=void 0,this.resized.disconnect(),this.notebook.style.maxWidth="",this.note.remove(),this.root.classList.remove("pinned"),this.root.removeAttribute("style"),this.home?.append(this.root),this.home=void 0,this.name()}place(){let{left:e,top:t,right:i,bottom:n}=this.notebook.parentElement.getBoundingClientRect(),s=Math.min(_t,Math.max(jt,(i-e)*Ht)),a={top:`${t}px`,left:`${i-s}px`,width:`${s}px`,maxHeight:`${n-t}px`};Object.assign(this.root.style,a,{display:i>e?"":"none"}),this.notebook.style.maxWidth=`calc(100% - ${s}px)`}};var it=125,Ft=1e3,Dt=8,ne=50;function Kt(r,e){let t=e.map(a=>r.flat().includes(a[0]??"")?-1:0),i=new Set,n=t.includes(0)?1:0,s=a=>{let o=e.flatMap((h,l)=>t[l]===-1&&a(h)?[l]:[]);o.forEach(h=>t[h]=n),n+=o.length>0?1:0};for(let a of r)a.forEach(o=>i.add(o)),s(o=>o.length===1&&a.includes(o[0])),s(o=>o.length>1&&o.every(h=>i.has(h)));return t.map(a=>a===-1?n:a)}function Wt(r){return Math.min(it,Ft/(Math.max(0,...r)+1))}function It(r){let e=r.split(" = ").at(-1),[t=e,i]=r.split(" × ");return i===void 0?[e,e]:[t,e]}var se=class{constructor(e,{hops:t}){this.svg=e;let i=[...e.querySelectorAll("g.road:has(.lane.back)")],n=i.map(o=>o.dataset.edges.split(" ")),s=Kt(t,n),a=Wt(s);this.layer=u("g",{"aria-hidden":"true"},e),this.pulses=new B(this.layer),this.runs=i.map((o,h)=>{let l=s[h];return{...{kind:"back",delay:l*a,duration:a},...this.run(o,n[h].length>1,s.indexOf(l)===h)}})}svg;layer;pulses;runs;arrivals=[];async start(){this.pulses.start(this.runs);let e=Math.max(0,...this.runs.map(({delay:t,duration:i})=>t+i));await new Promise(t=>setTimeout(t,e+it))}finish(){this.pulses.stop(),this.arrivals.forEach(e=>e()),this.layer.remove()}run(e,t,i){let n=e.querySelector(".lane.back"),s=this.svg.querySelector(`g.box[data-part="${e.dataset.from}"]`),a=Ge(n.getAttribute("d")),o=[...e.querySelectorAll("text.grad")].map(p=>p.textContent).join(""),[h,l]=It(o),c=u("text",{class:"token","text-anchor":"middle",dy:4.5},this.layer);[e,s].forEach(p=>y(p,{"data-grad":"waiting"}));let d=()=>{y(n,{d:O(a)}),[e,s].forEach(p=>p.removeAttribute("data-grad")),c.remove()};return this.arrivals.push(d),{line:a,onWay:p=>{if(p===1){d(),s.classList.add("landed");return}let f=C(a,0,he(a)*(1-p)),v=p>=.5||t;y(e,{"data-grad":v?"known":"sent"}),y(n,{d:O(f)}),l.length<=Dt&&($(c,v?l:h),y(c,{...f.at(-1)})),i&&this.follow(f.at(-1))}}}follow(e){let[t,i]=[this.svg.parentElement,this.svg.viewBox.baseVal],[n,s]=[e.x-i.x,e.y-i.y].map(a=>a*this.svg.clientWidth/i.width);t.scrollLeft=Math.min(n-ne,Math.max(t.scrollLeft,n+ne-t.clientWidth)),t.scrollTop=Math.min(s-ne,Math.max(t.scrollTop,s+ne-t.clientHeight))}};var qt="There is no Graphviz here to draw the picture. Below it is as text.",Ut="The kernel has gone, and with it these tensors: this is how they were last. Run the cell again.",re=class{constructor(e){this.model=e;this.trips=e.get("travel")?.run??0,this.outline.append(g("summary",{},"As text"),this.text);let t=g("div",{class:"foot"},this.outline,this.lines.root,this.fold,this.pan.controls);e.widget_manager!==void 0&&t.append(this.pin.button);let i=g("div",{class:"say"},this.sentence,this.news),n=g("div",{class:"seen"},this.frame,i),s=g("div",{class:"body"},n,this.place),a=e.get("stylesheet")+D(e.get("themes"))+Ye;this.root.append(g("style",{},a),this.alert,this.empty,s,t),this.frame.addEventListener("keydown",l=>this.onKey(l)),this.frame.addEventListener("click",l=>this.onClick(l)),this.frame.addEventListener("focusin",l=>this.onFocus(l)),this.frame.addEventListener("pointerover",l=>this.tell(l.target)),this.frame.addEventListener("pointerleave",()=>this.tell(document.activeElement)),this.fold.addEventListener("click",()=>this.unfold([])),this.root.addEventListener("keydown",l=>{l.key==="Escape"&&this.selected!==void 0&&(l.stopPropagation(),this.select(void 0))});let o=new IntersectionObserver(l=>this.visible=l.at(-1).isIntersecting);o.observe(this.root);let h=()=>{this.update()};e.on("change",h),this.endings.push(()=>o.disconnect(),()=>this.pan.remove(),()=>this.pin.remove(),()=>e.off("change",h),K(e.widget_manager?.kernel,()=>this.alert.textContent=Ut)),h()}model;root=g("div",{class:"minigrad-view minigrad-live"});frame=g("div",{class:"picture"});place=g("div",{class:"place"});empty=g("p",{class:"empty"});sentence=g("p",{class:"sentence","aria-live":"polite"});news=g("p",{role:"status","aria-live":"polite"});alert=g("p",{role:"alert",class:"alert"});text=g("pre",{tabindex:"0","aria-label":"The graph as text"});outline=g("details");fold=g("button",{type:"button",class:"framed"},"Fold again");lines=new ee(()=>this.tellOfLine());pan=new te(this.frame);stage=new q(this.frame,this.pan);pin=new ie(this.root);endings=[];focused;selected;opening;visible=!0;trips;travel;latest=0;remove(){this.endings.forEach(e=>e()),this.latest++}async update(){let e=++this.latest,t=performance.now(),[i,n,s]=[this.model.get("svg"),this.model.get("summary"),this.model.get("outline")];this.frame.setAttribute("aria-busy","true"),this.travel?.finish(),this.sentence.textContent="",this.text.textContent=s,this.news.textContent=this.model.get("news"),this.fold.hidden=this.model.get("unfolded").length===0,this.lines.offer(this.model.get("lines")),this.empty.textContent=i!==""?"":s===n?n:qt,this.root.classList.toggle("undrawn",i===""),i===""?this.outline.open=!0:await this.show(i,e,t),e===this.latest&&this.frame.setAttribute("aria-busy","false")}async show(e,t,i){let n=tt(e,this.model.get("parts")),s=this.frame.contains(document.activeElement);y(n.svg,{role:"group","aria-label":this.model.get("summary")});for(let[m,p]of n.groups)this.announce(m,p);let a=this.stage.picture?.groups,o=this.opening!==void 0&&e!==this.opening,h=o&&[...n.groups.keys()].find(m=>!a?.has(m));this.opening=o?void 0:this.opening,this.lines.mark(n);let l=!U()&&this.visible,c=this.model.get("travel");this.travel=l&&c!==void 0&&c.run!==this.trips?new se(n.svg,c):void 0,this.trips=c?.run??0;let d=this.stage.show(n,l);this.rove(h||(n.groups.has(this.focused??"")?this.focused:void 0)),this.select(n.groups.has(this.selected??"")?this.selected:void 0),Z("new picture",i),await d,t===this.latest&&((s||h)&&this.group(this.focused)?.focus({preventScroll:!h}),await this.travel?.start(),t===this.latest&&this.travel?.finish())}announce(e,t){let i=[...t.querySelectorAll("text")].map(c=>c.textContent),{title:n,rows:s,fold:a}=this.details(t)??{title:i.join(" "),rows:[]},o=s.find(([c])=>c==="kind")?.[1],h=a===void 0?"":", folded: press Enter to unfold",l=(o===void 0?n:`${n}, ${o}`)+h;y(t,{role:"button","aria-label":l,"aria-expanded":`${e===this.selected}`,tabindex:-1})}group(e){return e===void 0?void 0:this.stage.picture?.groups.get(e)}keyOf(e){return e instanceof Element?e.closest("g.box")?.dataset.key:void 0}details(e){return this.model.get("details")[e.dataset.part??""]}tellOfLine(){let t=(this.stage.picture===void 0?[]:this.lines.mark(this.stage.picture)).map(i=>this.details(i)?.title??"");this.news.textContent=this.lines.chosen===void 0?"":`Made there: ${t.join(", ")}`}rove(e){let t=this.stage.picture?.groups??new Map;this.group(this.focused)?.setAttribute("tabindex","-1"),this.focused=e??t.keys().next().value,this.group(this.focused)?.setAttribute("tabindex","0")}onFocus(e){let t=this.keyOf(e.target);t!==void 0&&(this.rove(t),this.tell(e.target))}tell(e){let t=this.group(this.keyOf(e));this.sentence.textContent=(t&&this.details(t)?.sentence)??""}onKey(e){let t=this.keyOf(e.target);if(t===void 0||e.ctrlKey||e.metaKey||e.altKey)return;let i=Se(this.stage.picture.boxes,t,e.key);if(e.key==="Enter"||e.key===" ")this.open(t);else if(i!==void 0)this.group(i)?.focus();else if(!this.pan.onKey(e.key))return;e.preventDefault()}onClick(e){let t=this.keyOf(e.target);t!==void 0&&(this.group(t)?.focus({preventScroll:!0}),this.open(t===this.selected?void 0:t))}open(e){let t=this.group(e),i=t===void 0?void 0:this.details(t)?.fold;i===void 0?this.select(e):this.unfold([...this.model.get("unfolded"),i])}unfold(e){this.opening=this.model.get("svg"),this.model.set("unfolded",e),this.model.save_changes()}select(e){let t=this.place.contains(document.activeElement),i=this.selected;this.group(i)?.setAttribute("aria-expanded","false"),this.selected=e;let n=this.group(e);n?.setAttribute("aria-expanded","true");let s=n===void 0?void 0:this.details(n);this.place.replaceChildren(...s===void 0?[]:[Ie(s,()=>this.select(void 0))]),t&&this.group(e??i)?.focus({preventScroll:!0})}};var Zt=({model:r,el:e})=>nt(new re(r),e),un=({model:r,el:e})=>nt(new Q(r),e);function nt(r,e){return Ee(),e.append(r.root),()=>r.remove()}function mn(r,e){let t=r[""],i=new Set;Zt({model:{get:s=>t[s],set(s,a){let o=s==="unfolded"?a.at(-1):void 0;t=r[o??""]},save_changes:()=>i.forEach(s=>s()),on:(s,a)=>{i.add(a)},off:(s,a)=>{i.delete(a)}},el:e})}export{un as nudge,Zt as render,mn as standalone};
