// The kinds of feature data. A file without schemas, so that workers need not load the validation library.
export const featureKinds = ["comments", "reactions", "recordings"] as const;
export type FeatureKind = (typeof featureKinds)[number];
