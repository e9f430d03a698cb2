// A kernel's part of nudge, for a function of single numbers: it answers each move of the hand.
// Values are rounded as float32 is, which the engine computes with.
const { fround, tanh } = Math;
// For each sign, the value and the slope for each input.
const RULES = {
  "×": [(a, b) => a * b, (a, b) => [b, a]],
  "+": [(a, b) => a + b, () => [1, 1]],
  tanh: [tanh, (a) => [1 - tanh(a) ** 2]],
};
const POINTS = 61;

function compute({ leaves, operations, edges }, values) {
  const found = {};
  const grads = { r: 1 };
  const add = (part, grad) => (grads[part] = (grads[part] ?? 0) + grad);
  const into = (part) => edges.filter(({ to }) => to === part).sort((one, other) => one.port - other.port);
  const given = (part) => into(part).map(({ from }) => found[from]);
  leaves.forEach((_, index) => (found[`l${index}`] = fround(values[index])));
  operations.forEach(({ sign }, index) => {
    found[`o${index}`] = fround(RULES[sign][0](...given(`o${index}`)));
  });
  const passed = new Map();
  for (const part of ["r", ...operations.map((_, index) => `o${index}`).reverse()]) {
    const slopes = part === "r" ? [1] : RULES[operations[part.slice(1)].sign][1](...given(part));
    into(part).forEach((edge, input) => {
      passed.set(edge, fround(grads[part] * slopes[input]));
      add(edge.from, passed.get(edge));
    });
  }
  const shown = ({ from }) => (from[0] === "o" ? [found[from]] : []);
  return {
    leaves: leaves.map((_, index) => [[values[index]], [grads[`l${index}`]]]),
    data: [],
    edges: edges.map((edge) => [shown(edge), [passed.get(edge)]]),
    result: found[into("r")[0].from],
  };
}

function nudgeModel({ graph, layouts, themes }) {
  const first = graph.leaves.map((leaf) => leaf.first[0]);
  let values = first.slice();
  const listeners = new Set();
  const resultAt = (leaf, value) => compute(graph, values.with(leaf, value)).result;
  const curve = (leaf) => {
    const { limit } = graph.leaves[leaf];
    const places = Array.from({ length: POINTS }, (_, step) => limit * ((2 * step) / (POINTS - 1) - 1));
    return { leaf, index: 0, points: places.map((place) => [place, resultAt(leaf, place)]) };
  };
  const outline = ({ leaves, result }) => {
    const rows = leaves.map(([[value], [grad]], leaf) => {
      return `${graph.leaves[leaf].name} ${value.toFixed(3)}, grad ${grad.toFixed(3)}`;
    });
    return [...rows, `${graph.result} ${result.toFixed(3)}`].join("\n");
  };
  const state = { graph, layouts, themes };
  const answer = (turn) => {
    const numbers = { ...compute(graph, values), turn, error: "" };
    Object.assign(state, { numbers, outline: outline(numbers) });
  };
  answer(0);
  state.curve = curve(0);
  return {
    get: (name) => state[name],
    on: (_, changed) => void listeners.add(changed),
    off: (_, changed) => void listeners.delete(changed),
    send({ turn, moves, reset, curve: wanted }) {
      if (turn === undefined) return;
      if (reset) values = first.slice();
      for (const [leaf, , value] of moves) values[leaf] = value;
      answer(turn);
      if (wanted) state.curve = curve(wanted[0]);
      queueMicrotask(() => listeners.forEach((changed) => changed()));
    },
  };
}
