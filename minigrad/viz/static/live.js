var ge=".minigrad-live, .minigrad-nudge, .minigrad-steps, .minigrad-instrument",Je="data-lm-suppress-shortcuts";function fe(){let a=globalThis;a.minigradKeys||(a.minigradKeys=!0,addEventListener("keydown",Xe,!0),addEventListener("focusin",Qe,!0))}function Xe({target:a,ctrlKey:e,metaKey:t,altKey:n}){a instanceof Element&&a.closest(ge)!==null&&a.toggleAttribute(Je,!(e||t||n))}function Qe({target:a}){if(a instanceof Element&&a.matches("[role=slider]:not([aria-label])")){let t=(a.closest(ge)&&a.closest(".widget-inline-hbox"))?.querySelector("label");a.setAttribute("aria-label",t?.textContent??"")}}var et="minigrad-graphviz",D=class{constructor(e){this.url=e;this.worker=this.employ()}url;jobs=[];kept=new Map;worker;workers=!0;busy=!1;async run(e,t){let n=this.kept.get(e);return n!==void 0?(await ve(),n):new Promise((i,r)=>{this.jobs.push({dot:e,resolve:i,reject:r,...t}),this.work()})}async work(){if(!this.busy){this.busy=!0;for(let e=this.next();e!==void 0;e=this.next()){if(!e.wanted()){e.resolve(void 0);continue}try{let t=this.kept.get(e.dot)??await this.answer(e.dot);this.keep(e.dot,t),e.resolve(t)}catch(t){e.reject(t)}await ve()}this.busy=!1}}next(){let e=this.jobs.findIndex(t=>t.wanted()&&t.visible());return this.jobs.splice(Math.max(e,0),1)[0]}keep(e,t){this.kept.set(e,t),this.kept.size>40&&this.kept.delete(this.kept.keys().next().value)}async answer(e){let t=this.workers&&await this.asked(e)||await this.onPage(e);if("error"in t)throw new Error(t.error);return t.svg}asked(e){let t=this.worker??=this.employ();return t===void 0?Promise.resolve(void 0):new Promise(n=>{let i=setTimeout(()=>{t.terminate(),this.worker=void 0,n({error:"its layout takes longer than 20 seconds"})},2e4);t.onmessage=({data:r})=>{clearTimeout(i),n(r)},t.onerror=()=>{clearTimeout(i),this.workers=!1,n(void 0)},t.postMessage(e)})}employ(){try{return new Worker(this.url,{type:"module",name:et})}catch{this.workers=!1;return}}async onPage(e){return(await import(this.url)).layout(e)}};function ve(){return new Promise(a=>{let{port1:e,port2:t}=new MessageChannel;e.onmessage=()=>{e.close(),a()},t.postMessage(void 0)})}function K(a,e){let[t,n]=[e.light,e.dark].map(i=>Object.entries(i).map(([r,s])=>`--minigrad-${r}: ${s};`).join(" "));return`
${a} { ${t} }
@media (prefers-color-scheme: dark) { body:not([data-jp-theme-light]) ${a} { ${n} } }
body[data-jp-theme-light="false"] ${a} { ${n} }`}var tt=new Set(["restarting","autorestarting","terminating","dead"]);function H(a,e){let t=(n,i)=>{tt.has(i)&&e()};return a?.statusChanged?.connect(t),a?.disposed?.connect(e),()=>{a?.statusChanged?.disconnect(t),a?.disposed?.disconnect(e)}}function I(a){let e=a.match(/-?\d+(\.\d+)?(e-?\d+)?/g)?.map(Number)??[],t=e.filter((s,o)=>o%2===0),n=e.filter((s,o)=>o%2===1),[i,r]=[Math.min(...t),Math.min(...n)];return{x:i,y:r,width:Math.max(...t)-i,height:Math.max(...n)-r}}function be(a){let[e,t,n]=[a[0],a[1],a.at(-1)],i=(n-t)/(a.length-2);return a.length<4?a:a.map((r,s)=>s?t+(s-1)*i:e)}function G({x:a,y:e,width:t,height:n}){return{x:a+t/2,y:e+n/2}}function xe(a,e){let t=[...e.keys()].filter(r=>a.has(r)),n=new Set;return t.forEach((r,s)=>{for(let o of t.slice(s+1))nt(i(r),i(o))&&n.add(r).add(o)}),new Set(t.filter(r=>!n.has(r)));function i(r){return[a.get(r),e.get(r)]}}function nt(a,e){let t=i("x","width"),n=i("y","height");return Math.max(0,t[0],n[0])<Math.min(1,t[1],n[1]);function i(r,s){let o=[0,1].map(m=>G(a[m])[r]-G(e[m])[r]),[d,u]=[o[0],o[1]-o[0]],h=m=>Math.max(m[0][s],m[1][s]),c=(h(a)+h(e))/2;if(Math.abs(u)<1e-6)return Math.abs(d)<c?[-1/0,1/0]:[1,0];let l=[(-c-d)/u,(c-d)/u];return[Math.min(...l),Math.max(...l)]}}var it={ArrowLeft:{x:-1,y:0},ArrowRight:{x:1,y:0},ArrowUp:{x:0,y:-1},ArrowDown:{x:0,y:1}};function ye(a,e,t){let n=it[t],i=a.get(e);if(n===void 0||i===void 0)return;let r=G(i),[s,o]=[void 0,1/0];for(let[d,u]of a){let h=G(u),[c,l]=[h.x-r.x,h.y-r.y],m=c*n.x+l*n.y,g=Math.abs(c*n.y)+Math.abs(l*n.x);m>1&&m+2*g<o&&([s,o]=[d,m+2*g])}return s}function ie(a){let e=a.match(/-?\d+(\.\d+)?(e-?\d+)?/g)?.map(Number)??[],t=[];for(let i=0;i+1<e.length;i+=2)t.push({x:e[i],y:e[i+1]});let n=t.slice(0,1);for(let i=0;i+3<t.length;i+=3){let[r,s,o,d]=t.slice(i,i+4);for(let u=1;u<=10;u++){let h=u/10,c=1-h,l=m=>c**3*r[m]+3*c*c*h*s[m]+3*c*h*h*o[m]+h**3*d[m];n.push({x:l("x"),y:l("y")})}}return n}function re(a,e){return a.map((t,n)=>{let i=a[Math.max(0,n-1)],r=a[Math.min(a.length-1,n+1)],[s,o]=[r.x-i.x,r.y-i.y],d=Math.hypot(s,o)||1;return{x:t.x-o/d*e,y:t.y+s/d*e}})}function q(a,e,t){return we(we(a,e).reverse(),t).reverse()}function we(a,e){let t=a.slice();for(;t.length>1;){let[n,i]=[t[0],t[1]],r=Math.hypot(i.x-n.x,i.y-n.y);if(r>e||t.length===2){let s=Math.min(1,e/(r||1));t[0]={x:n.x+(i.x-n.x)*s,y:n.y+(i.y-n.y)*s};break}e-=r,t.shift()}return t}function ke(a,e,t){let n=a.slice(1).reduce((r,{x:s,y:o},d)=>r+Math.hypot(s-a[d].x,o-a[d].y),0),i=e*n;return q(a,Math.max(0,i-t),n-i)}function B(a){return`M${a.map(({x:e,y:t})=>`${e.toFixed(1)},${t.toFixed(1)}`).join("L")}`}function se(a,e=8){let[t,n]=[a[Math.max(0,a.length-2)],a.at(-1)],i=Math.atan2(n.y-t.y,n.x-t.x),[r,s]=[Math.cos(i)*e,Math.sin(i)*e],o=.48;return B([{x:n.x+r,y:n.y+s},{x:n.x-s*o,y:n.y+r*o},{x:n.x+s*o,y:n.y-r*o}]).concat("Z")}var j=16,R=4.5,_=23,rt='-apple-system, "Segoe UI", "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif',st=4,Me=9,at=52,Se=90,ot=11,dt=7,ae;function O(a,e){return ae??=document.createElement("canvas").getContext("2d"),ae.font=`${e} ${rt}`,ae.measureText(a).width}function F(a){let e=(a??[]).reduce((t,n)=>t*n,1);return e<=st?e:0}function $e(a,e){let t=new Map;a.edges.forEach((r,s)=>{let o=r.data?`data ${s}`:`${r.from} ${r.output}`;t.set(o,[...t.get(o)??[],s])});let n=[],i=r=>a.edges.filter(s=>s.to===r).length;for(let r of t.values()){let{from:s,name:o,shape:d,data:u}=a.edges[r[0]],h=Math.max(1,F(d)),c=s[0]==="o"&&o!==""?`${o} = −00.00`:"−00.00",l=u?0:Math.ceil(O(c,"13px")),m=r.length>1,g=`f${n.length}`;if(m){let v=h===1?r.map(()=>"−0.00").join(" + ")+" = −0.00":c,w=Math.max(l,Math.ceil(O(v,"600 13px")));n.push({id:`t${n.length}`,from:s,to:g,edges:r,rows:h,width:w,lead:0,tail:0})}for(let v of r){let w=a.edges[v].to,E=m?g:s,k=m?Math.ceil(O("−00.00","13px")):l,S={lead:m?e:0,tail:i(w)<2?0:e};n.push({id:`e${v}`,from:E,to:w,edges:[v],rows:h,width:k,...S})}}return n}var de=[{gap:13,swerve:28,tight:!1},{gap:5,swerve:22,tight:!1},{gap:1,swerve:15,tight:!0}];function Ae(a,e,t){let n=d=>(d/72).toFixed(3),i=(d,u,h)=>`${d} [id="${d}", width=${n(u)}, height=${n(h)}]`;a.filter(({to:d})=>d[0]==="f").forEach(({to:d})=>e.set(d,{width:Me,height:Me}));let r=[...e].map(([d,{width:u,height:h}])=>i(d,u,d[0]==="o"?at:h));for(let{id:d,from:u,to:h,rows:c,width:l,lead:m,tail:g}of a){let v=u[0]==="o"?8:6,[w,E]=[`${u}:e`,"b"];l>0&&(r.push(i(d,m+l+6,2*(j*c+R+4))),r.push(`${w} -> ${d}:w [id="${d}a", weight=${v}]`),w=`${d}:e`),g>0&&(r.push(i(`${d}x`,g,4*R),`${w} -> ${d}x:w [id="${d}b", weight=${u[0]==="o"?8:1}]`),[w,E]=[`${d}x:e`,"c"]),r.push(`${w} -> ${h}:w [id="${d}${E}", weight=${v+1}]`)}let s=[...e.keys()].filter(d=>d[0]==="l"||d[0]==="d");a.every(({to:d})=>d!=="r")&&r.push(`${s[0]} -> r [style=invis, minlen=3]`);let o=s.join(" -> ")+(s.length>1?" [style=invis, weight=9]":"");return`digraph {
graph [rankdir=LR, nodesep=0.15, ranksep=${n(t)}]
node [shape=box, label="", fixedsize=true] edge [arrowhead=none]
${r.join(`
`)}
{ rank=min; ${o} }
}`}function Pe(a,e){let t=new DOMParser().parseFromString(a,"image/svg+xml"),n=new Map,i=new Map;for(let l of t.querySelectorAll("g.node"))n.set(l.id,ct(l.querySelector("polygon, ellipse")));for(let l of t.querySelectorAll("g.edge")){let m=l.querySelector("path");m!==null&&l.id!==""&&i.set(l.id,ie(m.getAttribute("d")))}let r=[...n.values()],s=Math.min(...r.map(({x:l})=>l))-1,o=Math.min(...r.map(({y:l})=>l),...[...i.values()].flat().map(({y:l})=>l-R-2))-1,d=({x:l,y:m})=>({x:l-s,y:m-o});n.forEach(l=>Object.assign(l,d(l)));let u=l=>i.get(l).map(d),h=new Map;for(let l of e){let m=n.get(l.width===0?l.from:l.id);h.set(l.to,[...h.get(l.to)??[],{road:l,y:m.y+m.height/2}])}h.forEach(l=>l.sort((m,g)=>m.y-g.y));let c=new Map;for(let l of e){let{id:m,from:g,to:v,width:w,lead:E}=l,k=h.get(v),S=lt(n.get(v),k.map(({y:M})=>M),k.findIndex(M=>M.road===l)),x=[],y=Ee(n.get(g)),$=n.get(m);w>0&&$!==void 0&&(Object.assign($,{x:$.x+E,width:$.width-E}),x.push(...oe(y,{x:$.x,y:$.y+$.height/2},u(`${m}a`))),y=Ee($));let A=n.get(`${m}x`);A!==void 0&&S.x-y.x>Se&&(x.push(...oe(y,{x:A.x,y:A.y+A.height/2},u(`${m}b`))),y={x:A.x,y:A.y+A.height/2}),n.delete(`${m}x`),x.push(...oe(y,S,u(`${m}${A===void 0?"b":"c"}`))),c.set(m,x.filter(({x:M,y:N},L)=>L===0||Math.hypot(M-x[L-1].x,N-x[L-1].y)>.5))}return{width:Math.max(...r.map(({x:l,width:m})=>l+m))+1,height:Math.max(...r.map(({y:l,height:m})=>l+m))+1,boxes:n,lines:c}}function lt({x:a,y:e,width:t,height:n},i,r){let[s,o]=[e+n/2,i.length],d=i.findIndex(m=>Math.abs(m-s)<dt),u=d>=0&&o<=3?d:(o-1)/2,h=(r-u)*(o>3?36/o:o===3?13:16),c=Math.min(t/2,_),l=Math.sqrt(Math.max(0,c**2-h**2));return{x:o===1?a:a+c-l,y:s+h}}function Ee({x:a,y:e,width:t,height:n}){return{x:a+t,y:e+n/2}}function oe(a,e,t){let n=e.x-a.x;if(n>=Se)return[a,...t,e];let i=e.x-Math.min(ot,n/3),r=(a.x+i)/2;return[...ie(`M${a.x},${a.y}C${r},${a.y} ${r},${e.y} ${i},${e.y}`),e]}function ct(a){if(a.tagName==="polygon")return I(a.getAttribute("points"));let[e,t,n,i]=["cx","cy","rx","ry"].map(r=>Number(a.getAttribute(r)));return{x:e-n,y:t-i,width:2*n,height:2*i}}function b(a,e=2){if(!Number.isFinite(a))return Number.isNaN(a)?"nan":a>0?"inf":"−inf";let t=Math.abs(a),n=t>=1e5?t.toExponential(1):t.toFixed(t>=1e3?0:e);return(a<0&&Number(n)!==0?"−":"")+n}function ht(a,e=2){return(a<0?"":"+")+b(a,e)}function Ne(a){let e=a.reduce((n,i)=>n+i,0);return`${a.map((n,i)=>i===0?b(n):` ${n<0?"−":"+"} ${b(Math.abs(n))}`).join("")} = ${b(e)}`}function le({name:a,by:e,result:t,moved:n,predicted:i}){let r=ht(e,Math.abs(e*100-Math.round(e*100))>1e-6?3:2);return[`You moved ${a} by ${r}. ${t} moved by ${b(n,4)}.`,`The gradient predicted ${b(i,4)}.`]}function Le({by:a,moved:e,predicted:t}){return Math.abs(a)>.3&&Math.abs(e-t)>.02?" A gradient is exact only for a very small move.":""}function Te(a,e,t){if(e===void 0)return`${b(a)}; grad None: no path to ${t}`;let n=e>0?"rises with it":"falls as it rises";return`${b(a)}; grad ${b(e)}: ${t} ${Math.abs(e)<.005?"hardly moves":n}`}function Ge(a,e,t){let n=t.map(({name:i,factor:r,passed:s})=>{let o=[];if(r!=="1"){let d=e===0?"":b(s/e),h=[r==="-1"?"":r,d].filter(c=>c!=="").map(c=>/\s|^[-−]/.test(c)?`(${c})`:c);o.push(...h.map(c=>`${b(e)} × ${c}`))}return`${i} gets ${[...o,b(s)].join(" = ")}`});return`${b(e)} arrives at ${a}. ${n.join("; ")}.`}function p(a,e={},t,n){let i=document.createElementNS("http://www.w3.org/2000/svg",a);return P(i,e),n!==void 0&&(i.textContent=n),t?.append(i),i}function P(a,e){for(let[t,n]of Object.entries(e))a.getAttribute(t)!==`${n}`&&a.setAttribute(t,`${n}`)}function T(a,e){a.textContent!==e&&(a.textContent=e)}var ut=18,mt=30,W=class{paths;running=[];drawn=0;frame=0;constructor(e){this.paths={forward:p("path",{class:"pulse forward"},e),back:p("path",{class:"pulse back"},e)}}start(e){let t=performance.now();this.running.push(...e.map(n=>({...n,begin:t+n.delay}))),cancelAnimationFrame(this.frame),this.frame=requestAnimationFrame(n=>this.draw(n))}stop(){cancelAnimationFrame(this.frame),this.running=[]}draw(e){if(e-this.drawn>=mt){this.drawn=e,this.running=this.running.filter(({begin:t,duration:n})=>e<t+n);for(let[t,n]of Object.entries(this.paths)){let r=this.running.filter(s=>s.kind===t&&s.begin<=e).map(({line:s,begin:o,duration:d})=>{let u=(e-o)/d;return B(ke(s,u*u*(3-2*u),ut))});n.setAttribute("d",r.join(""))}}this.running.length>0&&(this.frame=requestAnimationFrame(t=>this.draw(t)))}};var Oe=300,Re={"×":"M-7-7L7 7M-7 7L7-7","+":"M-9 0H9M0-9V9","−":"M-9 0H9"},pt=()=>matchMedia("(prefers-reduced-motion: reduce)").matches;function ze(a,e){let t=new Map;a.leaves.forEach(({entries:i,first:r},s)=>{let o=Ce(i),d=e?o?156:112:176;t.set(`l${s}`,{width:d,height:o?34+44*r.length:92})}),a.data.forEach(({name:i,shape:r},s)=>{let o=F(r),d=o>0?O("−0.00","14px"):O(ce(r),"14px"),u=Math.ceil(d+(i?O(i,"600 13px")+10:0)+22);t.set(`d${s}`,{width:u,height:14+20*Math.max(o,1)})}),a.operations.forEach((i,r)=>{let s=he(i),o=Math.max(52,Math.ceil(O(s,"600 17px"))+(e?14:26)),d=s.length<=1||Ve(i);t.set(`o${r}`,{width:d?2*_:o,height:d?2*_:42})});let n=O(a.result,"700 16px")+26;return t.set("r",{width:Math.ceil(Math.max(e?86:104,n)),height:66}),t}var Ce=a=>a.length>1||a[0].endsWith("]"),ce=a=>`[${a.join(", ")}]`,Ve=({sign:a,after:e})=>a==="^"&&e==="2",he=({sign:a,before:e,after:t})=>[e,a,t].filter(n=>n!=="").join(" "),U=class{constructor(e,t,n,i,r){this.graph=e;this.roads=t;this.placed=n;let[s,o,d]=[p("g",{},i),p("g",{},i),p("g",{},i)];this.pulses=new W(r);let u=this.depths();t.forEach(h=>{this.road(h,s,u),this.label(h,d)}),e.leaves.forEach((h,c)=>this.leaf(c,o)),e.data.forEach((h,c)=>this.data(c,o)),e.operations.forEach((h,c)=>this.operation(c,o)),this.result(o)}graph;roads;placed;hands=[];operations=[];updates=[];ways=[];pulses;update(e){this.updates.forEach(t=>t(e))}wave(e){if(pt())return;let t=new Set([`l${e}`]);this.roads.forEach(()=>{this.roads.filter(({from:n})=>t.has(n)).forEach(({to:n})=>t.add(n))}),this.pulses.start(this.ways.filter(({kind:n,from:i})=>n==="back"||t.has(i)))}remove(){this.pulses.stop()}box(e){return this.placed.boxes.get(e)}depths(){let e=new Map;return this.roads.forEach(()=>{this.roads.forEach(({from:t,to:n})=>{e.set(n,Math.max(e.get(n)??0,(e.get(t)??0)+1))})}),e}road(e,t,n){let i=this.placed.lines.get(e.id),r=e.width===0,s=e.to[0]==="f",o=q(re(i,r?0:-R),2,s?0:9);if(p("path",{class:r?"value data":"value",d:B(o)},t),!s)p("path",{class:r?"head data":"head",d:se(o)},t);else{let{x:E,y:k,width:S,height:x}=this.box(e.to);p("circle",{class:"fork",cx:E+S/2,cy:k+x/2,r:S/2},t)}if(r)return;let d=e.from[0]==="f",u=q(re(i.slice().reverse(),-R),2,d?2:9),h=p("path",{class:"grad-road",d:B(u)},t),c=d?void 0:p("path",{class:"grad-head",d:se(u)},t);this.updates.push(({edges:E})=>{let k=e.edges.flatMap(y=>E[y][1].map(Number)),S=Math.max(0,...k.map(Math.abs))||0,x=k.length===0&&F(this.graph.edges[e.edges[0]].shape)>0;P(h,{"stroke-width":(1.1+2.3*Math.min(1,S/1.5)).toFixed(1)}),[h,c].forEach(y=>y&&(y.style.display=x?"none":""))});let l=Oe/(n.get("r")??1),[m,g]=[n.get(e.from)??0,n.get(e.to)],v=(g-m)*l,{from:w}=e;this.ways.push({from:w,line:o,kind:"forward",delay:m*l,duration:v}),this.ways.push({from:w,line:u,kind:"back",delay:2*Oe-g*l,duration:v})}label({id:e,from:t,to:n,edges:i,rows:r,width:s},o){if(s===0)return;let{x:d,y:u,width:h,height:c}=this.box(e),[l,m]=[d+h/2,u+c/2],{name:g,shape:v}=this.graph.edges[i[0]],w=F(v),k=(t[0]==="o"&&n!=="r"?Array.from({length:r},(x,y)=>y):[]).map(x=>{let y={class:"label",x:l,y:m-R-6-(r-1-x)*j},$=p("text",y,o);return{named:p("tspan",{class:"name"},$,x===0?g:""),number:p("tspan",{},$)}}),S=Array.from({length:r},(x,y)=>p("text",{class:"label grad strong",x:l,y:m+R+j+y*j},o));this.updates.push(x=>{let[y]=x.edges[i[0]];k.forEach(({named:A,number:M},N)=>{let L=w===0?ce(v??[]):y.length>N?b(Number(y[N])):"";T(M,A.textContent&&L?` = ${L}`:L)});let $=i.map(A=>x.edges[A][1].map(Number)).filter(({length:A})=>A>0);S.forEach((A,M)=>{let N=$.map(V=>V[M]),L=N.reduce((V,z)=>V+z,0);T(A,N.length===0?"":n[0]==="f"&&r===1&&N.length>1?Ne(N):b(L))})})}leaf(e,t){let{x:n,y:i,width:r,height:s}=this.box(`l${e}`),{name:o,entries:d}=this.graph.leaves[e],u=p("g",{},t);p("rect",{class:"leaf",x:n+1,y:i,width:r-2,height:s,rx:9},u),p("text",{class:"leaf-name",x:n+14,y:i+25},u,o);let h=Ce(d);h?p("text",{class:"key",x:n+r-14,y:i+24,"text-anchor":"end"},u,"value, grad"):p("text",{class:"key grad",x:n+14,y:i+82},u,"grad"),d.forEach((c,l)=>this.hand(e,l,h,u))}hand(e,t,n,i){let{x:r,y:s,width:o}=this.box(`l${e}`),{entries:d,limit:u}=this.graph.leaves[e],h=n?s+32+44*t:s,c=n?h+17:s+48,l=n?[r+42,r+o-66]:[r+18,r+o-18],m=r+o-14,g={role:"slider",tabindex:0,"aria-label":d[t],"aria-valuemin":-u,"aria-valuemax":u},v=p("g",{class:"hand",...g},i),w=n?{y:h,height:42}:{y:s+5,height:82};if(p("rect",{class:"frame",x:r+6,width:o-12,rx:6,...w},v),p("rect",{class:"hit",x:l[0]-10,y:c-12,width:l[1]-l[0]+20,height:24},v),n){let N=d[t].slice(d[t].lastIndexOf("["));p("text",{class:"key",x:r+12,y:c+4},v,N)}p("line",{class:"track",x1:l[0],x2:l[1],y1:c,y2:c},v);let E=(l[0]+l[1])/2;p("line",{class:"zero",x1:E,x2:E,y1:c-5,y2:c+5},v);let k=p("path",{class:"slope-arrow"},v),S=p("circle",{class:"thumb",r:n?6:7.5,cy:c},v),x=n?h+15:s+27,y=p("rect",{class:"hit",x:m-62,y:x-20,width:72,height:28},v),$=p("text",{class:n?"number small":"number",x:m,y:x},v),A=p("line",{class:"underline",x1:m-(n?36:50),x2:m,y1:x+5.5,y2:x+5.5},v),M=p("text",{class:n?"grad-value small":"grad-value",x:m,y:n?h+34:s+82},v);this.hands.push({root:v,leaf:e,index:t,track:l,number:[y,$,A]}),this.updates.push(({leaves:N})=>{let L=N[e][0][t],V=N[e][1],z=V===null?void 0:Number(V[t]),pe=E+L/u*((l[1]-l[0])/2);P(S,{cx:pe}),T($,b(L,Math.abs(L*100-Math.round(L*100))>1e-6?3:2)),T(M,z===void 0?`None: no path to ${this.graph.result}`:b(z,n?3:4)),M.classList.toggle("none",z===void 0),P(k,{d:z===void 0?"":gt(pe,c+(n?12:14),z)}),P(v,{"aria-valuenow":L,"aria-valuetext":Te(L,z,this.graph.result)})})}data(e,t){let{x:n,y:i,width:r,height:s}=this.box(`d${e}`),{name:o,shape:d}=this.graph.data[e],u=F(d);p("rect",{class:"data-card",x:n,y:i,width:r,height:s,rx:4},t),p("text",{class:"data-name",x:n+10,y:i+s/2+5},t,o);let h=Array.from({length:Math.max(u,1)},(c,l)=>p("text",{class:"data-value",x:n+r-10,y:i+22+l*20},t));this.updates.push(({data:c})=>{h.forEach((l,m)=>T(l,u===0?ce(d):b(Number(c[e][m]))))})}operation(e,t){let n=this.box(`o${e}`),i=this.graph.operations[e],[r,s]=[n.x+n.width/2,n.y+n.height/2],[o,d,u]=[n.x,n.width,n.width<2*_+3?2*_:42],h=p("g",{class:"operation",tabindex:0,role:"img","aria-label":he(i)},t);p("rect",{class:"pill",x:o,y:s-u/2,width:d,height:u,rx:u/2},h);let c=he(i);Ve(i)?(p("rect",{class:"sign base",x:r-11,y:s-5,width:14,height:14,rx:1.5},h),p("text",{class:"power",x:r+6,y:s-3},h,"2")):c in Re?p("path",{class:"sign",d:Re[c],transform:`translate(${r} ${s})`},h):p("text",{class:"word",x:r,y:s+6},h,c),p("title",{},h,i.name),this.operations.push(h)}result(e){let{x:t,y:n,width:i,height:r}=this.box("r");p("rect",{class:"result",x:t,y:n,width:i,height:r,rx:9},e),p("text",{class:"result-name",x:t+12,y:n+25},e,this.graph.result);let s=p("text",{class:"result-value",x:t+i-12,y:n+52},e);this.updates.push(({result:o})=>T(s,b(Number(o),4)))}};function gt(a,e,t){if(!(Math.abs(t)>=.005))return`M${a-2.5},${e}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0Z`;let n=Math.sign(t),i=a+n*Math.min(46,Math.abs(t)*26);return`M${a},${e-1.3}H${i}V${e-4.6}L${i+n*8},${e}L${i},${e+4.6}V${e+1.3}H${a}Z`}function Be(a,e,t){let n=e-t.width,i=[...a.boxes.values()].filter(s=>s.x+s.width>n-8).map(s=>s.y+s.height),r=[...a.lines.values()].flat().filter(({x:s})=>s>n-8);return{x:n,y:Math.max(0,...i,...r.map(({y:s})=>s+R))+14}}var C={width:320,height:158},[_e,Fe,ft]=[22,26,20],vt=0,Y=class{title=p("tspan");note=p("tspan",{class:"grad strong",dx:12});zero=p("line",{class:"axis"});ticks;drop=p("line",{class:"drop"});curve=p("path",{class:"curve"});tangent=p("line",{class:"tangent"});gap=p("line",{class:"gap"});slope=p("line",{class:"slope"});from=p("circle",{class:"from",r:4.5});predicted=p("path",{class:"predicted",d:"M0,-6L6,0L0,6L-6,0Z"});now=p("circle",{class:"now",r:5});area;constructor(e,t,n){let i=C.width-_e-6,r=C.height-Fe-ft,s=this.area={x:t+_e,y:n+Fe,width:i,height:r},o=p("g",{"aria-hidden":"true"},e);p("text",{x:s.x,y:n+13,class:"label-left"},o).append(this.title,this.note);let[d,u]=[s.y+r,s.x+i];p("line",{class:"axis",x1:s.x,x2:u,y1:d,y2:d},o),p("line",{class:"axis",x1:s.x,x2:s.x,y1:s.y,y2:d},o),P(this.zero,{x1:s.x,x2:u});let h=["start","middle","end","end","middle"];this.ticks=h.map(g=>p("text",{class:"tick","text-anchor":g,y:d+14})),this.ticks[4].classList.add("dragged");let c=`minigrad-plot-${vt++}`,l=p("clipPath",{id:c},o);p("rect",{x:s.x,y:s.y-4,width:i,height:r+8},l);let m=p("g",{"clip-path":`url(#${c})`},o);m.append(this.drop,this.curve,this.tangent,this.gap,this.slope),o.append(this.zero,...this.ticks),m.append(this.from,this.predicted,this.now)}draw(e,t,n,i,r,s){let{x:o,y:d,width:u,height:h}=this.area,c=(e?.points??[]).map(([M,N])=>[M,N===null?NaN:Number(N)]),[l,m]=bt([...c.map(([,M])=>M),r.result,s.result]),g=M=>o+(M+t)/(2*t)*u,v=M=>d+h-(M-l)/(m-l)*h;P(this.curve,{d:xt(c,g,v)});let w=M=>v(r.result+r.grad*(M-r.value));P(this.tangent,Z(g(-t),w(-t),g(t),w(t)));let E=r.value!==s.value,[k,S,x]=[g(s.value),v(s.result),w(s.value)];[this.from,this.predicted,this.gap].forEach(M=>M.style.display=E?"":"none"),P(this.from,{cx:g(r.value),cy:v(r.result)}),P(this.predicted,{transform:`translate(${k} ${x})`}),P(this.now,{cx:k,cy:S}),P(this.gap,Z(k,S,k,x)),P(this.drop,Z(k,S,k,d+h));let y=s.grad*h*2*t/((m-l)*u),$=E?13/Math.hypot(1,y):0;P(this.slope,Z(k-$,S+$*y,k+$,S-$*y)),T(this.title,`${i} as ${n} moves`);let A=`grad at ${b(r.value)} was ${b(r.grad)}`;T(this.note,E?`the line: ${A}`:`slope = grad = ${b(r.grad)}`),this.label(t,n,k,l<0&&m>0?v(0):NaN)}label(e,t,n,i){let{x:r,width:s,y:o}=this.area,d=r+s/2;[r,d,r+s].forEach((c,l)=>{T(this.ticks[l],b((l-1)*e,0)),this.ticks[l].setAttribute("x",`${c}`)});let u=Number.isNaN(i);[this.zero,this.ticks[3]].forEach(c=>c.style.display=u?"none":""),P(this.zero,{y1:i||o,y2:i||o}),P(this.ticks[3],{x:r-5,y:(i||o)+4}),T(this.ticks[3],"0"),T(this.ticks[4],t);let h=Math.min(r+s-30,Math.max(r+30,n));this.ticks[4].setAttribute("x",`${h}`),this.ticks[1].style.display=Math.abs(h-d)<24?"none":""}};function bt(a){let e=a.filter(Number.isFinite),[t,n]=[Math.min(...e),Math.max(...e)];if(e.length===0)return[-1,1];let i=Math.max(1,Math.abs(n)*.05);if(n-t<i){let s=(n+t)/2;[t,n]=[s-i/2,s+i/2]}let r=(n-t)*.08;return[t-r,n+r]}function xt(a,e,t){let n=!0;return a.map(([i,r])=>{let s=n?"M":"L";return n=!Number.isFinite(r),n?"":`${s}${e(i).toFixed(1)},${t(r).toFixed(1)}`}).join("")}function Z(a,e,t,n){return{x1:a,y1:e,x2:t,y2:n}}function f(a,e={},t=""){let n=document.createElement(a);return Object.entries(e).forEach(([i,r])=>n.setAttribute(i,r)),n.textContent=t,n}function je({title:a,rows:e},t){let n=f("section",{class:"panel",role:"region","aria-label":`About ${a}`}),i=f("button",{type:"button","aria-label":"Close",title:"Close (Esc)"},"×");i.addEventListener("click",t);let r=f("dl");for(let[s,o]of e)r.append(f("dt",{},s),f("dd",{},o));return n.append(i,f("h4",{},a),r),n}var De=`.minigrad-nudge {
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
  color: var(--minigrad-warning);
}
.minigrad-nudge .bar {
  display: flex;
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
.minigrad-nudge svg .hand:focus-visible .frame {
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
`;var wt="The kernel has gone, so these numbers can't be moved. Run the cell again.",kt="Drag a number and let go: here you'll read how far the result moved, and what its gradient predicted.",Ke={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1,PageUp:5,PageDown:-5},Mt=700,Et=330,St=[4,12],He=.66,J=class{constructor(e,t){this.model=e;this.layout=t;let n=f("div",{class:"bar"}),i=f("p",{class:"hint"});i.append("Drag a blue number or its slider. ",f("b",{},"Values run forward, gradients run back.")),i.append(" An orange arrow points where the result rises.");let r=f("button",{type:"button"},"Reset");r.addEventListener("click",()=>this.reset()),n.append(i,r);let s=f("div",{class:"say"});s.append(this.sentence,this.bars);let o=De+K(".minigrad-nudge",e.get("themes"));this.root.append(f("style",{},o),this.alert,n,this.frame,s,this.news),this.values=this.numbers.leaves.map(([l])=>l.slice()),this.idle();let d=()=>this.onAnswer();e.on("change",d);let[u,h]=[l=>this.onMove(l),()=>this.onEnd()];addEventListener("pointermove",u),addEventListener("pointerup",h),addEventListener("pointercancel",h);let c=new ResizeObserver(()=>{this.build()});c.observe(this.frame),this.endings.push(()=>e.off("change",d),()=>removeEventListener("pointermove",u),()=>removeEventListener("pointerup",h),()=>removeEventListener("pointercancel",h),()=>c.disconnect(),H(e.widget_manager?.kernel,()=>this.gone()))}model;layout;root=f("section",{class:"minigrad-nudge","aria-label":"Nudge"});alert=f("p",{role:"alert",class:"alert"});frame=f("div",{class:"picture"});sentence=f("p",{class:"sentence"});bars=f("div",{class:"bars","aria-hidden":"true"});news=f("div",{class:"unseen",role:"status","aria-live":"polite"});endings=[];picture;plot;svg=p("svg");drawn=[void 0,0];values;selected=[0,0];start;moving=!1;drag;burst=0;lastWave=0;turn=Math.floor(Math.random()*1e9);waiting=!1;asked=0;moves=new Map;wishes={};layouts=0;frameAsked=0;remove(){this.endings.forEach(e=>e()),this.picture?.remove(),this.layouts++}get numbers(){return this.model.get("numbers")}async build(){let[e,t]=[this.model.get("graph"),Math.floor(this.frame.clientWidth)],[n,i]=this.drawn;if(t===0||e===n&&t===i)return;this.drawn=[e,t];let r=++this.layouts;try{for(let s of de){let o=$e(e,s.swerve),d=await this.place(e,o,s,r);if(d===void 0)return;if(d.width<=t||s===de.at(-1)){this.show(e,o,d,t);return}}}catch(s){this.alert.textContent=`The picture could not be drawn: ${s.message}`}}async place(e,t,n,i){let r={wanted:()=>i===this.layouts,visible:()=>!0},s=await this.layout.run(Ae(t,ze(e,n.tight),n.gap),r);return s===void 0||i!==this.layouts?void 0:Pe(s,t)}show(e,t,n,i){let r=this.picture?.hands.findIndex(({root:l})=>l===document.activeElement)??-1,s=Math.max(n.width,Math.min(i,n.width+C.width),C.width),o=Be(n,Math.min(s,i/He),C),d=Math.ceil(Math.max(n.height,o.y+C.height)),u=`0 0 ${s} ${d}`;this.svg=p("svg",{viewBox:u,role:"group"});let h=p("svg",{viewBox:u,class:"above","aria-hidden":"true"}),c=f("div",{class:"both"});c.style.width=`${Math.min(s,Math.max(i,s*He))}px`,c.append(this.svg,h),this.plot=new Y(this.svg,o.x,o.y),this.picture?.remove(),this.picture=new U(e,t,n,this.svg,h),this.frame.replaceChildren(c),this.picture.hands.forEach(l=>this.bind(l)),this.picture.operations.forEach((l,m)=>this.explain(l,m)),this.update(),this.picture.hands[r]?.root.focus()}bind(e){let{root:t,leaf:n,index:i}=e;t.addEventListener("pointerdown",r=>{if(r.button===0){r.preventDefault(),t.focus({preventScroll:!0}),this.begin([n,i]),t.classList.add("on");let s=e.number.includes(r.target);this.drag={hand:e,x:r.clientX,value:this.values[n][i],onNumber:s},this.onMove(r)}}),t.addEventListener("dblclick",()=>this.resetOne([n,i])),t.addEventListener("keydown",r=>this.onKey(r,[n,i])),t.addEventListener("focus",()=>this.drag??this.select([n,i]))}onMove({clientX:e,shiftKey:t}){if(this.drag===void 0)return;let{hand:n,x:i,value:r,onNumber:s}=this.drag,o=this.limit([n.leaf,n.index]);if(s){let m=t?.1:1;this.set([n.leaf,n.index],r+(e-i)*.01*m*this.unit(o),t?3:2);return}let{left:d,width:u}=this.svg.getBoundingClientRect(),h=(e-d)*this.svg.viewBox.baseVal.width/u,[c,l]=n.track;this.set([n.leaf,n.index],-o+(h-c)/(l-c)*2*o)}onEnd(){this.drag!==void 0&&(this.picture?.hands.forEach(({root:e})=>e.classList.remove("on")),this.drag=void 0,this.finish())}onKey(e,t){if(e.ctrlKey||e.metaKey||e.altKey)return;let[n,i]=t,r=this.limit(t);if(e.key==="Escape")this.cancel(t);else if(e.key in Ke){let s=Ke[e.key]*this.unit(r)*(e.shiftKey?.01:.1);this.press(t,this.values[n][i]+s)}else if(e.key==="Home"||e.key==="End")this.press(t,e.key==="Home"?-r:r);else if(e.key==="Delete"||e.key==="Backspace")this.press(t,this.model.get("graph").leaves[n].first[i]);else return;e.preventDefault(),e.stopPropagation()}press(e,t){this.burst===0&&this.begin(e),clearTimeout(this.burst),this.set(e,t),this.burst=window.setTimeout(()=>this.finish(),Mt)}limit([e]){return this.model.get("graph").leaves[e].limit}unit(e){return 10**Math.max(0,Math.floor(Math.log10(e/2)))}select(e){`${e}`!=`${this.selected}`&&(this.selected=e,this.start=void 0,this.idle(),this.ask({curve:e}),this.update())}begin(e){this.select(e),this.moving=!0,this.start=this.place_of(e),this.ask({curve:e})}place_of([e,t]){let{leaves:n,result:i}=this.numbers;return{value:n[e][0][t],result:Number(i),grad:Number(n[e][1]?.[t]??0)}}set([e,t],n,i=2){let r=this.limit([e,t]),s=Number(Math.min(r,Math.max(-r,n)).toFixed(i));if(s===this.values[e][t])return;this.values[e][t]=s,this.moves.set(`${e},${t}`,[e,t,s]),this.ask({});let o=performance.now();o-this.lastWave>Et&&(this.lastWave=o,this.picture?.wave(e)),this.refresh()}finish(){clearTimeout(this.burst),[this.burst,this.moving]=[0,!1],this.update(),this.announce()}cancel(e){this.moving&&this.start!==void 0&&(this.set(e,this.start.value,6),this.drag=void 0,clearTimeout(this.burst),[this.burst,this.moving,this.start]=[0,!1,void 0],this.idle(),this.update())}resetOne(e){this.begin(e),this.set(e,this.model.get("graph").leaves[e[0]].first[e[1]],6),this.finish()}reset(){this.values=this.model.get("graph").leaves.map(({first:e})=>e.slice()),this.start=void 0,this.moves.clear(),this.idle(),this.ask({reset:!0,curve:this.selected}),this.refresh(),this.values.forEach((e,t)=>this.picture?.wave(t)),this.news.textContent="All numbers are back where they were."}ask(e){if(this.wishes={...this.wishes,...e},this.waiting)return;let t=[...this.moves.values()];if(!(t.length===0&&Object.keys(this.wishes).length===0)){this.waiting=!0,this.asked=performance.now(),this.model.send({...this.wishes,moves:t,turn:++this.turn});for(let n of St)setTimeout(()=>this.waiting&&this.model.send({ping:!0}),n);this.wishes={},this.moves.clear()}}onAnswer(){let{turn:e,leaves:t,error:n}=this.numbers,i=this.waiting&&e===this.turn;if(this.alert.textContent=n,i&&(this.waiting=!1),!this.waiting&&this.moves.size===0&&!("reset"in this.wishes)&&(this.values=t.map(([r])=>r.slice())),this.update(),this.build(),i){let r=this.asked;requestAnimationFrame(()=>performance.measure("minigrad: nudge",{start:r,end:performance.now()})),this.ask({}),this.announce()}}refresh(){cancelAnimationFrame(this.frameAsked),this.frameAsked=requestAnimationFrame(()=>this.update())}update(){cancelAnimationFrame(this.frameAsked);let e=this.numbers,t=e.leaves.map(([,l],m)=>[this.values[m],l]);this.picture?.update({...e,leaves:t});let[n,i]=this.selected,{leaves:r,result:s}=this.model.get("graph"),o=this.model.get("curve"),d=o.leaf===n&&o.index===i?o:void 0,u=this.place_of(this.selected),h=this.start??u;this.plot?.draw(d,this.limit(this.selected),r[n].entries[i],s,h,u),this.svg.setAttribute("aria-label",this.model.get("outline"));let c=this.move;c!==void 0&&this.tell(c)}get move(){let e=this.place_of(this.selected);if(this.start===void 0||this.start.value===e.value)return;let{leaves:t,result:n}=this.model.get("graph"),i=e.value-this.start.value;return{name:t[this.selected[0]].entries[this.selected[1]],by:i,result:n,moved:e.result-this.start.result,predicted:this.start.grad*i}}tell(e){let[t,n]=le(e);this.sentence.className="sentence",this.sentence.replaceChildren(`${t} `,f("b",{},n));let i=Math.max(Math.abs(e.moved),Math.abs(e.predicted))||1,r=[["moved",e.moved],["predicted",e.predicted]];this.bars.replaceChildren(...r.flatMap(([s,o])=>{let d=f("span",{class:`bar-${s}`});d.style.width=`${Math.max(1,Math.abs(o)/i*120)}px`;let u=f("span",{class:"bar-row"});return u.append(d,f("span",{class:`bar-text ${s}`},b(o,4))),[f("span",{class:`bar-text ${s}`},s),u]}))}announce(){let e=this.move;e!==void 0&&!this.moving&&!this.waiting&&(this.news.textContent=le(e).join(" ")+Le(e))}idle(){this.sentence.className="sentence idle",this.sentence.textContent=kt,this.bars.replaceChildren()}explain(e,t){let n=()=>{let{edges:s,operations:o}=this.model.get("graph"),d=this.numbers.edges.map(([,g])=>g.map(Number)),u=s.flatMap(({from:g},v)=>g===`o${t}`?[d[v]]:[]),h=s.flatMap(({to:g,name:v,factor:w,from:E,data:k},S)=>g===`o${t}`&&!k?[{name:v||o[Number(E.slice(1))].sign,factor:w,passed:d[S]}]:[]),{sign:c}=o[t],l=[...u,...h.map(({passed:g})=>g)].every(({length:g})=>g===1),m=u.reduce((g,[v])=>g+v,0);return l?Ge(c,m,h.map(g=>({...g,passed:g.passed[0]}))):`${c} passes back to each entry of its inputs what arrives times its own slope there.`},i=()=>{this.drag===void 0&&(this.sentence.className="sentence",this.sentence.textContent=n(),e.setAttribute("aria-label",n()),this.bars.replaceChildren())},r=()=>this.move===void 0?this.idle():this.tell(this.move);["pointerenter","focus"].forEach(s=>e.addEventListener(s,i)),["pointerleave","blur"].forEach(s=>e.addEventListener(s,r))}gone(){this.alert.textContent=wt,this.root.classList.add("gone"),this.picture?.hands.forEach(({root:e})=>P(e,{"aria-disabled":"true",tabindex:-1}))}};var X=class{root=f("label",{class:"lines"},"Made by ");list=f("select");lines=[];constructor(e){this.root.append(this.list),this.list.addEventListener("change",e)}offer(e){let t=this.list.value;this.lines=e,this.root.hidden=e.length===0;let n=e.map(([i])=>f("option",{value:i},i));this.list.replaceChildren(f("option",{value:""},"any line"),...n),this.list.value=e.some(([i])=>i===t)?t:""}get chosen(){return this.list.value||void 0}mark({svg:e,groups:t}){let n=new Set(this.lines.find(([i])=>i===this.chosen)?.[1]);e.classList.toggle("marked",this.chosen!==void 0);for(let i of t.values())i.setAttribute("aria-current",`${n.has(i.dataset.part??"")}`);return[...t.values()].filter(i=>n.has(i.dataset.part??""))}};var $t="Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif",At="Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace";function Ie(a,e,t){let n=new DOMParser().parseFromString(a,"image/svg+xml"),i=document.importNode(n.documentElement,!0),r=i.querySelector("g.graph"),[,,s=0,o=0]=i.getAttribute("viewBox").split(" ").map(Number);r.querySelector(":scope > polygon")?.remove();let[d=0,u=0]=/translate\(([^)]*)\)/.exec(r.getAttribute("transform"))[1].split(/[ ,]+/).map(Number);i.style.fontFamily=$t,Pt(i,t);let h={svg:i,width:s,height:o,groups:new Map,boxes:new Map,edges:new Map};i.querySelectorAll("title").forEach(c=>c.remove());for(let c of i.querySelectorAll("g.edge"))c.setAttribute("aria-hidden","true"),h.edges.set(c.querySelector("path").getAttribute("d")+c.textContent,c);for(let c of i.querySelectorAll("g.node")){let l=e[c.id]??c.id,m=I(c.querySelector("path").getAttribute("d"));c.dataset.part=c.id,h.groups.set(l,c),h.boxes.set(l,{...m,x:m.x+d,y:m.y+u}),Nt(c),/^n\d/.test(c.id)&&Lt(c,m)}for(let c of i.querySelectorAll("[id]"))c.removeAttribute("id");return h}function Pt(a,e){let t=new Map(Object.entries(e).map(([n,i])=>[i,n]));for(let n of a.querySelectorAll("[fill], [stroke], [font-family]")){for(let r of["fill","stroke"]){let s=n.getAttribute(r)??"",o=t.get(s);r==="stroke"&&s===e.grad&&n.matches("g.edge path")&&n.setAttribute("stroke-dasharray","5 3"),o!==void 0&&(n.removeAttribute(r),n.style.setProperty(r,`var(--minigrad-${o})`))}let i=n.getAttribute("font-family");i!==null&&(n.removeAttribute("font-family"),n.style.fontFamily=i.includes("Courier")?At:"")}}function Nt(a){let e=[...a.querySelectorAll("text")],t=r=>Number(r.getAttribute("y")),n=[...new Set(e.map(t))].sort((r,s)=>r-s),i=be(n);for(let r of e)r.setAttribute("y",`${i[n.indexOf(t(r))]}`)}function Lt(a,e){for(let t of a.querySelectorAll("text"))t.setAttribute("text-anchor","middle"),t.setAttribute("x",`${G(e).x}`)}var Tt=140,Gt=320,Ot=6e4,Rt=150,ee=class{constructor(e,t){this.frame=e;this.pan=t}frame;pan;picture;running=[];turn=0;async show(e,t){this.halt();let n=this.turn,i=this.picture;if(this.picture=e,this.settle(),i===void 0||!t||e.boxes.size>Rt){this.place(e);return}i.svg.parentNode!==this.frame&&this.place(i);let[r,s]=[this.places(i),this.places(e)],o=xe(r,s),d=[...o].filter(g=>zt(r.get(g),s.get(g))>.5),u=new Set([...e.edges.keys()].filter(g=>i.edges.has(g)));d.length>0&&u.clear();let h=[...Q(i.groups,o),...Q(i.edges,u)],c=[...Q(e.groups,o),...Q(e.edges,u)];if(await this.play(h,[{opacity:1},{opacity:0}]),this.turn!==n)return;this.frame.style.minHeight=`${this.frame.clientHeight}px`,this.place(e);let l=this.start(c,[{opacity:0},{opacity:0}],Ot);if(await Promise.all(d.map(g=>{let v=this.away(e,r.get(g),s.get(g));return this.play([e.groups.get(g)],[{transform:v},{transform:"none"}],Gt)})),this.turn!==n)return;let m=this.play(c,[{opacity:0},{opacity:1}]);l.forEach(g=>g.cancel()),await m,this.turn===n&&this.settle()}halt(){this.turn++,this.running.forEach(e=>e.finish()),this.picture?.svg.parentNode===this.frame&&this.settle()}settle(){this.running.forEach(e=>e.cancel()),this.running=[],this.frame.style.minHeight=""}start(e,t,n){let i={duration:n,easing:"ease-in-out",fill:"forwards"},r=e.map(s=>s.animate(t,i));return r.forEach(s=>s.finished.catch(()=>{})),this.running.push(...r),r}async play(e,t,n=Tt){let i=this.start(e,t,n);await Promise.allSettled(i.map(r=>r.finished))}place(e){this.frame.replaceChildren(e.svg),this.pan.show(e)}places(e){let t=this.pan.scale(e),n=({x:i,y:r,width:s,height:o})=>({x:i*t,y:r*t,width:s*t,height:o*t});return new Map([...e.boxes].map(([i,r])=>[i,n(r)]))}away(e,t,n){let i=this.pan.scale(e),[r,s]=[G(t),G(n)];return`translate(${(r.x-s.x)/i}px, ${(r.y-s.y)/i}px)`}};function zt(a,e){let[t,n]=[G(a),G(e)];return Math.hypot(n.x-t.x,n.y-t.y)}function Q(a,e){return[...a].filter(([t])=>!e.has(t)).map(([,t])=>t)}var[We,Ct]=[.05,4],qe=1.25;function Ue(a,e){return Math.min(1,Math.max(.85,e.width/a.width))}function Ze(a,e){let t=Math.min(1,e.width/a.width,e.height/a.height);return Math.max(We,t)}function ue(a,e){let t=Math.log(a)/Math.log(qe),n=e>0?Math.floor(t+.01)+1:Math.ceil(t-.01)-1;return Math.min(Ct,Math.max(We,qe**n))}function me(a,e,t,n){return(a+e)*n/t-e}var te=class{constructor(e){this.frame=e;this.controls.append(this.button("−","Zoom out (-)",()=>this.by(-1)),this.percent,this.button("+","Zoom in (+)",()=>this.by(1)),this.button("Whole","Show the whole picture (0)",()=>this.all())),e.addEventListener("wheel",t=>this.onWheel(t),{passive:!1}),e.addEventListener("pointerdown",t=>this.onDrag(t)),this.room=this.measured(),this.resized.observe(e)}frame;controls=f("div",{class:"zoom",role:"group","aria-label":"Zoom"});percent=f("output",{"aria-label":"Zoom"});chosen;shown;resized=new ResizeObserver(()=>{this.room=this.measured(),this.fit()});room;remove(){this.resized.disconnect()}scale(e){return this.chosen??Ue(e,this.room)}show(e){this.shown=e,this.frame.style.flexBasis=`${e.width}px`,this.fit()}onKey(e){let n={"+":()=>this.by(1),"=":()=>this.by(1),"-":()=>this.by(-1),0:()=>this.all()}[e];return n?.(),n!==void 0}button(e,t,n){let i=f("button",{type:"button","aria-label":t,title:t},e);return i.addEventListener("click",n),i}measured(){let e=parseFloat(getComputedStyle(this.frame).maxHeight);return{width:this.frame.clientWidth||1/0,height:e||1/0}}fit(){if(this.shown!==void 0){let e=this.scale(this.shown);this.shown.svg.style.width=`${this.shown.width*e}px`,this.shown.svg.style.height=`${this.shown.height*e}px`,this.percent.textContent=`${Math.round(e*100)}%`}}by(e){let{width:t,height:n}=this.frame.getBoundingClientRect();this.to(i=>ue(i,e),t/2,n/2)}all(){this.to((e,t)=>Ze(t,this.room),0,0)}to(e,t,n){if(this.shown===void 0)return;let i=this.scale(this.shown);this.chosen=e(i,this.shown);let{scrollLeft:r,scrollTop:s}=this.frame;this.fit(),this.frame.scrollLeft=me(r,t,i,this.chosen),this.frame.scrollTop=me(s,n,i,this.chosen)}onWheel(e){if(e.ctrlKey||e.metaKey){e.preventDefault();let{left:t,top:n}=this.frame.getBoundingClientRect(),i=e.deltaY<0?1:-1;this.to(r=>ue(r,i),e.clientX-t,e.clientY-n)}}onDrag(e){let t=e.target instanceof Element&&e.target.closest("g.node")!==null;if(e.pointerType==="touch"||e.button!==0||t)return;let{scrollLeft:n,scrollTop:i}=this.frame,{clientX:r,clientY:s,pointerId:o}=e,d=h=>{this.frame.scrollLeft=n-h.clientX+r,this.frame.scrollTop=i-h.clientY+s};this.frame.setPointerCapture(o),this.frame.addEventListener("pointermove",d);let u=()=>this.frame.removeEventListener("pointermove",d);for(let h of["pointerup","pointercancel"])this.frame.addEventListener(h,u,{once:!0})}};var Ye=`.minigrad-live {
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
`;var Bt="The kernel has gone, and with it these tensors: this is how they were last. Run the cell again.",ne=class{constructor(e,t){this.model=e;this.layout=t;this.outline.append(f("summary",{},"As text"),this.text);let n=f("div",{class:"foot"});n.append(this.outline,this.news,this.lines.root,this.fold,this.pan.controls);let i=f("div",{class:"body"});i.append(this.frame,this.place);let r=f("style",{},Ye+K(".minigrad-live",e.get("themes")));this.root.append(r,this.alert,this.empty,i,n),this.frame.addEventListener("keydown",d=>this.onKey(d)),this.frame.addEventListener("click",d=>this.onClick(d)),this.frame.addEventListener("focusin",d=>this.onFocus(d)),this.fold.addEventListener("click",()=>this.unfold([])),this.root.addEventListener("keydown",d=>{d.key==="Escape"&&this.selected!==void 0&&(d.stopPropagation(),this.select(void 0))});let s=new IntersectionObserver(d=>{this.visible=d.at(-1).isIntersecting});s.observe(this.root);let o=()=>{this.update()};e.on("change",o),this.endings.push(()=>s.disconnect(),()=>this.pan.remove(),()=>e.off("change",o),H(e.widget_manager?.kernel,()=>this.alert.textContent=Bt)),o()}model;layout;root=f("div",{class:"minigrad-live"});frame=f("div",{class:"picture"});place=f("div",{class:"place"});empty=f("p",{class:"empty"});news=f("p",{role:"status","aria-live":"polite"});alert=f("p",{role:"alert",class:"alert"});text=f("pre",{tabindex:"0","aria-label":"The graph as text"});outline=f("details");fold=f("button",{type:"button",class:"fold"},"Fold again");lines=new X(()=>this.tellOfLine());pan=new te(this.frame);stage=new ee(this.frame,this.pan);endings=[];focused;selected;opening;visible=!0;latest=0;remove(){this.endings.forEach(e=>e()),this.latest++}async update(){let e=++this.latest,t=performance.now(),n=this.laidOut(e);this.frame.setAttribute("aria-busy","true"),this.stage.halt(),this.text.textContent=this.model.get("outline"),this.news.textContent=this.model.get("news"),this.fold.hidden=this.model.get("unfolded").length===0,this.lines.offer(this.model.get("lines"));let i=await n;e===this.latest&&(i!==void 0&&await this.show(i,e,t),e===this.latest&&this.frame.setAttribute("aria-busy","false"))}async show(e,t,n){let i=Ie(e,this.model.get("parts"),this.model.get("themes").light),r=this.frame.contains(document.activeElement);i.svg.setAttribute("role","group"),i.svg.setAttribute("aria-label",this.model.get("summary"));for(let[c,l]of i.groups)this.announce(c,l);this.empty.textContent=i.groups.size===0?this.model.get("summary"):"";let s=this.stage.picture?.groups,o=this.opening!==void 0&&this.model.get("dot")!==this.opening,d=o&&[...i.groups.keys()].find(c=>!s?.has(c));this.opening=o?void 0:this.opening,this.lines.mark(i);let u=!matchMedia("(prefers-reduced-motion: reduce)").matches&&this.visible,h=this.stage.show(i,u);this.rove(d||(i.groups.has(this.focused??"")?this.focused:void 0)),this.select(i.groups.has(this.selected??"")?this.selected:void 0),requestAnimationFrame(()=>performance.measure("minigrad: new picture",{start:n,end:performance.now()})),await h,(r||d)&&t===this.latest&&this.group(this.focused)?.focus({preventScroll:!d})}async laidOut(e){let t={wanted:()=>e===this.latest,visible:()=>this.visible};try{let n=await this.layout.run(this.model.get("dot"),t);return this.root.classList.remove("undrawn"),n}catch(n){this.empty.textContent=`The picture could not be drawn: ${n.message}. Below it is as text.`,this.root.classList.add("undrawn"),this.outline.open=!0;return}}announce(e,t){let{title:n,rows:i,fold:r}=this.details(t)??{title:t.textContent??"",rows:[]},s=i.find(([d])=>d==="kind")?.[1],o=r===void 0?"":", folded: press Enter to unfold";t.setAttribute("role","button"),t.setAttribute("aria-label",(s===void 0?n:`${n}, ${s}`)+o),t.setAttribute("aria-expanded",`${e===this.selected}`),t.setAttribute("tabindex","-1")}group(e){return e===void 0?void 0:this.stage.picture?.groups.get(e)}keyOf(e){let t=e instanceof Element?e.closest("g.node"):null;return[...this.stage.picture?.groups??[]].find(([,n])=>n===t)?.[0]}details(e){return this.model.get("details")[e.dataset.part??""]}tellOfLine(){let t=(this.stage.picture===void 0?[]:this.lines.mark(this.stage.picture)).map(n=>this.details(n)?.title??"");this.news.textContent=this.lines.chosen===void 0?"":`Made there: ${t.join(", ")}`}rove(e){let t=this.stage.picture?.groups??new Map;this.group(this.focused)?.setAttribute("tabindex","-1"),this.focused=e??t.keys().next().value,this.group(this.focused)?.setAttribute("tabindex","0")}onFocus(e){let t=this.keyOf(e.target);t!==void 0&&this.rove(t)}onKey(e){let t=this.keyOf(e.target);if(t===void 0||e.ctrlKey||e.metaKey||e.altKey)return;if(e.key==="Enter"||e.key===" "){e.preventDefault(),this.open(t);return}if(this.pan.onKey(e.key)){e.preventDefault();return}let n=ye(this.stage.picture.boxes,t,e.key);n!==void 0&&(e.preventDefault(),this.group(n)?.focus())}onClick(e){let t=this.keyOf(e.target);t!==void 0&&(this.group(t)?.focus({preventScroll:!0}),this.open(t===this.selected?void 0:t))}open(e){let t=this.group(e),n=t===void 0?void 0:this.details(t)?.fold;n===void 0?this.select(e):this.unfold([...this.model.get("unfolded"),n])}unfold(e){this.opening=this.model.get("dot"),this.model.set("unfolded",e),this.model.save_changes()}select(e){let t=this.place.contains(document.activeElement),n=this.selected;this.group(n)?.setAttribute("aria-expanded","false"),this.selected=e;let i=this.group(e);i?.setAttribute("aria-expanded","true");let r=i===void 0?void 0:this.details(i);this.place.replaceChildren(...r===void 0?[]:[je(r,()=>this.select(void 0))]),t&&this.group(e??n)?.focus({preventScroll:!0})}};function _t(a){let e=new D(a);fe();let t=(n,i)=>(i.append(n.root),()=>n.remove());return{render:({model:n,el:i})=>t(new ne(n,e),i),nudge:({model:n,el:i})=>t(new J(n,e),i)}}function Wn(a,e,t){let n=e[""],i=new Set,r={get:s=>n[s],set(s,o){let d=s==="unfolded"?o.at(-1):void 0;n=e[d??""]},save_changes:()=>i.forEach(s=>s()),on:(s,o)=>{i.add(o)},off:(s,o)=>{i.delete(o)}};_t(a).render({model:r,el:t})}export{Wn as standalone,_t as start};
