/** Windows: as much of ApplicationV2 and of the Handlebars mixin as modules are told that they may rely on. */

const templates = new Map();

/** Fill in a template of a module. */
export async function renderTemplate(path, data) {
  if (!templates.has(path)) {
    const answer = await fetch(`/${path}`);
    if (!answer.ok) throw new Error(`no template ${path}`);
    templates.set(path, Handlebars.compile(await answer.text()));
  }
  return templates.get(path)(data, { allowProtoMethodsByDefault: true, allowProtoPropertiesByDefault: true });
}

function merged(one, other) {
  const both = { ...one };
  for (const [key, value] of Object.entries(other ?? {})) {
    const deep = value && Object.getPrototypeOf(value) === Object.prototype;
    both[key] = key === "classes" ? [...(one.classes ?? []), ...value] : deep ? merged(both[key] ?? {}, value) : value;
  }
  return both;
}

let topmost = 100;
let opened = 0;

export class ApplicationV2 {
  static DEFAULT_OPTIONS = { classes: [], window: { frame: true, title: "" }, position: { width: 400, height: "auto" }, actions: {} };
  #state = false;
  #waits = Promise.resolve();

  constructor(options = {}) {
    const lineage = [];
    for (let each = this.constructor; each; each = Object.getPrototypeOf(each)) {
      if (Object.hasOwn(each, "DEFAULT_OPTIONS")) lineage.unshift(each.DEFAULT_OPTIONS);
    }
    this.options = merged(lineage.reduce(merged, {}), options);
    this.position = { left: 80 + 40 * opened, top: 60 + 30 * opened, ...this.options.position };
    opened += 1;
  }

  get rendered() {
    return this.#state;
  }

  get title() {
    return game.i18n.localize(this.options.window.title);
  }

  render(options = {}) {
    if (!this.#state && !options.force) return Promise.resolve(this);
    this.#waits = this.#waits.then(() => this.#render(options));
    return this.#waits;
  }

  async #render(options) {
    if (!this.#state && !options.force) return this;
    const context = await this._prepareContext(options);
    const isFirst = !this.#state;
    const result = await this._renderHTML(context, options);
    if (isFirst) this.#frame();
    this._replaceHTML(result, this.content, options);
    this.#state = true;
    if (isFirst) await this._onFirstRender(context, options);
    await this._onRender(context, options);
    this.setPosition(isFirst ? this.options.position : {});
    if (options.force) this.element.style.zIndex = String(++topmost);
    return this;
  }

  #frame() {
    const { id, classes, window: frame } = this.options;
    this.element = document.createElement("div");
    this.element.id = id;
    this.element.className = ["application", "themed", "theme-dark", ...classes].join(" ");
    this.element.innerHTML = `<header class="window-header"><i class="window-icon"></i><h1 class="window-title"></h1></header><section class="window-content"></section>`;
    this.element.querySelector("h1").textContent = this.title;
    this.element.querySelector("i").classList.add(...(frame.icon ?? "").split(" ").filter(Boolean));
    for (const { icon, label, action } of frame.controls ?? []) this.#control(action, icon, game.i18n.localize(label));
    this.#control("close", "fa-solid fa-xmark", "Close Window");
    this.content = this.element.querySelector(".window-content");
    this.element.addEventListener("click", (event) => this.#click(event));
    this.element.querySelector("header").addEventListener("pointerdown", (event) => this.#drag(event));
    document.body.append(this.element);
  }

  #control(action, icon, label) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: `header-control icon ${icon}`, ariaLabel: label });
    button.dataset.action = action;
    this.element.querySelector("header").append(button);
  }

  #click(event) {
    const target = event.target.closest("[data-action]");
    if (!target || !this.element.contains(target)) return;
    if (target.dataset.action === "close") return this.close();
    this.options.actions[target.dataset.action]?.call(this, event, target);
  }

  #drag(event) {
    if (event.target.closest("button")) return;
    const { left, top } = this.position;
    const move = (at) => this.setPosition({ left: left + at.clientX - event.clientX, top: top + at.clientY - event.clientY });
    addEventListener("pointermove", move);
    addEventListener("pointerup", () => removeEventListener("pointermove", move), { once: true });
  }

  setPosition(change) {
    this.position = { ...this.position, ...change };
    this._onPosition(this.position);
    const { left, top, width, height } = this.position;
    const sized = height === "auto" ? "auto" : `${height}px`;
    Object.assign(this.element.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: sized });
    return this.position;
  }

  async close(options = {}) {
    if (!this.#state) return this;
    this.#state = false;
    this.element.remove();
    this._onClose(options);
    return this;
  }

  async _prepareContext() {
    return {};
  }
  async _onFirstRender() {}
  async _onRender() {}
  _onClose() {}
  _onPosition() {}
}

export const HandlebarsApplicationMixin = (Base) =>
  class extends Base {
    async _renderHTML(context) {
      const parts = Object.entries(this.constructor.PARTS);
      return Promise.all(parts.map(async ([id, { template, scrollable = [] }]) => ({ id, scrollable, html: await renderTemplate(template, context) })));
    }

    _replaceHTML(parts, content) {
      for (const { id, html, scrollable } of parts) {
        const made = document.createElement("template");
        made.innerHTML = html;
        const [part] = made.content.children;
        part.dataset.applicationPart = id;
        const before = content.querySelector(`[data-application-part="${id}"]`);
        if (!before) {
          content.append(part);
          continue;
        }
        const focus = before.contains(document.activeElement) ? document.activeElement.getAttribute("name") : null;
        const scrolled = scrollable.map((place) => [place, before.querySelector(place)?.scrollTop ?? 0]);
        before.replaceWith(part);
        for (const [place, top] of scrolled) if (part.querySelector(place)) part.querySelector(place).scrollTop = top;
        if (focus) part.querySelector(`[name="${CSS.escape(focus)}"]`)?.focus();
      }
    }
  };

export const DialogV2 = {
  confirm({ content }) {
    const dialog = document.createElement("dialog");
    dialog.innerHTML = `${content}<button data-action="yes">Yes</button><button data-action="no">No</button>`;
    document.body.append(dialog);
    dialog.showModal();
    return new Promise((resolve) => {
      for (const button of dialog.querySelectorAll("button")) {
        button.onclick = () => {
          dialog.remove();
          resolve(button.dataset.action === "yes");
        };
      }
    });
  },
};
