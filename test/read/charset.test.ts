import { describe, expect, test } from "vitest";
import { Failure } from "../../src/model/failure.ts";
import { readers } from "../../src/read/index.ts";
import { decode } from "../../src/read/shared/body.ts";
import { expectTime } from "../support/expect-time.ts";
import { processorTime } from "../support/processor-time.ts";
import { response } from "./given.ts";

/** Each character of a charset with its bytes, found by decoding all that there are. */
function tableOf(charset: string): ReadonlyMap<string, readonly number[]> {
  const decoder = new TextDecoder(charset);
  const all = Array.from({ length: 256 }, (_, i) => i);
  const pairs = all.slice(128).flatMap((lead) => all.slice(64).map((trail) => [lead, trail]));
  const table = new Map<string, readonly number[]>();
  for (const bytes of [...all.map((byte) => [byte]), ...pairs]) {
    const text = decoder.decode(Uint8Array.from(bytes));
    if ([...text].length === 1 && text !== "\ufffd" && !table.has(text)) table.set(text, bytes);
  }
  return table;
}

function encoded(text: string, charset: string): Uint8Array {
  const table = tableOf(charset);
  return Uint8Array.from(
    [...text].flatMap((char) => {
      const bytes = table.get(char);
      if (!bytes) throw new Error(`${char} is not in ${charset}`);
      return bytes;
    }),
  );
}

const source = (kind: string) => ({ id: "s", kind, address: "https://a.example/x", options: {} });
const sourceOf = source as (kind: string) => Parameters<NonNullable<ReturnType<typeof readers.get>>["read"]>[1];

async function textOf(body: Uint8Array, kind: string, type: string): Promise<string> {
  const answer = response(body, { headers: { "content-type": type } });
  const reading = await readers.get(kind)?.read(answer, sourceOf(kind));
  return (reading?.blocks ?? []).map(({ text }) => text).join("\n");
}

const russian = "Поддержка старых устройств прекращена в марте, минимальная версия теперь 3.2.";
const sentences: readonly (readonly [string, string])[] = [
  ["windows-1251", russian],
  ["koi8-r", russian],
  ["windows-1250", "Podpora starších zařízení skončila v březnu, nejnižší podporovaná verze je nyní 3.2."],
  [
    "windows-1250",
    "Wersja minimalna to teraz 3.2. Obsługa starszych urządzeń zakończyła się w marcu, później już jej nie będzie.",
  ],
  [
    "iso-8859-2",
    "Wersja minimalna to teraz 3.2. Obsługa starszych urządzeń zakończyła się w marcu, później już jej nie będzie.",
  ],
  ["windows-1253", "Η υποστήριξη παλαιότερων συσκευών έληξε τον Μάρτιο, η ελάχιστη έκδοση είναι πλέον η 3.2."],
  [
    "windows-1254",
    "En düşük sürüm artık 3.2. Eski cihazların desteği mart ayında sona erdi, yıl sonundan önce güncelleyin.",
  ],
  ["shift_jis", "古い機器のサポートは三月に終了しました。最小バージョンは 3.2 です。"],
  ["euc-jp", "古い機器のサポートは三月に終了しました。最小バージョンは 3.2 です。"],
  ["big5", "舊設備的支援已於三月結束,最低版本現在是 3.2。"],
  ["gbk", "旧设备的支持已于三月结束,最低版本现在是 3.2。"],
  ["euc-kr", "오래된 장치에 대한 지원은 3월에 종료되었습니다. 최소 버전은 이제 3.2입니다."],
  ["windows-1252", "La prise en charge des appareils âgés a cessé en mars, la version minimale est désormais la 3.2."],
  ["windows-1252", "The café’s price is £25 – “never again”."],
];

describe("a charset that nothing declares", () => {
  test.each(sentences)("is found: %s, %s", async (charset, sentence) => {
    expect(await textOf(encoded(sentence, charset), "text", "text/plain")).toContain(sentence.split(/[.,] /)[0]);
    const page = `<!doctype html><html><head><title>x</title></head><body><main><h1>Versions</h1><p>${sentence}</p></main></body></html>`;
    expect(await textOf(encoded(page, charset), "page", "text/html")).toBe(`Versions\n${sentence}`);
  });

  test("is found if UTF-8 is declared wrongly", async () => {
    const [, sentence = ""] = sentences[2] ?? [];
    expect(await textOf(encoded(sentence, "windows-1250"), "text", "text/plain; charset=utf-8")).toBe(sentence);
  });

  test("is unknown if several fit, and the failure says so", async () => {
    const letters = encoded("イギリス フランス コートジボワール エジプト ボスニア", "shift_jis");
    await expect(textOf(letters, "text", "text/plain")).rejects.toThrow(
      new Failure("charset", { why: "it names none, and its letters do not show which" }),
    );
  });

  test("is not looked for in a PDF, or in a picture", async () => {
    const picture = Uint8Array.from("\x89PNG\r\n\x1a\n\xd0\xa1\xc8", (char) => char.charCodeAt(0));
    await expect(textOf(picture, "page", "image/png")).rejects.toThrow(
      new Failure("wrong-type", { expected: "HTML", found: "image/png" }),
    );
    const pdf = Uint8Array.from("%PDF-1.7\n\xd0\xa1\xc8\xb9\xe3\xba", (char) => char.charCodeAt(0));
    await expect(textOf(pdf, "pdf", "")).rejects.toMatchObject({ kind: "malformed" });
  });
});

describe("a declared charset", () => {
  const decoded = (html: string) =>
    decode(
      response(
        Uint8Array.from(html, (char) => char.charCodeAt(0)),
        { headers: {} },
      ),
    );

  test.each([
    ["behind a comment with another one", '<!--<meta charset="iso-8859-1">--><meta charset="iso-8859-2">'],
    ["behind one that nobody knows", '<meta charset="bogus"><meta charset="iso-8859-2">'],
    ["behind an XML declaration that nobody knows", '<?xml version="1.0" encoding="x"?><meta charset="iso-8859-2">'],
    ["behind a script with another one", "<script>'<meta charset=koi8-r>'</script><meta charset=iso-8859-2>"],
    ["behind long styles", `<style>${"a { color: red } ".repeat(200)}</style><meta charset="iso-8859-2">`],
    ["in the long form", '<meta http-equiv="Content-Type" content="text/html; charset=ISO-8859-2">'],
  ])("counts %s", (_, head) => {
    expect(decoded(`<html><head>${head}</head><body>s\xb1</body></html>`)).toContain("są");
  });

  test("does not count in the text", () => {
    expect(decoded("<html><head></head><body>s\xb1 <meta charset=iso-8859-2></body></html>")).toContain("s±");
  });

  test("is found in time that grows with the length", () => {
    const started = processorTime();
    decoded(`<head>${"<!--<script<meta ".repeat(20_000)}\xb1`);
    expectTime(processorTime() - started, 1_000);
  });
});
