// @ts-check
/** The controls of a character's states (such as "exhausted") and tracks (such as hits: 2/6). Source: rules.md C24. */

/** @import * as T from "../../client/dreadclock.types.js" @import { Table } from "../app/table.js" */

import { MAX_CLOCK } from "../../client/limits.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";
import { button, commandButton, field, form, numberField } from "../app/controls.js";
import { called, titled } from "./card.js";

/** Draw a character's states and tracks, with their controls. @param {Table} table @param {T.Character} character */
export function conditionsOf(table, character) {
  return html`<div class="conditions">${linesOf(table, character)} ${addingTo(table, character)}</div>`;
}

/** Draw a line with controls for each state and each track. @param {Table} table @param {T.Character} character */
export function linesOf(table, character) {
  const { states, tracks } = character;
  return html`${states.map((state) => stateLine(table, character, state))}
  ${Object.entries(tracks).map(([track, values]) => trackLine(table, character, track, values))}`;
}

/** Draw the forms that add a state or a track. @param {Table} table @param {T.Character} character */
export function addingTo(table, character) {
  return html`${giving(table, character)} ${setting(table, character)}`;
}

/** Draw a state with the button that drops it. @param {Table} table @param {T.Character} character @param {string} state */
function stateLine(table, { id, name }, state) {
  return html`<p>
    <b>${called(state)}</b>
    ${commandButton(table, `character:${id}:state:${state}:drop`, "character.state.drop", titled(name, state), { type: "drop_state", character_id: id, state })}
  </p>`;
}

/**
 * Draw a track with the buttons that move and drop it.
 * @param {Table} table @param {T.Character} character @param {string} track @param {T.Track} values
 */
function trackLine(table, { id, name }, track, { value: settled, most }) {
  const sum = `track:${id}:${track}`;
  const value = Math.min(most, Math.max(0, settled + table.unsettled(sum)));
  const describes = titled(name, track);
  /** @param {number} by */
  const move = (by) =>
    button(table, {
      key: `character:${id}:track:${track}:${by}`,
      label: by > 0 ? `+${by}` : `−${-by}`,
      describes,
      command: { type: "move_track", character_id: id, track, by },
      adds: { sum, by },
    });
  return html`<p>
    <b>${called(track)}</b> <span translate="no">${value}/${most}</span> ${value > 0 ? move(-1) : nothing} ${value < most ? move(1) : nothing}
    ${commandButton(table, `character:${id}:track:${track}:drop`, "character.track.drop", describes, { type: "drop_track", character_id: id, track })}
  </p>`;
}

/** @param {Table} table @param {T.Character} character */
function giving(table, { id, name }) {
  return form(table, {
    key: `character:${id}:state:give`,
    submit: table.t("character.state.give"),
    describes: name,
    inline: true,
    fields: field({ name: "state", label: table.t("character.state"), hint: table.t("character.state.hint"), required: true }),
    command: (values) => ({ type: "give_state", character_id: id, state: values.text("state") ?? "" }),
  });
}

/** Draw the form that sets a track. @param {Table} table @param {T.Character} character */
function setting(table, { id, name }) {
  return form(table, {
    key: `character:${id}:track:set`,
    submit: table.t("character.track.set"),
    describes: name,
    inline: true,
    fields: html`${field({ name: "track", label: table.t("character.track"), hint: table.t("character.track.hint"), required: true })}
    ${numberField("most", table.t("character.track.most"), { max: MAX_CLOCK, value: 6 })}`,
    command: (values) => ({
      type: "set_track",
      character_id: id,
      track: values.text("track") ?? "",
      most: values.number("most") ?? 1,
    }),
  });
}
