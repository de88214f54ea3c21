// What a cold request costs at least.
export const handler = async () => ({ statusCode: 200, headers: {}, body: "{}" });
