/**
 * Sentences by which a page says that there is none, in languages other than English. They say so wherever they stand on
 * a page of a few words.
 */
export const missingPage: readonly RegExp[] = [
  /seite gibt es (?:hier |leider )?nicht(?! (?:auf|in|als|für)(?!\p{L}))/iu,
  /seite konnte (?:leider )?nicht gefunden/iu,
  /page (?:demandée|que vous (?:re)?cherchez) (?:est introuvable|n'existe|n'a pas)/iu,
  /sidan (?:kunde inte hittas|hittades inte|finns inte)/iu,
  /siden (?:(?:ble|blev|kunne) )?ikke (?:fundet|funnet|findes|finnes)/iu,
  /siden (?:findes|finnes) ikke(?! (?:på|i|som|for)(?!\p{L}))/iu,
  /sivua ei (?:löyt|ole)/iu,
  /nie znaleziono (?:strony|podanej strony)/iu,
  /strona(?:, której szukasz,)? nie (?:została znaleziona|istnieje)/iu,
  /stránka (?:nebyla nalezena|nebola nájdená|neexistuje)/iu,
  /az oldal nem (?:található|létezik)/iu,
  /pagina nu (?:a fost găsită|există)/iu,
  /страница не (?:найдена|существует)/iu,
  /такой страницы (?:нет|не существует)/iu,
  /сторінк[ау] не (?:знайдено|існує)/iu,
  /sayfa bulunamadı/iu,
  /σελίδα δεν (?:βρέθηκε|υπάρχει)/iu,
  /페이지를 찾을 수 없/iu,
  /페이지가 존재하지/iu,
  /존재하지 않는 페이지/iu,
  /ページ[がは](?:見つかりません|存在しません)/iu,
  /页面(?:不存在|未找到|找不到|已(?:被)?删除)(?!的)/iu,
  /找不到(?:该|此|您访问的)?(?:页面|网页)/iu,
  /頁面不存在/iu,
  /找不到(?:該|此)?(?:頁面|網頁)/iu,
  /الصفحة (?:المطلوبة )?غير موجودة/iu,
];

/** Words of a page that is known to be an error: that there is none, or that its site or name is given up. */
const given: readonly RegExp[] = [
  /\b(?:404|410)\b/,
  /\bnot (?:be )?found\b|^gone\b/im,
  /\bno (?:such|longer)\b|\bis missing\b|\bnothing was found\b/iu,
  /\b(?:does not|doesn't|do not|don't) exist\b/iu,
  /\b(?:can't|cannot|can not|couldn't|could not|unable to) (?:seem to )?(?:be )?(?:find|found|locate)/iu,
  /\b(?:has|have|may have|might have) (?:been )?(?:moved|removed|deleted)\b/iu,
  /\b(?:page|site|document|article)\b.{0,20} (?:isn't|is not|not) (?:available|there|here)\b/iu,
  /\bno (?:web ?)?site (?:here|at this address)\b/iu,
  /\bdefault (?:welcome |web ?site )?page\b|^welcome to \w+!$/imu,
  /\b(?:(?:web ?)?site|account|domain(?: name)?) (?:has |is |has been )?(?:expired|suspended|parked)\b/iu,
  /\bis for sale\b|\bfor sale by its owner\b|\bbuy this domain\b|\bsponsored listings\b/iu,
  /\bdomain owner\b|\bpage is parked\b|\bpending renewal\b/iu,
  /seite (?:wurde )?nicht gefunden|seite (?:existiert|wurde) (?:leider )?nicht/iu,
  /page (?:introuvable|non trouvée)|n'existe (?:pas|plus)/iu,
  /página no encontrada|no existe|página não encontrada|não existe/iu,
  /pagina non trovata|non esiste|pagina niet gevonden|bestaat niet/iu,
];

/** Whether an error page says that there is no page, or that its site or name is given up, rather than that it failed. */
export function saysMissing(text: string): boolean {
  return [...given, ...missingPage].some((words) => words.test(text));
}
