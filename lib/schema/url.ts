// The check of an address that the service will call. A host name is resolved only when it is called.
import { checkUrl } from "../net/url.ts";
import { mustHaveNo } from "./must-have-no.ts";

/** Refuses a URL that cannot be called. */
export const mustBeCallable = mustHaveNo(checkUrl);
