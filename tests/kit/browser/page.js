// What the tests do in a page: `script(name)` in scripts.py gives each of these functions.
({
  // Where Tab leads, in order.
  stops() {
    const controls = "a[href], button, input, select, textarea, summary, [tabindex='0']";
    return [...document.querySelectorAll(controls)].filter((each) => each.checkVisibility() && each.tabIndex >= 0);
  },
  // Whether an element has the focus, or another one of its radio buttons has, which arrow keys lead from.
  focus(element) {
    const focused = document.activeElement;
    if (!element.isConnected) return "gone";
    if (element === focused) return "here";
    return element.type === "radio" && focused.type === "radio" && element.name === focused.name ? "group" : "elsewhere";
  },
  comesBefore(element) {
    return !!(document.activeElement.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING);
  },
  isInSight(element) {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
  },
  // How many times Tab leads from what has the focus to an element; 0 if it is there.
  tabsOn(element) {
    const stops = this.stops();
    const [from, to] = [stops.indexOf(document.activeElement), stops.indexOf(element)];
    return from < 0 || to < from ? 1000 : to - from;
  },
  // Say how to press an element with the fewest keys: the shortcut that the palette shows, and how far Tab has to go.
  async ways(element) {
    const isShown = !!document.querySelector(".palette-button"); // there are pages without a palette
    const here = (path) => import(new URL(path, document.scripts[0].src));
    const deeds = isShown ? await here("palette/entries.js") : null;
    const role = document.querySelector("main[data-role]")?.dataset.role;
    const actions = role === "gm" ? (await here("actions/gm.js")).GMS : (await here("actions/player.js")).PLAYERS;
    const table = { root: document.getElementById("root"), role: { actions } };
    const focused = document.activeElement;
    const typing = focused.matches("input:not([type=checkbox], [type=radio]), textarea, select");
    const own = element.ariaKeyShortcuts ?? element.getAttribute("aria-keyshortcuts");
    if (element.form && element.form === focused.form && element.matches(":not([type=button])")) {
      if (focused.matches("input")) return { sends: "Enter" };
      if (own) return { sends: own };
    }
    if (own && !element.form && element.parentElement.closest("[role=group]")?.contains(focused)) return { sends: own };
    const thing = focused.closest("[data-thing]");
    const menu = thing && document.querySelector(`[data-place="menu:${thing.dataset.thing}"] > summary`);
    if (!typing && menu === element) return { keys: "m", only: false, typing };
    const found = deeds?.entriesInSight(table) ?? [];
    const meant = found.find(({ id }) => deeds.controlOf(document, id) === element);
    return { keys: meant?.keys ?? "", only: !!meant && deeds.isFinal(table, meant), typing };
  },
  // Whether Tab leads to an element within so many times, or no palette leads anywhere.
  isNear(element, near) {
    const stops = this.stops();
    const [from, to] = [stops.indexOf(document.activeElement), stops.indexOf(element)];
    const isShown = !!document.querySelector(".palette-button") && !document.querySelector("dialog[open]");
    const form = element.closest("form, .panel");
    return !isShown || (form && form.contains(document.activeElement)) || (from >= 0 ? Math.abs(to - from) : to) <= near;
  },
  // How the shortcut for what waits leads near to an element: after how many presses, and what that costs with Tab, beside what
  // it costs with Tab alone.
  async waiting(element) {
    const isShown = !!document.querySelector(".palette-button") && !document.querySelector("dialog[open]");
    const { waysToWaiting } = isShown ? await import(new URL("palette/entries.js", document.scripts[0].src)) : {};
    const ways = waysToWaiting?.(document) ?? [];
    const stops = this.stops();
    const focused = document.activeElement;
    const typing = focused.matches("input:not([type=checkbox], [type=radio]), textarea, select");
    const [to, now] = [stops.indexOf(element), typing ? -1 : ways.indexOf(focused)];
    const found = ways.map((way, at) => {
      const presses = ((at - now - 1 + ways.length) % ways.length) + 1;
      return { at, presses, typing, cost: typing + presses + Math.abs(to - stops.indexOf(way)) };
    });
    const best = found.sort((one, other) => one.cost - other.cost)[0];
    return { at: -1, cost: 1000, ...best, tabs: Math.abs(to - stops.indexOf(focused)) };
  },
  async whichWaiting() {
    const { waysToWaiting } = await import(new URL("palette/entries.js", document.scripts[0].src));
    return waysToWaiting(document).indexOf(document.activeElement);
  },
  // The letters that the palette shows for an action of a thing.
  shortcut([label, thing]) {
    const isMeant = (each) => each.querySelector(".label").textContent.trim() === label
      && (!thing || each.dataset.deed.startsWith(`${thing}:`));
    const found = [...document.querySelectorAll("li[role=option]")].find(isMeant);
    return [...(found?.querySelectorAll("kbd") ?? [])].map((key) => key.textContent.toLowerCase()).join("");
  },
  thingAround(element) {
    const card = element.closest("article[data-thing]");
    return card ? [card.dataset.thing, card.querySelector("h3, h4").textContent.trim().toLowerCase()] : [];
  },
  // The page itself and whatever sticks out of the window to a side; what scrolls within itself may.
  tooWide() {
    const root = document.documentElement;
    const clips = (each) => ["auto", "scroll", "hidden", "clip"].includes(getComputedStyle(each).overflowX);
    const isClipped = (each) =>
      !!each && each !== document.body && each !== root && (clips(each) || isClipped(each.parentElement));
    const isShown = (each) => each.checkVisibility({ visibilityProperty: true });
    const isOut = (each) =>
      isShown(each) && each.getBoundingClientRect().right > root.clientWidth + 1 && !isClipped(each.parentElement);
    const wide = [...document.querySelectorAll("body *")].filter(isOut).slice(0, 8);
    const widths = [root, document.body].map((each) => each.scrollWidth).filter((width) => width > root.clientWidth);
    return [...widths.map((width) => `scrolls to ${width} px`), ...wide.map((each) => each.outerHTML.slice(0, 160))];
  },
  // Open what is folded away, but of many things of one kind each form once, and none above another.
  unfoldEachKind() {
    const thingOf = (each) => each.parentElement.closest("[data-thing]")?.dataset.thing.split(":")[0];
    const kindOf = (each) => `${thingOf(each)} ${each.querySelector("summary").textContent.trim()}`;
    const all = [...document.querySelectorAll("main details")];
    const seen = new Set(all.filter((each) => each.open).map(kindOf));
    const closed = all.filter((each) => !each.open && !seen.has(kindOf(each)) && seen.add(kindOf(each)));
    for (const each of closed) each.open = true;
    for (const each of document.querySelectorAll("[popover]")) {
      each.removeAttribute("popover");
      each.style.maxHeight = "none"; // which it has as a popover
    }
    const isAbove = (each) => ["fixed", "sticky"].includes(getComputedStyle(each).position);
    for (const each of [...document.querySelectorAll("#root *")].filter(isAbove)) each.style.position = "static";
    return closed.length;
  },
  // Open what is folded away, or only what is over, and say how much that was.
  unfold(ended) {
    const closed = [...document.querySelectorAll(`main details${ended ? ".ended" : ""}:not([open])`)];
    for (const each of closed) each.open = true;
    const panels = ended ? [] : document.querySelectorAll("[popover]");
    for (const each of panels) each.removeAttribute("popover"); // none above another
    return closed.length;
  },
  // Every thing's own state, drawings and words: neither those of things inside it, nor those of controls.
  read() {
    const read = (thing) => {
      const isOther = (node) => node.nodeType === 1 && node.matches("[data-thing], .controls, [aria-hidden=true]");
      const filter = (node) => isOther(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
      const walker = document.createTreeWalker(thing, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, filter);
      const pips = (die) => die.querySelectorAll(".pip").length || (die.querySelector(".secret") ? "?" : "_");
      const drawn = (die) => pips(die) + (die.matches(".again") || die.querySelector(".strike") ? "x" : "");
      const images = [];
      const dice = [];
      let text = "";
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (node.nodeType === Node.TEXT_NODE) text += node.data;
        else if (node.getAttribute("role") === "img") {
          images.push(node.getAttribute("aria-label"));
          dice.push(...[...node.querySelectorAll(".die")].map(drawn));
        }
      }
      text = text.replace(/\s+/g, " ").trim();
      const small = thing.matches(".scene.small"); // beside the scene whose dial is shown
      return [thing.dataset.thing, { state: thing.dataset.state ?? "", images, dice, text, small }];
    };
    return Object.fromEntries([...document.querySelectorAll("main [data-thing]")].map(read));
  },
  // The face of every cube that turns to the viewer, by the matrices of tray, cube and faces; of flat dice, what is drawn.
  tops(within) {
    return [...document.querySelectorAll(`${within} :is(.cube, .flat)`)].map((die) => {
    if (die.matches(".sealed")) return 0;
    const drawn = (side) => Number(/\bf([1-6])\b/.exec(side.className)[1]);
    if (die.matches(".flat")) return drawn(die);
    const matrix = (element) => new DOMMatrix(getComputedStyle(element).transform);
    const cube = matrix(die.parentElement).multiply(matrix(die));
    return [...die.children].filter((side) => cube.multiply(matrix(side)).m33 > 0.95).map(drawn)[0] ?? -1;
  });
  },
  nextPicture() {
    return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  },
})
