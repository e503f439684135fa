import { nth } from "../../language/fold.ts";
import { isMonthName } from "../../language/month-names.ts";
import { sentenceAt, spanAt, type Term, type Words } from "../../language/words.ts";
import { boundOf, denials, isStrict, maxBetween } from "./bound.ts";
import { occurrences, partsOf } from "./quote.ts";

const listed = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Words that deny what stands right behind them. */
const lacks = listed(
  `no without kein keine keinen keinem keiner keines ohne aucun aucune sans ningún ninguna sin nessun nessuna senza nenhum
  nenhuma sem geen zonder bez без нет ingen inget utan uden 不 没 沒 未 无 無 非`,
);
/** Behind a denial these ask for what follows: `does not run without 16 GB`. */
const without = listed("without ohne sans sin senza sem zonder bez без uden utan");
/** Between such a Chinese sign and what it denies one of these may stand: `不再支持`. */
const auxiliary = listed("再 能 会 會 可 有 予 得");
/** Behind a denial these make it none: `not only supports`, `no more than 16 GB`, `not fast but supports`. */
const notAlone = listed(
  `only just merely solely than nur bloß allein als seulement uniquement que solo sólo solamente únicamente soltanto só
  apenas somente alleen slechts dan tylko niż только лишь чем bara än kun end enn 仅 僅 只 但 光 单
  but sondern aber pero sino ma mas maar ale но а hesitate forget`,
);
/** A denial behind what it denies, at the end of its clause: `läuft auf Arm nicht mehr`. */
const denialBehind = /^ (?:nicht|niet|inte|ikke)(?: mehr| meer| mer| mere| längre| længere)?(?=[^\p{L}\p{N} ]|$)/iu;
/** An ending that denies a Japanese verb, and what makes it none: `しか…ない`, `かもしれません`, `なければならない`, `でもかまいません`. */
const negativeEnding = /^\p{Script=Hiragana}{0,8}(?:ません(?:でした)?|ない|なかった)$/u;
const noNegative = /しか|だけ|かも|ければ|なくて|すぎ|かま|ほか|ちがい/u;

/** Words that take a part of a passage back, by language: an exception, or a condition. */
const takingBack: Readonly<Record<string, string>> = {
  en: "except|excluding|unless|(?:other than|apart from|aside from)(?! th(?:at|is))|with the exception of|save for|(?<!(?:and|not) )only (?:if|when|where|while|with|for|in|on|until)",
  de: "außer|ausgenommen|mit Ausnahme|es sei denn|(?<!(?:und|nicht) )nur (?:wenn|falls|solange|mit|für|in|auf|bei|unter)",
  fr: "sauf|hormis|excepté|à l['’]exception|à moins(?! d(?:e |['’])\\p{N})|(?<!(?:et|pas|non) )(?:seulement|uniquement) (?:si|avec|pour|sur|en|dans)",
  es: "excepto|a excepción|con (?:la )?excepción|a menos que|(?<!(?:y|no) )(?:solo|sólo|solamente|únicamente) (?:si|con|para|en|hasta)",
  it: "tranne|eccetto|ad eccezione|a meno che|(?<!(?:e|non) )(?:solo|soltanto) (?:se|con|per|su|in)",
  pt: "exceto|com (?:a )?exceção|a menos que|(?<!(?:e|não) )(?:só|apenas|somente) (?:se|com|para|em)",
  nl: "behalve|uitgezonderd|met uitzondering|tenzij|(?<!(?:en|niet) )alleen (?:als|met|voor|op|in|bij)",
  pl: "oprócz(?! tego)|z wyjątkiem|chyba że|(?<!(?:i|nie) )tylko (?:jeśli|z|dla|na|w)",
  ru: "кроме(?! того)|за исключением|(?<!(?:и|не) )только (?:если|с|для|на|в|при)",
};
/** These stand right behind what they take back: between other words `salvo` is a verb. */
const besideAlone = "salvo(?![\\p{L}\\p{N}])|以外|を除|除外|除く";
/** It stands right behind a passage, with so many words between: `Windows 10, but only with`. */
const restriction = new RegExp(
  `^[^\\p{L}\\p{N}]{0,3}(?:(?:[\\p{L}\\p{N}.]+ ){0,3}?(?:${Object.values(takingBack).join("|")})(?![\\p{L}\\p{N}])|${besideAlone})`,
  "iu",
);

