import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Scripts for browsers, as text: they read the times that their own pages write. */
const scripts = ["src/publish/pages/files.ts", "src/publish/margin-script.ts"];
/** These make a `Date` of an instant, which is a number: to write it in another form, or to ask for its weekday or year. */
const ofInstants = [
  ...["src/adapters/fetch/archive.ts", "src/language/dates.ts", "src/model/time.ts"],
  "src/status/messages/plan.ts",
];

const files = globSync("src/**/*.ts").filter((file) => !scripts.includes(file));
const holding = (pattern: RegExp) => files.filter((file) => pattern.test(readFileSync(file, "utf8"))).sort();

test("nothing besides language/dates.ts parses dates: Date.parse guesses, and skips the words that it does not know", () => {
  expect(files.length).toBeGreaterThan(500);
  expect(holding(/\bDate\.parse\b|\bcoerce\.date\b|\bDate\("/)).toEqual([]);
  expect(holding(/\bnew Date\(/)).toEqual(ofInstants);
});

test("names of months are nowhere but in language/month-names.json", () => {
  expect(holding(/\bjan\w{0,6}\b.{0,5}\bfeb/i)).toEqual([]);
  expect(holding(/\bmon\w{0,3}\b.{0,5}\btue/i)).toEqual(["src/adapters/fetch/archive.ts", "src/language/dates.ts"]);
});
