// The user's notifications in an organization, live.
import { kept, listed } from "./items.ts";
import type { Shared } from "./session.ts";
import { LiveStore, type Status } from "./store.ts";
import type { Item } from "./writes.ts";

export interface ShownInbox {
  status: Status;
  notifications: InboxPage | undefined;
}

/** The newest notifications. `undefined`: not read yet. */
export interface InboxPage {
  notifications: readonly Item[];
  unreadCount: number;
  unreadIsMore: boolean;
  nextPageToken: string | null;
}

export class LiveInbox extends LiveStore<ShownInbox> {
  constructor(place: { organizationId: string }, shared: Shared) {
    super(place, shared, { status: { state: "connecting" }, notifications: undefined });
    this.readers.notifications = async () => {
      const page: InboxPage = await shared.calls.notificationsGet(place);
      const old = this.shown.notifications;
      const notifications = listed(old?.notifications, page.notifications);
      return () => this.show({ notifications: kept(old, { ...page, notifications }) });
    };
  }

  /** Marks notifications as read; without ids, all. */
  read(notificationIds?: readonly string[]): Promise<void> {
    const isMeant = ({ notificationId }: Item) => !notificationIds || notificationIds.includes(notificationId);
    const data = { ...this.place, ...(notificationIds && { notificationIds }) };
    return this.#write("notificationsRead", data, (each) => (isMeant(each) ? { ...each, isRead: true } : each));
  }

  delete(notificationIds: readonly string[]): Promise<void> {
    const data = { ...this.place, notificationIds };
    return this.#write("notificationsDelete", data, (each) =>
      notificationIds.includes(each.notificationId) ? undefined : each,
    );
  }

  /** Shows the change, sends it, and reads what came of it. */
  async #write(name: string, data: object, change: (each: Item) => Item | undefined): Promise<void> {
    const page = this.shown.notifications;
    if (page) {
      const notifications = page.notifications.flatMap((each) => change(each) ?? []);
      const unread = (all: readonly Item[]) => all.filter(({ isRead }) => !isRead).length;
      const unreadCount = page.unreadCount - unread(page.notifications) + unread(notifications);
      this.show({ notifications: { ...page, notifications, unreadCount } });
    }
    try {
      await this.shared.calls[name](data);
    } finally {
      this.dispatch({ type: "changed", topic: "notifications", ids: "all" });
    }
  }
}
