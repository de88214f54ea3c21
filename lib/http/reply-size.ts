// The size of a reply as Lambda counts it. Lambda gets JSON in which the body is a string, so each quote and each
// backslash of the body counts twice (DECISIONS.md#sizes).

/** Lambda's limit is 100 bytes above 6 MB. 16 KB are left for the headers and for the field names of Lambda's JSON. */
const sentBytesMax = 6 * 1_024 * 1_024 - 16_384;

/** UTF-8 takes at most three bytes for a character of JavaScript, and an escape takes two. */
const bytesOfCharacterMax = 3;

/** Bytes of JSON text that is sent as a body. */
function sentBytes(json: string): number {
  return Buffer.byteLength(JSON.stringify(json));
}

/** Bytes of an item of a reply. */
export const sentSize = (item: object) => sentBytes(JSON.stringify(item));

/** Whether the JSON text fits one reply, together with `more` bytes. A text that fits in any case is not counted. */
export function fitsSent(json: string, more = 0): boolean {
  return json.length * bytesOfCharacterMax + more <= sentBytesMax || sentBytes(json) + more <= sentBytesMax;
}