/** The words behind one that leads to a last day. In most languages it leads to what is counted as well: `up to`. */
const until =
  /^[^\p{L}\p{N}]{0,3}(?:[\p{L}\p{N}.]+ ){0,3}?(?:until|till|bis|jusqu['’]au|hasta|fino|até|tot|do|до) ([^,;:!?()\n]{1,60})/iu;
/** Words that may stand before a last day, or within it. */
const ofDay = listed("the end of ende zum el al o dia de en met fin final fine");

/** Whether a passage holds until a day or year only. */
function endsSome(behind: string): boolean {
  const words =
    until
      .exec(behind)?.[1]
      ?.toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const [first = "", second = "", third = ""] = words.filter((word) => !ofDay.has(word));
  const isYear = (word: string) => /^(?:19|20|21)\d\d$/.test(word);
  const isFigure = (word: string) => /^\d{1,2}(?!\d)/.test(word);
  if (isYear(first)) return second === "" || isFigure(second) || ofDay.has(words[0] ?? "");
  if (isMonthName(first)) return isFigure(second) || isYear(second);
  return isFigure(first) && (isMonthName(second) || (isFigure(second) && isYear(third)));
}

/**
 * A passage with what denies it, or takes a part of it back, where each place at which it stands word for word has such
 * words right before or behind it, in its own sentence. Of one that leaves words out, this holds of any part.
 */
export function takenBack(page: Words, text: string): string | undefined {
  return partsOf(text)
    .map((part) => partTakenBack(page, part))
    .find((span) => span !== undefined);
}

function partTakenBack(page: Words, passage: readonly Term[]): string | undefined {
  const spans = occurrences(page, passage, maxOccurrences).map((at) => {
    const last = at + passage.length - 1;
    const from = denialBefore(page, at);
    return from === undefined ? restricted(page, at, last) : spanAt(page, from, last).text;
  });
  return spans.includes(undefined) ? undefined : spans[0];
}

const maxOccurrences = 1000;

/** The words from `at` to the end of their sentence, where what stands behind `last` denies them or takes a part back. */
function restricted(page: Words, at: number, last: number): string | undefined {
  const [, end] = sentenceAt(page, at, last);
  if (end === last || page.block[end] !== page.block[last]) return undefined;
  const { text, start } = spanAt(page, at, end);
  const behind = text.slice(nth(page.end, last) - start);
  const isDenied = denialBehind.test(behind) || (negativeEnding.test(behind) && !noNegative.test(behind));
  return isDenied || restriction.test(behind) || endsSome(behind) ? text : undefined;
}

/** The first word of what denies the words from `at` on, in their own sentence and with no sign between. */
function denialBefore(page: Words, at: number, isSecond = false): number | undefined {
  const keyAt = (word: number) => page.terms[page.ids[word] ?? -1]?.key ?? "";
  const keysBetween = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => keyAt(from + i));
  const isFigure = /\d/.test(keyAt(at));
  for (let word = at - 1; word >= 0 && at - word <= maxBetween + 1; word--) {
    const block = nth(page.block, word);
    if (page.block[word + 1] !== block) return undefined;
    const between = nth(page.blocks, block).text.slice(page.end[word], page.start[word + 1]);
    if (/[^\s'"“‘-]/.test(between)) return undefined;
    const key = keyAt(word);
    if (notAlone.has(key) || (isFigure && isStrict(boundOf(keysBetween(word, at))))) return undefined;
    if (denials.has(key))
      return [word - 1, word].some((from) => boundOf(keysBetween(from, at)) !== undefined) ? undefined : word;
    if (key === "不" && keyAt(word - 1) === "得") return undefined;
    if (without.has(key) && !isSecond && denialBefore(page, word, true) !== undefined) return undefined;
    if (lacks.has(key) && (word === at - 1 || (word === at - 2 && auxiliary.has(keyAt(at - 1))))) return word;
    if (key === "longer" && keyAt(word - 1) === "no") return word - 1;
    if (key === "no" && keyAt(word - 1) === "ya") return word - 1;
    const ne = key === "plus" ? [word - 1, word - 2].find((one) => /^n[e']$/.test(keyAt(one))) : undefined;
    if (ne !== undefined) return ne;
  }
  return undefined;
}
