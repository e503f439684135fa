const digit = /^\p{Nd}$/u;

/** The digit that a digit of any script stands for: `٣` is 3. The digits of a script follow each other, from zero on. */
export function digitOf(written: string): string {
  const code = written.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && digit.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}
