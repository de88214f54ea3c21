// What live messages add to a write. A server makes the same call in turn on two documents: a page has one of them open,
// and nobody has the other.
import { type CallLine, newGroup, type Service } from "./processes.ts";
import { newScene, type Scene } from "./scene.ts";
import { after, percentile, rounded } from "./times.ts";

const from = { userId: "writer", name: "Ada Writer" };

async function withThread({ post }: Service, { place }: Scene): Promise<Scene["place"]> {
  const comment = { commentId: "first", from, text: "Please have a look." };
  const comments = [{ annotationId: "thread", from, comments: [comment] }];
  await post("/v2/organizations/documents/data/add", { ...place, location: { id: "p" }, comments, actionUser: from });
  return place;
}

export async function publishFigures(service: Service, client: string, calls: number) {
  const scenes = [await newScene(service, "open", 1), await newScene(service, "closed", 0)];
  const [open, closed] = await Promise.all(scenes.map((each) => withThread(service, each)));
  const group = newGroup();
  // It hears the messages, and reads nothing because of them.
  await group.open({
    kind: "ours",
    url: service.url,
    client,
    place: open as Scene["place"],
    parts: [],
    tokens: scenes[0]?.tokens ?? [],
  });
  await after(1_000);
  const lines = [open, closed].map(() => [] as ReturnType<Service["lines"]>);
  service.lines();
  for (let each = -5; each < calls; each++) {
    for (const [index, place] of [open, closed].entries()) {
      const comments = [{ commentId: `c${each}`, from, text: "The dates have changed." }];
      await service.post("/v2/commentannotations/comments/add", {
        ...place,
        annotationId: "thread",
        comments,
        actionUser: from,
      });
      // Its line arrives through a pipe.
      for (let own: CallLine | undefined; !own; await after(2)) {
        own = service.lines().find(({ endpoint }) => endpoint === "comments-add");
        if (own && each >= 0) lines[index]?.push(own);
      }
    }
  }
  group.end();
  const [ofOpen = [], ofClosed = []] = lines;
  const added = ofOpen.map(({ durationMs }, index) => durationMs - (ofClosed[index]?.durationMs ?? 0));
  const usual = (all: typeof ofOpen, of: "durationMs" | "roundTrips" | "liveRequests") =>
    percentile(
      all.map((each) => each[of] ?? 0),
      0.5,
    );
  return [ofOpen, ofClosed].map((own, index) => ({
    document: index === 0 ? "one page has it open" : "nobody has it open",
    "call p50 ms": rounded(usual(own, "durationMs")),
    "more p50 ms": index === 0 ? rounded(percentile(added, 0.5)) : undefined,
    "requests to DynamoDB": usual(own, "roundTrips"),
    "requests to the engine": usual(own, "liveRequests"),
    "most of them": Math.max(...own.map(({ liveRequests = 0 }) => liveRequests)),
  }));
}
