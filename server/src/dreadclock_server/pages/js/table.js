// @ts-check
/** The table's page: `/r/ROOM#TOKEN`, for the gm, players and spectators. */

import { greet } from "./app/greeting.js";
import { followPastedLinks, forgetToken, linkOfPage } from "./app/link.js";
import { applyTheme, theme } from "./app/settings.js";

applyTheme(theme());
followPastedLinks();
const root = /** @type {HTMLElement} */ (document.getElementById("root"));
root.replaceChildren();
const link = linkOfPage();
const greeting = greet(link);
const { openTable } = await import("./app/opening.js");
void openTable(root, link, { greeting, unauthorised: () => link && forgetToken(link.room) });
