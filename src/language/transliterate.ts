/**
 * Cyrillic letters as in passports of Russia, Ukraine and Bulgaria, without accents.
 * Spec: https://www.icao.int/publications/Documents/9303_p3_cons_en.pdf
 */
export const cyrillicAsLatin: Readonly<Record<string, string>> = Object.fromEntries(
  (
    "а=a б=b в=v г=g ґ=g д=d е=e є=ie ж=zh з=z и=i і=i к=k л=l м=m н=n о=o п=p р=r с=s т=t у=u ф=f х=kh ц=ts ч=ch ш=sh " +
    "щ=shch ъ= ы=y ь= э=e ю=iu я=ia"
  )
    .split(" ")
    .map((pair) => pair.split("=")),
);
