import { describe, expect, test } from "vitest";
import { boundAt } from "../../src/claims/find/bound.ts";
import { denialOfPassage } from "../../src/claims/find/denial.ts";
import { wordsOf } from "../../src/compare/page/text.ts";
import {
  isContentsTitle,
  isErrorTitle,
  isLoginTitle,
  needsScript,
  saysRights,
  saysWall,
  skipsToContent,
} from "../../src/language/boilerplate.ts";
import { languageOf } from "../../src/language/detect.ts";
import { decimalSignOf } from "../../src/language/numbers.ts";
import { quantities, underSign } from "../../src/language/quantity.ts";
import { wordsIn, wordsOfBlocks } from "../../src/language/words.ts";
import { isReferencesHeading } from "../../src/report/cite/bibliography.ts";
import { ratedBy } from "../report/rated.ts";

/** Hungarian is one file, src/language/data/hu.yaml: nothing else in src names it. */
describe("Hungarian", () => {
  test("a text is known to be Hungarian", () => {
    const text =
      "A vitorla és a kötél nem egy darabból van, hanem kettőből, és ezt minden pilótának tudnia kell. Az is lehet, hogy a kötél már nem új, vagy meg van csavarva: ez csak a szélben látszik, amely erős. Minden kötél egy évig tart, illetve addig, amíg el nem szakad.";
    expect(languageOf(text)).toBe("hu");
  });

  test.each([
    ["legalább 16 GB memória", "lower"],
    ["legfeljebb 16 GB memória", "upper"],
    ["16 GB vagy több memória", "lower"],
    ["kevesebb mint 16 GB memória", "below"],
  ])("a figure has a bound: %s", (text, bound) => {
    const words = wordsIn(text);
    const at = words.findIndex(({ start }) => /\d/.test(text.charAt(start)));
    expect(boundAt(text, words, at)).toBe(bound);
  });

  test.each([
    ["A vitorla nem bírja az esőt.", "bírja az esőt", true],
    ["A vitorla bírja az esőt, kivéve a papírt.", "bírja az esőt", true],
    ["A vitorla bírja az esőt is.", "bírja az esőt", false],
  ])("a passage is denied or restricted: %s", (text, passage, isTakenBack) => {
    const page = wordsOfBlocks([{ path: [], kind: "paragraph", text }]);
    expect(denialOfPassage(page, passage) !== undefined).toBe(isTakenBack);
  });

  test("words multiply the number before them, and the comma comes before decimals", () => {
    const [one, other] = [quantities("3,5 millió sor"), quantities("3500 ezer sor")];
    expect(one[0]?.from).toBe(3_500_000);
    expect(other[0]?.from).toBe(one[0]?.from);
    const [figure] = quantities("1.299 kg");
    expect(figure && underSign(figure, decimalSignOf([], "hu")).from).toBe(1_299_000);
  });

  test("a relative date within a text says nothing of it", () => {
    const text = (ago: string) => `A vitorla lapját a szerkesztők ${ago} ezelőtt nézték át a műhelyben.`;
    expect(wordsOf(text("3 nappal"))).toBe(wordsOf(text("két héttel")));
  });

  test("yes, partly and no are levels of a table that compares", () => {
    const table = `# Összehasonlítás

| Funkciók | Kite | Sail | Reel |
| --- | --- | --- | --- |
| Eső | Igen | Nem | Részben |
| Éjszaka | Nem | Részben | Igen |
| Két kötél | Részben | Igen | Nem |`;
    expect(ratedBy(table)?.levels).toEqual(["Nem", "Részben", "Igen"]);
  });

  test("error pages, walls and boilerplate are known", () => {
    expect(saysWall("Igazolja, hogy ön ember")).toBe(true);
    expect(isLoginTitle("Bejelentkezés")).toBe(true);
    expect(isErrorTitle("Az oldal nem található")).toBe(true);
    expect(needsScript("Engedélyezze a JavaScriptet")).toBe(true);
    expect(isContentsTitle("Ezen az oldalon")).toBe(true);
    expect(skipsToContent("Ugrás a tartalomra")).toBe(true);
    expect(saysRights("© Műhely. Minden jog fenntartva.")).toBe(true);
    expect(isReferencesHeading("Irodalomjegyzék")).toBe(true);
  });
});
