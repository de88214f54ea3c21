// What SQS refuses, in its words.
import { AwsError } from "./aws-json.ts";

export interface SendEntry {
  MessageBody: string;
  DelaySeconds?: number;
  MessageGroupId?: string;
}

export interface BatchEntry extends SendEntry {
  Id: string;
}

const bytesMax = 1_048_576;
const entriesMax = 10;
const delaySecondsMax = 900;

/** An error that SQS declares. */
export const sqsError = (type: string, message: string) => new AwsError(`com.amazonaws.sqs#${type}`, message);

const invalid = (message: string) => new AwsError("InvalidParameterValue", message);

export function checkMessage({ MessageBody, DelaySeconds = 0 }: SendEntry): void {
  if (typeof MessageBody !== "string" || MessageBody === "")
    throw new AwsError("MissingParameter", "The request must contain the parameter MessageBody.");
  if (Buffer.byteLength(MessageBody) > bytesMax)
    throw invalid(`One or more parameters are invalid. Reason: Message must be shorter than ${bytesMax} bytes.`);
  if (Number.isInteger(DelaySeconds) && DelaySeconds >= 0 && DelaySeconds <= delaySecondsMax) return;
  const range = `Must be between 0 and ${delaySecondsMax}.`;
  throw invalid(`Value ${DelaySeconds} for parameter DelaySeconds is invalid. Reason: ${range}`);
}

/** Throws what is wrong with the batch as a whole. Then none of its messages is sent. */
export function checkBatch(entries: readonly BatchEntry[]): void {
  if (entries.length === 0)
    throw sqsError("EmptyBatchRequest", "There should be at least one SendMessageBatchRequestEntry in the request.");
  if (entries.length > entriesMax) {
    const message = `Maximum number of entries per request are ${entriesMax}. You have sent ${entries.length}.`;
    throw sqsError("TooManyEntriesInBatchRequest", message);
  }
  if (!entries.every(({ Id }) => /^[\w-]{1,80}$/.test(Id))) {
    const rule = "can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long";
    throw sqsError("InvalidBatchEntryId", `A batch entry id ${rule}.`);
  }
  const repeated = entries.find(({ Id }, index) => entries.findIndex((each) => each.Id === Id) < index);
  if (repeated) throw sqsError("BatchEntryIdsNotDistinct", `Id ${repeated.Id} repeated.`);
  const bytes = entries.reduce((sum, { MessageBody }) => sum + Buffer.byteLength(String(MessageBody ?? "")), 0);
  if (bytes > bytesMax) {
    const message = `Batch requests cannot be longer than ${bytesMax} bytes. You have sent ${bytes} bytes.`;
    throw sqsError("BatchRequestTooLong", message);
  }
}
