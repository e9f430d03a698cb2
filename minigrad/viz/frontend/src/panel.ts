// What there is to say of one part of the picture. All of it is text: nothing of it is ever markup.

export interface Details {
  title: string;
  rows: [label: string, text: string][];
  /** What unfolds it, if it stands for more than is drawn. */
  fold?: string;
}

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
  text = "",
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.textContent = text;
  return made;
}

export function panel({ title, rows }: Details, onClose: () => void): HTMLElement {
  const made = element("section", { class: "panel", role: "region", "aria-label": `About ${title}` });
  const close = element("button", { type: "button", "aria-label": "Close", title: "Close (Esc)" }, "×");
  close.addEventListener("click", onClose);
  const list = element("dl");
  for (const [label, text] of rows) {
    list.append(element("dt", {}, label), element("dd", {}, text));
  }
  made.append(close, element("h4", {}, title), list);
  return made;
}
