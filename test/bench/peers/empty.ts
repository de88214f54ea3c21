// The minimal cost of a cold request.
export const handler = async () => ({ statusCode: 200, headers: {}, body: "{}" });
