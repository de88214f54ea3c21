// Domains as requests name them.
import * as z from "zod/mini";
import { normalDomain } from "../workspace/domains.ts";
import { listOf, Text } from "./primitives.ts";

const Domain = Text.check(
  z.refine((text) => normalDomain(text) !== undefined, {
    error: "Must be a domain, an IP address or a URL, with one leading *. at most and without credentials.",
  }),
  z.describe(
    "A domain, an IP address or a URL of at most 65,536 bytes. Protocol, port, path and www. are dropped; " +
      "one leading *. stays; an international name becomes punycode.",
  ),
);

/** 1 to 100, as the contract says. */
export const Domains = listOf(Domain, 100);
