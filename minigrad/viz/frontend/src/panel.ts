// What there is to say of one part of the picture. All of it is text: nothing of it is ever markup.

export interface Details {
  title: string;
  rows: [label: string, text: string][];
  /** What an operation does, in the learner's names and numbers; and its rule, as MathML. */
  sentence?: string;
  mathematics?: string;
  /** What unfolds it, if it stands for more than is drawn. */
  fold?: string;
}

const MATHML = "http://www.w3.org/1998/Math/MathML";
const HARMLESS = new Set(["display", "fence", "form", "lspace", "mathvariant", "rspace", "separator", "stretchy"]);

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
  ...children: (string | Node)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.append(...children);
  return made;
}

export function panel({ title, sentence, mathematics, rows }: Details, onClose: () => void): HTMLElement {
  const close = element("button", { type: "button", "aria-label": "Close", title: "Close (Esc)" }, "×");
  close.addEventListener("click", onClose);
  return element(
    "section",
    { class: "panel", role: "region", "aria-label": `About ${title}` },
    close,
    element("h4", {}, title),
    ...(sentence ? [element("p", {}, sentence)] : []),
    ...(mathematics ? [element("div", { class: "formula" }, ...typeset(mathematics))] : []),
    element("dl", {}, ...rows.flatMap(([label, text]) => [element("dt", {}, label), element("dd", {}, text)])),
  );
}

/** MathML as a part of the page; what isn't MathML, and what could load or do something, is left out. */
function typeset(mathematics: string): Node[] {
  const whole = `<mrow xmlns="${MATHML}">${mathematics}</mrow>`;
  return [...new DOMParser().parseFromString(whole, "application/xml").documentElement.childNodes].flatMap(copy);
}

function copy(node: Node): Node[] {
  if (node.nodeType === Node.TEXT_NODE) {
    return [document.createTextNode(node.textContent ?? "")];
  }
  if (!(node instanceof Element) || node.namespaceURI !== MATHML || !node.localName.startsWith("m")) {
    return [];
  }
  const made = document.createElementNS(MATHML, node.localName);
  for (const { name, value } of node.attributes) {
    if (HARMLESS.has(name)) {
      made.setAttribute(name, value);
    }
  }
  made.append(...[...node.childNodes].flatMap(copy));
  return [made];
}
