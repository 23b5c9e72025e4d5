// @ts-check
/** What holds of challenges, whoever draws them. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "./table.js" */

/** Tell whether a challenge can be overcome now. @param {Table} table @param {T.Challenge} challenge */
export function goesOn({ view }, challenge) {
  const situation = view.situations.get(challenge.situation_id);
  const open = challenge.status === "open" && situation?.status === "open";
  return open && !view.scenes.get(situation.scene_id)?.aside;
}
