import { describe, expect, test } from "vitest";
import { plainText } from "../../../src/adapters/messages/formats.ts";
import { openStore } from "../../../src/adapters/store/open.ts";
import { isQuiet, type MessageKind } from "../../../src/model/message.ts";
import type { Courier, SendOutcome, StoredFiring, StoredMessage } from "../../../src/model/ports/index.ts";
import { aDay, anHour } from "../../../src/model/time.ts";
import { digestIn, type ReportNews } from "../../../src/status/messages/digest.ts";
import { messagesDue, needlessDigests, periodOf } from "../../../src/status/messages/plan.ts";
import { sendMessages } from "../../../src/status/messages/send.ts";
import { calm } from "../../support/calm.ts";
import { configOf } from "../../support/config-of.ts";

const at = (when: string) => Date.parse(when);
const now = at("2026-11-20T12:00:00Z");

const config = configOf(
  `
report: { title: A report, audited: 2026-05-16, url: "https://example.org/report" }
levels: [Low, High]
axes: [platform, area]
ratings: { tpu/maturity: Low }
products: { loom: { name: Loom } }
sources: { releases: { github-releases: loom/loom, announces: loom, title: Loom releases } }
notify:
  team: { slack: [contrary, weekly], quiet: "22:00-07:00 Europe/Berlin" }
  hook: { webhook: contrary }
`,
  { tpu: "name: TPU\nratings: [tpu/maturity]\non:\n  - { release: loom }\n" },
);
const team = config.channels.get("team");
const hook = config.channels.get("hook");
if (!team || !hook) throw new Error("no channels");

function firing(id: number, weight: "contrary" | "routine", seen = now - anHour): StoredFiring {
  const change = { kind: "item-added" as const, item: { id: `${id}`, title: `v${id}.0` } };
  const event = { key: `loom ${id}.0`, product: "loom", version: `${id}.0` };
  const evidence = [{ source: "releases", seen, change, part: "on" as const }];
  return { id, trigger: "tpu", event, weight, seen, fired: seen, evidence };
}

const news = (more: Partial<ReportNews>): ReportNews => ({
  ...{ at: now, config, status: { at: now, lastCheck: now, ...calm }, firings: [], rechecks: [], answers: [] },
  repository: "https://github.com/tester/report",
  ...more,
});
const stored = (one: { channel: string; key: string; firings: readonly number[]; planned: number }) =>
  ({
    ...one,
    id: 1,
    next: now,
    state: "sent",
    tries: 1,
    message: { kind: one.key.startsWith("c") ? "contrary" : "digest" },
  }) as unknown as StoredMessage;

