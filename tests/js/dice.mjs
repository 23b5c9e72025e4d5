/** Verifies a log: `node dice.mjs verify FILE`, a file of JSON with `room`, `log_id`, `texts` and maybe known `heads`. */

import { readFileSync } from "node:fs";

import { verifyLog } from "../../client_sdk/js/verify.js";

const [, file] = process.argv.slice(2);
const { room, log_id: logId, texts: lines, heads: known } = JSON.parse(readFileSync(file, "utf8"));
const { heads, rolls, flaws } = await verifyLog({ room, logId, lines, heads: known });
console.log(JSON.stringify({ heads, rolls, flaws }));
