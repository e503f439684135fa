const anyDigit = /\p{Nd}/gu;
const digit = /^\p{Nd}$/u;

/** A text with the digits of any script as 0 to 9: `٣` is 3. The digits of a script follow each other, from zero on. */
export function asciiDigits(text: string): string {
  return text.replace(anyDigit, digitOf);
}

function digitOf(written: string): string {
  const code = written.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && digit.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}
