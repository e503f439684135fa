/**
 * Words of languages other than English before a figure, by which it is no figure of the thing itself: it is about so
 * much, or it was, would be or will be so. Some mean something else in English (`fast`, `war`).
 */
export const doubtfulWords: ReadonlySet<string> = new Set(
  `etwa ungefähr circa zirka ca rund knapp fast nahezu annähernd schätzungsweise geschätzt geschätzte geschätzten
  environ approximativement presque quasiment près autour estimé estimée estimés
  aproximadamente unos unas casi alrededor cerca estimado estimada quasi intorno quase perto
  ongeveer bijna rond około prawie blisko niemal ungefär cirka nästan drygt knappt omkring noin lähes
  примерно около почти приблизительно
  früher bisher ehemals damals vorher ursprünglich statt anstatt ohne wenn falls war waren wurde wurden hatte hatten
  wird werden würde würden könnte könnten soll sollen sollte sollten kein keine keinen
  auparavant autrefois ancien ancienne était étaient avait avaient fut sera seront serait pourrait pourraient si sans lieu
  antes anteriormente era eran fue fueron tenía había será serán sería podría podrían sin
  prima precedentemente aveva avevano sarà saranno sarebbe potrebbe senza foi foram tinha seria poderia sem
  vroeger eerder had hadden werd zou zouden zal zonder wcześniej dawniej był była było były będzie będą byłby bez jeśli
  tidigare förr var hade blir skulle kunde utan om ранее прежде был была было были будет будут без если бы`.split(
    /\s+/,
  ),
);
