// @ts-check
/** A player's actions by kind of thing, with their shortcuts. The player's page draws their controls. */

/** @import { Action, Actions } from "./actions.js" */

/** @param {Record<string, string>} letters @returns {Action[]} */
const lettered = (letters) => Object.entries(letters).map(([name, keys]) => ({ name, keys }));

const DICE = { roll: "r", own: "f", faces: "f" };

/** @type {Actions} */
export const PLAYERS = {
  start: lettered({ countdown: "c", clock: "k" }),
  add: lettered({ character: "b" }),
  roll: lettered({ dice: "d" }),
  countdown: lettered({ ...DICE, stabilize: "yz", resume: "yu", replenish: "+", odds: "yo" }),
  clock: lettered({ tick: "t" }),
  challenge: lettered({ attempt: "a", check: "xc" }),
  check: lettered({ ...DICE, help: "u", oppose: "o", withdraw: "xw", fail: "x5", rare: "yb" }),
  total: lettered({ ...DICE, push: "p", stop: "x8", withdraw: "xw" }),
  character: lettered({ check: "h", total: "l", dice: "d", lasting: "xl", sheet: "xu", give: "yg", set: "ys", rare: "yb" }),
  bar: lettered({ undo: "z", withdraw: "xw" }),
  seat: lettered({ rename: "xa" }),
  fold: lettered({ fold: "yf" }),
};
