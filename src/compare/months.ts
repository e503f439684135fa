import { foldText } from "../language/fold.ts";

/**
 * The names of each month, in full and short, as dates are written in Arabic, Czech, Danish, Dutch, English, Finnish,
 * French, German, Greek, Hungarian, Indonesian, Italian, Norwegian, Polish, Portuguese, Romanian, Russian, Spanish,
 * Swedish, Turkish and Ukrainian. No name means two months in two languages.
 */
const names: readonly string[] = [
  `january jan januar jänner janvier janv enero ene gennaio gen janeiro januari stycznia sty tammikuuta ocak oca
    ledna január ianuarie ian ιανουαρίου ιαν января янв січня січ يناير`,
  `february feb februar février févr febrero febbraio fevereiro februari fev lutego lut helmikuuta şubat şub února
    február febr februarie φεβρουαρίου φεβ февраля февр лютого лют فبراير`,
  `march mar märz mars marzo março maart mrt marca marts maaliskuuta mart maret března március márc martie μαρτίου
    μαρ марта мар березня бер مارس`,
  `april apr avril avr abril abr aprile kwietnia kwi huhtikuuta nisan nis dubna április ápr aprilie απριλίου απρ
    апреля апр квітня квіт أبريل`,
  `may mai mayo maggio mag maio mei maja maj toukokuuta mayıs května május máj μαΐου μαΐ мая травня трав مايو`,
  `june jun juni juin junio giugno giu junho czerwca cze kesäkuuta haziran haz června június jún iunie iun ιουνίου
    ιουν июня июн червня черв يونيو`,
  `july jul juli juillet juil julio luglio lug julho lipca lip heinäkuuta temmuz tem července július júl iulie iul
    ιουλίου ιουλ июля июл липня лип يوليو`,
  `august aug août agosto ago augustus sierpnia sie augusti elokuuta ağustos ağu agustus agu srpna augusztus
    αυγούστου αυγ августа авг серпня серп أغسطس`,
  `september sept sep septembre septiembre settembre set setembro września wrz syyskuuta eylül eyl září szeptember
    szept septembrie σεπτεμβρίου σεπ сентября сент вересня вер سبتمبر`,
  `october oct oktober okt octobre octubre ottobre ott outubro out października paź lokakuuta ekim eki října október
    octombrie οκτωβρίου οκτ октября окт жовтня жовт أكتوبر`,
  `november nov novembre noviembre novembro listopada lis marraskuuta kasım kas listopadu noiembrie νοεμβρίου νοε
    ноября нояб листопада лист نوفمبر`,
  `december dec dezember dez décembre déc diciembre dic dicembre dezembro grudnia gru joulukuuta aralık ara desember
    des prosince decembrie δεκεμβρίου δεκ декабря дек грудня груд ديسمبر`,
];

let numbers: ReadonlyMap<string, number> | undefined;

/** The month, from 1 to 12, that a word in lower case, folded or not, names in any language known here. */
export function monthNamed(word: string): number | undefined {
  numbers ??= new Map(
    names.flatMap((of, i) =>
      [of, foldText(of).text].flatMap((all) => all.split(/\s+/)).map((name) => [name, i + 1] as const),
    ),
  );
  return numbers.get(word);
}
