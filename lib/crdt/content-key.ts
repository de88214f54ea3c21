/** The name of the shared type in its Yjs document, where a request has none. */
export const contentKeyDefault = "content";
