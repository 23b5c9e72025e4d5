// @ts-check
/** Reads the frames of a demo room's seats to tell whether they show an event, and highlights things in them. The browser allows this because all frames are pages of this server. */

const MARK = "data-told"; // this attribute highlights a thing
const STILL = matchMedia("(prefers-reduced-motion: reduce)");

/** Tell whether every visible seat shows the public records up to `seq`, and all its dice have landed. @param {Element} root @param {number} seq */
export function haveSeen(root, seq) {
  return pagesIn(root).every((page) => {
    const seen = page.querySelector("main[data-role]")?.getAttribute("data-seen") ?? -1;
    return Number(seen) >= seq && !page.querySelector(".moment:not(.landed)");
  });
}

/** Scroll to a thing in every visible seat, and highlight it. Without a thing, only remove the highlight. @param {Element} root @param {string | undefined} about its kind and id */
export function pointAt(root, about) {
  for (const page of pagesIn(root)) {
    for (const marked of page.querySelectorAll(`[${MARK}]`)) marked.removeAttribute(MARK);
    if (about) show(page, about);
  }
}

/**
 * Scroll to a thing on a page and highlight it. If the thing is sealed (the page shows only its name), highlight its name.
 * @param {Document} page @param {string} about its kind and id
 */
function show(page, about) {
  const id = about.slice(about.indexOf(":") + 1);
  const elements = [about, `sealed:${id}`].flatMap((name) => [...page.querySelectorAll(`main [data-thing="${CSS.escape(name)}"]`)]);
  const thing = elements.find((element) => element.checkVisibility()) ?? elements[0];
  if (!thing) return;
  for (let fold = thing.closest("details"); fold; fold = fold.parentElement?.closest("details") ?? null) fold.open = true;
  thing.setAttribute(MARK, "");
  const high = thing.getBoundingClientRect().height > page.documentElement.clientHeight / 2;
  thing.scrollIntoView({ block: high ? "start" : "center", behavior: STILL.matches ? "auto" : "smooth" });
}

/** Return the documents of the visible frames. @param {Element} root @returns {Document[]} */
function pagesIn(root) {
  return [...root.querySelectorAll("iframe")].flatMap((frame) =>
    frame.contentDocument && frame.checkVisibility() ? [frame.contentDocument] : [],
  );
}
