// A session by openapi-fetch, with the types that openapi-typescript makes of /openapi.json; its argument is the server.
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

const baseUrl = process.argv[2];
const by = (token: string) => createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });

const { data: opened } = await createClient<paths>({ baseUrl }).POST("/api/rooms", { body: { title: "The Chapel" } });
if (!opened) throw new Error("no room");
const gm = by(opened.gm.token);
const params = { path: { room: opened.room_id } };
const { data: ines } = await gm.POST("/api/rooms/{room}/invites", { params, body: { role: "player", name: "Ines" } });
if (!ines) throw new Error("no seat");
await gm.POST("/api/rooms/{room}/commands", {
  params,
  body: { type: "start_countdown", id: "air", name: "Air", pool: 5, owner: ines.seat_id },
});
const rolled = await by(ines.token).POST("/api/rooms/{room}/commands", {
  params,
  body: { type: "roll_countdown", countdown_id: "air" },
});
const { data: view } = await by(ines.token).GET("/api/rooms/{room}", { params });
const air = view?.channels["public"]?.countdowns?.["air"];
const refused = await by(ines.token).POST("/api/rooms/{room}/commands", { params, body: { type: "end_turn" } });
const json = { headers: { Accept: "application/json" } };
const { data: log } = await by(ines.token).GET("/api/rooms/{room}/log", { params, ...json });
const odds = await createClient<paths>({ baseUrl }).GET("/api/odds/total", { params: { query: { dice: 5 } } });
console.log(rolled.response.status, air?.last_faces?.length, refused.error?.code, odds.data?.mean.fraction, typeof log === "object" && log.at(-1)?.event.type);
