// What users may call and send (DECISIONS.md#calls-of-users).
import { expect, it } from "vitest";
import { endpoints } from "../../infra/deployables.ts";

it("user-doors.txt has each endpoint that users may call, with the access: else think of a page's user, then run `npm run update`", async () => {
  const lines = endpoints.flatMap(({ path, users }) => (users ? [`${users} ${path}\n`] : []));
  await expect(lines.sort().join("")).toMatchFileSnapshot("user-doors.txt");
});
