// Builds the stored content of a notification from the fields of the request.
import { accessPairs } from "../access/requested-grants.ts";
import { invalidField } from "../errors.ts";
import type { Person } from "../schema/person.ts";
import { recordBytesMax } from "../schema/primitives.ts";
import type { Content } from "../store/notifications/notification.ts";

type RequestedContent = { [Field in keyof Omit<Content, "access" | "notifiesGroups">]?: Content[Field] | undefined } & {
  actionUser: Person;
  notifyUsers: Person[];
  notifyUserGroups?: readonly string[] | undefined;
  context?: { access: Record<string, unknown> } | undefined;
};

/**
 * Returns JSON. If the customer's resolver is used, the JSON has no texts, and users only as ids. The contract promises
 * that.
 */
export function storedContent(requested: RequestedContent): string {
  const isNotificationResolverUsed = requested.isNotificationResolverUsed === true;
  const person = isNotificationResolverUsed ? ({ userId }: Person) => ({ userId }) : (each: Person) => each;
  const texts = isNotificationResolverUsed
    ? {}
    : {
        displayHeadlineMessageTemplate: requested.displayHeadlineMessageTemplate,
        displayHeadlineMessageTemplateData: requested.displayHeadlineMessageTemplateData,
        displayBodyMessage: requested.displayBodyMessage,
      };
  const people = new Map(requested.notifyUsers.map((each) => [each.userId, person(each)]));
  const content: Content = {
    ...texts,
    actionUser: person(requested.actionUser),
    notificationSource: requested.notificationSource,
    notificationSourceData: requested.notificationSourceData,
    isNotificationResolverUsed,
    notifyUsers: [...people.values()],
    notifyAll: requested.notifyAll ?? true,
    notifiesGroups: (requested.notifyUserGroups ?? []).length > 0,
    verifyUserPermissions: requested.verifyUserPermissions ?? false,
    access: accessPairs(requested.context as Parameters<typeof accessPairs>[0]) ?? [],
  };
  const text = JSON.stringify(content);
  if (Buffer.byteLength(text) <= recordBytesMax) return text;
  throw invalidField([largestField(content)], "Makes the notification larger than 256 KB.");
}

function largestField({ access: context, ...fields }: Content): string {
  const sizes = Object.entries({ ...fields, context }).map(
    ([name, value]) => [name, Buffer.byteLength(JSON.stringify(value) ?? "")] as const,
  );
  return sizes.reduce((largest, each) => (each[1] > largest[1] ? each : largest))[0];
}
