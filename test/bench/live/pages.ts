// Pages that have a document open, as a process of their own. They use our client, or the providers of y-websocket and
// Hocuspocus. The bench tells it what to do, one question after another.
import { createRequire } from "node:module";
import type { Socket } from "node:net";
import * as Y from "yjs";
import { countFrames, frames } from "./frames.ts";
import { after, clock } from "./times.ts";

export type Kind = "ours" | "y-websocket" | "hocuspocus";

export interface Opening {
  kind: Kind;
  url: string;
  /** The folder of the built client, for ours. */
  client?: string;
  place?: { organizationId: string; documentId: string };
  /** A page for each. Theirs need none, and open `count` pages. */
  tokens?: readonly string[];
  count?: number;
  /** What the pages look at. */
  parts: readonly ("text" | "comments" | "peers")[];
}

interface Page {
  type(): void;
  /** Resolves when it is acknowledged; at once where nobody acknowledges. */
  comment(id: string): Promise<unknown>;
  share(value: number): void;
  renew(): void;
  close(): void;
  /** The number of characters, and whether others have taken all of them. */
  text(): { length: number; isStored: boolean };
}

/** When each change was shown, by its name, on all pages of this process. */
const shown = new Map<string, number[]>();
const joined: number[] = [];
const pages: Page[] = [];
let looks: (() => void)[] = [];

function show(name: string): void {
  const times = shown.get(name) ?? [];
  times.push(clock());
  shown.set(name, times);
  look();
}

function join(): void {
  joined.push(clock());
  look();
}

const look = () => looks.forEach((each) => void each());

/** Resolves when it is so, or after a time. */
function until(isSo: () => boolean, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      looks = looks.filter((each) => each !== see);
      clearTimeout(timer);
      resolve();
    };
    const see = () => void (isSo() && end());
    const timer = setTimeout(end, timeoutMs);
    looks.push(see);
    see();
  });
}

/** Names the characters and the comments that a page shows for the first time. */
function shower() {
  let length: number | undefined;
  const known = new Set<string>();
  return {
    text(now: number) {
      // What was there before the page has come is not new.
      for (let each = (length ?? now) + 1; each <= now; each++) show(`t${each}`);
      length = Math.max(length ?? 0, now);
    },
    comments(ids: readonly string[]) {
      for (const id of ids) if (!known.has(id)) show(id);
      for (const id of ids) known.add(id);
    },
  };
}

/** A page that is not live by then counts as one that is not. */
const openMs = 120_000;

type Make = (opening: Opening, token: string) => Promise<Page>;

const ours: Make = async ({ url, client: folder, place = {}, parts }, token) => {
  const { createBrowserClient } = await import(`${folder}/browser.js`);
  const { CollaborationProvider } = await import(`${folder}/yjs.js`);
  const client = createBrowserClient({ url, getToken: async () => token });
  const document = client.document(place);
  const [doc, shows] = [new Y.Doc(), shower()];
  let state = "";
  let areCommentsRead = !parts.includes("comments");
  const looked = {
    status(status: { state: string }) {
      const isNew = status.state === "live" && state !== "live";
      state = status.state;
      if (isNew) join();
    },
    ...(parts.includes("comments") && {
      comments(all?: { annotationId: string }[]) {
        if (all) shows.comments(all.map(({ annotationId }) => annotationId));
        areCommentsRead ||= all !== undefined;
        look();
      },
    }),
    ...(parts.includes("peers") && {
      peers: () => {},
    }),
  };
  const end = document.subscribe(looked);
  const editor = { client, ...place, editorId: "body", doc, type: "text", awareness: null };
  const provider = parts.includes("text") ? new CollaborationProvider(editor) : undefined;
  provider?.on("sync", () => {
    shows.text(doc.getText("body").length);
    look();
  });
  doc.on("update", () => provider?.synced && shows.text(doc.getText("body").length));
  await until(() => state === "live" && areCommentsRead && provider?.synced !== false, openMs);
  return {
    type: () => doc.getText("body").insert(doc.getText("body").length, "x"),
    comment: (annotationId) =>
      document.addThread({ id: "page-1" }, { annotationId, comment: { text: textOf(annotationId) } }).done,
    share: (value) => document.share("cursor", value),
    renew: () => document.session.renewSoon(),
    close() {
      provider?.destroy();
      end();
    },
    text: () => ({ length: doc.getText("body").length, isStored: provider?.hasUnsyncedChanges === false }),
  };
};

/** A page of a provider whose server keeps the document of Yjs. A comment is an entry of a map. */
function theirs(doc: Y.Doc, close: () => void, isTaken: () => boolean): Page {
  const [shows, text, comments] = [shower(), doc.getText("body"), doc.getMap("comments")];
  const showAll = () => {
    shows.text(text.length);
    shows.comments([...comments.keys()]);
  };
  showAll();
  doc.on("update", showAll);
  return {
    type: () => text.insert(text.length, "x"),
    async comment(id) {
      comments.set(id, {
        from: { userId: "writer", name: "Ada Writer" },
        text: textOf(id),
        createdAt: new Date().toISOString(),
      });
    },
    share: () => {},
    renew: () => {},
    close,
    text: () => ({ length: text.length, isStored: isTaken() }),
  };
}

