var de=".minigrad-live, .minigrad-nudge, .minigrad-steps, .minigrad-instrument",je="data-lm-suppress-shortcuts";function le(){let a=globalThis;a.minigradKeys||(a.minigradKeys=!0,addEventListener("keydown",Ke,!0),addEventListener("focusin",De,!0))}function Ke({target:a,ctrlKey:e,metaKey:t,altKey:i}){a instanceof Element&&a.closest(de)!==null&&a.toggleAttribute(je,!(e||t||i))}function De({target:a}){if(a instanceof Element&&a.matches("[role=slider]:not([aria-label])")){let t=(a.closest(de)&&a.closest(".widget-inline-hbox"))?.querySelector("label");a.setAttribute("aria-label",t?.textContent??"")}}var Fe="minigrad-graphviz",_=class{constructor(e){this.url=e;this.worker=this.employ()}url;jobs=[];kept=new Map;worker;workers=!0;busy=!1;async run(e,t){let i=this.kept.get(e);return i!==void 0?(await he(),i):new Promise((n,r)=>{this.jobs.push({dot:e,resolve:n,reject:r,...t}),this.work()})}async work(){if(!this.busy){this.busy=!0;for(let e=this.next();e!==void 0;e=this.next()){if(!e.wanted()){e.resolve(void 0);continue}try{let t=this.kept.get(e.dot)??await this.answer(e.dot);this.keep(e.dot,t),e.resolve(t)}catch(t){e.reject(t)}await he()}this.busy=!1}}next(){let e=this.jobs.findIndex(t=>t.wanted()&&t.visible());return this.jobs.splice(Math.max(e,0),1)[0]}keep(e,t){this.kept.set(e,t),this.kept.size>40&&this.kept.delete(this.kept.keys().next().value)}async answer(e){let t=this.workers&&await this.asked(e)||await this.onPage(e);if("error"in t)throw new Error(t.error);return t.svg}asked(e){let t=this.worker??=this.employ();return t===void 0?Promise.resolve(void 0):new Promise(i=>{let n=setTimeout(()=>{t.terminate(),this.worker=void 0,i({error:"its layout takes longer than 20 seconds"})},2e4);t.onmessage=({data:r})=>{clearTimeout(n),i(r)},t.onerror=()=>{clearTimeout(n),this.workers=!1,i(void 0)},t.postMessage(e)})}employ(){try{return new Worker(this.url,{type:"module",name:Fe})}catch{this.workers=!1;return}}async onPage(e){return(await import(this.url)).layout(e)}};function he(){return new Promise(a=>{let{port1:e,port2:t}=new MessageChannel;e.onmessage=()=>{e.close(),a()},t.postMessage(void 0)})}function j(a,e){let[t,i]=[e.light,e.dark].map(n=>Object.entries(n).map(([r,s])=>`--minigrad-${r}: ${s};`).join(" "));return`
${a} { ${t} }
@media (prefers-color-scheme: dark) { body:not([data-jp-theme-light]) ${a} { ${i} } }
body[data-jp-theme-light="false"] ${a} { ${i} }`}var He=new Set(["restarting","autorestarting","terminating","dead"]);function K(a,e){let t=(i,n)=>{He.has(n)&&e()};return a?.statusChanged?.connect(t),a?.disposed?.connect(e),()=>{a?.statusChanged?.disconnect(t),a?.disposed?.disconnect(e)}}function ee({boxes:a},e){let[t,i,n,r]=a[e];return{x:t,y:i,width:n,height:r}}function ce({lines:a},e){return a[e].map(([t,i])=>({x:t,y:i}))}function D(a){let e=(a??[]).reduce((t,i)=>t*i,1);return e<=4?e:0}function b(a,e=2){if(!Number.isFinite(a))return Number.isNaN(a)?"nan":a>0?"inf":"−inf";let t=Math.abs(a),i=t>=1e5?t.toExponential(1):t.toFixed(t>=1e3?0:e);return(a<0&&Number(i)!==0?"−":"")+i}function Ie(a,e=2){return(a<0?"":"+")+b(a,e)}function ue(a){let e=a.reduce((i,n)=>i+n,0);return a.length>4?`sum of ${a.length} = ${b(e)}`:`${a.map((i,n)=>n===0?b(i):` ${i<0?"−":"+"} ${b(Math.abs(i))}`).join("")} = ${b(e)}`}function te({name:a,by:e,result:t,moved:i,predicted:n}){let r=Ie(e,Math.abs(e*100-Math.round(e*100))>1e-6?3:2),s=`You moved ${a} by ${r}. ${t} moved by ${b(i,4)}.`,o=`No gradient predicted it: no path leads back from ${t} to ${a}.`;return[s,Number.isNaN(n)?o:`The gradient predicted ${b(n,4)}.`]}function me({by:a,moved:e,predicted:t}){return Math.abs(a)>.3&&Math.abs(e-t)>.02?" A gradient is exact only for a very small move.":""}function pe(a,e,t){if(e===void 0)return`${b(a)}; grad None: no path to ${t}`;let i=e>0?"rises with it":"falls as it rises";return`${b(a)}; grad ${b(e)}: ${t} ${Math.abs(e)<.005?"hardly moves":i}`}function ge(a,e,t){let i=t.map(({name:n,factor:r,passed:s})=>{let o=[];if(r!=="1"){let l=e===0?"":b(s/e),c=[r==="-1"?"":r,l].filter(d=>d!=="").map(d=>/\s|^[-−]/.test(d)?`(${d})`:d);o.push(...c.map(d=>`${b(e)} × ${d}`))}return`${n} gets ${[...o,b(s)].join(" = ")}`});return`${b(e)} arrives at ${a}. ${i.join("; ")}.`}function ie(a,e){return a.map((t,i)=>{let n=a[Math.max(0,i-1)],r=a[Math.min(a.length-1,i+1)],[s,o]=[r.x-n.x,r.y-n.y],l=Math.hypot(s,o)||1;return{x:t.x-o/l*e,y:t.y+s/l*e}})}function F(a,e,t){return fe(fe(a,e).reverse(),t).reverse()}function fe(a,e){let t=a.slice();for(;t.length>1;){let[i,n]=[t[0],t[1]],r=Math.hypot(n.x-i.x,n.y-i.y);if(r>e||t.length===2){let s=Math.min(1,e/(r||1));t[0]={x:i.x+(n.x-i.x)*s,y:i.y+(n.y-i.y)*s};break}e-=r,t.shift()}return t}function ve(a,e,t){let i=a.slice(1).reduce((r,{x:s,y:o},l)=>r+Math.hypot(s-a[l].x,o-a[l].y),0),n=e*i;return F(a,Math.max(0,n-t),i-n)}function V(a){return`M${a.map(({x:e,y:t})=>`${e.toFixed(1)},${t.toFixed(1)}`).join("L")}`}function ne(a,e=8){let[t,i]=[a[Math.max(0,a.length-2)],a.at(-1)],n=Math.atan2(i.y-t.y,i.x-t.x),[r,s]=[Math.cos(n)*e,Math.sin(n)*e],o=.48;return V([{x:i.x+r,y:i.y+s},{x:i.x-s*o,y:i.y+r*o},{x:i.x+s*o,y:i.y-r*o}]).concat("Z")}function u(a,e={},t,i){let n=document.createElementNS("http://www.w3.org/2000/svg",a);return k(n,e),i!==void 0&&(n.textContent=i),t?.append(n),n}function k(a,e){for(let[t,i]of Object.entries(e))a.getAttribute(t)!==`${i}`&&a.setAttribute(t,`${i}`)}function N(a,e){a.textContent!==e&&(a.textContent=e)}var We=18,qe=30,H=class{paths;running=[];drawn=0;frame=0;constructor(e){this.paths={forward:u("path",{class:"pulse forward"},e),back:u("path",{class:"pulse back"},e)}}start(e){let t=performance.now();this.running.push(...e.map(i=>({...i,begin:t+i.delay}))),cancelAnimationFrame(this.frame),this.frame=requestAnimationFrame(i=>this.draw(i))}stop(){cancelAnimationFrame(this.frame),this.running=[]}draw(e){if(e-this.drawn>=qe){this.drawn=e,this.running=this.running.filter(({begin:t,duration:i})=>e<t+i);for(let[t,i]of Object.entries(this.paths)){let r=this.running.filter(s=>s.kind===t&&s.begin<=e).map(({line:s,begin:o,duration:l})=>{let h=(e-o)/l;return V(ve(s,h*h*(3-2*h),We))});i.setAttribute("d",r.join(""))}}this.running.length>0&&(this.frame=requestAnimationFrame(t=>this.draw(t)))}};var xe=300,ye={"×":"M-7-7L7 7M-7 7L7-7","+":"M-9 0H9M0-9V9","−":"M-9 0H9"},Ue=()=>matchMedia("(prefers-reduced-motion: reduce)").matches,Ze=a=>a.length>1||a[0].endsWith("]"),we=a=>`[${a.join(", ")}]`,Ye=({sign:a,after:e})=>a==="^"&&e==="2",ke=({sign:a,before:e,after:t})=>[e,a,t].filter(i=>i!=="").join(" "),I=class{constructor(e,t,i,n){this.graph=e;this.places=t;let[r,s,o]=[u("g",{},i),u("g",{},i),u("g",{},i)];this.pulses=new H(n);let l=this.depths();t.roads.forEach(h=>{this.road(h,r,l),this.label(h,o)}),e.leaves.forEach((h,c)=>this.leaf(c,s)),e.data.forEach((h,c)=>this.data(c,s)),e.operations.forEach((h,c)=>this.operation(c,s)),this.result(s)}graph;places;hands=[];operations=[];updates=[];ways=[];pulses;update(e){this.updates.forEach(t=>t(e))}wave(e){if(Ue())return;let t=new Set([`l${e}`]);this.places.roads.forEach(()=>{this.places.roads.filter(({from:i})=>t.has(i)).forEach(({to:i})=>t.add(i))}),this.pulses.start(this.ways.filter(({kind:i,from:n})=>i==="back"||t.has(n)))}remove(){this.pulses.stop()}box(e){return ee(this.places,e)}depths(){let e=new Map;return this.places.roads.forEach(()=>{this.places.roads.forEach(({from:t,to:i})=>{e.set(i,Math.max(e.get(i)??0,(e.get(t)??0)+1))})}),e}road(e,t,i){let n=ce(this.places,e.id),r=e.width===0,s=e.to[0]==="f",o=F(ie(n,r?0:-4.5),2,s?0:9);if(u("path",{class:r?"value data":"value",d:V(o)},t),!s)u("path",{class:r?"head data":"head",d:ne(o)},t);else{let{x:M,y:S,width:w,height:x}=this.box(e.to);u("circle",{class:"fork",cx:M+w/2,cy:S+x/2,r:w/2},t)}if(r)return;let l=e.from[0]==="f",h=F(ie(n.slice().reverse(),-4.5),2,l?2:9),c=u("path",{class:"grad-road",d:V(h)},t),d=l?void 0:u("path",{class:"grad-head",d:ne(h)},t);this.updates.push(({edges:M})=>{let S=e.edges.flatMap(E=>M[E][1].map(Number)),w=Math.max(0,...S.map(Math.abs))||0,x=S.length===0&&D(this.graph.edges[e.edges[0]].shape)>0;k(c,{"stroke-width":(1.1+2.3*Math.min(1,w/1.5)).toFixed(1)}),[c,d].forEach(E=>E&&(E.style.display=x?"none":""))});let m=xe/(i.get("r")??1),[g,f]=[i.get(e.from)??0,i.get(e.to)],v=(f-g)*m,{from:P}=e;this.ways.push({from:P,line:o,kind:"forward",delay:g*m,duration:v}),this.ways.push({from:P,line:h,kind:"back",delay:2*xe-f*m,duration:v})}label({id:e,from:t,to:i,edges:n,rows:r,width:s},o){if(s===0)return;let{x:l,y:h,width:c,height:d}=this.box(e),[m,g]=[l+c/2,h+d/2],{name:f,shape:v}=this.graph.edges[n[0]],P=D(v),S=(t[0]==="o"&&i!=="r"?Array.from({length:r},(x,E)=>E):[]).map(x=>{let E={class:"label",x:m,y:g-4.5-6-(r-1-x)*16},L=u("text",E,o);return{named:u("tspan",{class:"name"},L,x===0?f:""),number:u("tspan",{},L)}}),w=Array.from({length:r},(x,E)=>u("text",{class:"label grad strong",x:m,y:g+4.5+16+E*16},o));this.updates.push(x=>{let[E]=x.edges[n[0]];S.forEach(({named:A,number:O},$)=>{let y=P===0?we(v??[]):E.length>$?b(Number(E[$])):"";N(O,A.textContent&&y?` = ${y}`:y)});let L=n.map(A=>x.edges[A][1].map(Number)).filter(({length:A})=>A>0);w.forEach((A,O)=>{let $=L.map(G=>G[O]),y=$.reduce((G,z)=>G+z,0);N(A,$.length===0?"":i[0]==="f"&&r===1&&$.length>1?ue($):b(y))})})}leaf(e,t){let{x:i,y:n,width:r,height:s}=this.box(`l${e}`),{name:o,entries:l}=this.graph.leaves[e],h=u("g",{},t);u("rect",{class:"leaf",x:i+1,y:n,width:r-2,height:s,rx:9},h),u("text",{class:"leaf-name",x:i+14,y:n+25},h,o);let c=Ze(l);c?u("text",{class:"key",x:i+r-14,y:n+24,"text-anchor":"end"},h,"value, grad"):u("text",{class:"key grad",x:i+14,y:n+82},h,"grad"),l.forEach((d,m)=>this.hand(e,m,c,h))}hand(e,t,i,n){let{x:r,y:s,width:o}=this.box(`l${e}`),{entries:l,limit:h}=this.graph.leaves[e],c=i?s+32+44*t:s,d=i?c+17:s+48,m=i?[r+42,r+o-66]:[r+18,r+o-18],g=r+o-14,f={role:"slider",tabindex:0,"aria-label":l[t],"aria-valuemin":-h,"aria-valuemax":h},v=u("g",{class:"hand",...f},n),P=i?{y:c,height:42}:{y:s+5,height:82};if(u("rect",{class:"frame",x:r+6,width:o-12,rx:6,...P},v),u("rect",{class:"hit",x:m[0]-10,y:d-12,width:m[1]-m[0]+20,height:24},v),i){let $=l[t].slice(l[t].lastIndexOf("["));u("text",{class:"key",x:r+12,y:d+4},v,$)}u("line",{class:"track",x1:m[0],x2:m[1],y1:d,y2:d},v);let M=(m[0]+m[1])/2;u("line",{class:"zero",x1:M,x2:M,y1:d-5,y2:d+5},v);let S=u("path",{class:"slope-arrow"},v),w=u("circle",{class:"thumb",r:i?6:7.5,cy:d},v),x=i?c+15:s+27,E=u("rect",{class:"hit",x:g-62,y:x-20,width:72,height:28},v),L=u("text",{class:i?"number small":"number",x:g,y:x},v),A=u("line",{class:"underline",x1:g-(i?36:50),x2:g,y1:x+5.5,y2:x+5.5},v),O=u("text",{class:i?"grad-value small":"grad-value",x:g,y:i?c+34:s+82},v);this.hands.push({root:v,leaf:e,index:t,track:m,number:[E,L,A]}),this.updates.push(({leaves:$})=>{let y=$[e][0][t],G=$[e][1],z=G===null?void 0:Number(G[t]),oe=M+y/h*((m[1]-m[0])/2);k(w,{cx:oe}),N(L,b(y,Math.abs(y*100-Math.round(y*100))>1e-6?3:2)),N(O,z===void 0?`None: no path to ${this.graph.result}`:b(z,i?3:4)),O.classList.toggle("none",z===void 0),k(S,{d:z===void 0?"":Je(oe,d+(i?12:14),z)}),k(v,{"aria-valuenow":y,"aria-valuetext":pe(y,z,this.graph.result)})})}data(e,t){let{x:i,y:n,width:r,height:s}=this.box(`d${e}`),{name:o,shape:l}=this.graph.data[e],h=D(l);u("rect",{class:"data-card",x:i,y:n,width:r,height:s,rx:4},t),u("text",{class:"data-name",x:i+10,y:n+s/2+5},t,o);let c=Array.from({length:Math.max(h,1)},(d,m)=>u("text",{class:"data-value",x:i+r-10,y:n+22+m*20},t));this.updates.push(({data:d})=>{c.forEach((m,g)=>N(m,h===0?we(l):b(Number(d[e][g]))))})}operation(e,t){let i=this.box(`o${e}`),n=this.graph.operations[e],[r,s]=[i.x+i.width/2,i.y+i.height/2],[o,l,h]=[i.x,i.width,i.width<49?46:42],c=u("g",{class:"operation",tabindex:0,role:"img","aria-label":ke(n)},t);u("rect",{class:"pill",x:o,y:s-h/2,width:l,height:h,rx:h/2},c);let d=ke(n);Ye(n)?(u("rect",{class:"sign base",x:r-11,y:s-5,width:14,height:14,rx:1.5},c),u("text",{class:"power",x:r+6,y:s-3},c,"2")):d in ye?u("path",{class:"sign",d:ye[d],transform:`translate(${r} ${s})`},c):u("text",{class:"word",x:r,y:s+6},c,d),u("title",{},c,n.name),this.operations.push(c)}result(e){let{x:t,y:i,width:n,height:r}=this.box("r");u("rect",{class:"result",x:t,y:i,width:n,height:r,rx:9},e),u("text",{class:"result-name",x:t+12,y:i+25},e,this.graph.result);let s=u("text",{class:"result-value",x:t+n-12,y:i+52},e);this.updates.push(({result:o})=>N(s,b(Number(o),4)))}};function Je(a,e,t){if(!(Math.abs(t)>=.005))return`M${a-2.5},${e}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0Z`;let i=Math.sign(t),n=a+i*Math.min(46,Math.abs(t)*26);return`M${a},${e-1.3}H${n}V${e-4.6}L${n+i*8},${e}L${n},${e+4.6}V${e+1.3}H${a}Z`}function Ee(a,e,t){let i=e-t.width,r=Object.keys(a.boxes).map(o=>ee(a,o)).filter(o=>o.x+o.width>i-8).map(o=>o.y+o.height),s=Object.values(a.lines).flat().filter(([o])=>o>i-8);return{x:i,y:Math.max(0,...r,...s.map(([,o])=>o+4.5))+14}}var R={width:320,height:158},[Me,Se,Xe]=[22,26,20],Qe=0,q=class{title=u("tspan");note=u("tspan",{class:"grad strong",dx:12});zero=u("line",{class:"axis"});ticks;drop=u("line",{class:"drop"});curve=u("path",{class:"curve"});tangent=u("line",{class:"tangent"});gap=u("line",{class:"gap"});slope=u("line",{class:"slope"});from=u("circle",{class:"from",r:4.5});predicted=u("path",{class:"predicted",d:"M0,-6L6,0L0,6L-6,0Z"});now=u("circle",{class:"now",r:5});area;constructor(e,t,i){let n=R.width-Me-6,r=R.height-Se-Xe,s=this.area={x:t+Me,y:i+Se,width:n,height:r},o=u("g",{"aria-hidden":"true"},e);u("text",{x:s.x,y:i+13,class:"label-left"},o).append(this.title,this.note);let[l,h]=[s.y+r,s.x+n];u("line",{class:"axis",x1:s.x,x2:h,y1:l,y2:l},o),u("line",{class:"axis",x1:s.x,x2:s.x,y1:s.y,y2:l},o),k(this.zero,{x1:s.x,x2:h});let c=["start","middle","end","end","middle"];this.ticks=c.map(f=>u("text",{class:"tick","text-anchor":f,y:l+14})),this.ticks[4].classList.add("dragged");let d=`minigrad-plot-${Qe++}`,m=u("clipPath",{id:d},o);u("rect",{x:s.x,y:s.y-4,width:n,height:r+8},m);let g=u("g",{"clip-path":`url(#${d})`},o);g.append(this.drop,this.curve,this.tangent,this.gap,this.slope),o.append(this.zero,...this.ticks),g.append(this.from,this.predicted,this.now)}draw(e,t,i,n,r,s){let{x:o,y:l,width:h,height:c}=this.area,d=(e?.points??[]).map(([y,G])=>[y,G===null?NaN:Number(G)]),[m,g]=et([...d.map(([,y])=>y),r.result,s.result]),f=y=>o+(y+t)/(2*t)*h,v=y=>l+c-(y-m)/(g-m)*c;k(this.curve,{d:tt(d,f,v)});let P=y=>v(r.result+r.grad*(y-r.value)),M=r.value!==s.value,S=!Number.isNaN(r.grad),[w,x,E]=[f(s.value),v(s.result),P(s.value)];B(M,this.from),B(M&&S,this.predicted,this.gap),B(S,this.tangent,this.slope),k(this.from,{cx:f(r.value),cy:v(r.result)}),S&&(k(this.tangent,W(f(-t),P(-t),f(t),P(t))),k(this.predicted,{transform:`translate(${w} ${E})`}),k(this.gap,W(w,x,w,E))),k(this.now,{cx:w,cy:x}),k(this.drop,W(w,x,w,l+c));let L=(s.grad||0)*c*2*t/((g-m)*h),A=M?13/Math.hypot(1,L):0;k(this.slope,W(w-A,x+A*L,w+A,x-A*L)),N(this.title,`${n} as ${i} moves`);let O=`grad at ${b(r.value)} was ${b(r.grad)}`,$=M?`the line: ${O}`:`slope = grad = ${b(r.grad)}`;N(this.note,S?$:"grad None: no path back"),this.label(t,i,w,m<0&&g>0?v(0):NaN)}label(e,t,i,n){let{x:r,width:s,y:o}=this.area,l=r+s/2;[r,l,r+s].forEach((c,d)=>{N(this.ticks[d],b((d-1)*e,0)),this.ticks[d].setAttribute("x",`${c}`)}),B(!Number.isNaN(n),this.zero,this.ticks[3]),k(this.zero,{y1:n||o,y2:n||o}),k(this.ticks[3],{x:r-5,y:(n||o)+4}),N(this.ticks[3],"0"),N(this.ticks[4],t);let h=Math.min(r+s-30,Math.max(r+30,i));this.ticks[4].setAttribute("x",`${h}`),B(Math.abs(h-l)>=24,this.ticks[1])}};function et(a){let e=a.filter(Number.isFinite),[t,i]=[Math.min(...e),Math.max(...e)];if(e.length===0)return[-1,1];let n=Math.max(1,Math.abs(i)*.05);if(i-t<n){let s=(i+t)/2;[t,i]=[s-n/2,s+n/2]}let r=(i-t)*.08;return[t-r,i+r]}function B(a,...e){e.forEach(t=>t.style.display=a?"":"none")}function tt(a,e,t){let i=!0;return a.map(([n,r])=>{let s=i?"M":"L";return i=!Number.isFinite(r),i?"":`${s}${e(n).toFixed(1)},${t(r).toFixed(1)}`}).join("")}function W(a,e,t,i){return{x1:a,y1:e,x2:t,y2:i}}function p(a,e={},t=""){let i=document.createElement(a);return Object.entries(e).forEach(([n,r])=>i.setAttribute(n,r)),i.textContent=t,i}function Ae({title:a,rows:e},t){let i=p("section",{class:"panel",role:"region","aria-label":`About ${a}`}),n=p("button",{type:"button","aria-label":"Close",title:"Close (Esc)"},"×");n.addEventListener("click",t);let r=p("dl");for(let[s,o]of e)r.append(p("dt",{},s),p("dd",{},o));return i.append(n,p("h4",{},a),r),i}var $e=`.minigrad-nudge {
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
`;var nt="The kernel has gone, so these numbers can't be moved. Run the cell again.",rt="Drag a number and let go: here you'll read how far the result moved, and what its gradient predicted.",Ne={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1,PageUp:5,PageDown:-5},st=700,at=330,ot=[4,12],Pe=.66,U=class{constructor(e){this.model=e;let t=p("div",{class:"bar"}),i=p("p",{class:"hint"});i.append("Drag a blue number or its slider. ",p("b",{},"Values run forward, gradients run back.")),i.append(p("span",{}," An orange arrow points where the result rises."));let n=p("button",{type:"button"},"Reset");n.addEventListener("click",()=>this.reset()),t.append(i,n);let r=p("div",{class:"say"});r.append(this.sentence,this.bars);let s=$e+j(".minigrad-nudge",e.get("themes"));this.root.append(p("style",{},s),this.alert,this.frame,t,r,this.news),this.values=this.numbers.leaves.map(([d])=>d.slice()),this.idle();let o=()=>this.onAnswer();e.on("change",o);let[l,h]=[d=>this.onMove(d),()=>this.onEnd()];addEventListener("pointermove",l),addEventListener("pointerup",h),addEventListener("pointercancel",h);let c=new ResizeObserver(d=>{this.room=Math.floor(d.at(-1).contentRect.width),this.build()});c.observe(this.frame),this.endings.push(()=>e.off("change",o),()=>removeEventListener("pointermove",l),()=>removeEventListener("pointerup",h),()=>removeEventListener("pointercancel",h),()=>c.disconnect(),K(e.widget_manager?.kernel,()=>this.gone()))}model;root=p("section",{class:"minigrad-nudge","aria-label":"Nudge"});alert=p("p",{role:"alert",class:"alert"});frame=p("div",{class:"picture"});sentence=p("p",{class:"sentence"});bars=p("div",{class:"bars","aria-hidden":"true"});news=p("div",{class:"unseen",role:"status","aria-live":"polite"});endings=[];picture;plot;svg=u("svg");drawn=[void 0,0];values;selected=[0,0];start;moving=!1;drag;burst=0;lastWave=0;turn=Math.floor(Math.random()*1e9);waiting=!1;asked=0;moves=new Map;wishes={};room=0;frameAsked=0;remove(){this.endings.forEach(e=>e()),this.picture?.remove()}get numbers(){return this.model.get("numbers")}build(){let[e,t]=[this.model.get("graph"),this.room],[i,n]=this.drawn;if(t===0||e===i&&t===n)return;this.drawn=[e,t];let r=this.model.get("layouts"),s=r.find(({width:o})=>o<=t)??r.at(-1);if(s===void 0){this.alert.textContent="There is no Graphviz to draw with: pip install pygraphviz";return}this.show(e,s,t),this.svg.classList.toggle("tight",s.tight)}show(e,t,i){let n=this.picture?.hands.findIndex(({root:d})=>d===document.activeElement)??-1,r=Math.max(t.width,Math.min(i,t.width+R.width),R.width),s=Ee(t,Math.min(r,i/Pe),R),o=Math.ceil(Math.max(t.height,s.y+R.height)),l=`0 0 ${r} ${o}`;this.svg=u("svg",{viewBox:l,role:"group"});let h=u("svg",{viewBox:l,class:"above","aria-hidden":"true"}),c=p("div",{class:"both"});c.style.width=`${Math.min(r,Math.max(i,r*Pe))}px`,c.append(this.svg,h),this.plot=new q(this.svg,s.x,s.y),this.picture?.remove(),this.picture=new I(e,t,this.svg,h),this.frame.replaceChildren(c),this.picture.hands.forEach(d=>this.bind(d)),this.picture.operations.forEach((d,m)=>this.explain(d,m)),this.update(),this.picture.hands[n]?.root.focus()}bind(e){let{root:t,leaf:i,index:n}=e;t.addEventListener("pointerdown",r=>{if(r.button===0){r.preventDefault(),t.focus({preventScroll:!0}),this.begin([i,n]),t.classList.add("on","by-mouse");let s=e.number.includes(r.target);this.drag={hand:e,x:r.clientX,value:this.values[i][n],onNumber:s},this.onMove(r)}}),t.addEventListener("dblclick",()=>this.resetOne([i,n])),t.addEventListener("keydown",r=>this.onKey(r,[i,n])),t.addEventListener("focus",()=>this.drag??this.select([i,n])),t.addEventListener("blur",()=>t.classList.remove("by-mouse"))}onMove({clientX:e,shiftKey:t}){if(this.drag===void 0)return;let{hand:i,x:n,value:r,onNumber:s}=this.drag,o=this.limit([i.leaf,i.index]);if(s){let g=t?.1:1;this.set([i.leaf,i.index],r+(e-n)*.01*g*this.unit(o),t?3:2);return}let{left:l,width:h}=this.svg.getBoundingClientRect(),c=(e-l)*this.svg.viewBox.baseVal.width/h,[d,m]=i.track;this.set([i.leaf,i.index],-o+(c-d)/(m-d)*2*o)}onEnd(){this.drag!==void 0&&this.finish()}onKey(e,t){if(e.ctrlKey||e.metaKey||e.altKey)return;let[i,n]=t,r=this.limit(t);if(e.key==="Escape")this.cancel(t);else if(e.key in Ne){let s=Ne[e.key]*this.unit(r)*(e.shiftKey?.01:.1);this.press(t,this.values[i][n]+s)}else if(e.key==="Home"||e.key==="End")this.press(t,e.key==="Home"?-r:r);else if(e.key==="Delete"||e.key==="Backspace")this.press(t,this.model.get("graph").leaves[i].first[n]);else return;this.picture?.hands.forEach(({root:s})=>s.classList.remove("by-mouse")),e.preventDefault(),e.stopPropagation()}press(e,t){this.burst===0&&this.begin(e),clearTimeout(this.burst),this.set(e,t),this.burst=window.setTimeout(()=>this.finish(),st)}limit([e]){return this.model.get("graph").leaves[e].limit}unit(e){return 10**Math.max(0,Math.floor(Math.log10(e/2)))}select(e){`${e}`!=`${this.selected}`&&(this.rest(),this.selected=e,this.start=void 0,this.idle(),this.ask({curve:e}),this.update())}begin(e){this.select(e),this.moving=!0,this.start=this.placeOf(e),this.ask({curve:e})}placeOf([e,t]){let{leaves:i,result:n}=this.numbers;return{value:i[e][0][t],result:Number(n),grad:Number(i[e][1]?.[t]??NaN)}}set([e,t],i,n=2){let r=this.limit([e,t]),s=Number(Math.min(r,Math.max(-r,i)).toFixed(n));if(s===this.values[e][t])return;this.values[e][t]=s,this.moves.set(`${e},${t}`,[e,t,s]),this.ask({});let o=performance.now();o-this.lastWave>at&&(this.lastWave=o,this.picture?.wave(e)),this.refresh()}rest(){clearTimeout(this.burst),this.picture?.hands.forEach(({root:e})=>e.classList.remove("on")),[this.burst,this.moving,this.drag]=[0,!1,void 0]}finish(){this.rest(),this.update(),this.announce()}cancel(e){this.moving&&this.start!==void 0&&(this.set(e,this.start.value,6),this.rest(),this.start=void 0,this.idle(),this.update())}resetOne(e){this.begin(e),this.set(e,this.model.get("graph").leaves[e[0]].first[e[1]],6),this.finish()}reset(){this.values=this.model.get("graph").leaves.map(({first:e})=>e.slice()),this.start=void 0,this.moves.clear(),this.idle(),this.ask({reset:!0,curve:this.selected}),this.refresh(),this.values.forEach((e,t)=>this.picture?.wave(t)),this.news.textContent="All numbers are back where they were."}ask(e){if(this.wishes={...this.wishes,...e},this.waiting)return;let t=[...this.moves.values()];if(!(t.length===0&&Object.keys(this.wishes).length===0)){this.waiting=!0,this.asked=performance.now(),this.model.send({...this.wishes,moves:t,turn:++this.turn});for(let i of ot)setTimeout(()=>this.waiting&&this.model.send({ping:!0}),i);this.wishes={},this.moves.clear()}}onAnswer(){let{turn:e,leaves:t,error:i}=this.numbers,n=this.waiting&&e===this.turn;if(this.alert.textContent=i,n&&(this.waiting=!1),!this.waiting&&this.moves.size===0&&!("reset"in this.wishes)&&(this.values=t.map(([r])=>r.slice())),this.update(),this.build(),n){let r=this.asked;requestAnimationFrame(()=>performance.measure("minigrad: nudge",{start:r,end:performance.now()})),this.ask({}),this.announce()}}refresh(){cancelAnimationFrame(this.frameAsked),this.frameAsked=requestAnimationFrame(()=>this.update())}update(){cancelAnimationFrame(this.frameAsked);let e=this.numbers,t=e.leaves.map(([,m],g)=>[this.values[g],m]);this.picture?.update({...e,leaves:t});let[i,n]=this.selected,{leaves:r,result:s}=this.model.get("graph"),o=this.model.get("curve"),l=o.leaf===i&&o.index===n?o:void 0,h=this.placeOf(this.selected),c=this.start??h;this.plot?.draw(l,this.limit(this.selected),r[i].entries[n],s,c,h),this.svg.setAttribute("aria-label",this.model.get("outline"));let d=this.move;d!==void 0&&this.tell(d)}get move(){let e=this.placeOf(this.selected);if(this.start===void 0||this.start.value===e.value)return;let{leaves:t,result:i}=this.model.get("graph"),n=e.value-this.start.value;return{name:t[this.selected[0]].entries[this.selected[1]],by:n,result:i,moved:e.result-this.start.result,predicted:this.start.grad*n}}tell(e){let[t,i]=te(e);this.sentence.className="sentence",this.sentence.replaceChildren(`${t} `,p("b",{},i));let n=[["moved",e.moved],["predicted",e.predicted]].filter(([,s])=>!Number.isNaN(s)),r=Math.max(...n.map(([,s])=>Math.abs(s)))||1;this.bars.replaceChildren(...n.flatMap(([s,o])=>{let l=p("span",{class:`bar-${s}`});l.style.width=`${Math.max(1,Math.abs(o)/r*120)}px`;let h=p("span",{class:"bar-row"});return h.append(l,p("span",{class:`bar-text ${s}`},b(o,4))),[p("span",{class:`bar-text ${s}`},s),h]}))}announce(){let e=this.move;e!==void 0&&!this.moving&&!this.waiting&&(this.news.textContent=te(e).join(" ")+me(e))}idle(){this.sentence.className="sentence idle",this.sentence.textContent=rt,this.bars.replaceChildren()}explain(e,t){let i=()=>{let{edges:s,operations:o}=this.model.get("graph"),l=this.numbers.edges.map(([,f])=>f.map(Number)),h=s.flatMap(({from:f},v)=>f===`o${t}`?[l[v]]:[]),c=s.flatMap(({to:f,name:v,factor:P,from:M,data:S},w)=>f===`o${t}`&&!S?[{name:v||o[Number(M.slice(1))].sign,factor:P,passed:l[w]}]:[]),{sign:d}=o[t],m=[...h,...c.map(({passed:f})=>f)].every(({length:f})=>f===1),g=h.reduce((f,[v])=>f+v,0);return m?ge(d,g,c.map(f=>({...f,passed:f.passed[0]}))):`${d} passes back to each entry of its inputs what arrives times its own slope there.`},n=()=>{this.drag===void 0&&(this.sentence.className="sentence",this.sentence.textContent=i(),e.setAttribute("aria-label",i()),this.bars.replaceChildren())},r=()=>this.move===void 0?this.idle():this.tell(this.move);["pointerenter","focus"].forEach(s=>e.addEventListener(s,n)),["pointerleave","blur"].forEach(s=>e.addEventListener(s,r))}gone(){this.alert.textContent=nt,this.root.classList.add("gone"),this.picture?.hands.forEach(({root:e})=>k(e,{"aria-disabled":"true",tabindex:-1}))}};function Le(a){let e=a.match(/-?\d+(\.\d+)?(e-?\d+)?/g)?.map(Number)??[],t=e.filter((s,o)=>o%2===0),i=e.filter((s,o)=>o%2===1),[n,r]=[Math.min(...t),Math.min(...i)];return{x:n,y:r,width:Math.max(...t)-n,height:Math.max(...i)-r}}function Te(a){let[e,t,i]=[a[0],a[1],a.at(-1)],n=(i-t)/(a.length-2);return a.length<4?a:a.map((r,s)=>s?t+(s-1)*n:e)}function T({x:a,y:e,width:t,height:i}){return{x:a+t/2,y:e+i/2}}function Ge(a,e){let t=[...e.keys()].filter(r=>a.has(r)),i=new Set;return t.forEach((r,s)=>{for(let o of t.slice(s+1))dt(n(r),n(o))&&i.add(r).add(o)}),new Set(t.filter(r=>!i.has(r)));function n(r){return[a.get(r),e.get(r)]}}function dt(a,e){let t=n("x","width"),i=n("y","height");return Math.max(0,t[0],i[0])<Math.min(1,t[1],i[1]);function n(r,s){let o=[0,1].map(g=>T(a[g])[r]-T(e[g])[r]),[l,h]=[o[0],o[1]-o[0]],c=g=>Math.max(g[0][s],g[1][s]),d=(c(a)+c(e))/2;if(Math.abs(h)<1e-6)return Math.abs(l)<d?[-1/0,1/0]:[1,0];let m=[(-d-l)/h,(d-l)/h];return[Math.min(...m),Math.max(...m)]}}var lt={ArrowLeft:{x:-1,y:0},ArrowRight:{x:1,y:0},ArrowUp:{x:0,y:-1},ArrowDown:{x:0,y:1}};function Oe(a,e,t){let i=lt[t],n=a.get(e);if(i===void 0||n===void 0)return;let r=T(n),[s,o]=[void 0,1/0];for(let[l,h]of a){let c=T(h),[d,m]=[c.x-r.x,c.y-r.y],g=d*i.x+m*i.y,f=Math.abs(d*i.y)+Math.abs(m*i.x);g>1&&g+2*f<o&&([s,o]=[l,g+2*f])}return s}var Z=class{root=p("label",{class:"lines"},"Made by ");list=p("select");lines=[];constructor(e){this.root.append(this.list),this.list.addEventListener("change",e)}offer(e){let t=this.list.value;this.lines=e,this.root.hidden=e.length===0;let i=e.map(([n])=>p("option",{value:n},n));this.list.replaceChildren(p("option",{value:""},"any line"),...i),this.list.value=e.some(([n])=>n===t)?t:""}get chosen(){return this.list.value||void 0}mark({svg:e,groups:t}){let i=new Set(this.lines.find(([n])=>n===this.chosen)?.[1]);e.classList.toggle("marked",this.chosen!==void 0);for(let n of t.values())n.setAttribute("aria-current",`${i.has(n.dataset.part??"")}`);return[...t.values()].filter(n=>i.has(n.dataset.part??""))}};var ht="Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif",ct="Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace";function ze(a,e,t){let i=new DOMParser().parseFromString(a,"image/svg+xml"),n=document.importNode(i.documentElement,!0),r=n.querySelector("g.graph"),[,,s=0,o=0]=n.getAttribute("viewBox").split(" ").map(Number);r.querySelector(":scope > polygon")?.remove();let[l=0,h=0]=/translate\(([^)]*)\)/.exec(r.getAttribute("transform"))[1].split(/[ ,]+/).map(Number);n.style.fontFamily=ht,ut(n,t);let c={svg:n,width:s,height:o,groups:new Map,boxes:new Map,edges:new Map};n.querySelectorAll("title").forEach(d=>d.remove());for(let d of n.querySelectorAll("g.edge"))d.setAttribute("aria-hidden","true"),c.edges.set(d.querySelector("path").getAttribute("d")+d.textContent,d);for(let d of n.querySelectorAll("g.node")){let m=e[d.id]??d.id,g=Le(d.querySelector("path").getAttribute("d"));d.dataset.part=d.id,c.groups.set(m,d),c.boxes.set(m,{...g,x:g.x+l,y:g.y+h}),mt(d),/^n\d/.test(d.id)&&pt(d,g)}for(let d of n.querySelectorAll("[id]"))d.removeAttribute("id");return c}function ut(a,e){let t=new Map(Object.entries(e).map(([i,n])=>[n,i]));for(let i of a.querySelectorAll("[fill], [stroke], [font-family]")){for(let r of["fill","stroke"]){let s=i.getAttribute(r)??"",o=t.get(s);r==="stroke"&&s===e.grad&&i.matches("g.edge path")&&i.setAttribute("stroke-dasharray","5 3"),o!==void 0&&(i.removeAttribute(r),i.style.setProperty(r,`var(--minigrad-${o})`))}let n=i.getAttribute("font-family");n!==null&&(i.removeAttribute("font-family"),i.style.fontFamily=n.includes("Courier")?ct:"")}}function mt(a){let e=[...a.querySelectorAll("text")],t=r=>Number(r.getAttribute("y")),i=[...new Set(e.map(t))].sort((r,s)=>r-s),n=Te(i);for(let r of e)r.setAttribute("y",`${n[i.indexOf(t(r))]}`)}function pt(a,e){for(let t of a.querySelectorAll("text"))t.setAttribute("text-anchor","middle"),t.setAttribute("x",`${T(e).x}`)}var gt=140,ft=320,vt=6e4,bt=150,J=class{constructor(e,t){this.frame=e;this.pan=t}frame;pan;picture;running=[];turn=0;async show(e,t){this.halt();let i=this.turn,n=this.picture;if(this.picture=e,this.settle(),n===void 0||!t||e.boxes.size>bt){this.place(e);return}n.svg.parentNode!==this.frame&&this.place(n);let[r,s]=[this.places(n),this.places(e)],o=Ge(r,s),l=[...o].filter(f=>xt(r.get(f),s.get(f))>.5),h=new Set([...e.edges.keys()].filter(f=>n.edges.has(f)));l.length>0&&h.clear();let c=[...Y(n.groups,o),...Y(n.edges,h)],d=[...Y(e.groups,o),...Y(e.edges,h)];if(await this.play(c,[{opacity:1},{opacity:0}]),this.turn!==i)return;this.frame.style.minHeight=`${this.frame.clientHeight}px`,this.place(e);let m=this.start(d,[{opacity:0},{opacity:0}],vt);if(await Promise.all(l.map(f=>{let v=this.away(e,r.get(f),s.get(f));return this.play([e.groups.get(f)],[{transform:v},{transform:"none"}],ft)})),this.turn!==i)return;let g=this.play(d,[{opacity:0},{opacity:1}]);m.forEach(f=>f.cancel()),await g,this.turn===i&&this.settle()}halt(){this.turn++,this.running.forEach(e=>e.finish()),this.picture?.svg.parentNode===this.frame&&this.settle()}settle(){this.running.forEach(e=>e.cancel()),this.running=[],this.frame.style.minHeight=""}start(e,t,i){let n={duration:i,easing:"ease-in-out",fill:"forwards"},r=e.map(s=>s.animate(t,n));return r.forEach(s=>s.finished.catch(()=>{})),this.running.push(...r),r}async play(e,t,i=gt){let n=this.start(e,t,i);await Promise.allSettled(n.map(r=>r.finished))}place(e){this.frame.replaceChildren(e.svg),this.pan.show(e)}places(e){let t=this.pan.scale(e),i=({x:n,y:r,width:s,height:o})=>({x:n*t,y:r*t,width:s*t,height:o*t});return new Map([...e.boxes].map(([n,r])=>[n,i(r)]))}away(e,t,i){let n=this.pan.scale(e),[r,s]=[T(t),T(i)];return`translate(${(r.x-s.x)/n}px, ${(r.y-s.y)/n}px)`}};function xt(a,e){let[t,i]=[T(a),T(e)];return Math.hypot(i.x-t.x,i.y-t.y)}function Y(a,e){return[...a].filter(([t])=>!e.has(t)).map(([,t])=>t)}var[Ve,yt]=[.05,4],Re=1.25;function Ce(a,e){return Math.min(1,Math.max(.85,e.width/a.width))}function Be(a,e){let t=Math.min(1,e.width/a.width,e.height/a.height);return Math.max(Ve,t)}function se(a,e){let t=Math.log(a)/Math.log(Re),i=e>0?Math.floor(t+.01)+1:Math.ceil(t-.01)-1;return Math.min(yt,Math.max(Ve,Re**i))}function ae(a,e,t,i){return(a+e)*i/t-e}var X=class{constructor(e){this.frame=e;this.controls.append(this.button("−","Zoom out (-)",()=>this.by(-1)),this.percent,this.button("+","Zoom in (+)",()=>this.by(1)),this.button("Whole","Show the whole picture (0)",()=>this.all())),e.addEventListener("wheel",t=>this.onWheel(t),{passive:!1}),e.addEventListener("pointerdown",t=>this.onDrag(t)),this.room=this.measured(),this.resized.observe(e)}frame;controls=p("div",{class:"zoom",role:"group","aria-label":"Zoom"});percent=p("output",{"aria-label":"Zoom"});chosen;shown;resized=new ResizeObserver(()=>{this.room=this.measured(),this.fit()});room;remove(){this.resized.disconnect()}scale(e){return this.chosen??Ce(e,this.room)}show(e){this.shown=e,this.frame.style.flexBasis=`${e.width}px`,this.fit()}onKey(e){let i={"+":()=>this.by(1),"=":()=>this.by(1),"-":()=>this.by(-1),0:()=>this.all()}[e];return i?.(),i!==void 0}button(e,t,i){let n=p("button",{type:"button","aria-label":t,title:t},e);return n.addEventListener("click",i),n}measured(){let e=parseFloat(getComputedStyle(this.frame).maxHeight);return{width:this.frame.clientWidth||1/0,height:e||1/0}}fit(){if(this.shown!==void 0){let e=this.scale(this.shown);this.shown.svg.style.width=`${this.shown.width*e}px`,this.shown.svg.style.height=`${this.shown.height*e}px`,this.percent.textContent=`${Math.round(e*100)}%`}}by(e){let{width:t,height:i}=this.frame.getBoundingClientRect();this.to(n=>se(n,e),t/2,i/2)}all(){this.to((e,t)=>Be(t,this.room),0,0)}to(e,t,i){if(this.shown===void 0)return;let n=this.scale(this.shown);this.chosen=e(n,this.shown);let{scrollLeft:r,scrollTop:s}=this.frame;this.fit(),this.frame.scrollLeft=ae(r,t,n,this.chosen),this.frame.scrollTop=ae(s,i,n,this.chosen)}onWheel(e){if(e.ctrlKey||e.metaKey){e.preventDefault();let{left:t,top:i}=this.frame.getBoundingClientRect(),n=e.deltaY<0?1:-1;this.to(r=>se(r,n),e.clientX-t,e.clientY-i)}}onDrag(e){let t=e.target instanceof Element&&e.target.closest("g.node")!==null;if(e.pointerType==="touch"||e.button!==0||t)return;let{scrollLeft:i,scrollTop:n}=this.frame,{clientX:r,clientY:s,pointerId:o}=e,l=c=>{this.frame.scrollLeft=i-c.clientX+r,this.frame.scrollTop=n-c.clientY+s};this.frame.setPointerCapture(o),this.frame.addEventListener("pointermove",l);let h=()=>this.frame.removeEventListener("pointermove",l);for(let c of["pointerup","pointercancel"])this.frame.addEventListener(c,h,{once:!0})}};var _e=`.minigrad-live {
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
`;var kt="The kernel has gone, and with it these tensors: this is how they were last. Run the cell again.",Q=class{constructor(e,t){this.model=e;this.layout=t;this.outline.append(p("summary",{},"As text"),this.text);let i=p("div",{class:"foot"});i.append(this.outline,this.news,this.lines.root,this.fold,this.pan.controls);let n=p("div",{class:"body"});n.append(this.frame,this.place);let r=p("style",{},_e+j(".minigrad-live",e.get("themes")));this.root.append(r,this.alert,this.empty,n,i),this.frame.addEventListener("keydown",l=>this.onKey(l)),this.frame.addEventListener("click",l=>this.onClick(l)),this.frame.addEventListener("focusin",l=>this.onFocus(l)),this.fold.addEventListener("click",()=>this.unfold([])),this.root.addEventListener("keydown",l=>{l.key==="Escape"&&this.selected!==void 0&&(l.stopPropagation(),this.select(void 0))});let s=new IntersectionObserver(l=>{this.visible=l.at(-1).isIntersecting});s.observe(this.root);let o=()=>{this.update()};e.on("change",o),this.endings.push(()=>s.disconnect(),()=>this.pan.remove(),()=>e.off("change",o),K(e.widget_manager?.kernel,()=>this.alert.textContent=kt)),o()}model;layout;root=p("div",{class:"minigrad-live"});frame=p("div",{class:"picture"});place=p("div",{class:"place"});empty=p("p",{class:"empty"});news=p("p",{role:"status","aria-live":"polite"});alert=p("p",{role:"alert",class:"alert"});text=p("pre",{tabindex:"0","aria-label":"The graph as text"});outline=p("details");fold=p("button",{type:"button",class:"fold"},"Fold again");lines=new Z(()=>this.tellOfLine());pan=new X(this.frame);stage=new J(this.frame,this.pan);endings=[];focused;selected;opening;visible=!0;latest=0;remove(){this.endings.forEach(e=>e()),this.latest++}async update(){let e=++this.latest,t=performance.now(),i=this.laidOut(e);this.frame.setAttribute("aria-busy","true"),this.stage.halt(),this.text.textContent=this.model.get("outline"),this.news.textContent=this.model.get("news"),this.fold.hidden=this.model.get("unfolded").length===0,this.lines.offer(this.model.get("lines"));let n=await i;e===this.latest&&(n!==void 0&&await this.show(n,e,t),e===this.latest&&this.frame.setAttribute("aria-busy","false"))}async show(e,t,i){let n=ze(e,this.model.get("parts"),this.model.get("themes").light),r=this.frame.contains(document.activeElement);n.svg.setAttribute("role","group"),n.svg.setAttribute("aria-label",this.model.get("summary"));for(let[d,m]of n.groups)this.announce(d,m);this.empty.textContent=n.groups.size===0?this.model.get("summary"):"";let s=this.stage.picture?.groups,o=this.opening!==void 0&&this.model.get("dot")!==this.opening,l=o&&[...n.groups.keys()].find(d=>!s?.has(d));this.opening=o?void 0:this.opening,this.lines.mark(n);let h=!matchMedia("(prefers-reduced-motion: reduce)").matches&&this.visible,c=this.stage.show(n,h);this.rove(l||(n.groups.has(this.focused??"")?this.focused:void 0)),this.select(n.groups.has(this.selected??"")?this.selected:void 0),requestAnimationFrame(()=>performance.measure("minigrad: new picture",{start:i,end:performance.now()})),await c,(r||l)&&t===this.latest&&this.group(this.focused)?.focus({preventScroll:!l})}async laidOut(e){let t={wanted:()=>e===this.latest,visible:()=>this.visible};try{let i=await this.layout.run(this.model.get("dot"),t);return this.root.classList.remove("undrawn"),i}catch(i){this.empty.textContent=`The picture could not be drawn: ${i.message}. Below it is as text.`,this.root.classList.add("undrawn"),this.outline.open=!0;return}}announce(e,t){let{title:i,rows:n,fold:r}=this.details(t)??{title:t.textContent??"",rows:[]},s=n.find(([l])=>l==="kind")?.[1],o=r===void 0?"":", folded: press Enter to unfold";t.setAttribute("role","button"),t.setAttribute("aria-label",(s===void 0?i:`${i}, ${s}`)+o),t.setAttribute("aria-expanded",`${e===this.selected}`),t.setAttribute("tabindex","-1")}group(e){return e===void 0?void 0:this.stage.picture?.groups.get(e)}keyOf(e){let t=e instanceof Element?e.closest("g.node"):null;return[...this.stage.picture?.groups??[]].find(([,i])=>i===t)?.[0]}details(e){return this.model.get("details")[e.dataset.part??""]}tellOfLine(){let t=(this.stage.picture===void 0?[]:this.lines.mark(this.stage.picture)).map(i=>this.details(i)?.title??"");this.news.textContent=this.lines.chosen===void 0?"":`Made there: ${t.join(", ")}`}rove(e){let t=this.stage.picture?.groups??new Map;this.group(this.focused)?.setAttribute("tabindex","-1"),this.focused=e??t.keys().next().value,this.group(this.focused)?.setAttribute("tabindex","0")}onFocus(e){let t=this.keyOf(e.target);t!==void 0&&this.rove(t)}onKey(e){let t=this.keyOf(e.target);if(t===void 0||e.ctrlKey||e.metaKey||e.altKey)return;if(e.key==="Enter"||e.key===" "){e.preventDefault(),this.open(t);return}if(this.pan.onKey(e.key)){e.preventDefault();return}let i=Oe(this.stage.picture.boxes,t,e.key);i!==void 0&&(e.preventDefault(),this.group(i)?.focus())}onClick(e){let t=this.keyOf(e.target);t!==void 0&&(this.group(t)?.focus({preventScroll:!0}),this.open(t===this.selected?void 0:t))}open(e){let t=this.group(e),i=t===void 0?void 0:this.details(t)?.fold;i===void 0?this.select(e):this.unfold([...this.model.get("unfolded"),i])}unfold(e){this.opening=this.model.get("dot"),this.model.set("unfolded",e),this.model.save_changes()}select(e){let t=this.place.contains(document.activeElement),i=this.selected;this.group(i)?.setAttribute("aria-expanded","false"),this.selected=e;let n=this.group(e);n?.setAttribute("aria-expanded","true");let r=n===void 0?void 0:this.details(n);this.place.replaceChildren(...r===void 0?[]:[Ae(r,()=>this.select(void 0))]),t&&this.group(e??i)?.focus({preventScroll:!0})}};function Et(a){let e=new _(a);le();let t=(i,n)=>(n.append(i.root),()=>i.remove());return{render:({model:i,el:n})=>t(new Q(i,e),n),nudge:({model:i,el:n})=>t(new U(i),n)}}function $i(a,e,t){let i=e[""],n=new Set,r={get:s=>i[s],set(s,o){let l=s==="unfolded"?o.at(-1):void 0;i=e[l??""]},save_changes:()=>n.forEach(s=>s()),on:(s,o)=>{n.add(o)},off:(s,o)=>{n.delete(o)}};Et(a).render({model:r,el:t})}export{$i as standalone,Et as start};
