// What a function asks of AWS under a role, and whether the role allows it.
import { labelOf, nameOf } from "./labels.ts";
import { allowing, type Need, type Statement } from "./policy.ts";

export interface Session {
  /** Of the function. */
  name: string;
  /** The role as it is now. */
  role: readonly Statement[];
  /** The role with what was taken from it. */
  whole: readonly Statement[];
  /** The permissions of the role that have allowed something, as `labels.ts` names them. */
  used: Set<string>;
  /** What the whole role lacks. */
  denials: Set<string>;
  /** Permissions that were taken from the role, and without each of which alone a request would be denied. */
  missed: Set<string>;
  /** Requests whose permission is not known here. They fail, and so does the rehearsal. */
  unknown: Set<string>;
  /** Whether the table fails, jobs excepted. */
  isTableDown: boolean;
}

/** `taken`: names of permissions that are taken from the role until a request is denied because of them. */
export function newSession(name: string, whole: readonly Statement[], taken: readonly string[] = []): Session {
  const role = whole.filter((each) => !taken.includes(nameOf(each)));
  const noted = { used: new Set<string>(), denials: new Set<string>(), missed: new Set<string>() };
  return { name, role, whole, ...noted, unknown: new Set(), isTableDown: false };
}

/** Whether a request fails because the table does: one that is not only for jobs. */
export function meetsOutage({ isTableDown }: Session, needs: readonly Need[]): boolean {
  return isTableDown && !needs.flatMap(leadingKeys).every((key) => key.startsWith("JOB#"));
}

const leadingKeys = ({ context }: Need) => context?.["dynamodb:LeadingKeys"] ?? [];

/** Notes the needs in the session. Returns the first one that the role does not allow. */
export function firstDenied(session: Session, needs: readonly Need[]): Need | undefined {
  const denied = needs.filter((need) => {
    const statements = allowing(session.role, need);
    for (const each of statements) session.used.add(nameOf(each));
    return statements.length === 0;
  });
  for (const need of denied) deny(session, need);
  return denied[0];
}

/** Gives back what was taken from the role and allows the need. So the next request is allowed. */
function deny(session: Session, need: Need): void {
  const back = allowing(session.whole, need);
  const names = new Set(back.map(nameOf));
  if (names.size === 0) session.denials.add(labelOf(need));
  // With more names, the role without one of them would allow the need.
  if (names.size === 1) session.missed.add([...names].join());
  session.role = session.whole.filter((each) => session.role.includes(each) || back.includes(each));
}

/** Notes those of the needs that the role does not allow, for requests that it has not made. */
export function noteLacking(session: Session, needs: readonly Need[]): void {
  for (const need of needs) if (allowing(session.role, need).length === 0) deny(session, need);
}

/** Returns the needs. An error of their computation is noted in the session. */
export function knownNeeds(session: Session, compute: () => Need[]): Need[] {
  try {
    return compute();
  } catch (thrown) {
    session.unknown.add(String(thrown));
    throw thrown;
  }
}
