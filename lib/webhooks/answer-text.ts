// The part of a receiver's reply that is kept (DECISIONS.md#webhook-log).

/** Bytes of the text, as UTF-8. */
const answerBytesMax = 1_024;
/** A receiver knows its secret, and a page that it shows for an error can contain it. */
const secretCharactersMax = 128;

/** Bytes of a reply to read: a secret that begins within the kept bytes can be recognized whole. */
export const replyBytesMax = answerBytesMax + secretCharactersMax;

/** The first 1 KB of a body as well-formed text, without the endpoint's secrets. */
export function answerText(body: Buffer, secrets: readonly string[]): string {
  const names = secrets.flatMap((secret) => [secret, secret.replace(/^whsec_/, "")]);
  const text = names.reduce((rest, name) => rest.replaceAll(name, "[secret]"), body.toString("utf8"));
  // As a stream, a character that the limit cuts is left out.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.from(text).subarray(0, answerBytesMax), {
    stream: true,
  });
}
