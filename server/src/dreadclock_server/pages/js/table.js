// @ts-check
/** The table's page `/r/ROOM#TOKEN`, for the gm, players and spectators. */

import { greet, speechless } from "./app/greeting.js";
import { followPastedLinks, forgetToken, linkOfPage } from "./app/link.js";
import { applyTheme, theme } from "./app/settings.js";

applyTheme(theme());
followPastedLinks();
const root = /** @type {HTMLElement} */ (document.getElementById("root"));
const link = linkOfPage();
const greeting = greet(link);
try {
  const [{ openTable }] = await Promise.all([import("./app/opening.js"), greeting.words]);
  root.replaceChildren();
  void openTable(root, link, { greeting, unauthorised: () => link && forgetToken(link.room) });
} catch (error) {
  console.warn(error);
  const notice = root.querySelector("p") ?? root;
  notice.role = "status";
  notice.textContent = speechless();
}
