const anyDigit = /\p{Nd}/gu;
const digit = /^\p{Nd}$/u;

/** Converts the digits of any script to 0–9: `٣` becomes 3. In each script the digits are consecutive, from zero on. */
export function asciiDigits(text: string): string {
  return text.replace(anyDigit, digitOf);
}

function digitOf(written: string): string {
  const code = written.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && digit.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}
