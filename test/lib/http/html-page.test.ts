import { expect, it } from "vitest";
import { page } from "../../../lib/http/html-page.ts";

it("escapes every text", () => {
  const hostile = `<script>alert("1")</script>&'`;
  const html = page({ title: hostile, text: hostile, button: hostile });
  expect(html).not.toContain("<script");
  expect(html.match(/&lt;script&gt;alert\(&quot;1&quot;\)&lt;\/script&gt;&amp;&#39;/g)).toHaveLength(4);
});

it("has a form only with a button", () => {
  expect(page({ title: "t", text: "x" })).not.toContain("<form");
});
