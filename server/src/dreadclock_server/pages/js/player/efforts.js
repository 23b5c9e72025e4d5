// @ts-check
/** Controls to attempt a challenge. Without a check, the gm rules whether the attempt succeeds. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { goesOn } from "../app/over.js";
import { choice, closeDisclosure, disclosure, form } from "../app/controls.js";
import { word } from "../parts/word.js";
import { ableCharacters, ownCharacters, waitsForRuling } from "./mine.js";
import { checkAgainst } from "./ways.js";

/** Draw the form for attempting a challenge. @param {Table} table @param {T.Challenge} challenge */
export function challengeControls(table, challenge) {
  const able = ableCharacters(table);
  if (!goesOn(table, challenge) || (!able.length && ownCharacters(table).length)) return nothing;
  const key = `challenge:${challenge.id}:attempt`;
  return disclosure(table, { key, label: table.t("my.attempt"), describes: challenge.name, content: () => trying(table, challenge, able, key) });
}

/**
 * Draw the controls for attempting a challenge: with a check, or without dice.
 * @param {Table} table @param {T.Challenge} challenge @param {readonly T.Character[]} able who can roll @param {string} place
 */
export function trying(table, challenge, able, place) {
  return html`${able.map((character) => withDice(table, challenge, character, place))} ${attemptForm(table, challenge, able, place)}`;
}

/**
 * Draw the form for an attempt without dice. If an attempt already waits for the gm's ruling, say so instead.
 * @param {Table} table @param {T.Challenge} challenge @param {readonly T.Character[]} able
 * @param {string} place the key of its disclosure
 */
function attemptForm(table, { id, name, kind }, able, place) {
  if (waitsForRuling(table, id)) return html`<p class="hint">${table.t("my.attempt_waits")}</p>`;
  const options = able.map((character) => /** @type {const} */ ([character.id, character.name]));
  return form(table, {
    key: `${place}:send`,
    submit: table.t("my.attempt_send"),
    kind: able.length ? "plain" : "main", // if a character can roll, the main button is the check
    describes: name,
    fields: html`<p class="hint">${table.t(kind === "foe" ? "my.attempt_foe" : "my.attempt_hint")} ${word(table, "effort", table.t("word.effort.name"), place)}</p>
      ${able.length > 1 ? choice({ name: "character", label: table.t("my.character"), options }) : nothing}`,
    command: (values) => ({ type: "attempt_effort", challenge_id: id, character_id: values.text("character") ?? able[0]?.id }),
    done: () => closeDisclosure(table, place),
  });
}

/**
 * Draw the button that opens the form for a check against the challenge.
 * @param {Table} table
 * @param {T.Challenge} challenge
 * @param {T.Character} character
 * @param {string} place
 */
function withDice(table, { id, name }, character, place) {
  const go = () => {
    closeDisclosure(table, place);
    checkAgainst(table, character, id);
  };
  return html`<p>
    <button type="button" class="button main" data-key=${`challenge:${id}:check:${character.id}`} @click=${go}>
      ${table.t("my.check_against", { character: character.name, name })}
    </button>
  </p>`;
}
