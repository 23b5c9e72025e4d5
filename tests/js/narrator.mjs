/** Tells what it is given: a list of jobs as JSON on stdin, and their results in the same order on stdout. */

import { readFileSync } from "node:fs";

import { Protocol, View } from "../../client_sdk/js/dreadclock.js";
import { Messages, isolated, parse, plain } from "../../client_sdk/js/messages.js";
import { Narrator, QUIET, isQuiet } from "../../client_sdk/js/narration.js";
import { parse as parseJson, read } from "../../client_sdk/js/records.js";
import { MODELS } from "../../client_sdk/js/shapes.js";

const CATALOGUES = new URL("../../client_sdk/src/dreadclock/narration/", import.meta.url);
const TRANSCRIPTS = new URL("../golden/transcripts/", import.meta.url);

const load = (folder, name) => JSON.parse(readFileSync(new URL(name, folder), "utf8"));
const narrators = new Map();

function narrator(language) {
  if (!narrators.has(language)) {
    narrators.set(language, new Narrator(language, load(CATALOGUES, `narration.${language}.json`)));
  }
  return narrators.get(language);
}

function viewOf(fields) {
  return new View(read(MODELS.ViewParts, parseJson(JSON.stringify(fields)), "a view").channels);
}

/** Tell every record of a transcript with the view after it and the one before it. */
function* toldOf({ room, token, client, steps }, languages) {
  const one = new Protocol(room, token, client);
  for (const step of steps) {
    const before = one.state === "open" ? one.mirror.view : undefined;
    for (const output of taken(one, step)) {
      if (output.type !== "happened") continue;
      yield languages.map((language) => narrator(language).told(output.record, one.mirror.view, before));
    }
    one.framesToSend();
  }
}

function taken(one, step) {
  try {
    if (step.do === "receive") return one.receive(step.frame.join("\n"));
    if (step.do === "give_up") return one.giveUp();
    if (step.do === "submit") one.submit(step.command);
    else one[{ connect: "connect", closed: "disconnect", resend: "resend" }[step.do]]();
  } catch (error) {
    if (!step.violation && !step.full && !step.refused) throw error;
  }
  return [];
}

function attempt(work) {
  try {
    return work();
  } catch (error) {
    return { error: error.constructor.name };
  }
}

const jobs = {
  text: ({ language, templates, key, fields }) => attempt(() => new Messages(language, templates).text(key, fields)),
  parse: ({ template }) => attempt(() => Boolean(parse(template))),
  forms: ({ language, upTo }) => {
    const rules = new Intl.PluralRules(language);
    return [...Array(upTo).keys()].map((number) => rules.select(number));
  },
  tell: ({ languages, record, view }, views) =>
    languages.map((language) => narrator(language).told(record, views[view])),
  follows: ({ languages, record, view }, views) =>
    languages.map((language) => narrator(language).follows(record.event.consequence, views[view])),
  refuse: ({ language, code, details, sentence }) => narrator(language).refusal(code, details, sentence),
  transcript: ({ name, languages }) => [...toldOf(load(TRANSCRIPTS, name), languages)],
  isolated: ({ texts }) => texts.map(isolated),
  plain: ({ texts }) => texts.map(plain),
  right_to_left: () => {
    const codes = [...Array(0x110000).keys()];
    return codes.filter((code) => isolated(String.fromCodePoint(code)) !== String.fromCodePoint(code));
  },
  quiet: () => [...QUIET],
  is_quiet: ({ record }) => isQuiet(record.event),
};

const given = JSON.parse(readFileSync(0, "utf8"));
const views = (given.views ?? []).map(viewOf);
console.log(JSON.stringify(given.jobs.map(({ do: what, ...fields }) => jobs[what](fields, views))));
