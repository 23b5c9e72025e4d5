// @ts-check
/** The form for telling what happens without dice. The page loads this module when somebody opens the form. */

/** @import { Table } from "../app/table.js" */

import { MAX_TEXT } from "../../client/limits.js";
import { choice, closeDisclosure, field, form } from "../app/controls.js";
import { html, nothing } from "../../vendor/lit-html/lit-html.js";

const OUTCOMES = ["", "success", "failure"];

/** Draw the form. @param {Table} table @param {string} place the key of its disclosure @param {() => void} [done] */
export function narrate(table, place, done = () => closeDisclosure(table, place)) {
  return form(table, {
    key: `${place}:send`,
    submit: table.t("narrate.send"),
    fields: html`${field({ name: "text", label: table.t("narrate.text"), length: MAX_TEXT, required: true })}
    ${choice({
      name: "outcome",
      label: table.t("narrate.outcome"),
      options: OUTCOMES.map((outcome) => [outcome, table.t(`narrate.outcome.${outcome || "none"}`)]),
      hint: table.t("narrate.outcome.hint"),
    })}
    ${table.view.gm ? field({ name: "alone", label: table.t("narrate.alone"), type: "checkbox" }) : nothing}`,
    command: (values) => ({
      type: "narrate",
      text: values.text("text") ?? "",
      outcome: values.choice("outcome"),
      channel: values.ticked("alone") ? "gm" : undefined,
    }),
    done,
  });
}
