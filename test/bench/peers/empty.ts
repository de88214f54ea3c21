// The least that a cold request can cost.
export const handler = async () => ({ statusCode: 200, headers: {}, body: "{}" });
