import { describe, expect, it } from "vitest";
import type { Block } from "../../src/model/model.ts";
import { languageOf, unreadableSince } from "../../src/read/formats/readable.ts";

const english =
  "The driver is loaded when the service starts, and it stays in memory for as long as the service is running. You can see its version in the log of the service and in the settings, which are kept with your profile.";
const german =
  "Der Treiber wird mit dem Dienst geladen und bleibt im Speicher, solange der Dienst läuft. Sie sehen die Version des Treibers im Protokoll und in den Einstellungen, die mit dem Profil gespeichert werden und für alle gelten.";
const french =
  "Le pilote est chargé avec le service et reste en mémoire pour toute la durée de la session. Vous pouvez voir la version dans le journal et dans les réglages, qui sont conservés avec votre profil sur le serveur.";

const blocks = (...texts: string[]): Block[] => texts.map((text) => ({ path: [], kind: "paragraph", text }));
const many = (text: string, count: number) => blocks(...Array.from({ length: count }, (_, i) => `${i}. ${text}`));
const known = (accepted: Block[], language?: string) => ({ language, page: { accepted } });

describe("half-loaded", () => {
  const whole = many(english, 10);

  it("is a page most of which is missing", () => {
    expect(unreadableSince(known(whole), { blocks: whole.slice(0, 3) })).toMatchObject({ kind: "half-loaded" });
    const placeholder = blocks("We are fetching the rest of this document.");
    expect(unreadableSince(known(whole), { blocks: placeholder })).toMatchObject({ kind: "half-loaded" });
  });

  it("is not a page that lost a section, was rewritten, or was short", () => {
    expect(unreadableSince(known(whole), { blocks: whole.slice(0, 7) })).toBeUndefined();
    expect(unreadableSince(known(whole), { blocks: many(`${english} And more.`, 9) })).toBeUndefined();
    expect(unreadableSince(known(whole), { blocks: [...whole, ...blocks("One more.")] })).toBeUndefined();
    expect(unreadableSince(known(blocks("One.", "Two.", "Three.")), { blocks: blocks("One.") })).toBeUndefined();
  });

  it("needs a page before it", () => {
    expect(unreadableSince(undefined, { blocks: whole })).toBeUndefined();
    expect(unreadableSince({}, { blocks: whole })).toBeUndefined();
    expect(unreadableSince(known(whole), { items: [] })).toBeUndefined();
  });
});

describe("another language", () => {
  it.each([
    ["de", german],
    ["fr", french],
  ])("is told from the text: %s", (language, text) => {
    expect(languageOf(text)).toBe(language);
    expect(unreadableSince(known(many(english, 5), "en"), { blocks: many(text, 5), language: "en" })).toMatchObject({
      kind: "language",
      facts: { expected: "en", found: language },
    });
  });

  it.each([
    ["ja", "このドライバーはサービスの開始時に読み込まれ、サービスが動いている間はメモリに残ります。".repeat(6)],
    ["zh", "驱动程序在服务启动时加载，并在服务运行期间保留在内存中。版本可以在日志中查看。".repeat(6)],
    ["ko", "드라이버는 서비스가 시작될 때 로드되며 서비스가 실행되는 동안 메모리에 남아 있습니다.".repeat(6)],
    ["ru", "Драйвер загружается при запуске службы и остаётся в памяти, пока служба работает. ".repeat(4)],
    [
      "es",
      "El controlador se carga con el servicio y permanece en la memoria para toda la sesión de los usuarios. ".repeat(
        3,
      ),
    ],
  ])("is known: %s", (language, text) => {
    expect(languageOf(text)).toBe(language);
  });

  it("is not a different word for the same language, nor a quotation", () => {
    expect(
      unreadableSince(known(many(english, 5), "en"), { blocks: many(english, 5), language: "en-US" }),
    ).toBeUndefined();
    expect(
      unreadableSince(known(many(english, 5), "en"), { blocks: many(english, 5), language: "de" }),
    ).toBeUndefined();
    const quoting = [...many(english, 5), ...blocks(german)];
    expect(unreadableSince(known(many(english, 5)), { blocks: quoting })).toBeUndefined();
    expect(languageOf("short")).toBeUndefined();
    expect(languageOf("npm install x && x --help ; cd build ; make -j8 ; ".repeat(8))).toBeUndefined();
  });

  it("or another region, where most of the text differs", () => {
    const prices = (currency: string) => many(`The plan costs ${currency}10 a month and has all that you need.`, 12);
    const found = { blocks: prices("€"), language: "en-IE" };
    expect(unreadableSince(known(prices("$"), "en-US"), found)).toMatchObject({
      kind: "language",
      facts: { expected: "en-US", found: "en-IE" },
    });
    expect(unreadableSince(known(prices("$"), "en-US"), { ...found, language: "en-US" })).toBeUndefined();
    expect(unreadableSince(known(prices("$"), "en-US"), { blocks: prices("$"), language: "en-IE" })).toBeUndefined();
  });
});
