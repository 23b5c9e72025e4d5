// @ts-check
/** The table's page: `/r/ROOM#TOKEN`, for the gm, players and spectators. */

import { followPastedLinks, forgetToken, linkOfPage } from "./app/link.js";
import { openTable } from "./app/opening.js";
import { applyTheme, theme } from "./app/settings.js";

applyTheme(theme());
followPastedLinks();
const root = /** @type {HTMLElement} */ (document.getElementById("root"));
root.replaceChildren();
const link = linkOfPage();
void openTable(root, link, { unauthorised: () => link && forgetToken(link.room) });
