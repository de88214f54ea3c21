import { lookup } from "node:dns";
import { config } from "../config.ts";
import { inBlocks, isPublic } from "./address.ts";

/** Which addresses outbound requests may use, and how a name is resolved. */
export interface Egress {
  isAllowed(address: string): boolean;
  /** All addresses of a name. */
  resolve(hostname: string): Promise<string[]>;
}

/** Allows public addresses, and addresses in `allowCidrs` (CIDR blocks, separated by commas). */
export function egress(allowCidrs: string, resolve: Egress["resolve"] = resolveBySystem): Egress {
  const isListed = inBlocks(allowCidrs);
  return { isAllowed: (address) => isListed(address) || isPublic(address), resolve };
}

let known: { cidrs: string; egress: Egress } | undefined;

/** The rule of the operator's setting EGRESS_ALLOW_CIDRS. Throws if the setting is malformed. */
export function defaultEgress(): Egress {
  const cidrs = config.egressAllowCidrs();
  if (known?.cidrs !== cidrs) known = { cidrs, egress: egress(cidrs) };
  return known.egress;
}

function resolveBySystem(hostname: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    lookup(hostname, { all: true, order: "verbatim" }, (error, answers) => {
      if (error) reject(error);
      else resolve(answers.map(({ address }) => address));
    });
  });
}
