import type { Keys } from "./keys.ts";
import type { Operations } from "./operations.ts";

export function stackOperations(_stack: string, _keys: Keys): Operations {
  return {};
}
