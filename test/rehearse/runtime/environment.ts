import type { DeployedFunction } from "../aws/template.ts";

/** Lambda chooses the name of a stream. */
export const logStream = "rehearsal";

/** The variables that Lambda sets. Nothing of this process's environment reaches the function. */
export function runtimeEnvironment(deployed: DeployedFunction, runtimeApi: string): Record<string, string> {
  const { name, memoryMb, assets, logGroup, handler, runtime } = deployed;
  return {
    AWS_EXECUTION_ENV: `AWS_Lambda_${runtime}`,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
    AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
    AWS_LAMBDA_LOG_FORMAT: "JSON",
    AWS_LAMBDA_LOG_GROUP_NAME: logGroup,
    AWS_LAMBDA_LOG_STREAM_NAME: logStream,
    AWS_LAMBDA_RUNTIME_API: runtimeApi,
    LAMBDA_TASK_ROOT: assets,
    LANG: "en_US.UTF-8",
    PATH: "/usr/local/bin:/usr/bin:/bin",
    TZ: ":UTC",
    _HANDLER: handler,
  };
}
