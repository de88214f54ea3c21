// The tags of the OpenAPI document: what a user does, in reading order. The path of an endpoint selects its topic, so
// an endpoint does not declare it.
import type { Endpoint } from "../../lib/http/endpoint.ts";

export interface Topic {
  name: string;
  about: string;
  /**
   * Beginnings of paths, without the version, in sections. The endpoints of a section are sorted by what they do: add,
   * read, change, delete.
   */
  sections: readonly (readonly RegExp[])[];
}

/** Groups of topics in the navigation. */
export const topicGroups: readonly { name: string; topics: readonly Topic[] }[] = [
  {
    name: "Content",
    topics: [
      {
        name: "Organizations",
        about: "An organization has users, folders and documents. Most calls name one by the id that you gave it.",
        sections: [[/^organizations\/\w+$/]],
      },
      {
        name: "Folders",
        about: "Folders hold documents and other folders, and pass their grants on to what is in them.",
        sections: [[/^organizations\/folders\//]],
      },
      {
        name: "Documents",
        about: "A document is what users work on together. It has an id and a name; your application keeps the rest.",
        sections: [[/^organizations\/documents\/(?!data\/|locations\/)/]],
      },
    ],
  },
  {
    name: "People and access",
    topics: [
      {
        name: "Users",
        about: "The users of an organization: their profiles, and their roles on it or on a folder or document.",
        sections: [[/^users\/\w+$/]],
      },
      {
        name: "User groups",
        about: "Named groups of an organization's users, for lists and notifications.",
        sections: [[/^organizations\/usergroups\//]],
      },
      {
        name: "Permissions",
        about: "Grants give users access to organizations, folders and documents. See who may do what, and why.",
        sections: [[/^auth\/permissions\//]],
      },
      {
        name: "User tokens",
        about: "Signed tokens (JWT) that tell your own servers who a user is, and the public keys that verify them.",
        sections: [[/^auth\/generate_token$/], [/^\.well-known\//]],
      },
    ],
  },
  {
    name: "Collaboration",
    topics: [
      {
        name: "Comments",
        about:
          "Comment annotations with their comments, reactions and recordings. Each belongs to a location of a document.",
        sections: [[/^organizations\/documents\/data\//, /^commentannotations\//]],
      },
      {
        name: "Locations",
        about: "Places in a document, such as a page. Move what belongs to one to another, or delete it.",
        sections: [[/^organizations\/documents\/locations\//]],
      },
      {
        name: "Editor content",
        about: "Text and data that several people edit at once, as Yjs documents (CRDT).",
        sections: [[/^crdt\//]],
      },
      {
        name: "Presence",
        about: "Who is on a document now. A presence ends by itself unless it is renewed.",
        sections: [[/^presence\//]],
      },
      {
        name: "Notifications",
        about: "The inbox of each user, and what users want to be told by inbox, e-mail and Slack.",
        sections: [[/^notifications\//]],
      },
      {
        name: "Activity log",
        about: "A log of what happened in an organization. Records are chained by hashes, so a change is noticed.",
        sections: [[/^workspace\/activityconfig\//], [/^activities\//]],
      },
    ],
  },
  {
    name: "Delivery",
    topics: [
      {
        name: "Webhooks",
        about:
          "Events as signed HTTP requests to your servers (Standard Webhooks), with retries and a log of deliveries.",
        sections: [[/^workspace\/advancedwebhookconfig\//], [/^workspace\/advancedwebhook\//]],
      },
      {
        name: "Messages",
        about: "E-mails and Slack messages about events: their configuration, their log and suppressed addresses.",
        sections: [
          [/^workspace\/emailconfig\/(?!test$)/, /^workspace\/slackconfig\//],
          [/^workspace\/emailconfig\/test$/],
          [/^workspace\/messages\//],
        ],
      },
    ],
  },
  {
    name: "AI",
    topics: [
      {
        name: "AI",
        about: "Calls to language models with the workspace's own keys, and agents.",
        sections: [[/^workspace\/aimodelconfig\//], [/^rewriter\//], [/^agents\//]],
      },
      {
        name: "Memory",
        about: "Judgments of people and knowledge from files, to search and to ask questions about.",
        sections: [[/^memory\/\w+\//, /^memory\//]],
      },
    ],
  },
  {
    name: "Administration",
    topics: [
      {
        name: "Personal data",
        about: "Export what is stored about a user, and erase it with a signed receipt.",
        sections: [[/^users\/data\//]],
      },
      {
        name: "Jobs",
        about: "Deletions and erasures run in the background. The call that starts one returns its job's id.",
        sections: [[/^jobs\//]],
      },
      {
        name: "Auth tokens",
        about: "The secret tokens of the header x-service-auth-token, with scopes and an end.",
        sections: [[/^workspace\/authtokens\//]],
      },
      {
        name: "Workspace settings",
        about: "The allowed domains of links, and the provider that decides about access.",
        sections: [[/^workspace\/(?:domains|permissionproviderconfig)\//]],
      },
    ],
  },
];

export const topics: readonly Topic[] = topicGroups.flatMap((group) => group.topics);

/** The order of what endpoints do, by the last word of their path. Every other word reads. */
const verbs: Record<string, number> = {
  ...{ add: 0, create: 0, extract: 0, generate_token: 0, test: 0 },
  ...{ set: 2, update: 2, read: 2, retry: 2, rotate: 2, migrate: 2, unsubscribe: 2 },
  status: 3,
  ...{ remove: 4, revoke: 4, delete: 4 },
};

interface Place {
  topic: Topic;
  path: string;
  /** The numbers of the section, of the verb and of the beginning in its section. */
  ranks: readonly number[];
}

/** The endpoints of each topic, in reading order. Throws for an endpoint that belongs to no topic. */
export function byTopic(endpoints: readonly Endpoint[]): { topic: Topic; endpoints: Endpoint[] }[] {
  const placed = endpoints.map((endpoint) => ({ endpoint, place: placeOf(endpoint) }));
  placed.sort((one, other) => compare(one.place, other.place));
  const listed = topics.map((topic) => ({
    topic,
    endpoints: placed.filter(({ place }) => place.topic === topic).map(({ endpoint }) => endpoint),
  }));
  return listed.filter((each) => each.endpoints.length > 0);
}

function compare(one: Place, other: Place): number {
  const [difference = 0] = one.ranks.map((rank, index) => rank - (other.ranks[index] ?? 0)).filter(Boolean);
  return difference || (one.path < other.path ? -1 : 1);
}

function placeOf({ path: versioned }: Endpoint): Place {
  const path = versioned.replace(/^\/(?:v\d\/)?/, "").replace(/\/\{\w+\}/g, "");
  const verb = verbs[path.match(/\w+$/)?.[0] ?? ""] ?? 1;
  for (const topic of topics) {
    for (const [index, section] of topic.sections.entries()) {
      const beginning = section.findIndex((each) => each.test(path));
      if (beginning >= 0) return { topic, path, ranks: [index, verb, beginning] };
    }
  }
  throw new Error(
    `No topic of infra/openapi/topics.ts has the path ${versioned}. Add the beginning of the path to one.`,
  );
}
