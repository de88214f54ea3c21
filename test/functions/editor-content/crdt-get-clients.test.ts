// An editor with almost as many clients as 3.5 MB can have. Each has one deleted character.
import { expect, it } from "vitest";
import * as Y from "yjs";
import { commit } from "../../../lib/jobs/commit.ts";
import * as Crdt from "../../../lib/store/crdt/crdt.ts";
import { base64, bytes, mergeNow, ofClients, read, refOf, send } from "../../support/crdt.ts";
import { newDocument } from "../../support/feature-data.ts";

it("returns the whole update, and takes the state vector of a client that has loaded it", async () => {
  const as = await newDocument();
  const state = ofClients(0x80000000, 370_000);
  await commit(Crdt.creation(await refOf(as), { type: "text", contentKey: "content", state }));
  expect((await send(as, ofClients(0xf0000000, 10_000))).status).toBe(200);
  const reply = await read(as);
  expect(reply).not.toHaveProperty("stateVector");
  const own = Y.encodeStateVectorFromUpdate(bytes(reply.update));
  expect(Y.decodeStateVector(own).size).toBe(380_000);
  await mergeNow(as);
  expect((await send(as, ofClients(1, 1))).status).toBe(200);
  const { update, stateVector } = await read(as, { stateVector: base64(own) });
  expect(Y.decodeUpdate(bytes(update)).structs).toHaveLength(1);
  expect(Y.decodeStateVector(bytes(stateVector as string)).size).toBe(380_001);
});
