// What is stored of a notification, from what the request says.
import { accessPairs } from "../access/grants.ts";
import { invalidField } from "../errors.ts";
import type { Person } from "../schema/notifications.ts";
import type { Content } from "../store/notification.ts";

/** Of a stored record, serialized (decision T11). */
const recordBytesMax = 256 * 1_024;

type Asked = { [Field in keyof Omit<Content, "access">]?: Content[Field] | undefined } & {
  actionUser: Person;
  notifyUsers: Person[];
  context?: { access: Record<string, unknown> } | undefined;
};

/** As JSON. With the resolver no text and no personal data is stored (decision N4). */
export function storedContent(asked: Asked): string {
  const isNotificationResolverUsed = asked.isNotificationResolverUsed === true;
  const person = isNotificationResolverUsed ? ({ userId }: Person) => ({ userId }) : (each: Person) => each;
  const texts = isNotificationResolverUsed
    ? {}
    : {
        displayHeadlineMessageTemplate: asked.displayHeadlineMessageTemplate,
        displayHeadlineMessageTemplateData: asked.displayHeadlineMessageTemplateData,
        displayBodyMessage: asked.displayBodyMessage,
      };
  const people = new Map(asked.notifyUsers.map((each) => [each.userId, person(each)]));
  const content: Content = {
    ...texts,
    actionUser: person(asked.actionUser),
    notificationSource: asked.notificationSource ?? "custom",
    notificationSourceData: asked.notificationSourceData,
    isNotificationResolverUsed,
    notifyUsers: [...people.values()],
    notifyAll: asked.notifyAll ?? true,
    verifyUserPermissions: asked.verifyUserPermissions ?? false,
    access: accessPairs(asked.context as Parameters<typeof accessPairs>[0]) ?? [],
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
