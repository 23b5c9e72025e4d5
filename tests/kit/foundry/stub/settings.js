/** Settings: those of the world are everybody's, those of a client lie in this browser. */

export class Settings {
  world = {};
  #known = new Map();

  register(scope, name, setting) {
    this.#known.set(`${scope}.${name}`, setting);
  }

  /** Draw a button as the window of settings does, for those who may press it. */
  registerMenu(scope, key, { label, type, restricted }) {
    if (restricted && !game.user.isGM) return;
    const button = document.createElement("button");
    button.dataset.menu = `${scope}.${key}`;
    button.textContent = game.i18n.localize(label);
    button.onclick = () => new type().render(true);
    document.getElementById("settings").append(button);
  }

  get(scope, name) {
    const key = `${scope}.${name}`;
    const { scope: place, default: value } = this.#setting(key);
    const kept = place === "world" ? this.world[key] : JSON.parse(localStorage.getItem(key) ?? "null");
    return structuredClone(kept ?? value);
  }

  async set(scope, name, value) {
    const key = `${scope}.${name}`;
    const { scope: place, onChange } = this.#setting(key);
    if (place === "world") return game.connection.do("setting", { key, value });
    localStorage.setItem(key, JSON.stringify(value));
    onChange?.(value);
    return value;
  }

  changed(key, value) {
    this.world[key] = value;
    this.#known.get(key)?.onChange?.(value);
  }

  #setting(key) {
    const setting = this.#known.get(key);
    if (!setting) throw new Error(`"${key}" is not a registered game setting`);
    return setting;
  }
}
