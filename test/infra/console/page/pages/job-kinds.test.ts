import { expect, test } from "vitest";
import * as page from "../../../../../infra/console/page/pages/job-kinds.ts";
import { jobKinds } from "../../../../../lib/grants.ts";

test("the page says of each kind of job what it does", () => {
  expect(Object.keys(page.jobKinds).toSorted()).toEqual(jobKinds.toSorted());
});
