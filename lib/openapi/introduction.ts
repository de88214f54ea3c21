// The introduction of the OpenAPI document, in Markdown.
export const introduction = `Every call is a POST with a JSON body \`{"data": {...}}\`, except a few GETs. A success is
\`{"result": {"status", "message", "data"}}\`, a failure \`{"error": {"status", "message", "details"?}}\`.`;
