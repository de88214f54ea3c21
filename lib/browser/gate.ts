// The steps of calls that users make with their tokens, for `lambda()`. Only endpoints that users may call bundle them.
import type { UserGate } from "../http/lambda.ts";
import { requireAccess } from "./access.ts";
import { fill, shown } from "./actor.ts";
import { identify, isCalling } from "./identify.ts";
import { preflight, readableBy } from "./origin.ts";

export const forUsers: UserGate = { isCalling, preflight, readableBy, identify, fill, requireAccess, shown };
