// What nudge says, in numbers and sentences. Pure functions.

const MINUS = "\u2212";
const MOST_TERMS = 4;

/** A number with so many decimals; very large ones with an exponent. */
export function num(value: number, decimals = 2): string {
  if (!Number.isFinite(value)) {
    return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : `${MINUS}inf`;
  }
  const size = Math.abs(value);
  const text = size >= 1e5 ? size.toExponential(1) : size.toFixed(size >= 1000 ? 0 : decimals);
  return (value < 0 && Number(text) !== 0 ? MINUS : "") + text;
}

export function signed(value: number, decimals = 2): string {
  return (value < 0 ? "" : "+") + num(value, decimals);
}

/** Gradients that add up, written out: 3.00 + 4.00 = 7.00; counted where there are many. */
export function sum(parts: number[]): string {
  const total = parts.reduce((one, other) => one + other, 0);
  if (parts.length > MOST_TERMS) {
    return `sum of ${parts.length} = ${num(total)}`;
  }
  const terms = parts.map((part, index) =>
    index === 0 ? num(part) : ` ${part < 0 ? MINUS : "+"} ${num(Math.abs(part))}`,
  );
  return `${terms.join("")} = ${num(total)}`;
}

export interface Move {
  name: string;
  by: number;
  result: string;
  moved: number;
  /** Not a number where no path leads from the result to what was moved. */
  predicted: number;
}

/** What a move did, beside what the gradient said it would do. */
export function told({ name, by, result, moved, predicted }: Move): [string, string] {
  const by2 = signed(by, Math.abs(by * 100 - Math.round(by * 100)) > 1e-6 ? 3 : 2);
  const start = `You moved ${name} by ${by2}. ${result} moved by ${num(moved, 4)}.`;
  const nothing = `No gradient predicted it: no path leads back from ${result} to ${name}.`;
  return [start, Number.isNaN(predicted) ? nothing : `The gradient predicted ${num(predicted, 4)}.`];
}

/** A difference that learners see between the two. */
export function remark({ by, moved, predicted }: Move): string {
  const far = Math.abs(by) > 0.3 && Math.abs(moved - predicted) > 0.02;
  return far ? " A gradient is exact only for a very small move." : "";
}

/** What a slider says of its number: its value, its gradient, and what that means. */
export function spoken(value: number, grad: number | undefined, result: string): string {
  if (grad === undefined) {
    return `${num(value)}; grad None: no path to ${result}`;
  }
  const rises = grad > 0 ? "rises with it" : "falls as it rises";
  return `${num(value)}; grad ${num(grad)}: ${result} ${Math.abs(grad) < 0.005 ? "hardly moves" : rises}`;
}

type Input = { name: string; factor: string; passed: number };

/** How an operation passes on what arrives: one clause for each of its inputs. */
export function passes(sign: string, arriving: number, inputs: Input[]): string {
  const clauses = inputs.map(({ name, factor, passed }) => {
    const local = arriving === 0 ? "" : num(passed / arriving);
    const factors = factor === "1" ? [] : [factor === "-1" ? "" : factor, local].filter((one) => one !== "");
    const times = factors.map((one) => (/\s|^[-−]/.test(one) ? `(${one})` : one));
    const steps = times.map((one) => `${num(arriving)} × ${one}`);
    return `${name} gets ${[...steps, num(passed)].join(" = ")}`;
  });
  return `${num(arriving)} arrives at ${sign}. ${clauses.join("; ")}.`;
}
