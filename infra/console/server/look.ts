// A page of the console loads again every few seconds. Its calls that load have this header, and the terminal of the
// local server leaves them out unless they fail.
export const lookHeader = "x-console-look";

export const isLook = (headers: Record<string, unknown>): boolean => headers[lookHeader] !== undefined;