const make: Record<Kind, Make> = {
  ours,
  async "y-websocket"({ url }) {
    const { WebsocketProvider } = await import("y-websocket");
    const doc = new Y.Doc();
    const provider = new WebsocketProvider(url, "plan", doc, { disableBc: true });
    await new Promise<void>((resolve) => provider.once("sync", () => resolve()));
    provider.on("sync", (isSynced: boolean) => isSynced && join());
    join();
    // It acknowledges nothing.
    return theirs(
      doc,
      () => provider.destroy(),
      () => provider.wsconnected,
    );
  },
  async hocuspocus({ url }) {
    const { HocuspocusProvider } = await import("@hocuspocus/provider");
    const doc = new Y.Doc();
    const provider = new HocuspocusProvider({ url, name: "plan", document: doc });
    await new Promise<void>((resolve) => void provider.on("synced", () => resolve()));
    provider.on("synced", join);
    join();
    return theirs(
      doc,
      () => provider.destroy(),
      () => !provider.hasUnsyncedChanges,
    );
  },
};

const textOf = (id: string) => `Comment ${id}: the dates have changed, please have a look at the second table.`;

const net = createRequire(import.meta.url)("node:net") as { connect: (...args: never[]) => Socket };
const sockets = new Set<Socket>();
let closedBytes = 0;
const { connect } = net;
net.connect = (...args) => {
  const socket = connect(...args);
  sockets.add(socket);
  socket.once("close", () => {
    sockets.delete(socket);
    closedBytes += socket.bytesRead + socket.bytesWritten;
  });
  return socket;
};
countFrames();

/** What the bench can ask. The names of the methods are on the wire. */
const answers = {
  /** Opens pages, `perSecond` at most. Resolves when all are live and show what is stored. */
  async open(opening: Opening, perSecond = 1_000) {
    const { kind, tokens = Array.from({ length: opening.count ?? 1 }, () => "") } = opening;
    const opened = tokens.map(async (token, index) => {
      await after((index * 1_000) / perSecond);
      return make[kind](opening, token);
    });
    pages.push(...(await Promise.all(opened)));
  },
  /** Types characters, `everyMs`. Returns when each was typed, by its name. */
  async type(count: number, everyMs: number) {
    const typed: Record<string, number> = {};
    for (let each = 0; each < count; each++) {
      if (each > 0) await after(everyMs);
      typed[`t${(pages[0]?.text().length ?? 0) + 1}`] = clock();
      pages[0]?.type();
    }
    return typed;
  },
  /** Adds comments, one after another. Returns when each was added, and when it was acknowledged. */
  async comment(ids: readonly string[], everyMs: number) {
    const added: Record<string, number> = {};
    const took: number[] = [];
    for (const id of ids) {
      const at = clock();
      added[id] = at;
      await pages[0]?.comment(id);
      took.push(clock() - at);
      await after(everyMs);
    }
    return { added, took };
  },
  async share(count: number, everyMs: number) {
    for (let each = 1; each <= count; each++) {
      pages[0]?.share(each);
      await after(everyMs);
    }
  },
  /** All pages open again, within two seconds. */
  async renew() {
    for (const each of pages) each.renew();
    await after(2_500);
  },
  /** Resolves when each of the names is shown on `count` pages, or after a time. Returns the times. */
  async shown(names: readonly string[], count: number, timeoutMs: number) {
    await until(() => names.every((name) => (shown.get(name)?.length ?? 0) >= count), timeoutMs);
    return Object.fromEntries(names.map((name) => [name, shown.get(name) ?? []]));
  },
  text: () => pages.map((each) => each.text()),
  stored: async (timeoutMs: number) => {
    for (const end = clock() + timeoutMs; clock() < end && pages.some((each) => !each.text().isStored); )
      await after(10);
  },
  /** The bytes of all connections, both ways. */
  bytes: () => [...sockets].reduce((sum, each) => sum + each.bytesRead + each.bytesWritten, closedBytes),
  frames,
  /** Ends all connections at once. Returns the times at which pages are live again. */
  async cut(timeoutMs: number) {
    const before = joined.length;
    const at = clock();
    for (const socket of sockets) socket.destroy();
    await until(() => joined.length >= before + pages.length, timeoutMs);
    return { at, live: joined.slice(before) };
  },
  close() {
    for (const page of pages.splice(0)) page.close();
  },
};
export type Answers = typeof answers;

process.on("message", async ({ id, name, args }: { id: number; name: keyof Answers; args: never[] }) => {
  try {
    process.send?.({ id, result: await (answers[name] as (...given: never[]) => unknown)(...args) });
  } catch (thrown) {
    process.send?.({ id, error: String((thrown as Error)?.stack ?? thrown) });
  }
});
process.on("disconnect", () => process.exit());
