/** A text as one word of a shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** As `quoted`, without quotes where the shell needs none. */
export const word = (text: string): string => (/^[\w./:@%+=,-]+$/.test(text) ? text : quoted(text));
