// How large a picture is shown. Pure functions.
import type { Size } from "./geometry";

const [LEAST, MOST] = [0.02, 4];
const STEP = 1.25;

/** As wide as there is room, but not larger than it was drawn; what would be smaller is scrolled. */
export function readable(picture: Size, room: Size, least: number): number {
  return Math.min(1, Math.max(least, room.width / picture.width));
}

/** All of it, however small. */
export function whole(picture: Size, room: Size): number {
  const scale = Math.min(1, room.width / picture.width, room.height / picture.height);
  return Math.max(LEAST, scale);
}

/** The next size up (1) or down (-1): a step from 100%, of which there are three to double. */
export function step(scale: number, direction: 1 | -1): number {
  const steps = Math.log(scale) / Math.log(STEP);
  const next = direction > 0 ? Math.floor(steps + 0.01) + 1 : Math.ceil(steps - 0.01) - 1;
  return Math.min(MOST, Math.max(LEAST, STEP ** next));
}

/** Where to scroll to, so that what is at a point of the frame stays there at another scale. */
export function scrolled(scroll: number, point: number, from: number, to: number): number {
  return ((scroll + point) * to) / from - point;
}
