import { describe, expect, test } from "vitest";
import { documentsGet } from "../../../functions/documents/documents-get.ts";
import { liveOpen } from "../../../functions/live/live-open.ts";
import { liveAuthorize } from "../../../functions/workers/live-authorize.ts";
import { deployables } from "../../../infra/deployables.ts";
import { onPublish } from "../../../infra/stack/live/aware-on-publish.js";
import { synth } from "../../support/synth.ts";

const publishes = (each: (typeof deployables)[number]) => each.grants.includes("live:publish");

describe("without live", () => {
  const { all, lambda, template } = synth(deployables);

  test("there is nothing of AppSync: no API, no authorizer, no permission, no address, no alarm", () => {
    expect(all("AWS::AppSync::Api")).toEqual([]);
    expect(lambda(liveAuthorize)).toBeUndefined();
    expect(lambda(liveOpen).Environment.Variables).not.toHaveProperty("LIVE_HTTP_URL");
    expect(JSON.stringify(template.toJSON())).not.toMatch(/appsync|live-failures/i);
  });
});

describe("with live", () => {
  const { all, allowed, lambda, idOf, template } = synth(deployables, { live: true });
  const apiId = idOf("AWS::AppSync::Api");

  test("the address of live messages is in the outputs", () => {
    const { Value } = template.toJSON().Outputs.LiveUrl;
    expect(JSON.stringify(Value)).toMatch(/"wss:\/\/".*Realtime.*"\/event\/realtime"/);
  });

  test("only functions publish about documents and users, and pages only to each other, all by the authorizer", () => {
    const byIam = [{ AuthType: "AWS_IAM" }];
    const byTicket = [{ AuthType: "AWS_LAMBDA" }];
    const namespaces = all("AWS::AppSync::ChannelNamespace").map(([, each]) => each);
    expect(
      namespaces.map(({ Name, PublishAuthModes, SubscribeAuthModes }) => [Name, PublishAuthModes, SubscribeAuthModes]),
    ).toEqual([
      ["doc", byIam, byTicket],
      ["user", byIam, byTicket],
      ["aware", byTicket, byTicket],
    ]);
    expect(namespaces.map(({ CodeHandlers }) => CodeHandlers?.includes("onPublish"))).toEqual([
      undefined,
      undefined,
      true,
    ]);
    const [[, { EventConfig }] = []] = all("AWS::AppSync::Api");
    expect(EventConfig.ConnectionAuthModes).toEqual(byTicket);
    const authorizers = EventConfig.AuthProviders.flatMap(
      (each: { LambdaAuthorizerConfig?: object }) => each.LambdaAuthorizerConfig ?? [],
    );
    expect(authorizers).toEqual([expect.objectContaining({ AuthorizerResultTtlInSeconds: 0 })]);
  });

  test("functions that publish may do so about documents and users only, and no other function may", () => {
    for (const each of deployables) {
      const statements = allowed(each).filter(({ Action }) => String(Action).startsWith("appsync:"));
      expect(statements.length, each.name).toBe(publishes(each) ? 1 : 0);
      for (const { Action, Resource } of statements) {
        expect(Action).toBe("appsync:EventPublish");
        expect(JSON.stringify(Resource).match(/channelNamespace\/\w+/g)).toEqual([
          "channelNamespace/doc",
          "channelNamespace/user",
        ]);
        expect(JSON.stringify(Resource)).toContain(apiId);
      }
    }
    expect(allowed(liveAuthorize).map(({ Action }) => Action)).toContainEqual([
      "dynamodb:GetItem",
      "dynamodb:BatchGetItem",
      "dynamodb:Query",
    ]);
  });

  test("functions that publish know the addresses, and there is an alarm", () => {
    const { Variables } = lambda(liveOpen).Environment;
    expect(JSON.stringify(Variables.LIVE_HTTP_URL)).toMatch(/https:\/\/.*Dns.Http.*\/event/);
    expect(JSON.stringify(Variables.LIVE_REALTIME_URL)).toMatch(/wss:\/\/.*Dns.Realtime.*\/event\/realtime/);
    expect(lambda(documentsGet).Environment.Variables).not.toHaveProperty("LIVE_HTTP_URL");
    expect(JSON.stringify(template.toJSON())).toContain("RUNBOOK.md#live-failures");
  });
});

describe("a message of a page to the others", () => {
  const identity = { handlerContext: { userId: "ann", name: "Ann" } };
  const publish = (...payloads: unknown[]) =>
    onPublish({ identity, events: payloads.map((payload, index) => ({ id: String(index), payload })) });

  test("has the user of the ticket, whatever it says", () => {
    expect(publish({ at: 1, user: { userId: "bob" } })).toEqual([
      { id: "0", payload: { user: { userId: "ann", name: "Ann" }, state: { at: 1, user: { userId: "bob" } } } },
    ]);
  });

  test("is refused above 4 KB, and with others", () => {
    const error = "Send one message of at most 4 KB.";
    expect(publish("x".repeat(4_094))).toMatchObject([{ payload: {} }]);
    expect(publish("x".repeat(4_095))).toEqual([{ id: "0", error }]);
    expect(publish("é".repeat(2_047))).toMatchObject([{ payload: {} }]);
    expect(publish("é".repeat(2_048))).toEqual([{ id: "0", error }]);
    expect(publish(`${"語".repeat(1_364)}xx`)).toMatchObject([{ payload: {} }]);
    expect(publish(`${"語".repeat(1_364)}xxx`)).toEqual([{ id: "0", error }]);
    expect(publish("🦜".repeat(1_024))).toEqual([{ id: "0", error }]);
    expect(publish(1, 2)).toEqual([
      { id: "0", error },
      { id: "1", error },
    ]);
  });
});
