// @ts-check
/**
 * Combat: the end of a combat round, or of each combat turn, ends a turn of the table, once.
 *
 * Foundry runs `combatRound` and `combatTurn` only in the client that advances the combat, and two gms may do so at the same
 * time. A flag of the combat says to which turn of the table its round belongs. The flag changes in the same update as the
 * round. All clients that see the update ask the server to end that turn. The server ends it for the first request. If a
 * player, who may not end turns, advances the combat, every gm's client asks when it receives the update.
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

/** From now on, end turns of the table with those of combats. @param {Table} table */
export function followCombat(table) {
  Hooks.on("combatStart", (combat, update) => {
    if (table.room && table.isGm) stamp(table.room, update, table.room.view.turn);
  });
  Hooks.on("combatRound", (combat, update, options) => moved(table, combat, update, options, true));
  Hooks.on("combatTurn", (combat, update, options) => moved(table, combat, update, options, false));
  Hooks.on("updateCombat", (combat, changed, options, user) => heardOf(table, combat, changed, options, user));
}

/**
 * Add the flag to an update that this client is about to make, and end the turn.
 * @param {Table} table @param {Combat} combat @param {Update} update @param {{ direction?: number }} options
 * @param {boolean} isRound
 */
function moved({ room, isGm }, combat, update, { direction = 1 } = {}, isRound) {
  if (!room || !isGm || direction < 0 || !counts(isRound)) return;
  const turn = turnOf(room, combat);
  stamp(room, update, Math.max(room.view.turn, turn + 1));
  if (turn === room.view.turn) void end(room, turn, isRound);
}

/**
 * End the turn after an update of a user who may not end turns.
 * @param {Table} table @param {Combat} combat @param {Update} changed @param {{ direction?: number }} options
 * @param {string} user
 */
function heardOf({ room, isGm }, combat, changed, { direction } = {}, user) {
  const isRound = changed.round !== undefined;
  const isStart = isRound && changed.round === 1;
  if (!room || !isGm || direction !== 1 || isStart || !(isRound || changed.turn !== undefined) || !counts(isRound)) return;
  const by = presenceOf(game.users.get(user));
  if (by?.room === room.id && by.role === "gm") return;
  const turn = turnOf(room, combat);
  const [first] = present(room.id).filter((other) => other.isGM && presenceOf(other)?.role === "gm");
  if (first?.id === game.userId) void combat.setFlag(ID, "turn", { room: room.id, turn: Math.max(room.view.turn, turn + 1) });
  if (turn === room.view.turn) void end(room, turn, isRound);
}

/** Tell whether the end of a combat round, or of a combat turn, ends a turn of the table. @param {boolean} isRound */
const counts = (isRound) => endsTurns() === "turn" || (isRound && endsTurns() === "round");

/** Return the turn of the table to which a combat's round belongs. @param {Room} room @param {Combat} combat @returns {number} */
function turnOf({ id, view }, combat) {
  const flag = combat.getFlag(ID, "turn");
  return flag?.room === id ? Math.min(flag.turn, view.turn) : view.turn;
}

/** Add the flag to an update. @param {Room} room @param {Update} update @param {number} turn */
function stamp({ id: room }, update, turn) {
  update.flags = { ...update.flags, [ID]: { turn: { room, turn } } };
}

/**
 * End a turn of the table, unless it has ended. The end of a combat round also ends a round of each open combat
 * situation.
 * @param {Room} room @param {number} turn @param {boolean} isRound
 */
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

/** End a turn. Return whether this client ended it. @param {Room} room @param {number} turn */
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

/** Wait until the view has changed since the refusal. Return whether the turn is over. @param {Room} room @param {number} turn */
async function isOver(room, turn) {
  const { seq = 0 } = room.positions.public ?? {};
  await room.waitFor(() => (room.positions.public?.seq ?? 0) > seq || room.view.turn !== turn, FOLLOW_WITHIN_MS).catch(() => null);
  return room.view.turn !== turn;
}
