// Graphviz compiled to WebAssembly. This is a file of its own, which runs in a worker: laying out a
// large graph does not stop the page. Where workers are forbidden, the page imports it.
import { Graphviz } from "@hpcc-js/wasm-graphviz";

export type Answer = { svg: string } | { error: string };

const SPACE = "\u00a0";
const BLANKS = ["|", "~", "^", "`", "$", "@"]; // which Graphviz's SVG has only in labels

const loaded = Graphviz.load();

export async function layout(dot: string): Promise<Answer> {
  // Graphviz takes the two bytes of a no-break space for two letters, and leaves room for both.
  const blank = BLANKS.find((letter) => !dot.includes(letter)) ?? SPACE;
  try {
    const svg = (await loaded).layout(dot.replaceAll(SPACE, blank), "svg", "dot");
    return { svg: svg.replaceAll(blank, SPACE) };
  } catch (error) {
    return { error: String(error) };
  }
}

if (typeof document === "undefined") {
  onmessage = async ({ data }: MessageEvent<string>) => postMessage(await layout(data));
}
