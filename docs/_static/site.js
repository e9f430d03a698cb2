// Live graphs follow the page's theme, and are as high as what they show.
const follow = () => {
  const theme = document.body.dataset.theme ?? "auto";
  for (const frame of document.querySelectorAll("iframe.live-graph")) {
    const [address] = frame.src.split("#");
    const wanted = theme === "auto" ? address : `${address}#${theme}`;
    if (frame.src !== wanted) frame.src = wanted;
  }
};

addEventListener("message", ({ source, data }) => {
  if (typeof data?.minigradHeight !== "number") return;
  for (const frame of document.querySelectorAll("iframe.live-graph")) {
    if (frame.contentWindow === source) frame.style.height = `${data.minigradHeight}px`;
  }
});

// A pasted message is compared with those that have a page, by the three-letter parts they share:
// Sphinx's own search wants every word, and no two shapes or names are the same.
const partsOf = (text) => {
  const plain = ` ${text.toLowerCase().replace(/[^a-z_]+/g, " ").trim()} `;
  return new Set(Array.from({ length: Math.max(0, plain.length - 2) }, (_, at) => plain.slice(at, at + 3)));
};

function causesLike(query, causes) {
  const all = causes.map(([, , , texts]) => texts.map(partsOf));
  const count = new Map();
  all.flat().forEach((parts) => parts.forEach((part) => count.set(part, (count.get(part) ?? 0) + 1)));
  const weight = (part) => Math.log(1 + all.length / (count.get(part) ?? 1));
  const weigh = (parts) => [...parts].reduce((sum, part) => sum + weight(part), 0);
  const asked = partsOf(query);
  const likeness = (parts) => {
    const shared = weigh([...parts].filter((part) => asked.has(part)));
    return [shared / (weigh(asked) || 1), shared / weigh(parts)]; // of what was pasted, of what is known
  };
  const scores = all.map((texts) => texts.map(likeness).filter((shares) => Math.max(...shares) > 0.5));
  return causes
    .map(([message, title, page, , group], index) => {
      const likest = Math.max(0, ...scores[index].map(([one, other]) => one + other));
      const score = message === title ? 0.75 * likest : likest; // a question: what is pasted is a message
      return { message, title, page, group, score, kinds: all[index].length };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.kinds - other.kinds); // the more special first
}

// Causes of the same message are one entry.
function showCauses(place) {
  const query = new URLSearchParams(location.search).get("q") ?? "";
  const entries = Map.groupBy(causesLike(query, globalThis.minigradCauses), ({ group }) => group);
  const root = document.documentElement.dataset.content_root;
  const link = ({ page }, text) => Object.assign(document.createElement("a"), { href: root + page, textContent: text });
  const items = [...entries.values()].slice(0, 4).map(([first, ...others]) => {
    const item = document.createElement("li");
    item.append(link(first, first.message), document.createElement("br"), first.title);
    others.forEach((other) => item.append(document.createElement("br"), "Or: ", link(other, other.title)));
    return item;
  });
  if (items.length === 0) return;
  const list = Object.assign(document.createElement("ul"), { id: "causes" });
  list.append(...items);
  place.before(Object.assign(document.createElement("h2"), { textContent: "When it raises" }), list);
}

const SMALLEST = 0.66; // of a picture's own size; what is still too wide can be scrolled

// What scrolls can be reached by keys, and captions of the menu are headings of a level.
function repair() {
  for (const svg of document.querySelectorAll("figure.graph svg")) {
    svg.style.minWidth = `${SMALLEST * svg.viewBox.baseVal.width}px`;
  }
  for (const box of document.querySelectorAll("pre, .table-wrapper, figure.graph, div.math")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  }
  for (const caption of document.querySelectorAll(".caption[role=heading]")) caption.ariaLevel = 2;
}

addEventListener("DOMContentLoaded", () => {
  follow();
  new MutationObserver(follow).observe(document.body, { attributeFilter: ["data-theme"] });
  repair();
  addEventListener("resize", repair);
  const contents = document.querySelector(".contents-above");
  if (contents !== null) document.querySelector("h1").after(contents);
  const results = document.getElementById("search-results");
  if (results === null) return;
  const script = document.createElement("script");
  script.src = `${document.documentElement.dataset.content_root}_static/causes.js`;
  script.addEventListener("load", () => showCauses(results));
  document.head.append(script);
});
