// Runs in AppSync (APPSYNC_JS) before a cursor or a selection goes to the pages of a document. It adds the user of the
// ticket, so that nobody moves another's cursor.
const bytesMax = 4096;

export function onPublish(ctx) {
  const { userId, name } = ctx.identity.handlerContext;
  return ctx.events.map(({ id, payload }) => {
    const text = JSON.stringify(payload);
    const isLong = text.length > bytesMax || bytesOf(text) > bytesMax;
    if (isLong || ctx.events.length > 1) return { id, error: "Send one message of at most 4 KB." };
    return { id, payload: { user: { userId, name }, state: payload } };
  });
}

// This runtime cannot encode UTF-8. An emoji is two units of two bytes each.
function bytesOf(text) {
  const units = text.split("");
  const beyond = (last) => units.filter((each) => each > last).length;
  const halves = units.filter((each) => each >= "\ud800" && each <= "\udfff").length;
  return text.length + beyond("\u007f") + beyond("\u07ff") - halves;
}
