import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { handleNews } from "../../../../src/faces/app/webhooks/handle.ts";
import { newsOf } from "../../../../src/faces/app/webhooks/news.ts";
import { fullRechecks } from "../../../../src/recheck/answer/repository.ts";
import { openRoom, type Room, released } from "../../../recheck/answer/room.ts";
import { sandboxHere } from "../config/sandbox-here.ts";

let room: Room;

beforeEach(async () => {
  room = await openRoom();
  await room.fire(released(room.now));
  await room.tend();
});

afterEach(() => room.close());

const author = { login: "author", type: "User" };
const base = { installation: { id: 1 }, repository: { id: 1, full_name: "example/report" }, sender: author };

/** What GitHub tells of an answer that is given now. */
async function answer(form: "comment" | "box", words = "/recheck keep"): Promise<() => Promise<void>> {
  const time = new Date(room.now).toISOString();
  const { body: from } = await room.issue();
  const body = from.replace("- [ ] <!-- recheck:do keep -->", "- [x] <!-- recheck:do keep -->");
  const told = newsOf(
    form === "comment" ? "issue_comment" : "issues",
    form === "comment"
      ? {
          ...{ ...base, action: "created", issue: { number: 1 } },
          comment: { id: 5, body: words, user: author, created_at: time },
        }
      : { ...base, action: "edited", issue: { number: 1, body, updated_at: time }, changes: { body: { from } } },
  );
  return async () => {
    const repository = { ...(await room.repository()), sandbox: sandboxHere(room.store) };
    if (!told) throw new Error("no news");
    await room.store.commit(await handleNews(repository, { news: told.news, at: room.now, delivery: "d" }));
  };
}

const open = async () => (await fullRechecks(await room.repository()))[0]?.status.open;

describe.each(["comment", "box"] as const)("an answer by a %s", (form) => {
  test("whose news come late does not answer events that nobody had seen then", async () => {
    const arrives = await answer(form);
    room.now += 3_600_000;
    await room.fire(released(room.now, "2.14.0"));
    await room.tend();
    room.now += 3_600_000;
    await arrives();
    expect(await room.store.answers()).toHaveLength(2);
    expect(await open()).toEqual(["tensor/maturity", "tensor/compile"]);
  });

  test("counts by this machine's clock if GitHub's is a little behind", async () => {
    room.now -= 30_000;
    const arrives = await answer(form);
    room.now += 30_000;
    await arrives();
    expect(await open()).toEqual([]);
  });
});

test("a dismissal whose news come late does not close events that nobody had seen then, and says so", async () => {
  const arrives = await answer("comment", "/recheck dismiss because it was a typo");
  room.now += 3_600_000;
  await room.fire(released(room.now, "2.14.0"));
  await room.tend();
  room.now += 3_600_000;
  await arrives();
  await room.tend();
  expect((await room.issue()).state).toBe("open");
  expect(room.local.reactions.map(({ content }) => content)).toEqual(["confused"]);
  expect((await room.comments()).map(({ body }) => body)).toEqual([
    expect.stringContaining("Nothing was changed: something new was seen after this comment."),
  ]);
});
