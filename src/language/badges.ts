/** "New" as a badge says it, in lower case. */
const newWords = new Set(
  (
    "new neu nouveau nouveauté nuevo nueva novo nova nuovo nuova nieuw ny nytt uusi nowy nowość nové novinka új nou yeni " +
    "новое новинка нове νέο mới baru 新 新着 新作 new新 最新 신규 جديد חדש नया ใหม่"
  ).split(" "),
);

/** Whether a badge says no more than that something is new: one day it goes, and nothing is said by that. */
export function saysNew(badge: string): boolean {
  return newWords.has(
    badge
      .trim()
      .replace(/[!！]$/, "")
      .toLowerCase(),
  );
}
