// Live graphs follow the page's theme, and are as high as what they show.
const follow = () => {
  const theme = document.body.dataset.theme ?? "auto";
  for (const frame of document.querySelectorAll("iframe.live-graph")) {
    const [address] = frame.src.split("#");
    const wanted = theme === "auto" ? address : `${address}#${theme}`;
    if (frame.src !== wanted) frame.src = wanted;
  }
};

addEventListener("DOMContentLoaded", () => {
  follow();
  new MutationObserver(follow).observe(document.body, { attributeFilter: ["data-theme"] });
});

addEventListener("message", ({ source, data }) => {
  if (typeof data?.minigradHeight !== "number") return;
  for (const frame of document.querySelectorAll("iframe.live-graph")) {
    if (frame.contentWindow === source) frame.style.height = `${data.minigradHeight}px`;
  }
});
