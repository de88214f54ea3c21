/** Says for each request of a name whether fewer than `max` came within the last `windowMs`. */
export function rateLimit(max: number, windowMs: number): (name?: string) => boolean {
  const times = new Map<string, number[]>();
  return (name = "") => {
    const now = Date.now();
    const recent = (times.get(name) ?? []).filter((at) => now - at < windowMs);
    times.set(name, recent);
    return recent.length < max && recent.push(now) > 0;
  };
}
