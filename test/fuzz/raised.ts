// Loaded into the service before it starts: each disturbance of the hard engine comes four times as often.
import { queueRates, rates } from "../../infra/local/hard/rates.ts";

const factor = 4;
for (const each of [rates, queueRates] as object[] as Record<string, number>[]) {
  for (const [name, share] of Object.entries(each)) if (!name.endsWith("Max")) each[name] = share * factor;
}
