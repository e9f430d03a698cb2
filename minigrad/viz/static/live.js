var M=".minigrad-live, .minigrad-steps, .minigrad-instrument",j="data-lm-suppress-shortcuts";function A(){let s=globalThis;s.minigradKeys||(s.minigradKeys=!0,addEventListener("keydown",_,!0),addEventListener("focusin",I,!0))}function _({target:s,ctrlKey:e,metaKey:t,altKey:i}){s instanceof Element&&s.closest(M)!==null&&s.toggleAttribute(j,!(e||t||i))}function I({target:s}){if(s instanceof Element&&s.matches("[role=slider]:not([aria-label])")){let t=(s.closest(M)&&s.closest(".widget-inline-hbox"))?.querySelector("label");s.setAttribute("aria-label",t?.textContent??"")}}var H="minigrad-graphviz",v=class{constructor(e){this.url=e;this.worker=this.employ()}url;jobs=[];kept=new Map;worker;workers=!0;busy=!1;async run(e,t){let i=this.kept.get(e);return i!==void 0?(await L(),i):new Promise((n,r)=>{this.jobs.push({dot:e,resolve:n,reject:r,...t}),this.work()})}async work(){if(!this.busy){this.busy=!0;for(let e=this.next();e!==void 0;e=this.next()){if(!e.wanted()){e.resolve(void 0);continue}try{let t=this.kept.get(e.dot)??await this.answer(e.dot);this.keep(e.dot,t),e.resolve(t)}catch(t){e.reject(t)}await L()}this.busy=!1}}next(){let e=this.jobs.findIndex(t=>t.wanted()&&t.visible());return this.jobs.splice(Math.max(e,0),1)[0]}keep(e,t){this.kept.set(e,t),this.kept.size>40&&this.kept.delete(this.kept.keys().next().value)}async answer(e){let t=this.workers&&await this.asked(e)||await this.onPage(e);if("error"in t)throw new Error(t.error);return t.svg}asked(e){let t=this.worker??=this.employ();return t===void 0?Promise.resolve(void 0):new Promise(i=>{let n=setTimeout(()=>{t.terminate(),this.worker=void 0,i({error:"its layout takes longer than 20 seconds"})},2e4);t.onmessage=({data:r})=>{clearTimeout(n),i(r)},t.onerror=()=>{clearTimeout(n),this.workers=!1,i(void 0)},t.postMessage(e)})}employ(){try{return new Worker(this.url,{type:"module",name:H})}catch{this.workers=!1;return}}async onPage(e){return(await import(this.url)).layout(e)}};function L(){return new Promise(s=>{let{port1:e,port2:t}=new MessageChannel;e.onmessage=()=>{e.close(),s()},t.postMessage(void 0)})}function P(s){let e=s.match(/-?\d+(\.\d+)?(e-?\d+)?/g)?.map(Number)??[],t=e.filter((o,a)=>a%2===0),i=e.filter((o,a)=>a%2===1),[n,r]=[Math.min(...t),Math.min(...i)];return{x:n,y:r,width:Math.max(...t)-n,height:Math.max(...i)-r}}function T(s){let[e,t,i]=[s[0],s[1],s.at(-1)],n=(i-t)/(s.length-2);return s.length<4?s:s.map((r,o)=>o?t+(o-1)*n:e)}function g({x:s,y:e,width:t,height:i}){return{x:s+t/2,y:e+i/2}}function G(s,e){let t=[...e.keys()].filter(r=>s.has(r)),i=new Set;return t.forEach((r,o)=>{for(let a of t.slice(o+1))q(n(r),n(a))&&i.add(r).add(a)}),new Set(t.filter(r=>!i.has(r)));function n(r){return[s.get(r),e.get(r)]}}function q(s,e){let t=n("x","width"),i=n("y","height");return Math.max(0,t[0],i[0])<Math.min(1,t[1],i[1]);function n(r,o){let a=[0,1].map(p=>g(s[p])[r]-g(e[p])[r]),[d,u]=[a[0],a[1]-a[0]],h=p=>Math.max(p[0][o],p[1][o]),l=(h(s)+h(e))/2;if(Math.abs(u)<1e-6)return Math.abs(d)<l?[-1/0,1/0]:[1,0];let f=[(-l-d)/u,(l-d)/u];return[Math.min(...f),Math.max(...f)]}}var F={ArrowLeft:{x:-1,y:0},ArrowRight:{x:1,y:0},ArrowUp:{x:0,y:-1},ArrowDown:{x:0,y:1}};function C(s,e,t){let i=F[t],n=s.get(e);if(i===void 0||n===void 0)return;let r=g(n),[o,a]=[void 0,1/0];for(let[d,u]of s){let h=g(u),[l,f]=[h.x-r.x,h.y-r.y],p=l*i.x+f*i.y,m=Math.abs(l*i.y)+Math.abs(f*i.x);p>1&&p+2*m<a&&([o,a]=[d,p+2*m])}return o}var W=new Set(["restarting","autorestarting","terminating","dead"]);function B(s,e){let t=(i,n)=>{W.has(n)&&e()};return s?.statusChanged?.connect(t),s?.disposed?.connect(e),()=>{s?.statusChanged?.disconnect(t),s?.disposed?.disconnect(e)}}function c(s,e={},t=""){let i=document.createElement(s);return Object.entries(e).forEach(([n,r])=>i.setAttribute(n,r)),i.textContent=t,i}function V({title:s,rows:e},t){let i=c("section",{class:"panel",role:"region","aria-label":`About ${s}`}),n=c("button",{type:"button","aria-label":"Close",title:"Close (Esc)"},"×");n.addEventListener("click",t);let r=c("dl");for(let[o,a]of e)r.append(c("dt",{},o),c("dd",{},a));return i.append(n,c("h4",{},s),r),i}var y=class{root=c("label",{class:"lines"},"Made by ");list=c("select");lines=[];constructor(e){this.root.append(this.list),this.list.addEventListener("change",e)}offer(e){let t=this.list.value;this.lines=e,this.root.hidden=e.length===0;let i=e.map(([n])=>c("option",{value:n},n));this.list.replaceChildren(c("option",{value:""},"any line"),...i),this.list.value=e.some(([n])=>n===t)?t:""}get chosen(){return this.list.value||void 0}mark({svg:e,groups:t}){let i=new Set(this.lines.find(([n])=>n===this.chosen)?.[1]);e.classList.toggle("marked",this.chosen!==void 0);for(let n of t.values())n.setAttribute("aria-current",`${i.has(n.dataset.part??"")}`);return[...t.values()].filter(n=>i.has(n.dataset.part??""))}};var J="Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif",X="Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace";function O(s,e,t){let i=new DOMParser().parseFromString(s,"image/svg+xml"),n=document.importNode(i.documentElement,!0),r=n.querySelector("g.graph"),[,,o=0,a=0]=n.getAttribute("viewBox").split(" ").map(Number);r.querySelector(":scope > polygon")?.remove();let[d=0,u=0]=/translate\(([^)]*)\)/.exec(r.getAttribute("transform"))[1].split(/[ ,]+/).map(Number);n.style.fontFamily=J,Y(n,t);let h={svg:n,width:o,height:a,groups:new Map,boxes:new Map,edges:new Map};n.querySelectorAll("title").forEach(l=>l.remove());for(let l of n.querySelectorAll("g.edge"))l.setAttribute("aria-hidden","true"),h.edges.set(l.querySelector("path").getAttribute("d")+l.textContent,l);for(let l of n.querySelectorAll("g.node")){let f=e[l.id]??l.id,p=P(l.querySelector("path").getAttribute("d"));l.dataset.part=l.id,h.groups.set(f,l),h.boxes.set(f,{...p,x:p.x+d,y:p.y+u}),Z(l),/^n\d/.test(l.id)&&U(l,p)}for(let l of n.querySelectorAll("[id]"))l.removeAttribute("id");return h}function Y(s,e){let t=new Map(Object.entries(e).map(([i,n])=>[n,i]));for(let i of s.querySelectorAll("[fill], [stroke], [font-family]")){for(let r of["fill","stroke"]){let o=i.getAttribute(r)??"",a=t.get(o);r==="stroke"&&o===e.grad&&i.matches("g.edge path")&&i.setAttribute("stroke-dasharray","5 3"),a!==void 0&&(i.removeAttribute(r),i.style.setProperty(r,`var(--minigrad-${a})`))}let n=i.getAttribute("font-family");n!==null&&(i.removeAttribute("font-family"),i.style.fontFamily=n.includes("Courier")?X:"")}}function Z(s){let e=[...s.querySelectorAll("text")],t=r=>Number(r.getAttribute("y")),i=[...new Set(e.map(t))].sort((r,o)=>r-o),n=T(i);for(let r of e)r.setAttribute("y",`${n[i.indexOf(t(r))]}`)}function U(s,e){for(let t of s.querySelectorAll("text"))t.setAttribute("text-anchor","middle"),t.setAttribute("x",`${g(e).x}`)}var Q=140,ee=320,te=6e4,ie=150,b=class{constructor(e,t){this.frame=e;this.pan=t}frame;pan;picture;running=[];turn=0;async show(e,t){this.halt();let i=this.turn,n=this.picture;if(this.picture=e,this.settle(),n===void 0||!t||e.boxes.size>ie){this.place(e);return}n.svg.parentNode!==this.frame&&this.place(n);let[r,o]=[this.places(n),this.places(e)],a=G(r,o),d=[...a].filter(m=>ne(r.get(m),o.get(m))>.5),u=new Set([...e.edges.keys()].filter(m=>n.edges.has(m)));d.length>0&&u.clear();let h=[...x(n.groups,a),...x(n.edges,u)],l=[...x(e.groups,a),...x(e.edges,u)];if(await this.play(h,[{opacity:1},{opacity:0}]),this.turn!==i)return;this.frame.style.minHeight=`${this.frame.clientHeight}px`,this.place(e);let f=this.start(l,[{opacity:0},{opacity:0}],te);if(await Promise.all(d.map(m=>{let D=this.away(e,r.get(m),o.get(m));return this.play([e.groups.get(m)],[{transform:D},{transform:"none"}],ee)})),this.turn!==i)return;let p=this.play(l,[{opacity:0},{opacity:1}]);f.forEach(m=>m.cancel()),await p,this.turn===i&&this.settle()}halt(){this.turn++,this.running.forEach(e=>e.finish()),this.picture?.svg.parentNode===this.frame&&this.settle()}settle(){this.running.forEach(e=>e.cancel()),this.running=[],this.frame.style.minHeight=""}start(e,t,i){let n={duration:i,easing:"ease-in-out",fill:"forwards"},r=e.map(o=>o.animate(t,n));return r.forEach(o=>o.finished.catch(()=>{})),this.running.push(...r),r}async play(e,t,i=Q){let n=this.start(e,t,i);await Promise.allSettled(n.map(r=>r.finished))}place(e){this.frame.replaceChildren(e.svg),this.pan.show(e)}places(e){let t=this.pan.scale(e),i=({x:n,y:r,width:o,height:a})=>({x:n*t,y:r*t,width:o*t,height:a*t});return new Map([...e.boxes].map(([n,r])=>[n,i(r)]))}away(e,t,i){let n=this.pan.scale(e),[r,o]=[g(t),g(i)];return`translate(${(r.x-o.x)/n}px, ${(r.y-o.y)/n}px)`}};function ne(s,e){let[t,i]=[g(s),g(e)];return Math.hypot(i.x-t.x,i.y-t.y)}function x(s,e){return[...s].filter(([t])=>!e.has(t)).map(([,t])=>t)}var[N,re]=[.05,4],K=1.25;function z(s,e){return Math.min(1,Math.max(.85,e.width/s.width))}function R(s,e){let t=Math.min(1,e.width/s.width,e.height/s.height);return Math.max(N,t)}function k(s,e){let t=Math.log(s)/Math.log(K),i=e>0?Math.floor(t+.01)+1:Math.ceil(t-.01)-1;return Math.min(re,Math.max(N,K**i))}function S(s,e,t,i){return(s+e)*i/t-e}var w=class{constructor(e){this.frame=e;this.controls.append(this.button("−","Zoom out (-)",()=>this.by(-1)),this.percent,this.button("+","Zoom in (+)",()=>this.by(1)),this.button("Whole","Show the whole picture (0)",()=>this.all())),e.addEventListener("wheel",t=>this.onWheel(t),{passive:!1}),e.addEventListener("pointerdown",t=>this.onDrag(t)),this.room=this.measured(),this.resized.observe(e)}frame;controls=c("div",{class:"zoom",role:"group","aria-label":"Zoom"});percent=c("output",{"aria-label":"Zoom"});chosen;shown;resized=new ResizeObserver(()=>{this.room=this.measured(),this.fit()});room;remove(){this.resized.disconnect()}scale(e){return this.chosen??z(e,this.room)}show(e){this.shown=e,this.frame.style.flexBasis=`${e.width}px`,this.fit()}onKey(e){let i={"+":()=>this.by(1),"=":()=>this.by(1),"-":()=>this.by(-1),0:()=>this.all()}[e];return i?.(),i!==void 0}button(e,t,i){let n=c("button",{type:"button","aria-label":t,title:t},e);return n.addEventListener("click",i),n}measured(){let e=parseFloat(getComputedStyle(this.frame).maxHeight);return{width:this.frame.clientWidth||1/0,height:e||1/0}}fit(){if(this.shown!==void 0){let e=this.scale(this.shown);this.shown.svg.style.width=`${this.shown.width*e}px`,this.shown.svg.style.height=`${this.shown.height*e}px`,this.percent.textContent=`${Math.round(e*100)}%`}}by(e){let{width:t,height:i}=this.frame.getBoundingClientRect();this.to(n=>k(n,e),t/2,i/2)}all(){this.to((e,t)=>R(t,this.room),0,0)}to(e,t,i){if(this.shown===void 0)return;let n=this.scale(this.shown);this.chosen=e(n,this.shown);let{scrollLeft:r,scrollTop:o}=this.frame;this.fit(),this.frame.scrollLeft=S(r,t,n,this.chosen),this.frame.scrollTop=S(o,i,n,this.chosen)}onWheel(e){if(e.ctrlKey||e.metaKey){e.preventDefault();let{left:t,top:i}=this.frame.getBoundingClientRect(),n=e.deltaY<0?1:-1;this.to(r=>k(r,n),e.clientX-t,e.clientY-i)}}onDrag(e){let t=e.target instanceof Element&&e.target.closest("g.node")!==null;if(e.pointerType==="touch"||e.button!==0||t)return;let{scrollLeft:i,scrollTop:n}=this.frame,{clientX:r,clientY:o,pointerId:a}=e,d=h=>{this.frame.scrollLeft=i-h.clientX+r,this.frame.scrollTop=n-h.clientY+o};this.frame.setPointerCapture(a),this.frame.addEventListener("pointermove",d);let u=()=>this.frame.removeEventListener("pointermove",d);for(let h of["pointerup","pointercancel"])this.frame.addEventListener(h,u,{once:!0})}};var $=`.minigrad-live {
  position: relative;
  box-sizing: border-box;
  max-width: 100%;
  border: 1px solid var(--minigrad-frame);
  border-radius: 8px;
  background: var(--minigrad-background);
  color: var(--minigrad-text);
  font: 13px/1.45 Helvetica, Arial, "Liberation Sans", "DejaVu Sans", sans-serif;
}
.minigrad-live .body {
  display: flex;
  flex-wrap: wrap;
  align-items: flex-start;
}
.minigrad-live .picture {
  flex: 1 1 auto;
  min-width: 0;
  max-height: max(320px, 80vh);
  overflow: auto;
}
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
.minigrad-live :is(.empty, .alert, .foot p):empty {
  display: none;
}
.minigrad-live .place {
  position: sticky;
  top: 0;
  flex: 1 1 200px;
  min-width: 0;
  max-width: 480px;
}
.minigrad-live .place:empty {
  display: none;
}
.minigrad-live svg {
  display: block;
  max-width: none;
  overflow: visible;
}
.minigrad-live g.node {
  cursor: pointer;
  outline: none;
}
.minigrad-live g.node:focus-visible path {
  stroke: var(--minigrad-grad) !important;
  stroke-width: 3.5;
}
.minigrad-live g.node[aria-expanded="true"] path {
  stroke-width: 3;
}
.minigrad-live svg.marked g[aria-current="true"] path {
  stroke-width: 3;
}
.minigrad-live svg.marked g:is(.node[aria-current="false"], .edge) {
  opacity: 0.4;
}
.minigrad-live .panel {
  margin: 8px 10px 10px;
  padding: 8px 12px;
  border: 1px solid var(--minigrad-frame);
  border-radius: 6px;
  overflow-wrap: anywhere;
}
.minigrad-live .panel h4 {
  margin: 0 2em 4px 0;
  color: inherit;
  font: bold 14px/1.4 Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace;
}
.minigrad-live button {
  border: 0;
  border-radius: 4px;
  padding: 1px 7px;
  background: transparent;
  color: inherit;
  font: inherit;
  cursor: pointer;
}
.minigrad-live .panel button {
  float: right;
}
.minigrad-live button:hover {
  background: var(--minigrad-operation_fill);
}
.minigrad-live :is(button, summary, pre, select):focus-visible {
  outline: 2px solid var(--minigrad-grad);
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
  display: block;
  float: none;
  width: auto;
  margin: 0;
  padding: 0;
}
.minigrad-live dt {
  color: var(--minigrad-muted);
  font-weight: normal;
  white-space: nowrap;
}
.minigrad-live :is(dd, pre) {
  color: inherit;
  font: 12px/1.5 Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace;
}
.minigrad-live .foot {
  display: flex;
  flex-wrap: wrap;
  gap: 0 1.5em;
  padding: 0 12px 6px;
  color: var(--minigrad-muted);
  font-size: 12px;
}
.minigrad-live .foot p {
  flex: 1 1 0;
  min-width: 12em;
  margin: 0;
  overflow-wrap: anywhere;
}
.minigrad-live .foot .fold {
  border: 1px solid var(--minigrad-operation);
}
.minigrad-live .foot .lines {
  max-width: 100%;
}
.minigrad-live .foot .lines[hidden] {
  display: none;
}
.minigrad-live .foot select {
  max-width: 18em;
  margin-left: 4px;
  border: 1px solid var(--minigrad-operation);
  border-radius: 4px;
  background: var(--minigrad-background);
  color: inherit;
  font: inherit;
}
.minigrad-live .foot .zoom {
  margin-left: auto;
  white-space: nowrap;
}
.minigrad-live .zoom output {
  display: inline-block;
  min-width: 3em;
  text-align: center;
}
.minigrad-live .foot details[open] {
  flex-basis: 100%;
}
.minigrad-live summary {
  cursor: pointer;
}
.minigrad-live pre {
  max-height: 20em;
  margin: 4px 0;
  overflow: auto;
  background: transparent;
  white-space: pre-wrap;
}
`;var oe="The kernel has gone, and with it these tensors: this is how they were last. Run the cell again.",E=class{constructor(e,t){this.model=e;this.layout=t;this.outline.append(c("summary",{},"As text"),this.text);let i=c("div",{class:"foot"});i.append(this.outline,this.news,this.lines.root,this.fold,this.pan.controls);let n=c("div",{class:"body"});n.append(this.frame,this.place);let r=c("style",{},$+ae(e.get("themes")));this.root.append(r,this.alert,this.empty,n,i),this.frame.addEventListener("keydown",d=>this.onKey(d)),this.frame.addEventListener("click",d=>this.onClick(d)),this.frame.addEventListener("focusin",d=>this.onFocus(d)),this.fold.addEventListener("click",()=>this.unfold([])),this.root.addEventListener("keydown",d=>{d.key==="Escape"&&this.selected!==void 0&&(d.stopPropagation(),this.select(void 0))});let o=new IntersectionObserver(d=>{this.visible=d.at(-1).isIntersecting});o.observe(this.root);let a=()=>{this.update()};e.on("change",a),this.endings.push(()=>o.disconnect(),()=>this.pan.remove(),()=>e.off("change",a),B(e.widget_manager?.kernel,()=>this.alert.textContent=oe)),a()}model;layout;root=c("div",{class:"minigrad-live"});frame=c("div",{class:"picture"});place=c("div",{class:"place"});empty=c("p",{class:"empty"});news=c("p",{role:"status","aria-live":"polite"});alert=c("p",{role:"alert",class:"alert"});text=c("pre",{tabindex:"0","aria-label":"The graph as text"});outline=c("details");fold=c("button",{type:"button",class:"fold"},"Fold again");lines=new y(()=>this.tellOfLine());pan=new w(this.frame);stage=new b(this.frame,this.pan);endings=[];focused;selected;opening;visible=!0;latest=0;remove(){this.endings.forEach(e=>e()),this.latest++}async update(){let e=++this.latest,t=performance.now(),i=this.laidOut(e);this.frame.setAttribute("aria-busy","true"),this.stage.halt(),this.text.textContent=this.model.get("outline"),this.news.textContent=this.model.get("news"),this.fold.hidden=this.model.get("unfolded").length===0,this.lines.offer(this.model.get("lines"));let n=await i;e===this.latest&&(n!==void 0&&await this.show(n,e,t),e===this.latest&&this.frame.setAttribute("aria-busy","false"))}async show(e,t,i){let n=O(e,this.model.get("parts"),this.model.get("themes").light),r=this.frame.contains(document.activeElement);n.svg.setAttribute("role","group"),n.svg.setAttribute("aria-label",this.model.get("summary"));for(let[l,f]of n.groups)this.announce(l,f);this.empty.textContent=n.groups.size===0?this.model.get("summary"):"";let o=this.stage.picture?.groups,a=this.opening!==void 0&&this.model.get("dot")!==this.opening,d=a&&[...n.groups.keys()].find(l=>!o?.has(l));this.opening=a?void 0:this.opening,this.lines.mark(n);let u=!matchMedia("(prefers-reduced-motion: reduce)").matches&&this.visible,h=this.stage.show(n,u);this.rove(d||(n.groups.has(this.focused??"")?this.focused:void 0)),this.select(n.groups.has(this.selected??"")?this.selected:void 0),requestAnimationFrame(()=>performance.measure("minigrad: new picture",{start:i,end:performance.now()})),await h,(r||d)&&t===this.latest&&this.group(this.focused)?.focus({preventScroll:!d})}async laidOut(e){let t={wanted:()=>e===this.latest,visible:()=>this.visible};try{let i=await this.layout.run(this.model.get("dot"),t);return this.root.classList.remove("undrawn"),i}catch(i){this.empty.textContent=`The picture could not be drawn: ${i.message}. Below it is as text.`,this.root.classList.add("undrawn"),this.outline.open=!0;return}}announce(e,t){let{title:i,rows:n,fold:r}=this.details(t)??{title:t.textContent??"",rows:[]},o=n.find(([d])=>d==="kind")?.[1],a=r===void 0?"":", folded: press Enter to unfold";t.setAttribute("role","button"),t.setAttribute("aria-label",(o===void 0?i:`${i}, ${o}`)+a),t.setAttribute("aria-expanded",`${e===this.selected}`),t.setAttribute("tabindex","-1")}group(e){return e===void 0?void 0:this.stage.picture?.groups.get(e)}keyOf(e){let t=e instanceof Element?e.closest("g.node"):null;return[...this.stage.picture?.groups??[]].find(([,i])=>i===t)?.[0]}details(e){return this.model.get("details")[e.dataset.part??""]}tellOfLine(){let t=(this.stage.picture===void 0?[]:this.lines.mark(this.stage.picture)).map(i=>this.details(i)?.title??"");this.news.textContent=this.lines.chosen===void 0?"":`Made there: ${t.join(", ")}`}rove(e){let t=this.stage.picture?.groups??new Map;this.group(this.focused)?.setAttribute("tabindex","-1"),this.focused=e??t.keys().next().value,this.group(this.focused)?.setAttribute("tabindex","0")}onFocus(e){let t=this.keyOf(e.target);t!==void 0&&this.rove(t)}onKey(e){let t=this.keyOf(e.target);if(t===void 0||e.ctrlKey||e.metaKey||e.altKey)return;if(e.key==="Enter"||e.key===" "){e.preventDefault(),this.open(t);return}if(this.pan.onKey(e.key)){e.preventDefault();return}let i=C(this.stage.picture.boxes,t,e.key);i!==void 0&&(e.preventDefault(),this.group(i)?.focus())}onClick(e){let t=this.keyOf(e.target);t!==void 0&&(this.group(t)?.focus({preventScroll:!0}),this.open(t===this.selected?void 0:t))}open(e){let t=this.group(e),i=t===void 0?void 0:this.details(t)?.fold;i===void 0?this.select(e):this.unfold([...this.model.get("unfolded"),i])}unfold(e){this.opening=this.model.get("dot"),this.model.set("unfolded",e),this.model.save_changes()}select(e){let t=this.place.contains(document.activeElement),i=this.selected;this.group(i)?.setAttribute("aria-expanded","false"),this.selected=e;let n=this.group(e);n?.setAttribute("aria-expanded","true");let r=n===void 0?void 0:this.details(n);this.place.replaceChildren(...r===void 0?[]:[V(r,()=>this.select(void 0))]),t&&this.group(e??i)?.focus({preventScroll:!0})}};function ae(s){let[e,t]=[s.light,s.dark].map(i=>Object.entries(i).map(([n,r])=>`--minigrad-${n}: ${r};`).join(" "));return`
.minigrad-live { ${e} }
@media (prefers-color-scheme: dark) { body:not([data-jp-theme-light]) .minigrad-live { ${t} } }
body[data-jp-theme-light="false"] .minigrad-live { ${t} }`}function de(s){let e=new v(s);return A(),{render({model:t,el:i}){let n=new E(t,e);return i.append(n.root),()=>n.remove()}}}function ze(s,e,t){let i=e[""],n=new Set,r={get:o=>i[o],set(o,a){let d=o==="unfolded"?a.at(-1):void 0;i=e[d??""]},save_changes:()=>n.forEach(o=>o()),on:(o,a)=>{n.add(a)},off:(o,a)=>{n.delete(a)}};de(s).render({model:r,el:t})}export{ze as standalone,de as start};
