// An editor with many clients, each of which has one deleted character: in the long trial, almost as many as 3.5 MB can
// have. In the exact tests, text takes the place of a third of them.
import { expect, it } from "vitest";
import * as Y from "yjs";
import { encode } from "../../../lib/crdt/state.ts";
import { commit } from "../../../lib/jobs/commit.ts";
import * as Crdt from "../../../lib/store/crdt/crdt.ts";
import { base64, bytes, mergeNow, ofClients, read, refOf, send } from "../../support/crdt.ts";
import { newDocument } from "../../support/feature-data.ts";
import { isLong } from "../../support/long.ts";

const [clients, characters] = isLong ? [370_000, 1] : [230_000, 1_400_000];
const content = { type: "text", contentKey: "content" } as const;

it("returns the whole update, and takes the state vector of a client that has loaded it", async () => {
  const as = await newDocument();
  const text = encode({ ...content, data: "x".repeat(characters) });
  const state = Y.mergeUpdates([ofClients(0x80000000, clients), text]);
  await commit(Crdt.creation(await refOf(as), { ...content, state }));
  expect((await send(as, ofClients(0xf0000000, 10_000))).status).toBe(200);
  const reply = await read(as);
  expect("stateVector" in reply).toBe(false);
  const own = Y.encodeStateVectorFromUpdate(bytes(reply.update));
  expect(Y.decodeStateVector(own).size).toBe(clients + 10_001);
  await mergeNow(as);
  expect((await send(as, ofClients(1, 1))).status).toBe(200);
  const { update, stateVector } = await read(as, { stateVector: base64(own) });
  expect(Y.decodeUpdate(bytes(update)).structs).toHaveLength(1);
  expect(Y.decodeStateVector(bytes(stateVector as string)).size).toBe(clients + 10_002);
});
