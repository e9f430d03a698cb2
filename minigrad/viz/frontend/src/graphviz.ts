// Graphviz compiled to WebAssembly. This is a file of its own, which runs in a worker: laying out a
// large graph does not stop the page. Where workers are forbidden, the page imports it.
import { Graphviz } from "@hpcc-js/wasm-graphviz";

export type Answer = { svg: string } | { error: string };

/** The name of the worker that this file serves; any other, such as Python's own, is left alone. */
export const WORKER = "minigrad-graphviz";

const SPACE = "\u00a0";
const BLANKS = ["|", "~", "^", "`", "$", "@"]; // which Graphviz's SVG has only in labels

// What is in all our pictures: tables in boxes, and arrows with labels.
const LABEL = '<<TABLE BORDER="0"><TR><TD><FONT FACE="Courier"><B>a</B></FONT></TD></TR></TABLE>>';
const REHEARSAL = `digraph { rankdir=LR; node [shape=box, style=rounded, label=${LABEL}]
  a -> b -> c [label=<<FONT POINT-SIZE="11"><I>x</I></FONT>>]; a -> c [style=dashed]; b -> d }`;
const REHEARSALS = 3;

const loaded = Graphviz.load();

export async function layout(dot: string): Promise<Answer> {
  return (await ready)(dot);
}

/** Lays out at once, when it is there: for Python in the browser, which cannot wait within a call. */
export const ready = loaded.then((graphviz) => (dot: string) => answer(graphviz, dot));

function answer(graphviz: Graphviz, dot: string): Answer {
  // Graphviz takes the bytes of a letter beyond ASCII for letters, and leaves room for each.
  const stands = new Map<string, string>();
  for (const letter of new Set([SPACE, ...(dot.match(/[^\x00-\x7f]/gu) ?? [])])) {
    const free = BLANKS.find((one) => !dot.includes(one) && !stands.has(one));
    if (free !== undefined) {
      stands.set(free, letter);
    }
  }
  try {
    const plain = [...stands].reduce((text, [one, letter]) => text.replaceAll(letter, one), dot);
    const svg = graphviz.layout(plain, "svg", "dot");
    return { svg: [...stands].reduce((text, [one, letter]) => text.replaceAll(one, letter), svg) };
  } catch (error) {
    return { error: String(error) };
  }
}

/** Lay something out before it counts: code that has not run yet is slow. */
function rehearse(graphviz: Graphviz): void {
  for (let turn = 0; turn < REHEARSALS; turn++) {
    answer(graphviz, REHEARSAL);
  }
}

if (typeof self !== "undefined" && self.name === WORKER) {
  void loaded.then(rehearse);
  onmessage = async ({ data }: MessageEvent<string>) => postMessage(await layout(data));
}
