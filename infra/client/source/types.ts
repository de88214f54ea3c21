// Types of the endpoints, from the types that openapi-typescript makes.

type Json<Content> = Content extends { content: { "application/json": infer Body } } ? Body : never;
type Post<Paths, Path extends keyof Paths> = Paths[Path] extends { post: infer Operation } ? Operation : never;
type Success<Paths, Path extends keyof Paths> =
  Post<Paths, Path> extends { responses: { 200: infer Response } } ? Json<Response> : never;

/** The `data` of a request. */
export type DataOf<Paths, Path extends keyof Paths> =
  Post<Paths, Path> extends { requestBody: infer Request }
    ? Json<Request> extends { data: infer Data }
      ? Data
      : never
    : never;

/** `result.data` of a success; for the paths of `Whole`, the whole body. */
export type ReplyOf<Paths, Path extends keyof Paths, Whole> = Path extends Whole
  ? Success<Paths, Path>
  : Success<Paths, Path> extends { result: { data: infer Data } }
    ? Data
    : Success<Paths, Path>;
