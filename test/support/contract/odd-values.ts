// Names and numbers that a client may choose, and that a service may take for something else.

export const oddNames = ["constructor", "toString", "__proto__", "hasOwnProperty", ""];
/** As JSON. */
export const oddNumbers = [
  "9007199254740993",
  "-9007199254740993",
  // The number of both is the same. A reply has the second form, and a write takes it.
  "123456789012345683968",
  "123456789012345680000",
  "1e308",
  "1e309",
  "-0",
  "1e-320",
  "0.30000000000000004",
];
export const longText = (unit: string) => JSON.stringify(unit.repeat(35_000));

export const objectOf = (name: string, value: string) => `{${JSON.stringify(name)}:${value}}`;
