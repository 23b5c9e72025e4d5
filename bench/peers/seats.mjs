// What both Colyseus peers share: a room that stays, and seats in it by our names for rooms.
import { createServer } from "node:http";
import { Room, Server, matchMaker } from "@colyseus/core";
import { WebSocketTransport } from "@colyseus/ws-transport";
export class StayingRoom extends Room {
  maxClients = 100000;
  autoDispose = false;
  patchRate = null;
}
export async function serve(Table) {
  const ids = new Map(); // our room name -> Colyseus room id
  const server = new Server({
    greet: false,
    transport: new WebSocketTransport({ server: createServer(), pingInterval: 0 }),
    express: (app) =>
      app.get("/seat/:room", async (request, response) => {
        const name = request.params.room;
        if (!ids.has(name)) ids.set(name, matchMaker.createRoom("table", {}).then((room) => room.roomId));
        response.json(await matchMaker.joinById(await ids.get(name), {}));
      }),
  });
  server.define("table", Table);
  await server.listen(+process.argv[2], "127.0.0.1");
}
