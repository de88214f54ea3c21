// Replaces @aws-sdk/dynamodb-codec in bundles. The SDK's own codec follows a schema through each request and reply, to
// convert dates, large numbers and bytes, and to add missing tokens. Of these, `lib/dynamodb` needs only bytes: its
// transactions have tokens already, and its requests have no dates.

type Json = Record<string, unknown>;

/** For `JSON.stringify`. It reads the value anew, because Buffer's `toJSON` has already changed the parameter. */
function bytesAsBase64(this: Json, key: string, value: unknown): unknown {
  const given = this[key];
  if (!(given instanceof Uint8Array)) return value;
  return Buffer.from(given.buffer, given.byteOffset, given.byteLength).toString("base64");
}

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, "base64"));

/**
 * Converts the bytes in place: a string at `B`, or strings at `BS`. Only an attribute's value has these, since an
 * attribute of that name is an object.
 */
function decoded<T>(value: T): T {
  const json = value as Json;
  for (const key in json) {
    const inner = json[key];
    if (typeof inner === "object" && inner !== null) {
      if (key === "BS" && Array.isArray(inner)) json[key] = inner.map(bytesOf);
      else decoded(inner);
    } else if (key === "B" && typeof inner === "string") json[key] = bytesOf(inner);
  }
  return value;
}

class Serializer {
  private json = "";

  setSerdeContext(): void {}

  write(_schema: unknown, value: unknown): void {
    this.json = JSON.stringify(value, bytesAsBase64);
  }

  flush(): string {
    return this.json;
  }
}

class Deserializer {
  setSerdeContext(): void {}

  async read(_schema: unknown, body: Uint8Array): Promise<unknown> {
    const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
    const json = JSON.parse(text);
    // Most replies have no bytes, so the walk through the JSON costs more than this search.
    return /"BS?"/.test(text) ? decoded(json) : json;
  }

  /** Of a part of a body that `read` has returned. */
  readObject(_schema: unknown, value: unknown): unknown {
    return value;
  }
}

export class DynamoDBJsonCodec2 {
  setSerdeContext(): void {}

  createSerializer(): Serializer {
    return new Serializer();
  }

  createDeserializer(): Deserializer {
    return new Deserializer();
  }
}
