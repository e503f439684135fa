import { describe, expect, it, test } from "vitest";
import { comparePage } from "../../../src/compare/page/index.ts";
import { pageOf } from "../../../src/read/html/html.ts";

/** What was on the page cannot come, and what is still on it cannot go. */

const hour = 3_600_000;
const confirmAfter = 6 * hour;
const told = "The mill grinds what the cart brings. It stands still when the wind does, and on the days of rest. ";
const notice = "Members of the guild bring their own sacks.";

const page = (above: string, content: string) =>
  pageOf(`<nav><ul><li><a href="/">Home</a></li></ul><p>${above}</p></nav><main><h1>The mill</h1><p>${told.repeat(4)}</p>
    <p>${content}</p><p>The barn is behind it.</p></main>`);

function edited(before: ReturnType<typeof page>, after: ReturnType<typeof page>) {
  const { memory } = comparePage(undefined, before.blocks, { at: 0, confirmAfter }, before);
  const once = comparePage(memory, after.blocks, { at: 24 * hour, confirmAfter }, after);
  const twice = comparePage(once.memory, after.blocks, { at: 31 * hour, confirmAfter }, after);
  return {
    reported: twice.changes.map(({ change }) => change.after?.text ?? `without ${change.before?.text}`),
    ignored: once.noise.map(({ reason }) => reason),
  };
}

test("a text that crosses the border of the content is ignored, both ways", () => {
  const [out, within] = [page(notice, "Ring the bell."), page("Ring the bell.", notice)];
  expect(edited(out, within)).toEqual({ reported: [], ignored: ["around the content"] });
  expect(edited(within, out)).toEqual({ reported: [], ignored: ["around the content"] });
});

test("its marks do not count on either side", () => {
  const marked = notice.replace("sacks", 'sacks<sup><a href="#n1">1</a></sup>');
  const [out, within] = [page(marked, "Ring the bell."), page("Ring the bell.", marked)];
  expect(edited(out, within)).toEqual({ reported: [], ignored: ["around the content"] });
});

test("it is reported if the page has it once more, or once less", () => {
  const [out, both] = [page(notice, "Ring the bell."), page(notice, notice)];
  expect(edited(out, both)).toEqual({ reported: [notice], ignored: [] });
  expect(edited(both, out)).toEqual({ reported: ["Ring the bell."], ignored: [] });
});

test("a text that changed within a box that crosses the border is ignored, and one beside the box is reported", () => {
  const hours = ["Mondays from eight to six.", "Fridays from nine to four."] as const;
  const box = (...lines: readonly string[]) => lines.join("</p><p>");
  const out = page(box(hours[0], "Tuesdays only for members.", hours[1]), "Ring the bell.");
  const within = page("Ring the bell.", box(hours[0], "Tuesdays from ten to noon.", hours[1]));
  const beside = page("Ring the bell.", box(...hours, "Tuesdays from ten to noon."));
  const all = Array(3).fill("around the content");
  expect(edited(out, within)).toEqual({ reported: [], ignored: all });
  expect(edited(within, out)).toEqual({ reported: [], ignored: all });
  expect(edited(out, beside).reported).toEqual(["Tuesdays from ten to noon."]);
});

test("without the texts around the content on one side, it is reported", () => {
  const [out, within] = [page(notice, "Ring the bell."), page("Ring the bell.", notice)];
  const { around: _, ...older } = out;
  expect(edited(older, within).reported).toEqual([notice]);
});

describe("if another part of the page holds the content", () => {
  const hidden = "The guild was founded by nine millers.";
  const titled = (...texts: readonly string[]) =>
    pageOf(`<nav><ul><li><a href="/">Home</a></li></ul><p>${hidden}</p></nav>
    <div><h1>The mill</h1>${texts.map((text) => `<p>${text}</p>`).join("")}</div>`);
  const main = (...texts: readonly string[]) =>
    pageOf(
      `<nav><ul><li><a href="/">Home</a></li></ul></nav><main><h1>The mill</h1>${texts.map((text) => `<p>${text}</p>`).join("")}</main>`,
    );
  const long = told.repeat(4);

  it("texts above and below the known ones are reported unless they were around the content", () => {
    const [before, after] = [titled(long), main("Ring the bell.", long, hidden, "Closed in May.")];
    expect([before.region, after.region]).toEqual(["titled", "main"]);
    expect(edited(before, after).reported).toEqual(["Ring the bell.", "Closed in May."]);
  });

  it("texts above and below that are gone are reported unless they are around the content now", () => {
    const [before, after] = [main("Ring the bell.", long, hidden, "Closed in May."), titled(long)];
    expect(edited(before, after).reported).toEqual(["without Ring the bell.", "without Closed in May."]);
  });
});
