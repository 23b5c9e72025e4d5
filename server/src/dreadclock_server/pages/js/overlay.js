// @ts-check
/** The overlay, `/o/ROOM#TOKEN`: a page that streaming programs show over a video. docs/overlay.md lists the options in its query. */

/** @import { Link } from "../client/dreadclock.js" */

import { ConnectionEnded, connect } from "../client/dreadclock.js";
import { followPastedLinks, forgetToken, linkOfPage } from "./app/link.js";
import { applyTheme } from "./app/settings.js";
import { loadWords } from "./app/words.js";
import { CLOSE } from "../client/limits.js";
import { render } from "../vendor/lit-html/lit-html.js";
import { optionsOf } from "./overlay/options.js";
import { overLine, picture, tells } from "./overlay/picture.js";
import { Watched } from "./overlay/watched.js";

const AGAIN_AFTER_MS = 5_000;
const { show, theme, scale, accent } = optionsOf(location.search);
const root = /** @type {HTMLElement} */ (document.getElementById("root"));

applyTheme(theme);
document.documentElement.style.setProperty("--scale", String(scale));
if (accent) document.documentElement.style.setProperty("--accent", accent);
followPastedLinks();
const link = linkOfPage();
const words = await patientWords();
if (link?.token) await open(link);
else line(words.t("over.no_token"));

/** Load the labels. Retry until this succeeds: nobody is there to reload the page. */
async function patientWords() {
  for (;;) {
    try {
      return await loadWords("table", "overlay", "moments");
    } catch (error) {
      console.warn(error);
      await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
    }
  }
}

/** Connect to a room and draw it. Retry while the server cannot be reached. @param {Link} link */
async function open(link) {
  const table = new Watched(root, words, (watched) => picture(/** @type {Watched} */ (watched), show), (kind) => tells(show, kind));
  try {
    const room = await connect(link, {
      onChange: (connected, outputs) => table.hear(connected, outputs),
      onEnd: () => {
        table.over = words.t("overlay.over");
        if (table.room) table.redraw();
      },
      client: { name: "dreadclock-overlay" },
    });
    table.begin(room);
  } catch (error) {
    const over = error instanceof ConnectionEnded && error.code !== null;
    if (!over) return void setTimeout(() => open(link), AGAIN_AFTER_MS); // the server cannot be reached yet
    if (error.code === CLOSE.UNAUTHORISED) forgetToken(link.room);
    line(words.t("overlay.over"));
  }
}

/** Show only a small line of text. @param {string} sentence */
function line(sentence) {
  render(overLine(sentence), root);
}
