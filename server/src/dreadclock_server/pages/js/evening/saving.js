// @ts-check
/** Exports a log as JSON lines, which the command-line tools read, and saves texts as files. */

/**
 * @import * as T from "../../client/dreadclock.types.js"
 * @import { Line, Log } from "./log.js"
 */

import { openingHead } from "../../client/records.js";

const KEPT_FOR_MS = 60_000; // how long the file's data stays available for the browser
const TYPES = { html: "text/html", jsonl: "application/jsonl" };
const NO_NAME = /[^\p{L}\p{N}]+/gu;

/**
 * Return the text of an export: a header, then a line for each record, all in canonical JSON.
 * @param {Log} log
 * @param {readonly Line[]} lines
 * @param {{ [channel: string]: T.Head }} heads the last seq and hash of each channel
 */
export function exportOf({ room, logId }, lines, heads) {
  const channels = Object.keys(heads).sort();
  const ends = channels.map((channel) => [channel, { hash: heads[channel].hash, seq: heads[channel].seq }]);
  const starts = channels.map((channel) => [channel, openingHead(room, logId, channel).hash]);
  const header = {
    channels: channels.toReversed(), // the public channel first
    dreadclock: "export",
    heads: Object.fromEntries(ends),
    log_id: logId,
    opening: Object.fromEntries(starts),
    room,
    v: 1,
  };
  const records = lines.map(({ text, head }) => `{"head":"${head}","record":${text}}\n`);
  return `${JSON.stringify(header)}\n${records.join("")}`;
}

/** Let the browser save a text as a file. @param {string} name @param {keyof TYPES} ending the ending of the file's name @param {string} text */
export function saveAs(name, ending, text) {
  const address = URL.createObjectURL(new Blob([text], { type: TYPES[ending] }));
  const link = Object.assign(document.createElement("a"), { href: address, download: `${plain(name)}.${ending}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_FOR_MS);
}

/** Return a name for a file: letters, digits and hyphens. @param {string} name */
function plain(name) {
  return name.replace(NO_NAME, " ").trim().replaceAll(" ", "-").toLowerCase() || "evening";
}
