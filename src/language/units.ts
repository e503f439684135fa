/**
 * Words for units in languages other than English, by the English unit. Words with another meaning are left out: after
 * a number in another language (`an`, `let`, `time`), or after a year (`год`).
 */
export const unitWords: readonly (readonly [unit: string, words: string])[] = [
  ["%", "Prozent procent percento procenta procentů prosent prosenttia százalék процент процента процентов"],
  ["second", "Sekunde Sekunden seconde secondes segundo segundos secondo secondi seconden sekund sekunder sekundy"],
  ["second", "секунда секунды секунд sekunnin sekuntia"],
  ["minute", "Minuten minutos minuto minuti minuto minuten minut minuter minutter minuty минута минуты минут"],
  ["hour", "Stunde Stunden heure heures hora horas ore uur uren timmar godzina godziny godzin hodina hodiny hodin"],
  ["hour", "час часа часов"],
  ["day", "Tag Tage Tagen jour jours día días dia dias giorno giorni dagen dagar dage dzień dni dny день дня дней gün"],
  ["week", "Woche Wochen semaine semaines semana semanas settimana settimane weken veckor uger tygodni tygodnie"],
  ["week", "неделя недели недель"],
  ["month", "Monat Monate Monaten mois mes meses mês mese mesi maand maanden månad månader måneder miesiąc miesiące"],
  ["month", "miesięcy měsíc měsíce měsíců месяц месяца месяцев"],
  ["year", "Jahr Jahre Jahren ans années año años ano anos anno anni jaar år lat roky лет"],
  ["km", "Kilometer Kilometern kilomètre kilomètres kilómetro kilómetros quilômetros chilometri kilometrów км"],
  ["kg", "Kilogramm kilogramme kilogrammes kilogramos chilogrammi quilogramas kilogramów кг"],
  ["cm", "см"],
  ["mm", "мм"],
  ["MB", "МБ Мбайт"],
  ["GB", "ГБ Гбайт"],
  ["TB", "ТБ Тбайт"],
];
