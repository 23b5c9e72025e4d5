// The few of Foundry's globals that this module uses, as its public documentation has them. Nobody ships these lines.

interface Flagged {
  readonly id: string;
  getFlag(scope: string, key: string): any;
  setFlag(scope: string, key: string, value: unknown): Promise<unknown>;
  unsetFlag(scope: string, key: string): Promise<unknown>;
}

interface User extends Flagged {
  readonly name: string;
  readonly active: boolean;
  readonly isGM: boolean;
  query(name: string, data: object, options?: { timeout?: number }): Promise<any>;
}

interface ChatMessage extends Flagged {
  readonly isAuthor: boolean;
  delete(): Promise<unknown>;
}

interface Combat extends Flagged {
  readonly round: number;
}

interface Roll {
  readonly total: number;
}

interface Collection<Value> {
  get(id: string): Value | undefined;
  filter(predicate: (value: Value) => boolean): Value[];
  some(predicate: (value: Value) => boolean): boolean;
}

interface SceneTool {
  name: string;
  title: string;
  icon: string;
  order: number;
  button?: boolean;
  visible?: boolean;
  onChange?: (event: Event, active: boolean) => void;
}

interface CombatUpdate {
  round?: number;
  turn?: number | null;
  flags?: object;
}

interface FoundryHooks {
  once(name: "init" | "ready", listener: () => unknown): void;
  on(name: "userConnected", listener: (user: User, connected: boolean) => unknown): void;
  on(name: "createChatMessage", listener: (message: ChatMessage) => unknown): number;
  on(name: "renderChatMessageHTML", listener: (message: ChatMessage, html: HTMLElement) => unknown): void;
  off(name: string, id: number): void;
  on(
    name: "combatStart" | "combatRound" | "combatTurn",
    listener: (combat: Combat, update: CombatUpdate, options?: { direction?: number }) => unknown,
  ): void;
  on(
    name: "updateCombat",
    listener: (combat: Combat, changed: CombatUpdate, options: { direction?: number }, user: string) => unknown,
  ): void;
  on(
    name: "getSceneControlButtons",
    listener: (controls: { [name: string]: { tools: { [name: string]: SceneTool } } | undefined }) => unknown,
  ): void;
}

declare class ApplicationV2 {
  constructor(options?: object);
  readonly element: HTMLElement;
  readonly rendered: boolean;
  readonly position: { left: number; top: number; width: number; height: number | "auto" };
  render(options?: { force?: boolean }): Promise<this>;
  close(options?: object): Promise<this>;
  _prepareContext(options?: object): Promise<object>;
  _onRender(context: object, options: object): Promise<void>;
  _onFirstRender(context: object, options: object): Promise<void>;
  _onClose(options: object): void;
  setPosition(position: object): object;
  _onPosition(position: object): void;
}

declare const Hooks: FoundryHooks;
declare const ui: { notifications: { info(text: string): unknown; warn(text: string): unknown } };
declare const CONFIG: {
  queries: { [name: string]: (data: any, options: { user?: User }) => unknown };
  sounds: { dice: string };
};
declare const ChatMessage: { create(data: object): Promise<ChatMessage> };
declare const Roll: { fromData(data: object): Roll };

declare const foundry: {
  applications: {
    api: {
      ApplicationV2: typeof ApplicationV2;
      HandlebarsApplicationMixin: (base: typeof ApplicationV2) => typeof ApplicationV2;
      DialogV2: { confirm(options: object): Promise<boolean | null> };
    };
    handlebars: { renderTemplate(path: string, data: object): Promise<string> };
  };
};

declare const game: {
  readonly userId: string;
  readonly user: User;
  readonly users: Collection<User>;
  readonly messages: Collection<ChatMessage>;
  readonly world: { readonly id: string };
  readonly modules: Map<string, { api?: unknown }>;
  readonly dice3d?: { waitFor3DAnimationByMessageID?(message: string): Promise<unknown> }; // where Dice So Nice is active
  readonly i18n: {
    readonly lang: string;
    localize(key: string): string;
    format(key: string, data: { [name: string]: string | number }): string;
  };
  readonly socket: { on(name: string, listener: (data: any) => unknown): void; emit(name: string, data: object): void };
  readonly keybindings: { register(scope: string, name: string, action: object): void };
  readonly settings: {
    register(scope: string, name: string, setting: object): void;
    registerMenu(scope: string, name: string, menu: object): void;
    get(scope: string, name: string): any;
    set(scope: string, name: string, value: unknown): Promise<unknown>;
  };
};
