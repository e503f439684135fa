/** Words by which sites announce other pages of theirs, and advertisements, on each page: they change by themselves. */

/** Titles of lists of other pages, in lower case, as a whole. */
const titles: ReadonlySet<string> = new Set(
  [
    // English
    "most popular|most read|most viewed|most shared|most watched|most commented|popular now|trending now|what's trending",
    "up next|read next|read more|read also|also read|keep reading|continue reading|must read|must reads|don't miss|top stories",
    "editor's picks|editors' picks|recommended for you|more stories|more articles|more news|more posts|more to read",
    "popular posts|popular articles|popular videos|recent articles|in case you missed it|from our partners",
    // German
    "lesen sie auch|auch lesen|auch interessant|lesenswert|das könnte sie auch interessieren|mehr zum thema",
    "mehr aus dieser rubrik|weitere artikel|weitere beiträge|weitere themen|weitere news|weitere meldungen|meistgelesen",
    "meistgelesene artikel|am meisten gelesen|beliebte artikel|beliebte beiträge|neueste beiträge|neueste artikel",
    "neuste beiträge|aktuelle beiträge|aktuelle artikel|letzte beiträge|aktuellste beiträge|verwandte beiträge",
    "verwandte artikel|verwandte themen|ähnliche artikel|ähnliche beiträge|ähnliche themen|empfohlene beiträge",
    "empfohlene artikel|unsere empfehlungen|die neuesten meldungen|mehr artikel|mehr beiträge|passend zum thema",
    "das könnte dich auch interessieren|das könnte sie interessieren|das könnte dich interessieren|artikel zum thema",
    "das könnte euch interessieren|das könnte euch auch interessieren",
    // French
    "à lire aussi|lire aussi|à lire également|voir aussi|les plus lus|les plus consultés|articles récents|derniers articles",
    "articles similaires|articles connexes|sur le même sujet|sur le même thème|vous aimerez aussi|à découvrir|en ce moment",
    "vous aimerez peut-être|dans la même rubrique|articles populaires|les plus partagés|recommandé pour vous",
    // Spanish
    "lo más leído|lo más visto|lo más popular|más leídas|más leídos|las más leídas|noticias relacionadas|te puede interesar",
    "también te puede interesar|te puede también interesar|te podría interesar|también te puede gustar|lea también",
    "lee también|vea también|artículos relacionados|entradas relacionadas|entradas recientes|últimas noticias|más noticias",
    "contenido relacionado|contenidos relacionados|publicaciones relacionadas|temas relacionados|le puede interesar",
    // Portuguese
    "mais lidas|mais lidos|as mais lidas|leia também|veja também|você também pode gostar|artigos relacionados|últimas notícias",
    "conteúdo relacionado|conteúdos relacionados|posts relacionados|publicações relacionadas|notícias relacionadas",
    "posts recentes|artigos recentes|leia mais|recomendado para você",
    // Italian
    "i più letti|più letti|le più lette|leggi anche|articoli correlati|articoli recenti|ultimi articoli|potrebbe interessarti",
    "potrebbero interessarti|potrebbero interessarti anche|potrebbe interessarti anche|ultime notizie|articoli simili",
    // Dutch
    "lees ook|meest gelezen|gerelateerde artikelen|gerelateerde berichten|gerelateerde onderwerpen|verwante artikelen",
    "verwante berichten|verwante onderwerpen|laatste nieuws|recente berichten|meer artikelen|meest bekeken",
    // Polish
    "czytaj także|czytaj też|czytaj również|czytaj więcej|zobacz także|zobacz też|zobacz również|przeczytaj także",
    "przeczytaj też|przeczytaj również|najczęściej czytane|najpopularniejsze|najnowsze|ostatnie wpisy|powiązane artykuły",
    "powiązane wpisy|powiązane tematy|podobne artykuły|podobne wpisy|podobne tematy|polecane|polecamy",
    // Russian and Ukrainian
    "читайте также|смотрите также|материалы по теме|похожие статьи|похожие материалы|похожие записи|похожие темы",
    "связанные статьи|связанные материалы|связанные записи|связанные темы|самое читаемое|популярное|популярные статьи",
    "последние новости|свежие записи|читайте також|схожі статті|схожі матеріали|пов'язані статті|пов'язані матеріали",
    "найпопулярніше|останні новини|останні записи",
    // Scandinavian languages, Finnish
    "läs också|läs även|läs mer om|mest lästa|relaterade artiklar|relaterade inlägg|relaterat innehåll|senaste nytt",
    "les også|læs også|mest lest|mest læste|mest leste|relaterte artikler|relaterede artikler|relaterede indlæg",
    "relatert innhold|relaterede emner|siste nytt|seneste nyt|lue myös|luetuimmat|aiheeseen liittyvät artikkelit",
    // Czech, Hungarian, Romanian, Greek, Turkish
    "související články|související témata|související příspěvky|nejčtenější|čtěte také|mohlo by vás zajímat",
    "kapcsolódó cikkek|kapcsolódó témák|kapcsolódó bejegyzések|legolvasottabb|ezek is érdekelhetnek|ajánlott cikkek",
    "articole similare|articole asemănătoare|articole conexe|cele mai citite|citește și|σχετικά άρθρα|δημοφιλή|διαβάστε επίσης",
    "ilgili yazılar|ilgili makaleler|ilgili konular|ilgili içerikler|en çok okunanlar|son yazılar|bunlar da ilginizi çekebilir",
    // Others
    "artikel terkait|artikel lainnya|baca juga|terpopuler|bài viết liên quan|xem thêm|مقالات ذات صلة|مقالات مشابهة",
    "مواضيع ذات صلة|الأكثر قراءة|מאמרים קשורים|संबंधित लेख|関連記事|関連ページ|関連コンテンツ|関連トピック|おすすめ記事|人気記事",
    "最新記事|新着記事|あわせて読みたい|この記事を読んだ人はあわせて読みたい|相关文章|相关阅读|相关内容|相关主题|相关推荐|推荐阅读|推荐文章",
    "推荐内容|热门文章|最新文章|猜你喜欢|相關文章|相關閱讀|相關內容|相關主題|推薦閱讀|推薦文章|熱門文章|관련 글|관련글|관련 기사|관련기사",
    "관련 문서|관련 게시물|관련 콘텐츠|관련 주제|추천 글|추천 기사|추천 게시물|인기 글|인기 기사|최신 글|함께 읽으면 좋은 글",
  ].flatMap((line) => line.split("|")),
);

