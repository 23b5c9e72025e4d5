// @ts-check
/** Challenges and efforts in the gm's hands. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { button } from "../app/controls.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { goesOn } from "../app/challenges.js";
import { lazily, more } from "./lazily.js";

const forms = lazily(() => import("./challenge_forms.js"));

/** Draw what the gm does with a challenge. @param {Table} table @param {T.Challenge} challenge */
export function challengeControls(table, challenge) {
  if (!goesOn(table, challenge)) return nothing;
  const { id, name } = challenge;
  const key = `challenge:${id}`;
  const command = /** @type {const} */ ({ type: "overcome_challenge", challenge_id: id });
  const rest = () => forms(table, (module) => module.restOfChallenge(table, challenge));
  return html`${button(table, { key: `${key}:overcome`, label: table.t("gm.overcome"), describes: name, command })}
  ${more(table, key, name, rest)}`;
}

/** Draw the ruling of an effort that waits. @param {Table} table @param {T.Effort} effort */
export function effortControls(table, effort) {
  return forms(table, (module) => module.ruling(table, effort));
}
