// Graphviz compiled to WebAssembly, for Python that itself runs in a browser.
import { Graphviz } from "@hpcc-js/wasm-graphviz";

export type Answer = { plain: string } | { error: string };

/** Gives the places in Graphviz source, in Graphviz's plain format, as soon as it is loaded. */
export const ready = Graphviz.load().then((graphviz) => (dot: string): Answer => {
  try {
    return { plain: graphviz.layout(dot, "plain", "dot") };
  } catch (error) {
    return { error: String(error) };
  }
});
