import type { Kysely } from "kysely";
import type { People } from "../../model/ports/index.ts";
import type { Tables } from "./schema.ts";

/** The account that GitHub shows for deleted people: https://docs.github.com/en/account-and-profile/concepts/personal-profile */
const nobody = "ghost";
/** Stands for the reason that a person gave. */
const erased = "(erased)";

/**
 * Erases the names and reasons of people from all that is stored of their answers; the answers stay. Returns the number of
 * changed rows. Messages and comments that were sent lose their texts; those that wait lose the name.
 */
export async function forgetPeople(db: Kysely<Tables>, people: People): Promise<number> {
  const isMeant = meant(people);
  const counts = [
    await forgetAnswers(db, isMeant),
    await forgetVerdicts(db, isMeant),
    await forgetComments(db, people),
    await forgetMessages(db, people),
    "login" in people ? await forgetDeliveries(db, people.login) : 0,
  ];
  return counts.reduce((sum, count) => sum + count, 0);
}

type IsMeant = (login: string, at: number) => boolean;

function meant(people: People): IsMeant {
  if ("before" in people) return (_, at) => at < people.before;
  const wanted = people.login.toLowerCase();
  return (login) => login.toLowerCase() === wanted;
}

async function forgetAnswers(db: Kysely<Tables>, isMeant: IsMeant): Promise<number> {
  const rows = await db.selectFrom("answer").select(["id", "by", "at"]).where("by", "!=", nobody).execute();
  const ids = rows.filter(({ by, at }) => isMeant(by, at)).map(({ id }) => id);
  for (const id of ids)
    await db.updateTable("answer").set({ by: nobody, because: null }).where("id", "=", id).execute();
  return ids.length;
}

interface Verdict {
  readonly by: string;
  readonly because?: string;
}

async function forgetVerdicts(db: Kysely<Tables>, isMeant: IsMeant): Promise<number> {
  const rows = await db
    .selectFrom("recheck")
    .select(["id", "verdict", "closed"])
    .where("verdict", "is not", null)
    .execute();
  let count = 0;
  for (const { id, verdict, closed } of rows) {
    const known: Verdict = JSON.parse(verdict ?? "{}");
    if (known.by === nobody || !isMeant(known.by, closed ?? Number.POSITIVE_INFINITY)) continue;
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
    .select(["id", "body", "done", "planned"])
    .where("body", "!=", "")
    .execute();
  let count = 0;
  for (const { id, body, done, planned } of rows) {
    const after = done === 1 ? "" : withoutLogin(body, people);
    if (!isAbout(body, planned ?? 0, people) || after === body) continue;
    await db.updateTable("comment").set({ body: after }).where("id", "=", id).execute();
    count++;
  }
  return count;
}

async function forgetMessages(db: Kysely<Tables>, people: People): Promise<number> {
  let count = 0;
  for (const { id, state, rest } of await db.selectFrom("message").select(["id", "state", "rest"]).execute()) {
    const { message, ...known } = JSON.parse(rest);
    if (!message?.lead || !isAbout(rest, Number(known.planned), people)) continue;
    const text = withoutLogin(JSON.stringify(message), people);
    const after = state === "waiting" ? JSON.parse(text) : { ...message, title: "", lead: "", sections: [] };
    await db
      .updateTable("message")
      .set({ rest: JSON.stringify({ ...known, message: after }) })
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
