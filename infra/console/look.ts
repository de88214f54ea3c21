// A page of the console asks again every few seconds. Such a call says so, and the terminal of the server leaves it out.
import type { IncomingHttpHeaders } from "node:http";

export const lookHeader = "x-console-look";

export const isLook = (headers: IncomingHttpHeaders): boolean => headers[lookHeader] !== undefined;
