// AppSync Events at its worst. A publication fails before or after it was carried out. An event is lost, arrives twice,
// or arrives after later ones. A connection ends.
import { Chance } from "./chance.ts";
import { type LiveRates, liveRates } from "./rates.ts";

export interface HardLive {
  /** Passes an event on to a subscription by `hear`, or ends its connection. */
  pass(hear: () => void, end: () => void): void;
  publish<T>(run: () => Promise<T>): Promise<T>;
  close(): void;
}

export function hardLive(seed: number, rates: LiveRates = liveRates): HardLive {
  const chance = new Chance(seed);
  const late = new Set<NodeJS.Timeout>();
  return {
    pass(hear, end) {
      const draw = chance.next("live", "event");
      if (draw("ended") < rates.ended) return end();
      if (draw("lost") < rates.lost) return;
      const arrive = (which: string) => {
        if (draw(`late ${which}`) >= rates.late) return hear();
        const timer = setTimeout(() => late.delete(timer) && hear(), draw(`delay ${which}`) * rates.lateMsMax);
        late.add(timer);
      };
      arrive("first");
      if (draw("doubled") < rates.doubled) arrive("second");
    },
    async publish(run) {
      const draw = chance.next("live", "publication");
      if (draw("failed") >= rates.failed) return run();
      if (draw("sent") < 0.5) await run();
      throw new Error("The publication failed."); // The server replies with status 500.
    },
    close() {
      for (const timer of late) clearTimeout(timer);
      late.clear();
    },
  };
}
