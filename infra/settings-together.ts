// Settings that have no effect, or a wrong one, without another setting.

interface Given {
  egressAllowCidrs: string;
  vpcSubnetIds: string;
  vpcSecurityGroupIds: string;
}

/** One line for each problem. */
export function problemsTogether({ egressAllowCidrs, vpcSubnetIds, vpcSecurityGroupIds }: Given): string[] {
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
  return problems;
}
