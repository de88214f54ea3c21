import { deployables } from "../../../infra/deployables.ts";
import { synth } from "../synth.ts";

export const alarmCount = synth(deployables).all("AWS::CloudWatch::Alarm").length;
