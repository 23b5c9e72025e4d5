// @ts-check
/** Which thing's dice an event has rolled. */

/** @import * as T from "../../client/dreadclock.types.js" */

/**
 * Name the thing whose dice are to be seen settling, as `kind:id`; null if an event rolled none.
 * @param {T.Event} event
 * @returns {string | null}
 */
export function rolledBy(event) {
  switch (event.type) {
    case "countdown_rolled":
      return `countdown:${event.countdown_id}`;
    case "dice_rolled":
      return `roll:${event.roll.id}`;
    case "check_rolled":
      return `check:${event.check_id}:${event.part.character_id}`;
    case "total_rolled":
      return `total:${event.total_id}`;
    case "luck_pushed":
      return `push:${event.total_id}`;
    case "sealed_started":
      return event.thing.kind === "roll" ? `sealed:${event.thing.id}` : null;
    case "sealed_changed":
      return `sealed:${event.id}`;
    default:
      return null;
  }
}
