// The CDK app. It bundles the functions first, so that a deployment always has the current source.
import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { bundle } from "./build/bundle.ts";
import { deployables } from "./deployables.ts";
import { givenSettings, settingsOf } from "./stack/settings.ts";
import { BackendStack } from "./stack/stack.ts";
import { synthWithoutWarnings } from "./stack/synth.ts";

const assets = "dist";
await bundle({ outDir: assets });
const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
new BackendStack(app, { deployables, assets, settings: settingsOf(app), given: givenSettings(app) });
synthWithoutWarnings(app);
