// JupyterLab takes plain keys for the notebook ("a" adds a cell, an arrow goes to the next one) unless
// what has the focus says that they are its own. Control and S still save.
const OURS = ".minigrad-live, .minigrad-steps, .minigrad-instrument";
const CLAIM = "data-lm-suppress-shortcuts";

type Page = typeof globalThis & { minigradKeys?: boolean };

/** Let our parts of the page have the keys that are pressed in them. */
export function keepKeys(): void {
  const page = globalThis as Page;
  if (!page.minigradKeys) {
    page.minigradKeys = true;
    addEventListener("keydown", claim, true); // the window hears a key before the notebook does
  }
}

function claim({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): void {
  if (target instanceof Element && target.closest(OURS) !== null) {
    target.toggleAttribute(CLAIM, !(ctrlKey || metaKey || altKey));
  }
}

export default { initialize: keepKeys };
