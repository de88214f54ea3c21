import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { Empty, Loaded } from "../components/list.tsx";
import { Markdown } from "../components/markdown.tsx";
import { Head, Tag } from "../components/page.tsx";
import { useOpenApi } from "../openapi.ts";
import { address } from "../places.ts";
import { type Entry, entriesOf, isForUsers, type OpenApi, searched } from "./reference-document.ts";
import { OperationView } from "./reference-operation.tsx";

/** The reference of the API: an introduction, and a page for each operation. */
export function Reference() {
  const { query } = useLocation();
  const live = useOpenApi();
  return (
    <Loaded live={live}>
      {(document) => {
        const entries = entriesOf(document);
        const entry = entries.find(({ operation }) => operation.operationId === query.operation);
        return (
          <div class={query.operation ? "reference" : "reference start"}>
            <Contents groups={document["x-tagGroups"]} entries={entries} current={entry} />
            <div>
              {entry && <OperationView key={query.operation} document={document} entry={entry} />}
              {!entry && <Head title="API reference" />}
              {!entry && query.operation && <Empty title="The API has no such operation." />}
              {!entry && !query.operation && <Markdown text={document.info.description} />}
            </div>
          </div>
        );
      }}
    </Loaded>
  );
}

interface ContentsProps {
  groups: OpenApi["x-tagGroups"];
  entries: readonly Entry[];
  current: Entry | undefined;
}

function Contents({ groups, entries, current }: ContentsProps) {
  const [text, setText] = useState("");
  const isSearch = text.trim() !== "";
  const found = searched(entries, text);
  const currentTag = current?.operation.tags[0];
  return (
    <nav class={isSearch ? "contents found" : "contents"} aria-label="Operations">
      <a href="/docs" aria-current={current ? undefined : "page"}>
        Introduction
      </a>
      <label class="field">
        <span>Search</span>
        <input
          type="search"
          value={text}
          placeholder="A word, or a path"
          autocomplete="off"
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {isSearch && <Entries entries={found} current={current} />}
      {!isSearch &&
        groups.map(({ name, tags }) => (
          <section key={name} aria-label={name}>
            <h2>{name}</h2>
            {tags.map((tag) => (
              <details key={tag} open={tag === currentTag}>
                <summary>{tag}</summary>
                <Entries entries={entries.filter(({ operation }) => operation.tags.includes(tag))} current={current} />
              </details>
            ))}
          </section>
        ))}
      <p role="status" class="quiet">
        {found.length === 0 && "Nothing has these words."}
      </p>
    </nav>
  );
}

function Entries({ entries, current }: Pick<ContentsProps, "entries" | "current">) {
  return (
    <ul>
      {entries.map((entry) => {
        const { operationId, summary } = entry.operation;
        return (
          <li key={operationId}>
            <a
              href={address("/docs", { operation: operationId })}
              aria-current={operationId === current?.operation.operationId ? "page" : undefined}
            >
              {summary} {isForUsers(entry) && <Tag>users</Tag>}
              {entry.path && <small>{entry.path}</small>}
            </a>
          </li>
        );
      })}
    </ul>
  );
}
