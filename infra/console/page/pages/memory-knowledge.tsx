import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { change, load } from "../api.ts";
import { Action } from "../components/action.tsx";
import { Changed } from "../components/changed.tsx";
import { Curl } from "../components/curl.tsx";
import { Head, Part } from "../components/head.tsx";
import { List } from "../components/list.tsx";
import { Empty } from "../components/states.tsx";
import { Time } from "../components/time.tsx";
import { plural } from "../format.ts";
import { usePaged } from "../paged.ts";
import { address } from "../places.ts";
import type { Try } from "../try.ts";
import { type KnowledgeSource, memoryPath, type Passage } from "./memory-types.ts";

/** The files that the memory has read. */
export function Knowledge() {
  const paged = usePaged<KnowledgeSource>("knowledge", async (pageToken, signal) => {
    type Reply = { sources: KnowledgeSource[]; nextPageToken: string | null };
    const reply = await load<Reply>("v2/memory/knowledge/list", { pageToken }, signal);
    return { items: reply.sources, nextPageToken: reply.nextPageToken };
  });
  const data = {
    fileBase64: "VGFzayxPd25lcgpDYWxsIHRoZSBwcmludGVycyxBbGljZQo=",
    mimeType: "text/csv",
    fileName: "tasks.csv",
  };
  return (
    <Part title="Knowledge sources">
      <List
        label="Knowledge sources"
        paged={paged}
        empty={
          <Empty title="No knowledge sources yet.">
            <p>A knowledge source is a file, such as a table of tasks, from which agents are made. Send the first:</p>
            <Curl path="v2/agents/extract" data={data} />
          </Empty>
        }
      >
        {(each) => (
          <Changed key={each.sourceId} of={each}>
            <a class="title grow" href={address(memoryPath, { source: each.sourceId })}>
              {each.fileName || each.sourceId}
            </a>
            <span class="quiet">{each.mimeType}</span>
            <span class="quiet">{plural(each.chunkCount, "passage")}</span>
            <Time at={each.createdAt} />
          </Changed>
        )}
      </List>
    </Part>
  );
}

/** One file with its passages; the one that is cited is marked. */
export function Source({ sourceId, recordId }: { sourceId: string; recordId?: string | undefined }) {
  const { route } = useLocation();
  const paged = usePaged<Passage>(["source", sourceId], async (pageToken, signal) => {
    type Reply = { passages: Passage[]; nextPageToken: string | null };
    const reply = await load<Reply>("v2/memory/knowledge/get", { sourceId, pageToken }, signal);
    return { items: reply.passages, nextPageToken: reply.nextPageToken };
  });
  const remove = async (attempt: Try) => {
    await change("v2/memory/knowledge/delete", { sourceIds: [sourceId] }, attempt);
    route(address(memoryPath, { view: "knowledge" }));
  };
  const title = paged.items?.[0]?.fileName || sourceId;
  return (
    <>
      <Head
        title={title}
        trail={[
          [memoryPath, "Memory"],
          [address(memoryPath, { view: "knowledge" }), "Knowledge sources"],
        ]}
      >
        <Action
          scope="write"
          tone="bad"
          run={remove}
          done="Source deleted."
          ask={{
            title: "Delete this source?",
            text: "No later answer uses its passages. Nobody can bring it back.",
            confirm: "Delete source",
          }}
        >
          Delete
        </Action>
      </Head>
      <List label="Passages" paged={paged} class="thread" empty={<Empty title="The source has no passages." />}>
        {(each) => <PassageRow key={each.recordId} passage={each} isCited={each.recordId === recordId} />}
      </List>
    </>
  );
}

function PassageRow({ passage: { text, recordId }, isCited }: { passage: Passage; isCited: boolean }) {
  const element = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isCited) element.current?.scrollIntoView({ block: "center" });
  }, [isCited]);
  return (
    <li ref={element} aria-current={isCited ? "true" : undefined}>
      <p class="wrap">{text}</p>
      <code class="quiet">{recordId}</code>
    </li>
  );
}
