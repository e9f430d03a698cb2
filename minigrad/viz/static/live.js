var ve=".minigrad-live, .minigrad-nudge, .minigrad-steps, .minigrad-instrument",Xe="data-lm-suppress-shortcuts";function be(){let a=globalThis;a.minigradKeys||(a.minigradKeys=!0,addEventListener("keydown",Qe,!0),addEventListener("focusin",et,!0))}function Qe({target:a,ctrlKey:e,metaKey:t,altKey:n}){a instanceof Element&&a.closest(ve)!==null&&a.toggleAttribute(Xe,!(e||t||n))}function et({target:a}){if(a instanceof Element&&a.matches("[role=slider]:not([aria-label])")){let t=(a.closest(ve)&&a.closest(".widget-inline-hbox"))?.querySelector("label");a.setAttribute("aria-label",t?.textContent??"")}}var tt="minigrad-graphviz",K=class{constructor(e){this.url=e;this.worker=this.employ()}url;jobs=[];kept=new Map;worker;workers=!0;busy=!1;async run(e,t){let n=this.kept.get(e);return n!==void 0?(await xe(),n):new Promise((i,r)=>{this.jobs.push({dot:e,resolve:i,reject:r,...t}),this.work()})}async work(){if(!this.busy){this.busy=!0;for(let e=this.next();e!==void 0;e=this.next()){if(!e.wanted()){e.resolve(void 0);continue}try{let t=this.kept.get(e.dot)??await this.answer(e.dot);this.keep(e.dot,t),e.resolve(t)}catch(t){e.reject(t)}await xe()}this.busy=!1}}next(){let e=this.jobs.findIndex(t=>t.wanted()&&t.visible());return this.jobs.splice(Math.max(e,0),1)[0]}keep(e,t){this.kept.set(e,t),this.kept.size>40&&this.kept.delete(this.kept.keys().next().value)}async answer(e){let t=this.workers&&await this.asked(e)||await this.onPage(e);if("error"in t)throw new Error(t.error);return t.svg}asked(e){let t=this.worker??=this.employ();return t===void 0?Promise.resolve(void 0):new Promise(n=>{let i=setTimeout(()=>{t.terminate(),this.worker=void 0,n({error:"its layout takes longer than 20 seconds"})},2e4);t.onmessage=({data:r})=>{clearTimeout(i),n(r)},t.onerror=()=>{clearTimeout(i),this.workers=!1,n(void 0)},t.postMessage(e)})}employ(){try{return new Worker(this.url,{type:"module",name:tt})}catch{this.workers=!1;return}}async onPage(e){return(await import(this.url)).layout(e)}};function xe(){return new Promise(a=>{let{port1:e,port2:t}=new MessageChannel;e.onmessage=()=>{e.close(),a()},t.postMessage(void 0)})}function H(a,e){let[t,n]=[e.light,e.dark].map(i=>Object.entries(i).map(([r,s])=>`--minigrad-${r}: ${s};`).join(" "));return`
${a} { ${t} }
@media (prefers-color-scheme: dark) { body:not([data-jp-theme-light]) ${a} { ${n} } }
body[data-jp-theme-light="false"] ${a} { ${n} }`}var nt=new Set(["restarting","autorestarting","terminating","dead"]);function I(a,e){let t=(n,i)=>{nt.has(i)&&e()};return a?.statusChanged?.connect(t),a?.disposed?.connect(e),()=>{a?.statusChanged?.disconnect(t),a?.disposed?.disconnect(e)}}function q(a){let e=a.match(/-?\d+(\.\d+)?(e-?\d+)?/g)?.map(Number)??[],t=e.filter((s,o)=>o%2===0),n=e.filter((s,o)=>o%2===1),[i,r]=[Math.min(...t),Math.min(...n)];return{x:i,y:r,width:Math.max(...t)-i,height:Math.max(...n)-r}}function ye(a){let[e,t,n]=[a[0],a[1],a.at(-1)],i=(n-t)/(a.length-2);return a.length<4?a:a.map((r,s)=>s?t+(s-1)*i:e)}function O({x:a,y:e,width:t,height:n}){return{x:a+t/2,y:e+n/2}}function we(a,e){let t=[...e.keys()].filter(r=>a.has(r)),n=new Set;return t.forEach((r,s)=>{for(let o of t.slice(s+1))it(i(r),i(o))&&n.add(r).add(o)}),new Set(t.filter(r=>!n.has(r)));function i(r){return[a.get(r),e.get(r)]}}function it(a,e){let t=i("x","width"),n=i("y","height");return Math.max(0,t[0],n[0])<Math.min(1,t[1],n[1]);function i(r,s){let o=[0,1].map(m=>O(a[m])[r]-O(e[m])[r]),[d,u]=[o[0],o[1]-o[0]],h=m=>Math.max(m[0][s],m[1][s]),l=(h(a)+h(e))/2;if(Math.abs(u)<1e-6)return Math.abs(d)<l?[-1/0,1/0]:[1,0];let c=[(-l-d)/u,(l-d)/u];return[Math.min(...c),Math.max(...c)]}}var rt={ArrowLeft:{x:-1,y:0},ArrowRight:{x:1,y:0},ArrowUp:{x:0,y:-1},ArrowDown:{x:0,y:1}};function ke(a,e,t){let n=rt[t],i=a.get(e);if(n===void 0||i===void 0)return;let r=O(i),[s,o]=[void 0,1/0];for(let[d,u]of a){let h=O(u),[l,c]=[h.x-r.x,h.y-r.y],m=l*n.x+c*n.y,p=Math.abs(l*n.y)+Math.abs(c*n.x);m>1&&m+2*p<o&&([s,o]=[d,m+2*p])}return s}function x(a,e=2){if(!Number.isFinite(a))return Number.isNaN(a)?"nan":a>0?"inf":"−inf";let t=Math.abs(a),n=t>=1e5?t.toExponential(1):t.toFixed(t>=1e3?0:e);return(a<0&&Number(n)!==0?"−":"")+n}function st(a,e=2){return(a<0?"":"+")+x(a,e)}function W(a){let e=a.reduce((n,i)=>n+i,0);return a.length>4?`sum of ${a.length} = ${x(e)}`:`${a.map((n,i)=>i===0?x(n):` ${n<0?"−":"+"} ${x(Math.abs(n))}`).join("")} = ${x(e)}`}function se({name:a,by:e,result:t,moved:n,predicted:i}){let r=st(e,Math.abs(e*100-Math.round(e*100))>1e-6?3:2),s=`You moved ${a} by ${r}. ${t} moved by ${x(n,4)}.`,o=`No gradient predicted it: no path leads back from ${t} to ${a}.`;return[s,Number.isNaN(i)?o:`The gradient predicted ${x(i,4)}.`]}function Ee({by:a,moved:e,predicted:t}){return Math.abs(a)>.3&&Math.abs(e-t)>.02?" A gradient is exact only for a very small move.":""}function Me(a,e,t){if(e===void 0)return`${x(a)}; grad None: no path to ${t}`;let n=e>0?"rises with it":"falls as it rises";return`${x(a)}; grad ${x(e)}: ${t} ${Math.abs(e)<.005?"hardly moves":n}`}function Se(a,e,t){let n=t.map(({name:i,factor:r,passed:s})=>{let o=[];if(r!=="1"){let d=e===0?"":x(s/e),h=[r==="-1"?"":r,d].filter(l=>l!=="").map(l=>/\s|^[-−]/.test(l)?`(${l})`:l);o.push(...h.map(l=>`${x(e)} × ${l}`))}return`${i} gets ${[...o,x(s)].join(" = ")}`});return`${x(e)} arrives at ${a}. ${n.join("; ")}.`}function ae(a){let e=a.match(/-?\d+(\.\d+)?(e-?\d+)?/g)?.map(Number)??[],t=[];for(let i=0;i+1<e.length;i+=2)t.push({x:e[i],y:e[i+1]});let n=t.slice(0,1);for(let i=0;i+3<t.length;i+=3){let[r,s,o,d]=t.slice(i,i+4);for(let u=1;u<=16;u++){let h=u/16,l=1-h,c=m=>l**3*r[m]+3*l*l*h*s[m]+3*l*h*h*o[m]+h**3*d[m];n.push({x:c("x"),y:c("y")})}}return n}function oe(a,e){return a.map((t,n)=>{let i=a[Math.max(0,n-1)],r=a[Math.min(a.length-1,n+1)],[s,o]=[r.x-i.x,r.y-i.y],d=Math.hypot(s,o)||1;return{x:t.x-o/d*e,y:t.y+s/d*e}})}function U(a,e,t){return $e($e(a,e).reverse(),t).reverse()}function $e(a,e){let t=a.slice();for(;t.length>1;){let[n,i]=[t[0],t[1]],r=Math.hypot(i.x-n.x,i.y-n.y);if(r>e||t.length===2){let s=Math.min(1,e/(r||1));t[0]={x:n.x+(i.x-n.x)*s,y:n.y+(i.y-n.y)*s};break}e-=r,t.shift()}return t}function Ae(a,e,t){let n=a.slice(1).reduce((r,{x:s,y:o},d)=>r+Math.hypot(s-a[d].x,o-a[d].y),0),i=e*n;return U(a,Math.max(0,i-t),n-i)}function B(a){return`M${a.map(({x:e,y:t})=>`${e.toFixed(1)},${t.toFixed(1)}`).join("L")}`}function de(a,e=8){let[t,n]=[a[Math.max(0,a.length-2)],a.at(-1)],i=Math.atan2(n.y-t.y,n.x-t.x),[r,s]=[Math.cos(i)*e,Math.sin(i)*e],o=.48;return B([{x:n.x+r,y:n.y+s},{x:n.x-s*o,y:n.y+r*o},{x:n.x+s*o,y:n.y-r*o}]).concat("Z")}var j=16,z=4.5,F=23,at='-apple-system, "Segoe UI", "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif',ot=4,Pe=9,dt=52,Le=90,lt=11,ct=7,le;function R(a,e){return le??=document.createElement("canvas").getContext("2d"),le.font=`${e} ${at}`,le.measureText(a).width}function _(a){let e=(a??[]).reduce((t,n)=>t*n,1);return e<=ot?e:0}function Te(a,e){let t=new Map;a.edges.forEach((r,s)=>{let o=r.data?`data ${s}`:`${r.from} ${r.output}`;t.set(o,[...t.get(o)??[],s])});let n=[],i=r=>a.edges.filter(s=>s.to===r).length;for(let r of t.values()){let{from:s,name:o,shape:d,data:u}=a.edges[r[0]],h=Math.max(1,_(d)),l=s[0]==="o"&&o!==""?`${o} = −00.00`:"−00.00",c=u?0:Math.ceil(R(l,"13px")),m=r.length>1,p=`f${n.length}`;if(m){let v=h===1?W(r.map(()=>-10)):l,w=Math.max(c,Math.ceil(R(v,"600 13px")));n.push({id:`t${n.length}`,from:s,to:p,edges:r,rows:h,width:w,lead:0,tail:0})}for(let v of r){let w=a.edges[v].to,S=m?p:s,$=m?Math.ceil(R("−00.00","13px")):c,k={lead:m?e:0,tail:i(w)<2?0:e};n.push({id:`e${v}`,from:S,to:w,edges:[v],rows:h,width:$,...k})}}return n}var he=[{gap:13,swerve:28,tight:!1},{gap:5,swerve:22,tight:!1},{gap:1,swerve:15,tight:!0}];function Oe(a,e,t){let n=d=>(d/72).toFixed(3),i=(d,u,h)=>`${d} [id="${d}", width=${n(u)}, height=${n(h)}]`;a.filter(({to:d})=>d[0]==="f").forEach(({to:d})=>e.set(d,{width:Pe,height:Pe}));let r=[...e].map(([d,{width:u,height:h}])=>i(d,u,d[0]==="o"?dt:h));for(let{id:d,from:u,to:h,rows:l,width:c,lead:m,tail:p}of a){let v=u[0]==="o"?8:6,[w,S]=[`${u}:e`,"b"];c>0&&(r.push(i(d,m+c+6,2*(j*l+z+4))),r.push(`${w} -> ${d}:w [id="${d}a", weight=${v}]`),w=`${d}:e`),p>0&&(r.push(i(`${d}x`,p,4*z),`${w} -> ${d}x:w [id="${d}b", weight=${u[0]==="o"?8:1}]`),[w,S]=[`${d}x:e`,"c"]),r.push(`${w} -> ${h}:w [id="${d}${S}", weight=${v+1}]`)}let s=[...e.keys()].filter(d=>d[0]==="l"||d[0]==="d");a.every(({to:d})=>d!=="r")&&r.push(`${s[0]} -> r [style=invis, minlen=3]`);let o=s.join(" -> ")+(s.length>1?" [style=invis, weight=9]":"");return`digraph {
graph [rankdir=LR, nodesep=0.15, ranksep=${n(t)}]
node [shape=box, label="", fixedsize=true] edge [arrowhead=none]
${r.join(`
`)}
{ rank=min; ${o} }
}`}function Ge(a,e){let t=new DOMParser().parseFromString(a,"image/svg+xml"),n=new Map,i=new Map;for(let c of t.querySelectorAll("g.node"))n.set(c.id,ut(c.querySelector("polygon, ellipse")));for(let c of t.querySelectorAll("g.edge")){let m=c.querySelector("path");m!==null&&c.id!==""&&i.set(c.id,ae(m.getAttribute("d")))}let r=[...n.values()],s=Math.min(...r.map(({x:c})=>c))-1,o=Math.min(...r.map(({y:c})=>c),...[...i.values()].flat().map(({y:c})=>c-z-2))-1,d=({x:c,y:m})=>({x:c-s,y:m-o});n.forEach(c=>Object.assign(c,d(c)));let u=c=>i.get(c).map(d),h=new Map;for(let c of e){let m=n.get(c.width===0?c.from:c.id);h.set(c.to,[...h.get(c.to)??[],{road:c,y:m.y+m.height/2}])}h.forEach(c=>c.sort((m,p)=>m.y-p.y));let l=new Map;for(let c of e){let{id:m,from:p,to:v,width:w,lead:S}=c,$=h.get(v),k=ht(n.get(v),$.map(({y:L})=>L),$.findIndex(L=>L.road===c)),b=[],E=Ne(n.get(p)),A=n.get(m);w>0&&A!==void 0&&(Object.assign(A,{x:A.x+S,width:A.width-S}),b.push(...ce(E,{x:A.x,y:A.y+A.height/2},u(`${m}a`))),E=Ne(A));let M=n.get(`${m}x`);M!==void 0&&k.x-E.x>Le&&(b.push(...ce(E,{x:M.x,y:M.y+M.height/2},u(`${m}b`))),E={x:M.x,y:M.y+M.height/2}),n.delete(`${m}x`),b.push(...ce(E,k,u(`${m}${M===void 0?"b":"c"}`))),l.set(m,b.filter(({x:L,y:N},y)=>y===0||Math.hypot(L-b[y-1].x,N-b[y-1].y)>.5))}return{width:Math.max(...r.map(({x:c,width:m})=>c+m))+1,height:Math.max(...r.map(({y:c,height:m})=>c+m))+1,boxes:n,lines:l}}function ht({x:a,y:e,width:t,height:n},i,r){let[s,o]=[e+n/2,i.length],d=i.findIndex(m=>Math.abs(m-s)<ct),u=d>=0&&o<=3?d:(o-1)/2,h=(r-u)*(o>3?36/o:o===3?13:16),l=Math.min(t/2,F),c=Math.sqrt(Math.max(0,l**2-h**2));return{x:o===1?a:a+l-c,y:s+h}}function Ne({x:a,y:e,width:t,height:n}){return{x:a+t,y:e+n/2}}function ce(a,e,t){let n=e.x-a.x;if(n>=Le)return[a,...t,e];let i=e.x-Math.min(lt,n/3),r=(a.x+i)/2;return[...ae(`M${a.x},${a.y}C${r},${a.y} ${r},${e.y} ${i},${e.y}`),e]}function ut(a){if(a.tagName==="polygon")return q(a.getAttribute("points"));let[e,t,n,i]=["cx","cy","rx","ry"].map(r=>Number(a.getAttribute(r)));return{x:e-n,y:t-i,width:2*n,height:2*i}}function g(a,e={},t,n){let i=document.createElementNS("http://www.w3.org/2000/svg",a);return P(i,e),n!==void 0&&(i.textContent=n),t?.append(i),i}function P(a,e){for(let[t,n]of Object.entries(e))a.getAttribute(t)!==`${n}`&&a.setAttribute(t,`${n}`)}function T(a,e){a.textContent!==e&&(a.textContent=e)}var mt=18,gt=30,Z=class{paths;running=[];drawn=0;frame=0;constructor(e){this.paths={forward:g("path",{class:"pulse forward"},e),back:g("path",{class:"pulse back"},e)}}start(e){let t=performance.now();this.running.push(...e.map(n=>({...n,begin:t+n.delay}))),cancelAnimationFrame(this.frame),this.frame=requestAnimationFrame(n=>this.draw(n))}stop(){cancelAnimationFrame(this.frame),this.running=[]}draw(e){if(e-this.drawn>=gt){this.drawn=e,this.running=this.running.filter(({begin:t,duration:n})=>e<t+n);for(let[t,n]of Object.entries(this.paths)){let r=this.running.filter(s=>s.kind===t&&s.begin<=e).map(({line:s,begin:o,duration:d})=>{let u=(e-o)/d;return B(Ae(s,u*u*(3-2*u),mt))});n.setAttribute("d",r.join(""))}}this.running.length>0&&(this.frame=requestAnimationFrame(t=>this.draw(t)))}};var Re=300,ze={"×":"M-7-7L7 7M-7 7L7-7","+":"M-9 0H9M0-9V9","−":"M-9 0H9"},pt=()=>matchMedia("(prefers-reduced-motion: reduce)").matches;function Ce(a,e){let t=new Map;a.leaves.forEach(({entries:i,first:r},s)=>{let o=Ve(i),d=e?o?156:112:176;t.set(`l${s}`,{width:d,height:o?34+44*r.length:92})}),a.data.forEach(({name:i,shape:r},s)=>{let o=_(r),d=o>0?R("−0.00","14px"):R(ue(r),"14px"),u=Math.ceil(d+(i?R(i,"600 13px")+10:0)+22);t.set(`d${s}`,{width:u,height:14+20*Math.max(o,1)})}),a.operations.forEach((i,r)=>{let s=me(i),o=Math.max(52,Math.ceil(R(s,"600 17px"))+(e?14:26)),d=s.length<=1||Be(i);t.set(`o${r}`,{width:d?2*F:o,height:d?2*F:42})});let n=R(a.result,"700 16px")+26;return t.set("r",{width:Math.ceil(Math.max(e?86:104,n)),height:66}),t}var Ve=a=>a.length>1||a[0].endsWith("]"),ue=a=>`[${a.join(", ")}]`,Be=({sign:a,after:e})=>a==="^"&&e==="2",me=({sign:a,before:e,after:t})=>[e,a,t].filter(n=>n!=="").join(" "),Y=class{constructor(e,t,n,i,r){this.graph=e;this.roads=t;this.placed=n;let[s,o,d]=[g("g",{},i),g("g",{},i),g("g",{},i)];this.pulses=new Z(r);let u=this.depths();t.forEach(h=>{this.road(h,s,u),this.label(h,d)}),e.leaves.forEach((h,l)=>this.leaf(l,o)),e.data.forEach((h,l)=>this.data(l,o)),e.operations.forEach((h,l)=>this.operation(l,o)),this.result(o)}graph;roads;placed;hands=[];operations=[];updates=[];ways=[];pulses;update(e){this.updates.forEach(t=>t(e))}wave(e){if(pt())return;let t=new Set([`l${e}`]);this.roads.forEach(()=>{this.roads.filter(({from:n})=>t.has(n)).forEach(({to:n})=>t.add(n))}),this.pulses.start(this.ways.filter(({kind:n,from:i})=>n==="back"||t.has(i)))}remove(){this.pulses.stop()}box(e){return this.placed.boxes.get(e)}depths(){let e=new Map;return this.roads.forEach(()=>{this.roads.forEach(({from:t,to:n})=>{e.set(n,Math.max(e.get(n)??0,(e.get(t)??0)+1))})}),e}road(e,t,n){let i=this.placed.lines.get(e.id),r=e.width===0,s=e.to[0]==="f",o=U(oe(i,r?0:-z),2,s?0:9);if(g("path",{class:r?"value data":"value",d:B(o)},t),!s)g("path",{class:r?"head data":"head",d:de(o)},t);else{let{x:S,y:$,width:k,height:b}=this.box(e.to);g("circle",{class:"fork",cx:S+k/2,cy:$+b/2,r:k/2},t)}if(r)return;let d=e.from[0]==="f",u=U(oe(i.slice().reverse(),-z),2,d?2:9),h=g("path",{class:"grad-road",d:B(u)},t),l=d?void 0:g("path",{class:"grad-head",d:de(u)},t);this.updates.push(({edges:S})=>{let $=e.edges.flatMap(E=>S[E][1].map(Number)),k=Math.max(0,...$.map(Math.abs))||0,b=$.length===0&&_(this.graph.edges[e.edges[0]].shape)>0;P(h,{"stroke-width":(1.1+2.3*Math.min(1,k/1.5)).toFixed(1)}),[h,l].forEach(E=>E&&(E.style.display=b?"none":""))});let c=Re/(n.get("r")??1),[m,p]=[n.get(e.from)??0,n.get(e.to)],v=(p-m)*c,{from:w}=e;this.ways.push({from:w,line:o,kind:"forward",delay:m*c,duration:v}),this.ways.push({from:w,line:u,kind:"back",delay:2*Re-p*c,duration:v})}label({id:e,from:t,to:n,edges:i,rows:r,width:s},o){if(s===0)return;let{x:d,y:u,width:h,height:l}=this.box(e),[c,m]=[d+h/2,u+l/2],{name:p,shape:v}=this.graph.edges[i[0]],w=_(v),$=(t[0]==="o"&&n!=="r"?Array.from({length:r},(b,E)=>E):[]).map(b=>{let E={class:"label",x:c,y:m-z-6-(r-1-b)*j},A=g("text",E,o);return{named:g("tspan",{class:"name"},A,b===0?p:""),number:g("tspan",{},A)}}),k=Array.from({length:r},(b,E)=>g("text",{class:"label grad strong",x:c,y:m+z+j+E*j},o));this.updates.push(b=>{let[E]=b.edges[i[0]];$.forEach(({named:M,number:L},N)=>{let y=w===0?ue(v??[]):E.length>N?x(Number(E[N])):"";T(L,M.textContent&&y?` = ${y}`:y)});let A=i.map(M=>b.edges[M][1].map(Number)).filter(({length:M})=>M>0);k.forEach((M,L)=>{let N=A.map(G=>G[L]),y=N.reduce((G,C)=>G+C,0);T(M,N.length===0?"":n[0]==="f"&&r===1&&N.length>1?W(N):x(y))})})}leaf(e,t){let{x:n,y:i,width:r,height:s}=this.box(`l${e}`),{name:o,entries:d}=this.graph.leaves[e],u=g("g",{},t);g("rect",{class:"leaf",x:n+1,y:i,width:r-2,height:s,rx:9},u),g("text",{class:"leaf-name",x:n+14,y:i+25},u,o);let h=Ve(d);h?g("text",{class:"key",x:n+r-14,y:i+24,"text-anchor":"end"},u,"value, grad"):g("text",{class:"key grad",x:n+14,y:i+82},u,"grad"),d.forEach((l,c)=>this.hand(e,c,h,u))}hand(e,t,n,i){let{x:r,y:s,width:o}=this.box(`l${e}`),{entries:d,limit:u}=this.graph.leaves[e],h=n?s+32+44*t:s,l=n?h+17:s+48,c=n?[r+42,r+o-66]:[r+18,r+o-18],m=r+o-14,p={role:"slider",tabindex:0,"aria-label":d[t],"aria-valuemin":-u,"aria-valuemax":u},v=g("g",{class:"hand",...p},i),w=n?{y:h,height:42}:{y:s+5,height:82};if(g("rect",{class:"frame",x:r+6,width:o-12,rx:6,...w},v),g("rect",{class:"hit",x:c[0]-10,y:l-12,width:c[1]-c[0]+20,height:24},v),n){let N=d[t].slice(d[t].lastIndexOf("["));g("text",{class:"key",x:r+12,y:l+4},v,N)}g("line",{class:"track",x1:c[0],x2:c[1],y1:l,y2:l},v);let S=(c[0]+c[1])/2;g("line",{class:"zero",x1:S,x2:S,y1:l-5,y2:l+5},v);let $=g("path",{class:"slope-arrow"},v),k=g("circle",{class:"thumb",r:n?6:7.5,cy:l},v),b=n?h+15:s+27,E=g("rect",{class:"hit",x:m-62,y:b-20,width:72,height:28},v),A=g("text",{class:n?"number small":"number",x:m,y:b},v),M=g("line",{class:"underline",x1:m-(n?36:50),x2:m,y1:b+5.5,y2:b+5.5},v),L=g("text",{class:n?"grad-value small":"grad-value",x:m,y:n?h+34:s+82},v);this.hands.push({root:v,leaf:e,index:t,track:c,number:[E,A,M]}),this.updates.push(({leaves:N})=>{let y=N[e][0][t],G=N[e][1],C=G===null?void 0:Number(G[t]),fe=S+y/u*((c[1]-c[0])/2);P(k,{cx:fe}),T(A,x(y,Math.abs(y*100-Math.round(y*100))>1e-6?3:2)),T(L,C===void 0?`None: no path to ${this.graph.result}`:x(C,n?3:4)),L.classList.toggle("none",C===void 0),P($,{d:C===void 0?"":ft(fe,l+(n?12:14),C)}),P(v,{"aria-valuenow":y,"aria-valuetext":Me(y,C,this.graph.result)})})}data(e,t){let{x:n,y:i,width:r,height:s}=this.box(`d${e}`),{name:o,shape:d}=this.graph.data[e],u=_(d);g("rect",{class:"data-card",x:n,y:i,width:r,height:s,rx:4},t),g("text",{class:"data-name",x:n+10,y:i+s/2+5},t,o);let h=Array.from({length:Math.max(u,1)},(l,c)=>g("text",{class:"data-value",x:n+r-10,y:i+22+c*20},t));this.updates.push(({data:l})=>{h.forEach((c,m)=>T(c,u===0?ue(d):x(Number(l[e][m]))))})}operation(e,t){let n=this.box(`o${e}`),i=this.graph.operations[e],[r,s]=[n.x+n.width/2,n.y+n.height/2],[o,d,u]=[n.x,n.width,n.width<2*F+3?2*F:42],h=g("g",{class:"operation",tabindex:0,role:"img","aria-label":me(i)},t);g("rect",{class:"pill",x:o,y:s-u/2,width:d,height:u,rx:u/2},h);let l=me(i);Be(i)?(g("rect",{class:"sign base",x:r-11,y:s-5,width:14,height:14,rx:1.5},h),g("text",{class:"power",x:r+6,y:s-3},h,"2")):l in ze?g("path",{class:"sign",d:ze[l],transform:`translate(${r} ${s})`},h):g("text",{class:"word",x:r,y:s+6},h,l),g("title",{},h,i.name),this.operations.push(h)}result(e){let{x:t,y:n,width:i,height:r}=this.box("r");g("rect",{class:"result",x:t,y:n,width:i,height:r,rx:9},e),g("text",{class:"result-name",x:t+12,y:n+25},e,this.graph.result);let s=g("text",{class:"result-value",x:t+i-12,y:n+52},e);this.updates.push(({result:o})=>T(s,x(Number(o),4)))}};function ft(a,e,t){if(!(Math.abs(t)>=.005))return`M${a-2.5},${e}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0Z`;let n=Math.sign(t),i=a+n*Math.min(46,Math.abs(t)*26);return`M${a},${e-1.3}H${i}V${e-4.6}L${i+n*8},${e}L${i},${e+4.6}V${e+1.3}H${a}Z`}function Fe(a,e,t){let n=e-t.width,i=[...a.boxes.values()].filter(s=>s.x+s.width>n-8).map(s=>s.y+s.height),r=[...a.lines.values()].flat().filter(({x:s})=>s>n-8);return{x:n,y:Math.max(0,...i,...r.map(({y:s})=>s+z))+14}}var V={width:320,height:158},[_e,je,vt]=[22,26,20],bt=0,X=class{title=g("tspan");note=g("tspan",{class:"grad strong",dx:12});zero=g("line",{class:"axis"});ticks;drop=g("line",{class:"drop"});curve=g("path",{class:"curve"});tangent=g("line",{class:"tangent"});gap=g("line",{class:"gap"});slope=g("line",{class:"slope"});from=g("circle",{class:"from",r:4.5});predicted=g("path",{class:"predicted",d:"M0,-6L6,0L0,6L-6,0Z"});now=g("circle",{class:"now",r:5});area;constructor(e,t,n){let i=V.width-_e-6,r=V.height-je-vt,s=this.area={x:t+_e,y:n+je,width:i,height:r},o=g("g",{"aria-hidden":"true"},e);g("text",{x:s.x,y:n+13,class:"label-left"},o).append(this.title,this.note);let[d,u]=[s.y+r,s.x+i];g("line",{class:"axis",x1:s.x,x2:u,y1:d,y2:d},o),g("line",{class:"axis",x1:s.x,x2:s.x,y1:s.y,y2:d},o),P(this.zero,{x1:s.x,x2:u});let h=["start","middle","end","end","middle"];this.ticks=h.map(p=>g("text",{class:"tick","text-anchor":p,y:d+14})),this.ticks[4].classList.add("dragged");let l=`minigrad-plot-${bt++}`,c=g("clipPath",{id:l},o);g("rect",{x:s.x,y:s.y-4,width:i,height:r+8},c);let m=g("g",{"clip-path":`url(#${l})`},o);m.append(this.drop,this.curve,this.tangent,this.gap,this.slope),o.append(this.zero,...this.ticks),m.append(this.from,this.predicted,this.now)}draw(e,t,n,i,r,s){let{x:o,y:d,width:u,height:h}=this.area,l=(e?.points??[]).map(([y,G])=>[y,G===null?NaN:Number(G)]),[c,m]=xt([...l.map(([,y])=>y),r.result,s.result]),p=y=>o+(y+t)/(2*t)*u,v=y=>d+h-(y-c)/(m-c)*h;P(this.curve,{d:yt(l,p,v)});let w=y=>v(r.result+r.grad*(y-r.value)),S=r.value!==s.value,$=!Number.isNaN(r.grad),[k,b,E]=[p(s.value),v(s.result),w(s.value)];D(S,this.from),D(S&&$,this.predicted,this.gap),D($,this.tangent,this.slope),P(this.from,{cx:p(r.value),cy:v(r.result)}),$&&(P(this.tangent,J(p(-t),w(-t),p(t),w(t))),P(this.predicted,{transform:`translate(${k} ${E})`}),P(this.gap,J(k,b,k,E))),P(this.now,{cx:k,cy:b}),P(this.drop,J(k,b,k,d+h));let A=(s.grad||0)*h*2*t/((m-c)*u),M=S?13/Math.hypot(1,A):0;P(this.slope,J(k-M,b+M*A,k+M,b-M*A)),T(this.title,`${i} as ${n} moves`);let L=`grad at ${x(r.value)} was ${x(r.grad)}`,N=S?`the line: ${L}`:`slope = grad = ${x(r.grad)}`;T(this.note,$?N:"grad None: no path back"),this.label(t,n,k,c<0&&m>0?v(0):NaN)}label(e,t,n,i){let{x:r,width:s,y:o}=this.area,d=r+s/2;[r,d,r+s].forEach((h,l)=>{T(this.ticks[l],x((l-1)*e,0)),this.ticks[l].setAttribute("x",`${h}`)}),D(!Number.isNaN(i),this.zero,this.ticks[3]),P(this.zero,{y1:i||o,y2:i||o}),P(this.ticks[3],{x:r-5,y:(i||o)+4}),T(this.ticks[3],"0"),T(this.ticks[4],t);let u=Math.min(r+s-30,Math.max(r+30,n));this.ticks[4].setAttribute("x",`${u}`),D(Math.abs(u-d)>=24,this.ticks[1])}};function xt(a){let e=a.filter(Number.isFinite),[t,n]=[Math.min(...e),Math.max(...e)];if(e.length===0)return[-1,1];let i=Math.max(1,Math.abs(n)*.05);if(n-t<i){let s=(n+t)/2;[t,n]=[s-i/2,s+i/2]}let r=(n-t)*.08;return[t-r,n+r]}function D(a,...e){e.forEach(t=>t.style.display=a?"":"none")}function yt(a,e,t){let n=!0;return a.map(([i,r])=>{let s=n?"M":"L";return n=!Number.isFinite(r),n?"":`${s}${e(i).toFixed(1)},${t(r).toFixed(1)}`}).join("")}function J(a,e,t,n){return{x1:a,y1:e,x2:t,y2:n}}function f(a,e={},t=""){let n=document.createElement(a);return Object.entries(e).forEach(([i,r])=>n.setAttribute(i,r)),n.textContent=t,n}function De({title:a,rows:e},t){let n=f("section",{class:"panel",role:"region","aria-label":`About ${a}`}),i=f("button",{type:"button","aria-label":"Close",title:"Close (Esc)"},"×");i.addEventListener("click",t);let r=f("dl");for(let[s,o]of e)r.append(f("dt",{},s),f("dd",{},o));return n.append(i,f("h4",{},a),r),n}var Ke=`.minigrad-nudge {
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
  font: 14px/1.45 -apple-system, "Segoe UI", "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif;
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
`;var kt="The kernel has gone, so these numbers can't be moved. Run the cell again.",Et="Drag a number and let go: here you'll read how far the result moved, and what its gradient predicted.",He={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1,PageUp:5,PageDown:-5},Mt=700,St=330,$t=[4,12],Ie=.66,Q=class{constructor(e,t){this.model=e;this.layout=t;let n=f("div",{class:"bar"}),i=f("p",{class:"hint"});i.append("Drag a blue number or its slider. ",f("b",{},"Values run forward, gradients run back.")),i.append(f("span",{}," An orange arrow points where the result rises."));let r=f("button",{type:"button"},"Reset");r.addEventListener("click",()=>this.reset()),n.append(i,r);let s=f("div",{class:"say"});s.append(this.sentence,this.bars);let o=Ke+H(".minigrad-nudge",e.get("themes"));this.root.append(f("style",{},o),this.alert,this.frame,n,s,this.news),this.values=this.numbers.leaves.map(([c])=>c.slice()),this.idle();let d=()=>this.onAnswer();e.on("change",d);let[u,h]=[c=>this.onMove(c),()=>this.onEnd()];addEventListener("pointermove",u),addEventListener("pointerup",h),addEventListener("pointercancel",h);let l=new ResizeObserver(c=>{this.room=Math.floor(c.at(-1).contentRect.width),this.build()});l.observe(this.frame),this.endings.push(()=>e.off("change",d),()=>removeEventListener("pointermove",u),()=>removeEventListener("pointerup",h),()=>removeEventListener("pointercancel",h),()=>l.disconnect(),I(e.widget_manager?.kernel,()=>this.gone()))}model;layout;root=f("section",{class:"minigrad-nudge","aria-label":"Nudge"});alert=f("p",{role:"alert",class:"alert"});frame=f("div",{class:"picture"});sentence=f("p",{class:"sentence"});bars=f("div",{class:"bars","aria-hidden":"true"});news=f("div",{class:"unseen",role:"status","aria-live":"polite"});endings=[];picture;plot;svg=g("svg");drawn=[void 0,0];values;selected=[0,0];start;moving=!1;drag;burst=0;lastWave=0;turn=Math.floor(Math.random()*1e9);waiting=!1;asked=0;moves=new Map;wishes={};layouts=0;room=0;frameAsked=0;remove(){this.endings.forEach(e=>e()),this.picture?.remove(),this.layouts++}get numbers(){return this.model.get("numbers")}async build(){let[e,t]=[this.model.get("graph"),this.room],[n,i]=this.drawn;if(t===0||e===n&&t===i)return;this.drawn=[e,t];let r=++this.layouts;try{for(let s of he){let o=Te(e,s.swerve),d=await this.place(e,o,s,r);if(d===void 0)return;if(d.width<=t||s===he.at(-1)){this.show(e,o,d,t),this.svg.classList.toggle("tight",s.tight);return}}}catch(s){this.alert.textContent=`The picture could not be drawn: ${s.message}`}}async place(e,t,n,i){let r={wanted:()=>i===this.layouts,visible:()=>!0},s=await this.layout.run(Oe(t,Ce(e,n.tight),n.gap),r);return s===void 0||i!==this.layouts?void 0:Ge(s,t)}show(e,t,n,i){let r=this.picture?.hands.findIndex(({root:c})=>c===document.activeElement)??-1,s=Math.max(n.width,Math.min(i,n.width+V.width),V.width),o=Fe(n,Math.min(s,i/Ie),V),d=Math.ceil(Math.max(n.height,o.y+V.height)),u=`0 0 ${s} ${d}`;this.svg=g("svg",{viewBox:u,role:"group"});let h=g("svg",{viewBox:u,class:"above","aria-hidden":"true"}),l=f("div",{class:"both"});l.style.width=`${Math.min(s,Math.max(i,s*Ie))}px`,l.append(this.svg,h),this.plot=new X(this.svg,o.x,o.y),this.picture?.remove(),this.picture=new Y(e,t,n,this.svg,h),this.frame.replaceChildren(l),this.picture.hands.forEach(c=>this.bind(c)),this.picture.operations.forEach((c,m)=>this.explain(c,m)),this.update(),this.picture.hands[r]?.root.focus()}bind(e){let{root:t,leaf:n,index:i}=e;t.addEventListener("pointerdown",r=>{if(r.button===0){r.preventDefault(),t.focus({preventScroll:!0}),this.begin([n,i]),t.classList.add("on","by-mouse");let s=e.number.includes(r.target);this.drag={hand:e,x:r.clientX,value:this.values[n][i],onNumber:s},this.onMove(r)}}),t.addEventListener("dblclick",()=>this.resetOne([n,i])),t.addEventListener("keydown",r=>this.onKey(r,[n,i])),t.addEventListener("focus",()=>this.drag??this.select([n,i])),t.addEventListener("blur",()=>t.classList.remove("by-mouse"))}onMove({clientX:e,shiftKey:t}){if(this.drag===void 0)return;let{hand:n,x:i,value:r,onNumber:s}=this.drag,o=this.limit([n.leaf,n.index]);if(s){let m=t?.1:1;this.set([n.leaf,n.index],r+(e-i)*.01*m*this.unit(o),t?3:2);return}let{left:d,width:u}=this.svg.getBoundingClientRect(),h=(e-d)*this.svg.viewBox.baseVal.width/u,[l,c]=n.track;this.set([n.leaf,n.index],-o+(h-l)/(c-l)*2*o)}onEnd(){this.drag!==void 0&&this.finish()}onKey(e,t){if(e.ctrlKey||e.metaKey||e.altKey)return;let[n,i]=t,r=this.limit(t);if(e.key==="Escape")this.cancel(t);else if(e.key in He){let s=He[e.key]*this.unit(r)*(e.shiftKey?.01:.1);this.press(t,this.values[n][i]+s)}else if(e.key==="Home"||e.key==="End")this.press(t,e.key==="Home"?-r:r);else if(e.key==="Delete"||e.key==="Backspace")this.press(t,this.model.get("graph").leaves[n].first[i]);else return;this.picture?.hands.forEach(({root:s})=>s.classList.remove("by-mouse")),e.preventDefault(),e.stopPropagation()}press(e,t){this.burst===0&&this.begin(e),clearTimeout(this.burst),this.set(e,t),this.burst=window.setTimeout(()=>this.finish(),Mt)}limit([e]){return this.model.get("graph").leaves[e].limit}unit(e){return 10**Math.max(0,Math.floor(Math.log10(e/2)))}select(e){`${e}`!=`${this.selected}`&&(this.rest(),this.selected=e,this.start=void 0,this.idle(),this.ask({curve:e}),this.update())}begin(e){this.select(e),this.moving=!0,this.start=this.placeOf(e),this.ask({curve:e})}placeOf([e,t]){let{leaves:n,result:i}=this.numbers;return{value:n[e][0][t],result:Number(i),grad:Number(n[e][1]?.[t]??NaN)}}set([e,t],n,i=2){let r=this.limit([e,t]),s=Number(Math.min(r,Math.max(-r,n)).toFixed(i));if(s===this.values[e][t])return;this.values[e][t]=s,this.moves.set(`${e},${t}`,[e,t,s]),this.ask({});let o=performance.now();o-this.lastWave>St&&(this.lastWave=o,this.picture?.wave(e)),this.refresh()}rest(){clearTimeout(this.burst),this.picture?.hands.forEach(({root:e})=>e.classList.remove("on")),[this.burst,this.moving,this.drag]=[0,!1,void 0]}finish(){this.rest(),this.update(),this.announce()}cancel(e){this.moving&&this.start!==void 0&&(this.set(e,this.start.value,6),this.rest(),this.start=void 0,this.idle(),this.update())}resetOne(e){this.begin(e),this.set(e,this.model.get("graph").leaves[e[0]].first[e[1]],6),this.finish()}reset(){this.values=this.model.get("graph").leaves.map(({first:e})=>e.slice()),this.start=void 0,this.moves.clear(),this.idle(),this.ask({reset:!0,curve:this.selected}),this.refresh(),this.values.forEach((e,t)=>this.picture?.wave(t)),this.news.textContent="All numbers are back where they were."}ask(e){if(this.wishes={...this.wishes,...e},this.waiting)return;let t=[...this.moves.values()];if(!(t.length===0&&Object.keys(this.wishes).length===0)){this.waiting=!0,this.asked=performance.now(),this.model.send({...this.wishes,moves:t,turn:++this.turn});for(let n of $t)setTimeout(()=>this.waiting&&this.model.send({ping:!0}),n);this.wishes={},this.moves.clear()}}onAnswer(){let{turn:e,leaves:t,error:n}=this.numbers,i=this.waiting&&e===this.turn;if(this.alert.textContent=n,i&&(this.waiting=!1),!this.waiting&&this.moves.size===0&&!("reset"in this.wishes)&&(this.values=t.map(([r])=>r.slice())),this.update(),this.build(),i){let r=this.asked;requestAnimationFrame(()=>performance.measure("minigrad: nudge",{start:r,end:performance.now()})),this.ask({}),this.announce()}}refresh(){cancelAnimationFrame(this.frameAsked),this.frameAsked=requestAnimationFrame(()=>this.update())}update(){cancelAnimationFrame(this.frameAsked);let e=this.numbers,t=e.leaves.map(([,c],m)=>[this.values[m],c]);this.picture?.update({...e,leaves:t});let[n,i]=this.selected,{leaves:r,result:s}=this.model.get("graph"),o=this.model.get("curve"),d=o.leaf===n&&o.index===i?o:void 0,u=this.placeOf(this.selected),h=this.start??u;this.plot?.draw(d,this.limit(this.selected),r[n].entries[i],s,h,u),this.svg.setAttribute("aria-label",this.model.get("outline"));let l=this.move;l!==void 0&&this.tell(l)}get move(){let e=this.placeOf(this.selected);if(this.start===void 0||this.start.value===e.value)return;let{leaves:t,result:n}=this.model.get("graph"),i=e.value-this.start.value;return{name:t[this.selected[0]].entries[this.selected[1]],by:i,result:n,moved:e.result-this.start.result,predicted:this.start.grad*i}}tell(e){let[t,n]=se(e);this.sentence.className="sentence",this.sentence.replaceChildren(`${t} `,f("b",{},n));let i=[["moved",e.moved],["predicted",e.predicted]].filter(([,s])=>!Number.isNaN(s)),r=Math.max(...i.map(([,s])=>Math.abs(s)))||1;this.bars.replaceChildren(...i.flatMap(([s,o])=>{let d=f("span",{class:`bar-${s}`});d.style.width=`${Math.max(1,Math.abs(o)/r*120)}px`;let u=f("span",{class:"bar-row"});return u.append(d,f("span",{class:`bar-text ${s}`},x(o,4))),[f("span",{class:`bar-text ${s}`},s),u]}))}announce(){let e=this.move;e!==void 0&&!this.moving&&!this.waiting&&(this.news.textContent=se(e).join(" ")+Ee(e))}idle(){this.sentence.className="sentence idle",this.sentence.textContent=Et,this.bars.replaceChildren()}explain(e,t){let n=()=>{let{edges:s,operations:o}=this.model.get("graph"),d=this.numbers.edges.map(([,p])=>p.map(Number)),u=s.flatMap(({from:p},v)=>p===`o${t}`?[d[v]]:[]),h=s.flatMap(({to:p,name:v,factor:w,from:S,data:$},k)=>p===`o${t}`&&!$?[{name:v||o[Number(S.slice(1))].sign,factor:w,passed:d[k]}]:[]),{sign:l}=o[t],c=[...u,...h.map(({passed:p})=>p)].every(({length:p})=>p===1),m=u.reduce((p,[v])=>p+v,0);return c?Se(l,m,h.map(p=>({...p,passed:p.passed[0]}))):`${l} passes back to each entry of its inputs what arrives times its own slope there.`},i=()=>{this.drag===void 0&&(this.sentence.className="sentence",this.sentence.textContent=n(),e.setAttribute("aria-label",n()),this.bars.replaceChildren())},r=()=>this.move===void 0?this.idle():this.tell(this.move);["pointerenter","focus"].forEach(s=>e.addEventListener(s,i)),["pointerleave","blur"].forEach(s=>e.addEventListener(s,r))}gone(){this.alert.textContent=kt,this.root.classList.add("gone"),this.picture?.hands.forEach(({root:e})=>P(e,{"aria-disabled":"true",tabindex:-1}))}};var ee=class{root=f("label",{class:"lines"},"Made by ");list=f("select");lines=[];constructor(e){this.root.append(this.list),this.list.addEventListener("change",e)}offer(e){let t=this.list.value;this.lines=e,this.root.hidden=e.length===0;let n=e.map(([i])=>f("option",{value:i},i));this.list.replaceChildren(f("option",{value:""},"any line"),...n),this.list.value=e.some(([i])=>i===t)?t:""}get chosen(){return this.list.value||void 0}mark({svg:e,groups:t}){let n=new Set(this.lines.find(([i])=>i===this.chosen)?.[1]);e.classList.toggle("marked",this.chosen!==void 0);for(let i of t.values())i.setAttribute("aria-current",`${n.has(i.dataset.part??"")}`);return[...t.values()].filter(i=>n.has(i.dataset.part??""))}};var At="Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif",Pt="Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace";function qe(a,e,t){let n=new DOMParser().parseFromString(a,"image/svg+xml"),i=document.importNode(n.documentElement,!0),r=i.querySelector("g.graph"),[,,s=0,o=0]=i.getAttribute("viewBox").split(" ").map(Number);r.querySelector(":scope > polygon")?.remove();let[d=0,u=0]=/translate\(([^)]*)\)/.exec(r.getAttribute("transform"))[1].split(/[ ,]+/).map(Number);i.style.fontFamily=At,Nt(i,t);let h={svg:i,width:s,height:o,groups:new Map,boxes:new Map,edges:new Map};i.querySelectorAll("title").forEach(l=>l.remove());for(let l of i.querySelectorAll("g.edge"))l.setAttribute("aria-hidden","true"),h.edges.set(l.querySelector("path").getAttribute("d")+l.textContent,l);for(let l of i.querySelectorAll("g.node")){let c=e[l.id]??l.id,m=q(l.querySelector("path").getAttribute("d"));l.dataset.part=l.id,h.groups.set(c,l),h.boxes.set(c,{...m,x:m.x+d,y:m.y+u}),Lt(l),/^n\d/.test(l.id)&&Tt(l,m)}for(let l of i.querySelectorAll("[id]"))l.removeAttribute("id");return h}function Nt(a,e){let t=new Map(Object.entries(e).map(([n,i])=>[i,n]));for(let n of a.querySelectorAll("[fill], [stroke], [font-family]")){for(let r of["fill","stroke"]){let s=n.getAttribute(r)??"",o=t.get(s);r==="stroke"&&s===e.grad&&n.matches("g.edge path")&&n.setAttribute("stroke-dasharray","5 3"),o!==void 0&&(n.removeAttribute(r),n.style.setProperty(r,`var(--minigrad-${o})`))}let i=n.getAttribute("font-family");i!==null&&(n.removeAttribute("font-family"),n.style.fontFamily=i.includes("Courier")?Pt:"")}}function Lt(a){let e=[...a.querySelectorAll("text")],t=r=>Number(r.getAttribute("y")),n=[...new Set(e.map(t))].sort((r,s)=>r-s),i=ye(n);for(let r of e)r.setAttribute("y",`${i[n.indexOf(t(r))]}`)}function Tt(a,e){for(let t of a.querySelectorAll("text"))t.setAttribute("text-anchor","middle"),t.setAttribute("x",`${O(e).x}`)}var Ot=140,Gt=320,Rt=6e4,zt=150,ne=class{constructor(e,t){this.frame=e;this.pan=t}frame;pan;picture;running=[];turn=0;async show(e,t){this.halt();let n=this.turn,i=this.picture;if(this.picture=e,this.settle(),i===void 0||!t||e.boxes.size>zt){this.place(e);return}i.svg.parentNode!==this.frame&&this.place(i);let[r,s]=[this.places(i),this.places(e)],o=we(r,s),d=[...o].filter(p=>Ct(r.get(p),s.get(p))>.5),u=new Set([...e.edges.keys()].filter(p=>i.edges.has(p)));d.length>0&&u.clear();let h=[...te(i.groups,o),...te(i.edges,u)],l=[...te(e.groups,o),...te(e.edges,u)];if(await this.play(h,[{opacity:1},{opacity:0}]),this.turn!==n)return;this.frame.style.minHeight=`${this.frame.clientHeight}px`,this.place(e);let c=this.start(l,[{opacity:0},{opacity:0}],Rt);if(await Promise.all(d.map(p=>{let v=this.away(e,r.get(p),s.get(p));return this.play([e.groups.get(p)],[{transform:v},{transform:"none"}],Gt)})),this.turn!==n)return;let m=this.play(l,[{opacity:0},{opacity:1}]);c.forEach(p=>p.cancel()),await m,this.turn===n&&this.settle()}halt(){this.turn++,this.running.forEach(e=>e.finish()),this.picture?.svg.parentNode===this.frame&&this.settle()}settle(){this.running.forEach(e=>e.cancel()),this.running=[],this.frame.style.minHeight=""}start(e,t,n){let i={duration:n,easing:"ease-in-out",fill:"forwards"},r=e.map(s=>s.animate(t,i));return r.forEach(s=>s.finished.catch(()=>{})),this.running.push(...r),r}async play(e,t,n=Ot){let i=this.start(e,t,n);await Promise.allSettled(i.map(r=>r.finished))}place(e){this.frame.replaceChildren(e.svg),this.pan.show(e)}places(e){let t=this.pan.scale(e),n=({x:i,y:r,width:s,height:o})=>({x:i*t,y:r*t,width:s*t,height:o*t});return new Map([...e.boxes].map(([i,r])=>[i,n(r)]))}away(e,t,n){let i=this.pan.scale(e),[r,s]=[O(t),O(n)];return`translate(${(r.x-s.x)/i}px, ${(r.y-s.y)/i}px)`}};function Ct(a,e){let[t,n]=[O(a),O(e)];return Math.hypot(n.x-t.x,n.y-t.y)}function te(a,e){return[...a].filter(([t])=>!e.has(t)).map(([,t])=>t)}var[Ue,Vt]=[.05,4],We=1.25;function Ze(a,e){return Math.min(1,Math.max(.85,e.width/a.width))}function Ye(a,e){let t=Math.min(1,e.width/a.width,e.height/a.height);return Math.max(Ue,t)}function ge(a,e){let t=Math.log(a)/Math.log(We),n=e>0?Math.floor(t+.01)+1:Math.ceil(t-.01)-1;return Math.min(Vt,Math.max(Ue,We**n))}function pe(a,e,t,n){return(a+e)*n/t-e}var ie=class{constructor(e){this.frame=e;this.controls.append(this.button("−","Zoom out (-)",()=>this.by(-1)),this.percent,this.button("+","Zoom in (+)",()=>this.by(1)),this.button("Whole","Show the whole picture (0)",()=>this.all())),e.addEventListener("wheel",t=>this.onWheel(t),{passive:!1}),e.addEventListener("pointerdown",t=>this.onDrag(t)),this.room=this.measured(),this.resized.observe(e)}frame;controls=f("div",{class:"zoom",role:"group","aria-label":"Zoom"});percent=f("output",{"aria-label":"Zoom"});chosen;shown;resized=new ResizeObserver(()=>{this.room=this.measured(),this.fit()});room;remove(){this.resized.disconnect()}scale(e){return this.chosen??Ze(e,this.room)}show(e){this.shown=e,this.frame.style.flexBasis=`${e.width}px`,this.fit()}onKey(e){let n={"+":()=>this.by(1),"=":()=>this.by(1),"-":()=>this.by(-1),0:()=>this.all()}[e];return n?.(),n!==void 0}button(e,t,n){let i=f("button",{type:"button","aria-label":t,title:t},e);return i.addEventListener("click",n),i}measured(){let e=parseFloat(getComputedStyle(this.frame).maxHeight);return{width:this.frame.clientWidth||1/0,height:e||1/0}}fit(){if(this.shown!==void 0){let e=this.scale(this.shown);this.shown.svg.style.width=`${this.shown.width*e}px`,this.shown.svg.style.height=`${this.shown.height*e}px`,this.percent.textContent=`${Math.round(e*100)}%`}}by(e){let{width:t,height:n}=this.frame.getBoundingClientRect();this.to(i=>ge(i,e),t/2,n/2)}all(){this.to((e,t)=>Ye(t,this.room),0,0)}to(e,t,n){if(this.shown===void 0)return;let i=this.scale(this.shown);this.chosen=e(i,this.shown);let{scrollLeft:r,scrollTop:s}=this.frame;this.fit(),this.frame.scrollLeft=pe(r,t,i,this.chosen),this.frame.scrollTop=pe(s,n,i,this.chosen)}onWheel(e){if(e.ctrlKey||e.metaKey){e.preventDefault();let{left:t,top:n}=this.frame.getBoundingClientRect(),i=e.deltaY<0?1:-1;this.to(r=>ge(r,i),e.clientX-t,e.clientY-n)}}onDrag(e){let t=e.target instanceof Element&&e.target.closest("g.node")!==null;if(e.pointerType==="touch"||e.button!==0||t)return;let{scrollLeft:n,scrollTop:i}=this.frame,{clientX:r,clientY:s,pointerId:o}=e,d=h=>{this.frame.scrollLeft=n-h.clientX+r,this.frame.scrollTop=i-h.clientY+s};this.frame.setPointerCapture(o),this.frame.addEventListener("pointermove",d);let u=()=>this.frame.removeEventListener("pointermove",d);for(let h of["pointerup","pointercancel"])this.frame.addEventListener(h,u,{once:!0})}};var Je=`.minigrad-live {
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
`;var Ft="The kernel has gone, and with it these tensors: this is how they were last. Run the cell again.",re=class{constructor(e,t){this.model=e;this.layout=t;this.outline.append(f("summary",{},"As text"),this.text);let n=f("div",{class:"foot"});n.append(this.outline,this.news,this.lines.root,this.fold,this.pan.controls);let i=f("div",{class:"body"});i.append(this.frame,this.place);let r=f("style",{},Je+H(".minigrad-live",e.get("themes")));this.root.append(r,this.alert,this.empty,i,n),this.frame.addEventListener("keydown",d=>this.onKey(d)),this.frame.addEventListener("click",d=>this.onClick(d)),this.frame.addEventListener("focusin",d=>this.onFocus(d)),this.fold.addEventListener("click",()=>this.unfold([])),this.root.addEventListener("keydown",d=>{d.key==="Escape"&&this.selected!==void 0&&(d.stopPropagation(),this.select(void 0))});let s=new IntersectionObserver(d=>{this.visible=d.at(-1).isIntersecting});s.observe(this.root);let o=()=>{this.update()};e.on("change",o),this.endings.push(()=>s.disconnect(),()=>this.pan.remove(),()=>e.off("change",o),I(e.widget_manager?.kernel,()=>this.alert.textContent=Ft)),o()}model;layout;root=f("div",{class:"minigrad-live"});frame=f("div",{class:"picture"});place=f("div",{class:"place"});empty=f("p",{class:"empty"});news=f("p",{role:"status","aria-live":"polite"});alert=f("p",{role:"alert",class:"alert"});text=f("pre",{tabindex:"0","aria-label":"The graph as text"});outline=f("details");fold=f("button",{type:"button",class:"fold"},"Fold again");lines=new ee(()=>this.tellOfLine());pan=new ie(this.frame);stage=new ne(this.frame,this.pan);endings=[];focused;selected;opening;visible=!0;latest=0;remove(){this.endings.forEach(e=>e()),this.latest++}async update(){let e=++this.latest,t=performance.now(),n=this.laidOut(e);this.frame.setAttribute("aria-busy","true"),this.stage.halt(),this.text.textContent=this.model.get("outline"),this.news.textContent=this.model.get("news"),this.fold.hidden=this.model.get("unfolded").length===0,this.lines.offer(this.model.get("lines"));let i=await n;e===this.latest&&(i!==void 0&&await this.show(i,e,t),e===this.latest&&this.frame.setAttribute("aria-busy","false"))}async show(e,t,n){let i=qe(e,this.model.get("parts"),this.model.get("themes").light),r=this.frame.contains(document.activeElement);i.svg.setAttribute("role","group"),i.svg.setAttribute("aria-label",this.model.get("summary"));for(let[l,c]of i.groups)this.announce(l,c);this.empty.textContent=i.groups.size===0?this.model.get("summary"):"";let s=this.stage.picture?.groups,o=this.opening!==void 0&&this.model.get("dot")!==this.opening,d=o&&[...i.groups.keys()].find(l=>!s?.has(l));this.opening=o?void 0:this.opening,this.lines.mark(i);let u=!matchMedia("(prefers-reduced-motion: reduce)").matches&&this.visible,h=this.stage.show(i,u);this.rove(d||(i.groups.has(this.focused??"")?this.focused:void 0)),this.select(i.groups.has(this.selected??"")?this.selected:void 0),requestAnimationFrame(()=>performance.measure("minigrad: new picture",{start:n,end:performance.now()})),await h,(r||d)&&t===this.latest&&this.group(this.focused)?.focus({preventScroll:!d})}async laidOut(e){let t={wanted:()=>e===this.latest,visible:()=>this.visible};try{let n=await this.layout.run(this.model.get("dot"),t);return this.root.classList.remove("undrawn"),n}catch(n){this.empty.textContent=`The picture could not be drawn: ${n.message}. Below it is as text.`,this.root.classList.add("undrawn"),this.outline.open=!0;return}}announce(e,t){let{title:n,rows:i,fold:r}=this.details(t)??{title:t.textContent??"",rows:[]},s=i.find(([d])=>d==="kind")?.[1],o=r===void 0?"":", folded: press Enter to unfold";t.setAttribute("role","button"),t.setAttribute("aria-label",(s===void 0?n:`${n}, ${s}`)+o),t.setAttribute("aria-expanded",`${e===this.selected}`),t.setAttribute("tabindex","-1")}group(e){return e===void 0?void 0:this.stage.picture?.groups.get(e)}keyOf(e){let t=e instanceof Element?e.closest("g.node"):null;return[...this.stage.picture?.groups??[]].find(([,n])=>n===t)?.[0]}details(e){return this.model.get("details")[e.dataset.part??""]}tellOfLine(){let t=(this.stage.picture===void 0?[]:this.lines.mark(this.stage.picture)).map(n=>this.details(n)?.title??"");this.news.textContent=this.lines.chosen===void 0?"":`Made there: ${t.join(", ")}`}rove(e){let t=this.stage.picture?.groups??new Map;this.group(this.focused)?.setAttribute("tabindex","-1"),this.focused=e??t.keys().next().value,this.group(this.focused)?.setAttribute("tabindex","0")}onFocus(e){let t=this.keyOf(e.target);t!==void 0&&this.rove(t)}onKey(e){let t=this.keyOf(e.target);if(t===void 0||e.ctrlKey||e.metaKey||e.altKey)return;if(e.key==="Enter"||e.key===" "){e.preventDefault(),this.open(t);return}if(this.pan.onKey(e.key)){e.preventDefault();return}let n=ke(this.stage.picture.boxes,t,e.key);n!==void 0&&(e.preventDefault(),this.group(n)?.focus())}onClick(e){let t=this.keyOf(e.target);t!==void 0&&(this.group(t)?.focus({preventScroll:!0}),this.open(t===this.selected?void 0:t))}open(e){let t=this.group(e),n=t===void 0?void 0:this.details(t)?.fold;n===void 0?this.select(e):this.unfold([...this.model.get("unfolded"),n])}unfold(e){this.opening=this.model.get("dot"),this.model.set("unfolded",e),this.model.save_changes()}select(e){let t=this.place.contains(document.activeElement),n=this.selected;this.group(n)?.setAttribute("aria-expanded","false"),this.selected=e;let i=this.group(e);i?.setAttribute("aria-expanded","true");let r=i===void 0?void 0:this.details(i);this.place.replaceChildren(...r===void 0?[]:[De(r,()=>this.select(void 0))]),t&&this.group(e??n)?.focus({preventScroll:!0})}};function _t(a){let e=new K(a);be();let t=(n,i)=>(i.append(n.root),()=>n.remove());return{render:({model:n,el:i})=>t(new re(n,e),i),nudge:({model:n,el:i})=>t(new Q(n,e),i)}}function Zn(a,e,t){let n=e[""],i=new Set,r={get:s=>n[s],set(s,o){let d=s==="unfolded"?o.at(-1):void 0;n=e[d??""]},save_changes:()=>i.forEach(s=>s()),on:(s,o)=>{i.add(o)},off:(s,o)=>{i.delete(o)}};_t(a).render({model:r,el:t})}export{Zn as standalone,_t as start};
