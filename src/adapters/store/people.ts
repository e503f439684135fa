import { type Kysely, type RawBuilder, sql } from "kysely";
import type { People } from "../../model/ports/index.ts";
import type { Tables } from "./schema.ts";

/** The account that GitHub shows for deleted people: https://docs.github.com/en/account-and-profile/concepts/personal-profile */
const nobody = "ghost";
const erased = "(erased)";

/** Erases names and reasons of people from answers, and texts that name them. Returns the number of changed rows. */
export async function forgetPeople(db: Kysely<Tables>, people: People): Promise<number> {
  const counts = [
    await forgetAnswers(db, people),
    await forgetVerdicts(db, people),
    await forgetComments(db, people),
    await forgetMessages(db, people),
    "login" in people ? await forgetDeliveries(db, people.login) : 0,
  ];
  return counts.reduce((sum, count) => sum + count, 0);
}

async function forgetAnswers(db: Kysely<Tables>, people: People): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("answer")
    .set({ by: nobody, because: null })
    .where("by", "!=", nobody)
    .where("before" in people ? sql<boolean>`at < ${people.before}` : sql<boolean>`lower("by") = ${loginKey(people)}`)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Rows whose text may name a person. */
function mayName(people: { readonly login: string }, column: string): RawBuilder<boolean> {
  return sql<boolean>`lower(${sql.ref(column)}) like ${`%${loginKey(people)}%`}`;
}

function loginKey({ login }: { readonly login: string }): string {
  return login.toLowerCase();
}

async function forgetVerdicts(db: Kysely<Tables>, people: People): Promise<number> {
  const rows = await db
    .selectFrom("recheck")
    .select(["id", "verdict", "closed"])
    .where("verdict", "is not", null)
    .execute();
  let count = 0;
  for (const { id, verdict, closed } of rows) {
    const known: { readonly by: string; readonly because?: string } = JSON.parse(verdict ?? "{}");
    const isMeant =
      "before" in people ? closed !== null && closed < people.before : known.by.toLowerCase() === loginKey(people);
    if (known.by === nobody || !isMeant) continue;
    const kept = { ...known, by: nobody, ...(known.because !== undefined && { because: erased }) };
    await db
      .updateTable("recheck")
      .set({ verdict: JSON.stringify(kept) })
      .where("id", "=", id)
      .execute();
    count++;
  }
  return count;
}

async function forgetComments(db: Kysely<Tables>, people: People): Promise<number> {
  const rows = await db
    .selectFrom("comment")
    .select(["id", "body", "done"])
    .where("body", "!=", "")
    .where(
      "before" in people ? sql<boolean>`done = 1 and coalesce(planned, 0) < ${people.before}` : mayName(people, "body"),
    )
    .execute();
  let count = 0;
  for (const { id, body, done } of rows) {
    const named = withoutLogin(body, people);
    if ("login" in people && named === body) continue;
    const after = done === 1 ? "" : named;
    await db.updateTable("comment").set({ body: after }).where("id", "=", id).execute();
    count++;
  }
  return count;
}

async function forgetMessages(db: Kysely<Tables>, people: People): Promise<number> {
  const all = db.selectFrom("message").select(["id", "state", "rest"]);
  let count = 0;
  for (const { id, state, rest } of await ("login" in people ? all.where(mayName(people, "rest")) : all).execute()) {
    const { message, ...fields } = JSON.parse(rest);
    if (!message?.lead || !isAbout(rest, Number(fields.planned), people)) continue;
    const text = withoutLogin(JSON.stringify(message), people);
    const after = state === "waiting" ? JSON.parse(text) : { ...message, title: "", lead: "", sections: [] };
    await db
      .updateTable("message")
      .set({ rest: JSON.stringify({ ...fields, message: after }) })
      .where("id", "=", id)
      .execute();
    count++;
  }
  return count;
}

async function forgetDeliveries(db: Kysely<Tables>, login: string): Promise<number> {
  let count = 0;
  for (const { number, news } of await db
    .selectFrom("delivery")
    .select(["number", "news"])
    .where("done", "=", 0)
    .where(mayName({ login }, "news"))
    .execute()) {
    const after = withoutLogin(news, { login });
    if (after === news) continue;
    await db.updateTable("delivery").set({ news: after }).where("number", "=", number).execute();
    count++;
  }
  return count;
}

function isAbout(text: string, at: number, people: People): boolean {
  return "before" in people ? at < people.before : withoutLogin(text, people) !== text;
}

/** A login holds letters, digits and single hyphens: https://docs.github.com/en/rest/users/users */
function withoutLogin(text: string, people: People): string {
  if ("before" in people) return text;
  const escaped = people.login.replace(/[^\w]/g, "\\$&");
  return text.replace(new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`, "gi"), nobody);
}
