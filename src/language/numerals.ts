import { foldText } from "./fold.ts";

/** A number that is written in words, and how many of these it takes. */
export interface Spelled {
  readonly number: number;
  readonly length: number;
}

/**
 * Words for numbers in the commonest languages, by their number. Words for one are left out, as they are articles, and
 * so are words with another meaning in another language: Danish `to days`, Hungarian `hat Tage`.
 */
const spelled: Readonly<Record<number, string>> = {
  2: "two zwei deux dos due dois duas twee två kaksi dwa dwie dva dvě два две дві iki kettő két doi două δύο 두",
  3: "three drei trois tres tre três drie kolme trzy tři tri три üç három trei τρεις τρία 세",
  4: "four vier quatre cuatro quattro quatro fyra fire neljä cztery čtyři четыре чотири dört négy patru τέσσερις τέσσερα 네",
  5: "five fünf cinq cinco cinque vijf fem viisi pięć pět пять п'ять beş öt cinci πέντε 다섯",
  6: "six sechs seis sei zes sex seks kuusi sześć šest шесть шість altı șase έξι 여섯",
  7: "seven sieben sept siete sette sete zeven sju syv seitsemän siedem sedm семь сім yedi hét șapte επτά εφτά 일곱",
  8: "eight acht huit ocho otto oito åtta otte åtte kahdeksan osiem osm восемь вісім sekiz nyolc opt οκτώ οχτώ 여덟",
  9: "nine neun neuf nueve nove negen nio ni yhdeksän dziewięć devět девять дев'ять dokuz kilenc nouă εννέα εννιά 아홉",
  10: "ten zehn dix diez dieci dez tien tio kymmenen dziesięć deset десять tíz zece δέκα 열",
  11: "eleven elf onze once undici elva elleve jedenaście jedenáct одиннадцать одинадцять tizenegy έντεκα",
  12: "twelve zwölf douze doce dodici doze twaalf tolv dwanaście dvanáct двенадцать дванадцять tizenkettő δώδεκα",
  13: "thirteen dreizehn treize trece tredici treze dertien tretton tretten trzynaście třináct тринадцать тринадцять",
  14: "fourteen vierzehn quatorze catorce quattordici catorze veertien fjorton fjorten czternaście čtrnáct четырнадцать",
  15: "fifteen fünfzehn quinze quince quindici vijftien femton femten piętnaście patnáct пятнадцать п'ятнадцять",
  16: "sixteen sechzehn seize dieciséis sedici dezesseis zestien sexton seksten szesnaście šestnáct шестнадцать",
  17: "seventeen siebzehn diecisiete diciassette dezessete zeventien sjutton sytten siedemnaście sedmnáct семнадцать",
  18: "eighteen achtzehn dieciocho diciotto dezoito achttien arton atten osiemnaście osmnáct восемнадцать вісімнадцять",
  19: "nineteen neunzehn diecinueve diciannove dezenove negentien nitton nitten dziewiętnaście devatenáct девятнадцать",
  20: "twenty zwanzig vingt veinte venti vinte twintig tjugo tyve dwadzieścia dvacet двадцать двадцять yirmi húsz είκοσι",
  30: "thirty dreißig trente treinta trenta trinta dertig trettio tretti tredive trzydzieści třicet тридцать тридцять otuz",
  40: "forty vierzig quarante cuarenta quaranta quarenta veertig fyrtio førti čtyřicet сорок kırk negyven σαράντα",
  50: "fifty fünfzig cinquante cincuenta cinquanta cinquenta vijftig femtio femti pięćdziesiąt padesát пятьдесят elli ötven",
  60: "sixty sechzig soixante sesenta sessanta sessenta zestig sextio seksti šedesát шестьдесят шістдесят altmış hatvan",
  70: "seventy siebzig setenta settanta zeventig sjuttio sytti siedemdziesiąt sedmdesát семьдесят сімдесят yetmiş hetven",
  80: "eighty achtzig ochenta ottanta oitenta tachtig åttio åtti osiemdziesiąt osmdesát восемьдесят seksen nyolcvan",
  90: "ninety neunzig noventa novanta negentig nittio nitti devadesát девяносто дев'яносто doksan kilencven",
};
const numbers = new Map(
  Object.entries(spelled).flatMap(([number, words]) =>
    words.split(" ").map((word) => [foldText(word).text, Number(number)] as const),
  ),
);

/** Further words that continue a number: `one hundred two`. */
const larger = new Set(
  `hundred thousand hundert tausend cent cents mille cien ciento mil cento honderd duizend hundra hundre tusen sto tysiąc
  tisíc сто тысяча тисяча yüz bin száz ezer`.split(/\s+/),
);

const digits = "〇一二三四五六七八九";
/** Below a hundred: 三, 十, 十四, 三十, 三十五. */
const ofSigns = /^(?:([二三四五六七八九])?(十))?([一二三四五六七八九])?$/;
const mostSigns = 3;
const sign = /^[〇一二三四五六七八九十百千万两]$/;

/** Links between the words of one number: `treinta y dos`, `one hundred and five`. */
const links = new Set("and e y et i og och und en".split(" "));

/** Whether a number may continue after this word and a link. */
function isRound(key: string): boolean {
  return larger.has(key) || (numbers.get(key) ?? 0) >= 20;
}

/**
 * The number that begins with the first of these keys, before a counted thing. It must not be the end of another
 * number: `twenty-two years` is not two.
 */
export function spelledNumber(keyAt: (offset: number) => string | undefined): Spelled | undefined {
  const first = keyAt(0) ?? "";
  const before = keyAt(-1) ?? "";
  if (numbers.has(before) || larger.has(before) || sign.test(before)) return undefined;
  if (links.has(before) && isRound(keyAt(-2) ?? "")) return undefined;
  const known = numbers.get(first);
  if (known !== undefined) return keyAt(1) === undefined ? undefined : { number: known, length: 1 };
  if (first !== "十" && !digits.includes(first)) return undefined;
  const signs: string[] = [];
  for (let key = keyAt(0); key && /^[十一二三四五六七八九]$/.test(key) && signs.length <= mostSigns; )
    key = keyAt(signs.push(key));
  const [, tens, ten, one] = ofSigns.exec(signs.join("")) ?? [];
  if ((ten ?? one) === undefined || keyAt(signs.length) === undefined) return undefined;
  const number =
    (ten === undefined ? 0 : 10 * (tens === undefined ? 1 : digits.indexOf(tens))) + digits.indexOf(one ?? "〇");
  return { number, length: signs.length };
}
