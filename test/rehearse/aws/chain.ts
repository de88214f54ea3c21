// Detection of recursive loops: Lambda counts in the trace header how often a function was invoked in one chain, and
// the SDK passes that header on with each message.
import { hash } from "node:crypto";

/** Lambda stops a chain after about this many invocations of the same function. */
export const loopsMax = 16;

/** The trace header of the next invocation of the function, in the chain that sent the message. */
export function traceOfInvocation(name: string, sent: string): { trace: string; loops: number } {
  const counts = new Map(lineageOf(sent));
  const id = hash("sha256", name).slice(0, 8);
  const loops = (counts.get(id) ?? 0) + 1;
  counts.set(id, loops);
  const root = /Root=[^;]+/.exec(sent)?.[0] ?? `Root=1-${hash("sha256", `${name}${Date.now()}`).slice(0, 24)}`;
  const lineage = [...counts].map(([each, count]) => `${each}:${count}`).join("|");
  return { trace: `${root};Parent=0000000000000001;Sampled=0;Lineage=${lineage}`, loops };
}

function lineageOf(trace: string): [string, number][] {
  const [, text = ""] = /Lineage=([^;]+)/.exec(trace) ?? [];
  return text.split("|").flatMap((each): [string, number][] => {
    const [id = "", count = ""] = each.split(":");
    return id ? [[id, Number(count)]] : [];
  });
}
