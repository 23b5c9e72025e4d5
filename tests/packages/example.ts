/** A program in TypeScript, strict: it opens a room, lets somebody roll, and says what came of it. */
import { connect, type Room } from "@dreadclock/client";
import { invite, odds, openRoom } from "@dreadclock/client/rest";
import type { Command, Countdown, EventRecord } from "@dreadclock/client/types";

const server: string = process.argv[2] ?? "http://127.0.0.1:7717";
const { gm } = await openRoom(server, { title: "From TypeScript" });
const { link } = await invite(gm.link, { role: "player", name: "Ines" });
const room: Room = await connect(gm.link);
const start: Command = { type: "start_countdown", id: "water", name: "The water rises", pool: 4, speed: "medium" };
await room.submit(start);
const { records }: { records: readonly EventRecord[] } = await room.submit({ type: "roll_countdown", countdown_id: "water" });
const water: Countdown | undefined = room.view.countdowns.get("water");
for (const { event } of records) {
  if (event.type === "countdown_rolled") console.log(event.faces.length, event.remaining, water?.pool, link.length > 0);
}
await odds(server, "countdown", { pool: 4, speed: "medium" });
room.close();
