// The entry point of `npm run openapi`.
import { apiDocument } from "./openapi/api-document.ts";

console.log(JSON.stringify(apiDocument(), null, 2));
