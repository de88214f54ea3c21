// The groups of endpoints. A group is a folder of `functions/` and a tag of the OpenAPI document.

/** Sections of the reference, with what each of their groups is about. */
export const sections = {
  Content: {
    organizations: "An organization has users, folders and documents. Most calls name it by the id that you gave it.",
    folders: "Folders hold documents and other folders, and pass their grants on to what is in them.",
    documents: "A document is what users work on together. It has an id and a name; your application keeps the rest.",
  },
  "People and access": {
    users: "The users of an organization: their profiles, and their roles on it or on a folder or document.",
    "user-groups": "Named groups of an organization's users, for lists and notifications.",
    permissions:
      "Grants give users access to organizations, folders and documents. A call shows who has access, and why.",
    "user-tokens":
      "Signed tokens (JWT) with which pages call for a user, and which tell your own servers who it is. Public keys verify them.",
  },
  Collaboration: {
    comments:
      "Comment annotations with their comments, reactions and recordings. Each belongs to a location of a document.",
    locations: "Places in a document, such as a page. Move the data of one location to another, or delete it.",
    "editor-content": "Text and data that several people edit at once, as Yjs documents (CRDT).",
    presence: "The users who are on a document now. A presence expires unless it is renewed.",
    live: "Messages to the pages of users that something has changed. They never have the content.",
    notifications: "The inbox of each user, and what users want to be told by inbox, e-mail and Slack.",
    "activity-log": "A log of what happened in an organization. Records are chained by hashes, so a change is noticed.",
  },
  Delivery: {
    webhooks:
      "Events as signed HTTP requests to your servers (Standard Webhooks), with retries and a log of deliveries.",
    messages: "E-mails and Slack messages about events: their configuration, their log and suppressed addresses.",
  },
  AI: {
    "models-and-agents": "Calls to language models with the workspace's own keys, and agents.",
    memory: "Judgments of people and knowledge from files, to search and to ask questions about.",
  },
  Administration: {
    "personal-data": "Export the data that is stored about a user, and erase it with a signed receipt.",
    jobs: "Deletions and erasures run in the background. The call that starts a job returns the job's id.",
    "auth-tokens": "The secret tokens of the header x-service-auth-token, with scopes and an expiry time.",
    "workspace-settings": "The allowed domains of links and pages, and the provider that decides about access.",
  },
} as const;

/** Undefined for the fallback, which answers requests that match no route. */
export const sectionOf = (group: string) => Object.entries(sections).find(([, groups]) => group in groups)?.[0];
