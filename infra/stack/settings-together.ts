// Settings that have no effect, or a wrong one, without another setting.

interface Given {
  existingTableName: string;
  customDomain: string;
  certificateArn: string;
  disableDefaultEndpoint: boolean;
  egressAllowCidrs: string;
  vpcSubnetIds: string;
  vpcSecurityGroupIds: string;
  leavingVpc: boolean;
}

/** One line for each problem. */
export function problemsTogether(given: Given): string[] {
  const { customDomain, certificateArn, egressAllowCidrs, vpcSubnetIds, vpcSecurityGroupIds } = given;
  const problems: string[] = [];
  const addIf = (isWrong: boolean, problem: string) => isWrong && problems.push(problem);
  addIf(
    egressAllowCidrs !== "" && vpcSubnetIds === "",
    "egressAllowCidrs needs vpcSubnetIds and vpcSecurityGroupIds: a function outside a VPC reaches no private address",
  );
  addIf(
    (vpcSubnetIds === "") !== (vpcSecurityGroupIds === ""),
    "vpcSubnetIds and vpcSecurityGroupIds must be set together",
  );
  addIf(
    given.leavingVpc && vpcSubnetIds !== "",
    "leavingVpc has no effect with vpcSubnetIds: set vpcSubnetIds, vpcSecurityGroupIds and egressAllowCidrs to the empty text",
  );
  addIf((customDomain === "") !== (certificateArn === ""), "customDomain and certificateArn must be set together");
  addIf(
    given.disableDefaultEndpoint && customDomain === "",
    "disableDefaultEndpoint needs customDomain: without it, no address would lead to the API",
  );
  return problems;
}
