/** One try of something that the reader asked for. */
export interface Try {
  /** Ends when the reader leaves the page. A load takes it; a change goes on. */
  signal: AbortSignal;
}
