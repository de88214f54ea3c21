// Says which addresses are public. IPv6 is refused outside the one block that is allocated as global unicast. So
// loopback, link-local, site-local, ULA, multicast, v4-mapped, v4-compatible and both NAT64 prefixes need no entry.
import { BlockList, isIP } from "node:net";

/** IANA's special-purpose registry, multicast and class E. 168.63.129.16 is Azure's host agent, in a public range. */
const specialIPv4 = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12
  192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15
  198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`;
const globalIPv6 = "2000::/3";
/** Not public in it: protocol assignments (Teredo, benchmarking, ORCHID), documentation, 6to4, AS112. */
const specialIPv6 = "2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20";

type AddressTest = (address: string) => boolean;

/**
 * A test for membership in CIDR blocks (or single addresses), separated by commas or white space.
 * @throws Error if an entry is neither.
 */
export function inBlocks(cidrs: string): AddressTest {
  // One list for each family: a single list would match ::ffff:a.b.c.d against the IPv4 blocks.
  const lists = { 4: new BlockList(), 6: new BlockList() };
  for (const cidr of cidrs.split(/[\s,]+/).filter(Boolean)) {
    const [network = "", prefix, ...rest] = cidr.split("/");
    const version = isIP(network) as 0 | 4 | 6;
    const bits = version === 4 ? 32 : 128;
    const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
    if (version === 0 || network.includes("%") || rest.length > 0 || !(length <= bits)) {
      throw new Error(`"${cidr}" is not a CIDR block.`);
    }
    lists[version].addSubnet(network, length, `ipv${version}`);
  }
  return (address) => {
    const version = isIP(address) as 0 | 4 | 6;
    // An address with a zone id (fe80::1%eth0) never matches: the zone is an interface of this machine.
    return version !== 0 && !address.includes("%") && lists[version].check(address, `ipv${version}`);
  };
}

let blocks: { special: AddressTest; global: AddressTest } | undefined;

/** Whether an IP address is on the public internet; false for anything that is not an IP address. */
export function isPublic(address: string): boolean {
  blocks ??= { special: inBlocks(`${specialIPv4} ${specialIPv6}`), global: inBlocks(`0.0.0.0/0 ${globalIPv6}`) };
  return blocks.global(address) && !blocks.special(address);
}