describe("due messages", () => {
  test("a source that failed before the last digest is no news of the week", () => {
    const unseenSince = (since: number) => {
      const trouble = { kind: "not-found" as const, says: "404", since, count: 9 };
      const unseen = [{ source: "releases", trouble, blindFrom: undefined, gone: true }];
      const before = [stored({ channel: "team", key: "weekly 2026-W46", firings: [], planned: now - 7 * aDay })];
      const [digest] = messagesDue(team, before, news({ status: { at: now, lastCheck: now, ...calm, unseen } }));
      return digest?.message.sections.map(({ heading }) => heading);
    };
    expect(unseenSince(now - 2 * aDay)).toEqual(["Could not be checked"]);
    expect(unseenSince(now - 9 * aDay)).toEqual([]);
  });

  test("a digest names only the mailed questions that are still to decide", () => {
    const firings = [firing(1, "contrary"), firing(2, "contrary"), firing(3, "routine")].map((one, i) => ({
      ...one,
      recheck: i + 1,
    }));
    const recheck = (id: number) => ({ id, trigger: "tpu", marker: `${id}`, opened: now, attempted: now });
    const rechecks = [
      { ...recheck(1), state: "closed", closed: now },
      { ...recheck(2), state: "open" },
      { ...recheck(3), state: "open" },
    ] as ReportNews["rechecks"];
    const before = [stored({ channel: "team", key: "contrary x", firings: [1, 2], planned: now - anHour })];
    const [digest] = messagesDue(team, before, news({ firings, rechecks }));
    expect(digest?.message.title).toBe("Since 2026-11-13: 1 event and 1 still to decide");
    expect(digest?.message.sections.map(({ heading, items }) => [heading, items.map(({ says }) => says)])).toEqual([
      ["Events", [expect.stringContaining("Loom 3.0")]],
      ["Still to decide", [expect.stringContaining("Loom 2.0")]],
    ]);
  });

  test("contrary events are one message, once, the strongest in its title", () => {
    const firings = [firing(1, "contrary"), firing(2, "routine"), firing(3, "contrary", now)];
    const [message, ...others] = messagesDue(hook, [], news({ firings }));
    expect(others).toEqual([]);
    expect(message).toMatchObject({ channel: "hook", firings: [1, 3] });
    expect(message?.message.title).toBe("Loom 3.0 released, and 1 more");
    expect(message?.message.sections[0]?.items.map(({ says }) => says)).toEqual([
      "Loom 3.0 released (against the report, seen 2026-11-20; TPU)",
      "Loom 1.0 released (against the report, seen 2026-11-20; TPU)",
    ]);
    if (!message) throw new Error("no message");
    expect(messagesDue(hook, [stored(message)], news({ firings }))).toEqual([]);
    const later = [...firings, firing(4, "contrary")];
    expect(messagesDue(hook, [stored(message)], news({ firings: later }))).toMatchObject([{ firings: [4] }]);
  });

  test("one event that two triggers ask about is reported once", () => {
    const firings = [firing(1, "contrary"), { ...firing(1, "contrary"), id: 2, trigger: "claims" }];
    const [message] = messagesDue(hook, [], news({ firings }));
    expect(message?.message.title).toBe("Loom 1.0 released");
    expect(message?.message.sections[0]?.items.map(({ says }) => says)).toEqual([
      "Loom 1.0 released (against the report, seen 2026-11-20; TPU and Claims)",
    ]);
  });

  test("a question that was answered meanwhile is not sent any more", () => {
    const rechecks = [
      { id: 9, trigger: "tpu", marker: "m", opened: now, state: "closed" as const, closed: now, issue: 3 },
    ];
    const answered = { ...firing(1, "contrary"), recheck: 9, told: "contrary" as const };
    expect(messagesDue(hook, [], news({ firings: [answered], rechecks }))).toEqual([]);
  });

  test("a digest comes once a week, and after an outage covers all since the last one", () => {
    const digests = (when: number, before: readonly StoredMessage[] = []) =>
      messagesDue({ ...team, tell: ["weekly"] }, before, news({ at: when, firings: [firing(1, "routine", now)] }));
    const [first] = digests(now);
    expect(first).toMatchObject({ key: "weekly 2026-W47" });
    const before = [stored({ channel: "team", key: "weekly 2026-W47", firings: [], planned: now - anHour })];
    expect(digests(now + aDay, before)).toEqual([]);
    const [late, ...more] = digests(now + 30 * aDay, before);
    expect(more).toEqual([]);
    expect(late).toMatchObject({ key: "weekly 2026-W51" });
    expect(late?.message.title).toBe("Since 2026-11-20: 1 event");
  });

  test("a digest that a clock 20 days ahead has sent hides nothing once it is right", () => {
    const ahead = stored({ channel: "team", key: "weekly 2026-W50", firings: [], planned: now + 20 * aDay });
    const due = messagesDue({ ...team, tell: ["weekly"] }, [ahead], news({ firings: [firing(1, "routine")] }));
    expect(due[0]?.message.title).toBe("Since 2026-11-13: 1 event");
  });

  test("a digest repeats the content of one that never arrived", () => {
    const lost = {
      ...stored({ channel: "team", key: "weekly 2026-W47", firings: [], planned: now }),
      state: "dead" as const,
    };
    const firings = [firing(1, "routine", now - aDay)];
    const due = (before: StoredMessage[]) =>
      messagesDue({ ...team, tell: ["weekly"] }, before, news({ at: now + 7 * aDay, firings }))[0]?.message.title;
    expect(due([lost])).toBe("Since 2026-11-13: 1 event");
    expect(due([{ ...lost, state: "sent" }])).toBe("Since 2026-11-20: nothing new");
  });

  test("a week that is over has all its known events, and without names if it is published", () => {
    const given = {
      id: 1,
      recheck: 9,
      rating: "tpu/maturity",
      verdict: "keep" as const,
      by: "author",
      at: now - 8 * aDay,
    };
    const ratings = [{ rating: "tpu/maturity", level: "due" as const, at: now - aDay, because: [], value: "Low" }];
    const all = news({
      status: { at: now, lastCheck: now, ...calm, ratings },
      answers: [given, { ...given, id: 2, at: now - aDay }],
      firings: [firing(1, "routine", now - 9 * aDay), firing(2, "routine", now)],
    });
    const stint = { after: at("2026-11-09") - 1, until: at("2026-11-16") - 1 };
    const event = {
      weight: "routine",
      seen: "2026-11-11T12:00:00.000Z",
      triggers: ["TPU"],
      ratings: [{ id: "tpu/maturity", name: "tpu · maturity", level: "Low" }],
      source: "Loom releases",
    };
    expect(digestIn(stint, all, { most: 12, isAnonymous: true, unseen: [{ says: "The wall: 403" }] })).toEqual({
      title: "2026-11-09 to 2026-11-15: 1 event and 1 answer",
      sections: [
        {
          heading: "Events",
          items: [{ says: "Loom 1.0 released (for your information, seen 2026-11-11; TPU)", event }],
          more: 0,
        },
        { heading: "Answers", items: [{ says: "tpu · maturity: kept" }], more: 0 },
        { heading: "Could not be checked", items: [{ says: "The wall: 403" }], more: 0 },
      ],
    });
  });

  test("an event carries the report's sentence, the text before and now, the ratings, the weight and the page", () => {
    const priced = configOf(`
report: { title: A report, audited: 2026-05-16 }
levels: [Low, High]
ratings: { price: Low }
sources:
  pricing:
    page: https://example.org/pricing
    title: Pricing
    cites: [2]
    claims: { team: { says: The Team plan costs $29, value: $29, ratings: [price] } }
notify: { hook: { webhook: contrary } }
`);
    const claim = "pricing/team";
    const change = { kind: "claim", claim, from: "supported", to: "altered", before: "Team: $29", after: "Team: $39" };
    const altered = {
      ...firing(1, "contrary"),
      trigger: "claims",
      evidence: [{ source: "pricing", seen: now, part: "claim", claim, change }],
    } as unknown as StoredFiring;
    const channel = priced.channels.get("hook") ?? hook;
    const [message] = messagesDue(channel, [], news({ config: priced, firings: [altered] }));
    expect(message?.message.sections[0]?.items[0]?.event).toMatchObject({
      weight: "contrary",
      source: "Pricing",
      references: [2],
      page: expect.stringMatching(/^https:\/\/example\.org\/pricing/),
      claim,
      sentence: "The Team plan costs $29",
      before: "Team: $29",
      after: "Team: $39",
      ratings: [{ id: "price", name: "price", level: "Low" }],
    });
    if (!message) throw new Error("no message");
    expect(plainText(message.message)).toMatch(
      /The report says: The Team plan costs \$29\n {2}Before: Team: \$29\n {2}Now: Team: \$39\n {2}Ratings: price: Low\n {2}Page: https:/,
    );
  });

  test("a week without news has no digest, and neither has a first one beside its own message", async () => {
    const [empty] = messagesDue({ ...team, tell: ["weekly"] }, [], news({}));
    expect(empty?.message.sections).toEqual([]);
    const both = messagesDue(team, [], news({ firings: [firing(1, "contrary")] }));
    expect(both.map(({ message }) => [message.kind, message.sections.length])).toEqual([
      ["contrary", 1],
      ["digest", 0],
    ]);
    const waiting = both.map((one, id) => ({ ...one, id, next: now, tries: 0, state: "waiting" }) as StoredMessage);
    expect(needlessDigests(waiting).map(({ message }) => message.kind)).toEqual(["digest"]);
    const dead = waiting.map((one) => ({ ...one, state: "dead" as const }));
    const week = [firing(1, "contrary"), firing(2, "routine", now + aDay)];
    const [next] = messagesDue({ ...team, tell: ["weekly"] }, dead, news({ at: now + 7 * aDay, firings: week }));
    expect(next?.message.title).toBe("Since 2026-11-20: 1 event");
  });

  test("in quiet hours nothing is; afterwards all of it", () => {
    const firings = [firing(1, "contrary")];
    const night = at("2026-11-20T23:30:00+01:00");
    expect(messagesDue(team, [], news({ firings, at: night }))).toEqual([]);
    expect(messagesDue(team, [], news({ firings, at: night + 8 * anHour }))).toHaveLength(2);
    const quiet = { from: 22 * 60, to: 7 * 60, zone: "Europe/Berlin" };
    // In October the clock is set back within them.
    expect(["00:30", "03:00", "05:59"].map((hour) => isQuiet(at(`2026-10-25T${hour}:00Z`), quiet))).toEqual([
      true,
      true,
      true,
    ]);
    expect(isQuiet(at("2026-10-25T06:00:00Z"), quiet)).toBe(false);
    expect(isQuiet(at("2026-10-25T06:00:00Z"), { ...quiet, from: 0, to: 24 * 60 - 1 })).toBe(true);
  });

  test("weeks are those of ISO 8601, by the calendar of the channel's zone", () => {
    const week = (when: string, zone = "UTC", kind: Exclude<MessageKind, "contrary"> = "weekly") =>
      periodOf(kind, at(when), zone);
    expect(week("2026-01-01T00:00:00Z")).toBe("2026-W01");
    expect(week("2027-01-01T00:00:00Z")).toBe("2026-W53");
    expect(week("2024-12-30T12:00:00Z")).toBe("2025-W01");
    expect(week("2026-11-22T23:30:00Z")).toBe("2026-W47");
    expect(week("2026-11-22T23:30:00Z", "Europe/Berlin")).toBe("2026-W48");
    expect(week("2026-11-30T23:30:00Z", "Europe/Berlin", "monthly")).toBe("2026-12");
  });

  test("a digest has the events, answers, due questions and blind sources", () => {
    const trouble = { kind: "status" as const, says: "403", since: now - 2 * aDay, count: 4 };
    const status = {
      ...{ at: now, lastCheck: now, ...calm },
      ratings: [{ rating: "tpu/maturity", level: "due" as const, at: now - aDay, because: [], value: "Low" }],
      unseen: [{ source: "releases", trouble, blindFrom: undefined, gone: false }],
    };
    const rechecks = [{ id: 9, trigger: "tpu", marker: "m", opened: now, state: "open" as const, issue: 3 }];
    const answers = [
      {
        id: 1,
        recheck: 9,
        rating: "tpu/maturity",
        verdict: "change" as const,
        level: "High",
        because: "it is",
        by: "author",
        at: now,
      },
    ];
    const { sections } = digestIn(
      { after: now - 7 * aDay, until: now },
      news({ status, rechecks, answers, firings: [{ ...firing(1, "routine"), recheck: 9 }] }),
      { most: 12 },
    );
    expect(sections.map(({ heading, items }) => [heading, ...items.map(({ says, link }) => [says, link])])).toEqual([
      [
        "Events",
        ["Loom 1.0 released (for your information, seen 2026-11-20; TPU)", "https://github.com/tester/report/issues/3"],
      ],
      [
        "Answers",
        ["tpu · maturity: changed to High by author, because it is", "https://github.com/tester/report/issues/3"],
      ],
      ["Due for a review", ["tpu · maturity, since 2026-11-19", undefined]],
      ["Could not be checked", ["Loom releases: 403, since 2026-11-18", undefined]],
    ]);
  });
});

