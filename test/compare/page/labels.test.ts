import { describe, expect, it } from "vitest";
import { wordsOf } from "../../../src/compare/page/text.ts";

describe("words of a label", () => {
  it.each([
    ["14 people are viewing this right now", "17 people are viewing this right now"],
    ["You are visitor number 88,123.", "You are visitor number 88,150."],
    ["Posted a moment ago", "Posted 2 hours ago"],
    ["Posted 4 hours 9 min ago", "Posted 1 day, 2 hours ago"],
    ["vor einer Stunde", "vor 5 Std."],
    ["vor 4 Stunden 9 Minuten", "vor 1 Tag 2 Stunden"],
    ["il y a un an", "il y a 2 ans"],
    ["3 dias atrás", "1 dia atrás"],
    ["un mese fa", "2 mesi fa"],
    ["un'ora fa", "3 ore fa"],
    ["1 dag geleden", "2 dagen geleden"],
    ["för en dag sedan", "för 3 dagar sedan"],
    ["Päivitetty 3 päivää sitten", "Päivitetty kuukausi sitten"],
    ["rok temu", "2 lata temu"],
    ["Aktualizováno před 3 dny", "Aktualizováno před 1 měsícem"],
    ["3 napja", "2 hónappal ezelőtt"],
    ["acum 3 zile", "acum o lună"],
    ["πριν από 3 ημέρες", "πριν από 4 ημέρες"],
    ["5 днів тому", "місяць тому"],
    ["Обновлено месяц назад", "Обновлено 2 месяца назад"],
    ["3 gün önce güncellendi", "1 ay önce güncellendi"],
    ["3日前に更新", "4か月前に更新"],
    ["更新于 3 天前", "更新于 1 周前"],
    ["安娜 3天前", "安娜 1周前"],
    ["アンナ 3日前 投稿", "アンナ 2週間前 投稿"],
    ["3개월 전", "4개월 전"],
    ["3 ngày trước", "4 ngày trước"],
    ["3 hari yang lalu", "2 bulan lalu"],
    ["منذ 3 أيام", "منذ 4 أيام"],
    ["לפני 3 ימים", "לפני 4 ימים"],
    ["3 दिन पहले", "4 दिन पहले"],
    ["fa 3 dies", "fa un mes"],
    ["Anna · 3일 전 · 댓글 2개", "Anna · 5일 전 · 댓글 4개"],
  ])("leave out how long ago it was: %s", (one, other) => {
    expect(wordsOf(one)).toBe(wordsOf(other));
  });

  it.each([
    ["1 comment", "2 comments"],
    ["12 of 14 people found this helpful", "13 of 15 people found this helpful"],
    ["12 Kommentare", "1 Kommentar"],
    ["Kommentare (12)", "Kommentare (14)"],
    ["5 Min. Lesezeit", "Lesezeit: 6 Minuten"],
    ["1 204 vues", "1 310 vues"],
    ["Temps de lecture : 5 min", "6 min de lecture"],
    ["120 reseñas", "125 reseñas"],
    ["5 min de leitura", "6 min de leitura"],
    ["Tempo di lettura: 5 minuti", "Tempo di lettura: 6 minuti"],
    ["1.204 keer bekeken", "1.310 keer bekeken"],
    ["12 komentarzy", "3 komentarze"],
    ["Просмотров: 1204", "Просмотров: 1310"],
    ["コメント 12件", "コメント 14件"],
    ["浏览量：1204", "浏览量：1310"],
    ["조회수 1,204", "조회수 1,310"],
    ["12 yorum", "14 yorum"],
  ])("leave out counters and what it takes to read: %s", (one, other) => {
    expect(wordsOf(one)).toBe(wordsOf(other));
  });

  it.each([
    ["a term in days before", "キャンセルは3日前まで無料です。", "キャンセルは7日前まで無料です。"],
    ["a term in a row", "キャンセル | 3日前", "キャンセル | 7日前"],
    ["a term before an end", "만료 3일 전 알림", "만료 7일 전 알림"],
    ["a term in a few words", "süresinden 3 gün önce", "süresinden 7 gün önce"],
    ["what there is", "il y a 3 modes", "il y a 4 modes"],
    ["a term of days behind its name", "キャンセル料 3日前 20%", "キャンセル料 7日前 20%"],
    ["a term of days in Chinese", "取消期限 10 天前", "取消期限 5 天前"],
    ["a time of day", "vor 12 Uhr", "vor 14 Uhr"],
    ["a price of now", "acum 5 lei", "acum 7 lei"],
    ["a kind of car", "Compact sedan", "Luxury sedan"],
    ["a question", "Cosa fa", "Chi fa"],
    ["what is counted of a plan", "Free · 500 views", "Free · 1000 views"],
    ["what is counted of a plan in German", "Kostenlos · 500 Kommentare", "Kostenlos · 900 Kommentare"],
    ["what is counted of a plan in Russian", "Бесплатно · 100 просмотров", "Бесплатно · 200 просмотров"],
    ["the number of a series", "Request for Comments: 9110", "Request for Comments: 9112"],
    ["a limit", "1.000 Kommentare pro Monat", "2.000 Kommentare pro Monat"],
    ["minutes of anything else", "5 Min. Wartezeit", "6 Min. Wartezeit"],
    ["a note that scales", "do re mi fa 3", "do re mi fa 4"],
  ])("keep %s", (_, one, other) => {
    expect(wordsOf(one)).not.toBe(wordsOf(other));
  });
});
