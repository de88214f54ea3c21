// The kinds of feature data. Separate from the schemas, so that workers need not load the validation library.
export const featureKinds = ["comments", "reactions", "recordings"] as const;
export type FeatureKind = (typeof featureKinds)[number];