/** Titles that go on with a name or a subject. */
const beginnings = [
  "you may also like",
  "you might also like",
  "you may like",
  "you might like",
  "you may be interested in",
  "you might be interested in",
  "additional resources",
  "read next",
  "keep reading",
  "most popular",
  "most read",
  "trending",
  "articles in this section",
  "mehr aus",
  "mehr von",
  "mehr zu",
  "más sobre",
  "plus sur",
  "altri articoli",
  "meer van",
  "meer over",
  "więcej o",
  "recently viewed",
  "ähnliche artikel",
  "ähnliche beiträge",
  "ähnliche themen",
  "weitere artikel",
  "weitere beiträge",
  "weitere themen",
  "articles similaires",
  "articles connexes",
  "à lire aussi",
  "artículos relacionados",
  "artigos relacionados",
  "articoli correlati",
];
/** Characters by which they go on, at most. */
const mostMore = 30;

const kinds = new Set("related similar recommended suggested popular trending recent latest more".split(" "));
const others = new Set(
  (
    "article articles post posts topic topics story stories content page pages news resource resources reading discussions " +
    "discussion video videos question questions from like in on about"
  ).split(" "),
);
/** Characters of an English title behind the words that say its kind, at most. */
const mostOfKind = 40;

/** Beginnings of a line that leads to another story in the midst of a text. */
const leads = [
  ..."read more|read also|also read|related|more on this|don't miss|lesen sie auch|lies auch|auch lesen|mehr zum thema".split(
    "|",
  ),
  ..."auch interessant|à lire aussi|lire aussi|à lire également|lea también|lee también|lea más|lea|vea también".split(
    "|",
  ),
  ..."mira también|mira|mire|puedes ver|le puede interesar|te puede interesar|también puedes leer|leia também".split(
    "|",
  ),
  ..."veja também|leia mais|saiba mais|leggi anche|lees ook|czytaj także|czytaj też|czytaj również|zobacz też".split(
    "|",
  ),
  ..."zobacz także|zobacz również|przeczytaj także|читайте также|читайте також|läs också|läs även|les også".split("|"),
  ..."læs også|lue myös|čtěte také|olvasta már|citește și|διαβάστε επίσης|baca juga|あわせて読みたい|関連記事".split(
    "|",
  ),
];

