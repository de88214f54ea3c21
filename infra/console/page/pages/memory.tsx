import { useLocation } from "preact-iso";
import { Head } from "../components/head.tsx";
import { Tabs } from "../components/tabs.tsx";
import { address, viewOf } from "../places.ts";
import { Ask } from "./memory-ask.tsx";
import { Knowledge, Source } from "./memory-knowledge.tsx";
import { RecordView } from "./memory-record.tsx";
import { Search } from "./memory-search.tsx";
import { memoryPath } from "./memory-types.ts";

const tabs = [
  [memoryPath, "Ask"],
  [address(memoryPath, { view: "search" }), "Search judgments"],
  [address(memoryPath, { view: "knowledge" }), "Knowledge sources"],
] as const;

/** What the workspace has decided and read, and questions about it. */
export function Memory() {
  const { query } = useLocation();
  if (query.record) return <RecordView key={query.record} recordId={query.record} />;
  if (query.source) return <Source key={query.source} sourceId={query.source} />;
  const current = viewOf({ search: "Search judgments", knowledge: "Knowledge sources" }, query.view) ?? "Ask";
  return (
    <>
      <Head title="Memory" />
      <Tabs label="Memory" tabs={tabs} current={current} />
      {current === "Ask" && <Ask />}
      {current === "Search judgments" && <Search />}
      {current === "Knowledge sources" && <Knowledge />}
    </>
  );
}
