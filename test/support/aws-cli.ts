// The commands of the AWS CLI that the documents show, with the options that they use. Checked by hand against the CLI's
// reference: look there before you add one.
export const awsCommands: Readonly<Record<string, readonly string[]>> = {
  "apigatewayv2 update-stage": ["--api-id", "--stage-name", "--default-route-settings"],
  "ce get-cost-and-usage": ["--time-period", "--granularity", "--metrics", "--group-by"],
  "cloudformation continue-update-rollback": ["--stack-name"],
  "cloudformation deploy": ["--stack-name", "--template-file", "--parameter-overrides"],
  "cloudformation describe-stacks": ["--stack-name"],
  "cloudformation list-stack-resources": ["--stack-name"],
  "cloudformation set-stack-policy": ["--stack-name", "--stack-policy-body"],
  "cloudformation update-termination-protection": ["--stack-name", "--no-enable-termination-protection"],
  "cloudwatch describe-alarm-history": ["--alarm-name", "--history-item-type", "--start-date"],
  "cloudwatch describe-alarms": ["--alarm-name-prefix", "--state-value"],
  "dynamodb describe-table": ["--table-name"],
  "dynamodb restore-table-to-point-in-time": ["--source-table-name", "--target-table-name", "--restore-date-time"],
  "dynamodb tag-resource": ["--resource-arn", "--tags"],
  "dynamodb update-continuous-backups": ["--table-name", "--point-in-time-recovery-specification"],
  "dynamodb update-table": ["--table-name", "--deletion-protection-enabled"],
  "dynamodb update-time-to-live": ["--table-name", "--time-to-live-specification"],
  "events disable-rule": ["--name"],
  "events describe-rule": ["--name"],
  "events enable-rule": ["--name"],
  "lambda get-account-settings": [],
  "lambda get-event-source-mapping": ["--uuid"],
  "lambda get-function-recursion-config": ["--function-name"],
  "lambda put-function-recursion-config": ["--function-name", "--recursive-loop"],
  "lambda update-event-source-mapping": ["--uuid", "--enabled", "--no-enabled"],
  "logs filter-log-events": ["--log-group-name", "--filter-pattern", "--start-time"],
  "logs get-query-results": ["--query-id"],
  "logs put-resource-policy": ["--policy-name", "--policy-document"],
  "logs start-query": ["--log-group-name", "--start-time", "--end-time", "--query-string"],
  "secretsmanager create-secret": ["--name", "--secret-string"],
  "service-quotas list-service-quotas": ["--service-code"],
  "service-quotas request-service-quota-increase": ["--service-code", "--quota-code", "--desired-value"],
  "sqs purge-queue": ["--queue-url"],
};

/** The options of every command. */
export const awsGlobalOptions: readonly string[] = ["--query", "--output", "--region"];