/** Words that alone stand above an advertisement. */
const adverts = new Set(
  (
    "advertisement|advertisements|advertising|sponsored|sponsored content|anzeige|anzeigen|werbung|publicité|publicidad|" +
    "publicidade|pubblicità|advertentie|reklama|реклама|annons|annonse|annonce|mainos|reklám|reklam|広告|广告|廣告|광고"
  ).split("|"),
);

function folded(text: string): string {
  // A Turkish capital I with a dot keeps its dot as a sign of its own.
  return text.toLowerCase().replaceAll("i\u0307", "i").replaceAll("’", "'").trim();
}

function bare(title: string): string {
  return folded(title).replace(/[\s:：?!….»›→>-]{1,20}$/u, "");
}

/** Whether a title announces other pages of a site: "Most popular", "Lesen Sie auch", "More from the archive". */
export function announcesTeasers(title: string): boolean {
  const text = bare(title);
  if (titles.has(text)) return true;
  if (beginnings.some((one) => text.startsWith(one) && text.length <= one.length + mostMore)) return true;
  const [kind = "", other, ...more] = text.split(" ");
  if (!kinds.has(kind)) return false;
  return other === undefined || (others.has(other) && more.join(" ").length <= mostOfKind);
}

/** Whether a line begins with words that lead to another story: "Read more: …", "LEA TAMBIÉN: …". */
export function leadsElsewhere(line: string): boolean {
  const text = folded(line.slice(0, 60)).replace(/^[^\p{L}]+/u, "");
  return leads.some((one) => text.startsWith(one) && /^\s?[:：|»›→>–-]/u.test(text.slice(one.length)));
}

/** Whether a text only says that an advertisement stands here. */
export function saysAdvert(text: string): boolean {
  return adverts.has(folded(text).replace(/^[\s–—\-:*[\]()]{1,20}|[\s–—\-:*[\]()]{1,20}$/gu, ""));
}

/** Words that begin a list of subjects under which a site files a page. */
const files = new Set(
  (
    "tags|tag|tagged|filed under|posted in|keywords|schlagwörter|schlagworte|schlagwort|stichworte|stichwörter|mots-clés|" +
    "etiquetas|palabras clave|palavras-chave|argomenti|trefwoorden|tagi|теги|метки|теґи|etiketter|emneord|avainsanat|štítky|" +
    "címkék|etichete|ετικέτες|etiketler|タグ|标签|標籤|태그"
  ).split("|"),
);

/** Whether these words begin a list of the subjects under which a page is filed. */
export function saysFiled(text: string): boolean {
  return files.has(bare(text));
}

/** Words that lead back to where one came from. */
const backs = (
  "back to|return to|zurück zu|zurück zum|zurück zur|retour à|retour au|retour aux|volver a|voltar para|voltar ao|torna a|" +
  "torna alla|torna all|terug naar|powrót do|wróć do|назад к|вернуться к|tillbaka till|tilbage til|tilbake til|takaisin|zpět na|vissza a"
).split("|");

/** Whether a link leads back to a list or to where the site begins. */
export function leadsBack(text: string): boolean {
  const line = folded(text).replace(/^[^\p{L}]+/u, "");
  return backs.some((one) => line.startsWith(`${one} `));
}

const pictured = new Set(
  (
    "foto fotos photo photos photograph photography bild bilder image images picture credit credits copyright crédit crédits " +
    "photographie fotografía fotografia imagen imagem immagine zdjęcie zdj fot фото kuva billede bilde obrázek fotó kép 写真 图片"
  ).split(" "),
);

/** Whether a caption only says whose a picture is: "Foto: Agency", "© Agency". */
export function saysWhosePicture(text: string): boolean {
  const line = folded(text).replace(/^[\s([|/]+/, "");
  const word = /^[\p{L}\p{M}]+/u.exec(line)?.[0] ?? "";
  if (line.startsWith("©")) return true;
  return pictured.has(word) && /^\.?\s?(?:[:：/|©-]|by\b|von\b|via\b|courtesy\b)/u.test(line.slice(word.length));
}
