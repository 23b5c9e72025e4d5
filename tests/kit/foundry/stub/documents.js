/** Documents: users, messages, combats and rolls, each with as much of Foundry's API as its documentation has of it. */

export class Collection extends Map {
  get contents() {
    return [...this.values()];
  }

  filter(predicate) {
    return this.contents.filter(predicate);
  }

  find(predicate) {
    return this.contents.find(predicate);
  }

  some(predicate) {
    return this.contents.some(predicate);
  }

  map(transform) {
    return this.contents.map(transform);
  }
}

class Document {
  constructor(data) {
    Object.assign(this, structuredClone(data));
  }

  get id() {
    return this._id;
  }

  getFlag(scope, key) {
    if (!game.modules.has(scope)) throw new Error(`Flag scope "${scope}" is not valid or not currently active`);
    return this.flags?.[scope]?.[key];
  }
}

export class User extends Document {
  active = false;

  get isGM() {
    return this.role === 4;
  }

  get isSelf() {
    return this.id === game.userId;
  }

  setFlag(scope, key, value) {
    return game.connection.do("flags", { id: this.id, flags: { ...this.flags, [scope]: { ...this.flags[scope], [key]: value } } });
  }

  unsetFlag(scope, key) {
    const { [key]: _, ...others } = this.flags[scope] ?? {};
    return game.connection.do("flags", { id: this.id, flags: { ...this.flags, [scope]: others } });
  }

  async query(name, data, { timeout } = {}) {
    if (!(name in CONFIG.queries)) throw new Error(`the query ${name} is not registered`);
    if (this.isSelf) return CONFIG.queries[name](data, { timeout, user: game.user });
    return game.connection.query(this.id, name, data, timeout);
  }
}

export class ChatMessage extends Document {
  static async create(data) {
    for (const roll of data.rolls ?? []) if (!(roll instanceof Roll)) throw new Error("these are no rolls");
    if ("type" in data) throw new Error("a numeric type is refused");
    const message = await game.connection.do("message", { message: { ...data, rolls: (data.rolls ?? []).map((roll) => JSON.stringify(roll)) } });
    return game.messages.get(message._id) ?? new ChatMessage(message);
  }

  get isAuthor() {
    return this.author === game.userId;
  }

  get visible() {
    return !this.whisper?.length || this.isAuthor || this.whisper.includes(game.userId);
  }

  get rollsShown() {
    return (this.rolls ?? []).map((roll) => Roll.fromData(JSON.parse(roll)));
  }

  delete() {
    return game.connection.do("unwrite", { id: this.id });
  }
}

export class Combat extends Document {
  get started() {
    return this.round > 0;
  }

  setFlag(scope, key, value) {
    return this.update({ flags: { ...this.flags, [scope]: { ...this.flags[scope], [key]: value } } }, {});
  }

  update(changes, options) {
    return game.connection.do("combat", { id: this.id, changes, options });
  }

  startCombat() {
    const update = { round: 1, turn: 0 };
    Hooks.callAll("combatStart", this, update);
    return this.update(update, {});
  }

  nextRound() {
    return this.#move("combatRound", { round: this.round + 1, turn: 0 }, { advanceTime: 6, direction: 1 });
  }

  previousRound() {
    return this.#move("combatRound", { round: Math.max(0, this.round - 1), turn: 0 }, { advanceTime: -6, direction: -1 });
  }

  nextTurn() {
    return this.#move("combatTurn", { round: this.round, turn: this.turn + 1 }, { advanceTime: 0, direction: 1 });
  }

  #move(hook, update, options) {
    Hooks.callAll(hook, this, update, options);
    return this.update(update, options);
  }
}

export class Roll {
  static fromData(data) {
    if (data.class !== "Roll" || !data.evaluated) throw new Error("an unevaluated roll would be rolled again by everyone");
    for (const { number, faces, results } of data.terms) {
      if (results.length !== number || results.some(({ result }) => !(result >= 1 && result <= faces))) throw new Error("no such dice");
    }
    return Object.assign(new Roll(), structuredClone(data));
  }

  /** The faces, as Dice So Nice shows them. */
  get faces() {
    return this.terms.flatMap(({ results }) => results.map(({ result }) => result));
  }
}