describe("sending", () => {
  async function sent(
    answers: readonly (SendOutcome | "die")[],
    by: "hook" | "team" = "hook",
    tell: MessageKind | readonly MessageKind[] = "contrary",
  ) {
    const database = await openStore(":memory:");
    const store = database.repository("tester/report");
    await store.commit(async (tx) => {
      const { id: _, ...one } = firing(1, "contrary");
      await tx.fire([one]);
    });
    let time = now;
    const ids: string[] = [];
    const left = [...answers];
    const courier: Courier = {
      unready: (channel) => (channel.id === by ? undefined : "not set"),
      async send(_, __, id) {
        ids.push(id);
        const next = left.shift();
        if (next === undefined || next === "die") throw new Error("killed");
        return next;
      },
      close: async () => {},
    };
    const only = {
      ...config,
      channels: new Map([[by, { ...(by === "hook" ? hook : team), tell: [tell].flat() }]]),
    } as typeof config;
    const wait = (length: number) => {
      time += length;
    };
    const run = () => sendMessages({ config: only, store, clock: { now: () => time }, courier });
    return { run, ids, store, wait, close: () => database.close() };
  }
  const refused: SendOutcome = { kind: "refused", says: "the receiver answered 503" };
  const unheard: SendOutcome = { kind: "unheard", says: "the receiver: timeout" };

  test("is once: a second run sends nothing", async () => {
    const it = await sent([{ kind: "sent" }]);
    expect((await it.run()).sent).toHaveLength(1);
    expect(await it.run()).toEqual({ sent: [], problems: [] });
    expect(it.ids).toHaveLength(1);
    await it.close();
  });

  test("a refusal is tried again, ever more seldom, and given up after days", async () => {
    const it = await sent(Array.from({ length: 20 }, () => refused));
    const tries: number[] = [];
    for (let hours = 0; hours < 24 * 8; hours += 1) {
      const before = it.ids.length;
      await it.run();
      if (it.ids.length > before) tries.push(hours);
      it.wait(anHour);
    }
    expect(tries).toEqual([0, 1, 2, 3, 5, 10, 20, 34, 54, 78, 102]);
    expect(new Set(it.ids).size).toBe(1);
    const [message] = await it.store.messages();
    expect(message).toMatchObject({ state: "dead", says: "the receiver answered 503; given up after 11 tries" });
    await it.close();
  });

  test("Retry-After is kept", async () => {
    const it = await sent([{ ...refused, wait: 2 * anHour } as SendOutcome, { kind: "sent" }]);
    await it.run();
    it.wait(anHour);
    await it.run();
    expect(it.ids).toHaveLength(1);
    it.wait(anHour);
    expect((await it.run()).sent).toHaveLength(1);
    await it.close();
  });

  test("a message that was put off by a clock that was 20 days ahead is sent once it is right", async () => {
    const it = await sent([refused, { kind: "sent" }]);
    it.wait(20 * aDay);
    await it.run();
    it.wait(-20 * aDay);
    expect((await it.run()).sent).toHaveLength(1);
    await it.close();
  });

  test("a message that may have arrived is repeated if the receiver knows it by its id, and never otherwise", async () => {
    const webhook = await sent([unheard, { kind: "sent" }]);
    await webhook.run();
    webhook.wait(anHour);
    await webhook.run();
    expect(new Set(webhook.ids).size).toBe(1);
    expect(webhook.ids).toHaveLength(2);
    const chat = await sent([unheard, { kind: "sent" }], "team");
    await chat.run();
    chat.wait(anHour);
    await chat.run();
    expect(chat.ids).toHaveLength(1);
    expect(await chat.store.messages()).toMatchObject([{ state: "unheard", says: "the receiver: timeout" }]);
    await Promise.all([webhook.close(), chat.close()]);
  });

  test("a run that was killed while it sent is not repeated to a chat", async () => {
    const it = await sent(["die", { kind: "sent" }], "team");
    await expect(it.run()).rejects.toThrow("killed");
    it.wait(anHour);
    await it.run();
    expect(it.ids).toHaveLength(1);
    expect(await it.store.messages()).toMatchObject([{ state: "unheard" }]);
    await it.close();
  });

  test("if two digests are due after an outage, one is sent, and it covers both weeks", async () => {
    const carried = [refused, refused, { kind: "sent" } as SendOutcome];
    const it = await sent(carried, "team", "weekly");
    await it.run();
    it.wait(aDay);
    await it.run();
    it.wait(14 * aDay);
    const { sent: told } = await it.run();
    expect(told).toEqual([{ channel: "team", title: "Since 2026-11-13: 1 event" }]);
    expect((await it.store.messages()).map(({ key, state, says }) => [key, state, says])).toEqual([
      ["weekly 2026-W47", "dead", undefined],
      ["weekly 2026-W49", "sent", undefined],
    ]);
    expect(await it.run()).toEqual({ sent: [], problems: [] });
    await it.close();
  });

  test("a monthly digest and a weekly one that are due together are both sent", async () => {
    const it = await sent([{ kind: "sent" }, { kind: "sent" }], "team", ["monthly", "weekly"]);
    expect((await it.run()).sent.map(({ title }) => title)).toEqual([
      "Since 2026-10-20: 1 event",
      "Since 2026-11-13: 1 event",
    ]);
    await it.close();
  });

  test("a message that was refused is not tried again in quiet hours, but after them", async () => {
    const it = await sent([refused, { kind: "sent" }], "team");
    await it.run();
    it.wait(12 * anHour);
    expect(await it.run()).toEqual({ sent: [], problems: [] });
    expect(it.ids).toHaveLength(1);
    it.wait(7 * anHour);
    expect((await it.run()).sent).toHaveLength(1);
    await it.close();
  });

  test("410 ends it", async () => {
    const it = await sent([{ kind: "gone", says: "410" }]);
    expect((await it.run()).problems).toMatchObject([{ says: "410" }]);
    it.wait(aDay);
    expect(await it.run()).toEqual({ sent: [], problems: [] });
    await it.close();
  });
});
