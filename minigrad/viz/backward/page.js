"use strict";
const frames = JSON.parse(document.getElementById("frames").textContent);
const [count, picture, text, outline, play, back, forward] = [
  "count", "picture", "text", "outline", "play", "back", "forward",
].map((id) => document.getElementById(id));
const last = frames.length - 1;
const SMALLEST = 0.66; // of a picture's own size; what is still too wide can be scrolled
const dark = matchMedia("(prefers-color-scheme: dark)");
let position = 0;
let timer = 0;

function show(next) {
  position = Math.max(0, Math.min(last, next));
  const frame = frames[position];
  // A page around this one may choose the theme, as in loss.html#dark.
  const wanted = location.hash.slice(1);
  const theme = ["light", "dark"].includes(wanted) ? wanted : dark.matches ? "dark" : "light";
  document.documentElement.dataset.theme = theme;
  const svg = new DOMParser().parseFromString(frame[theme], "image/svg+xml").documentElement;
  svg.style.minWidth = `${SMALLEST * parseFloat(svg.getAttribute("width"))}px`;
  picture.replaceChildren(document.importNode(svg, true));
  picture.tabIndex = picture.scrollWidth > picture.clientWidth ? 0 : -1;
  count.textContent = `step ${position} of ${last}`;
  text.textContent = frame.text;
  outline.textContent = frame.outline;
  back.disabled = position === 0;
  forward.disabled = position === last;
}

function stop() {
  clearInterval(timer);
  timer = 0;
  play.textContent = "Play";
}

function go(next) {
  stop();
  show(next);
}

function toggle() {
  if (timer !== 0) return stop();
  show(position === last ? 0 : position);
  play.textContent = "Pause";
  timer = setInterval(() => (position < last ? show(position + 1) : stop()), 1000);
}

const keys = {
  ArrowLeft: () => go(position - 1),
  ArrowRight: () => go(position + 1),
  Home: () => go(0),
  End: () => go(last),
};
back.onclick = keys.ArrowLeft;
forward.onclick = keys.ArrowRight;
play.onclick = toggle;
addEventListener("keydown", (event) => {
  const plain = !(event.ctrlKey || event.metaKey || event.altKey);
  if (plain && event.key in keys) {
    event.preventDefault();
    keys[event.key]();
  }
});
dark.addEventListener("change", () => show(position));
addEventListener("hashchange", () => show(position));
// And it is told how high this page is.
const height = () => document.body.getBoundingClientRect().height + 24;
new ResizeObserver(() => parent.postMessage({ minigradHeight: height() }, "*")).observe(document.body);
show(0);
