// SVG elements, made as short as this.

type Attributes = Record<string, string | number>;

export function shape<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  parent?: Element,
  text = "",
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  set(made, attributes);
  made.textContent = text;
  parent?.append(made);
  return made;
}

/** Set attributes; those that have their value already cost nothing. */
export function set(element: Element, attributes: Attributes): void {
  for (const [key, value] of Object.entries(attributes)) {
    if (element.getAttribute(key) !== `${value}`) {
      element.setAttribute(key, `${value}`);
    }
  }
}

/** Write a text, unless it is there already. */
export function write(element: Element, text: string): void {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

/** The attributes of a line from one point to another. */
export function ends(x1: number, y1: number, x2: number, y2: number): Attributes {
  return { x1, y1, x2, y2 };
}
