// The CDK app. It bundles the functions first, so that a deployment always has the current source.
import { App, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { bundle } from "./bundle.ts";
import { deployables } from "./deployables.ts";
import { givenSettings, settingsOf } from "./settings.ts";
import { BackendStack } from "./stack.ts";
import { synthWithoutWarnings } from "./synth.ts";

const assets = "dist";
await bundle({ outDir: assets });
const app = new App();
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
new BackendStack(app, { deployables, assets, settings: settingsOf(app), given: givenSettings(app) });
synthWithoutWarnings(app);
