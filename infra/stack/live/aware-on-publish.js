// Runs in AppSync (APPSYNC_JS) before a cursor or a selection goes to the pages of a document. It adds the user of the
// ticket, so that nobody moves another's cursor.
const bytesMax = 4096;

export function onPublish(ctx) {
  const { userId, name } = ctx.identity.handlerContext;
  return ctx.events.map(({ id, payload }) => {
    const isLong = JSON.stringify(payload).length > bytesMax;
    if (isLong || ctx.events.length > 1) return { id, error: "Send one message of at most 4 KB." };
    return { id, payload: { user: { userId, name }, state: payload } };
  });
}
