// @ts-check
/**
 * Combat: the end of a round, or of each turn, ends a turn of the table, once.
 *
 * Foundry tells only the client that moves the combat on (`combatRound`, `combatTurn`), and two gms may do so at once. The
 * combat's flag says which turn of the table its round belongs to; it changes in the same update as the round. All who
 * hear of the end of that round ask the server to end that very turn, which it does for the first of them. A player
 * who moves the combat on may not end turns: then every gm's client does, as it hears of the update.
 */

/**
 * @import { Room } from "../client/room.js"
 * @import { Table } from "./table.js"
 *
 * @typedef {{ round?: number, turn?: number | null, flags?: object }} Update
 */

import { Refused } from "../client/errors.js";
import { present, presenceOf } from "./presence.js";
import { ID, endsTurns } from "./settings.js";
import { say } from "./words.js";

const FOLLOW_WITHIN_MS = 5_000;
const MOST_TRIES = 4;

/** End turns of the table with those of combats from now on. @param {Table} table */
export function followCombat(table) {
  Hooks.on("combatStart", (combat, update) => {
    if (table.room && table.isGm) stamp(table.room, update, table.room.view.turn);
  });
  Hooks.on("combatRound", (combat, update, options) => moved(table, combat, update, options, true));
  Hooks.on("combatTurn", (combat, update, options) => moved(table, combat, update, options, false));
  Hooks.on("updateCombat", (combat, changed, options, user) => heardOf(table, combat, changed, options, user));
}

/** Take part in an update that this client is about to make. @param {Table} table @param {Combat} combat @param {Update} update @param {{ direction?: number }} options @param {boolean} isRound */
function moved({ room, isGm }, combat, update, { direction = 1 } = {}, isRound) {
  if (!room || !isGm || direction < 0 || !counts(isRound)) return;
  const turn = turnOf(room, combat);
  stamp(room, update, Math.max(room.view.turn, turn + 1));
  if (turn === room.view.turn) void end(room, turn, isRound);
}

/** Hear of an update that somebody made who may not end turns. @param {Table} table @param {Combat} combat @param {Update} changed @param {{ direction?: number }} options @param {string} user */
function heardOf({ room, isGm }, combat, changed, { direction } = {}, user) {
  const isRound = changed.round !== undefined;
  const isStart = isRound && changed.round === 1;
  if (!room || !isGm || direction !== 1 || isStart || !(isRound || changed.turn !== undefined) || !counts(isRound)) return;
  const by = presenceOf(game.users.get(user));
  if (by?.room === room.id && by.role === "gm") return;
  const turn = turnOf(room, combat);
  const [first] = present(room.id).filter((each) => each.isGM && presenceOf(each)?.role === "gm");
  if (first?.id === game.userId) void combat.setFlag(ID, "turn", { room: room.id, turn: Math.max(room.view.turn, turn + 1) });
  if (turn === room.view.turn) void end(room, turn, isRound);
}

/** Whether a turn or a round of a combat ends a turn of the table. @param {boolean} isRound */
const counts = (isRound) => endsTurns() === "turn" || (isRound && endsTurns() === "round");

/** The turn of the table that a combat's round belongs to. @param {Room} room @param {Combat} combat @returns {number} */
function turnOf({ id, view }, combat) {
  const flag = combat.getFlag(ID, "turn");
  return flag?.room === id ? Math.min(flag.turn, view.turn) : view.turn;
}

/** @param {Room} room @param {Update} update @param {number} turn */
function stamp({ id: room }, update, turn) {
  update.flags = { ...update.flags, [ID]: { turn: { room, turn } } };
}

/** End a turn of the table, unless somebody else did; with a round of combat, one of its situations, too. @param {Room} room @param {number} turn @param {boolean} isRound */
async function end(room, turn, isRound) {
  try {
    if (!(await endTurn(room, turn)) || !isRound) return;
    const { situations, scenes } = room.view;
    for (const { id, content, status, scene_id } of situations.values()) {
      const isUnderWay = status === "open" && !scenes.get(scene_id)?.aside;
      if (content === "combat" && isUnderWay) await room.submit({ type: "end_round", situation_id: id });
    }
  } catch (error) {
    say.warn(error instanceof Refused ? say.refusal(error) : String(error));
  }
}

/** Tell whether it was this client that ended the turn. @param {Room} room @param {number} turn */
async function endTurn(room, turn) {
  for (let tries = 1; ; tries++) {
    try {
      await room.submit({ type: "end_turn", turn });
      return true;
    } catch (error) {
      const code = error instanceof Refused ? error.code : "";
      if (code === "other_turn") return false;
      if (code !== "changed" || tries === MOST_TRIES) throw error; // somebody rolled what the turn would have rolled
      if (await isOver(room, turn)) return false;
    }
  }
}

/** Tell whether a turn is over, once the view has caught up with what the server refused over. @param {Room} room @param {number} turn */
async function isOver(room, turn) {
  const { seq = 0 } = room.positions.public ?? {};
  await room.waitFor(() => (room.positions.public?.seq ?? 0) > seq || room.view.turn !== turn, FOLLOW_WITHIN_MS).catch(() => null);
  return room.view.turn !== turn;
}
