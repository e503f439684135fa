/** Figures as raised ones: no digits of what they stand behind. */
export function raised(digits: string): string {
  return digits.replace(/\d/g, (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹".charAt(Number(digit)));
}
