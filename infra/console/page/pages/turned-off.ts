// The API names the field that turns a channel on (lib/messages/problems.ts). The page links to its setting instead.

/** Of the sentence about a channel that is turned off, what is off. Undefined for any other sentence. */
export function offIn(text: string): string | undefined {
  return /^(.*): \w+ of \/v2\/workspace\/\w+\/update turns it on\.$/s.exec(text)?.[1];
}
