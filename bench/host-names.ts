/** The address of a local host by its number, from 0: a host of its own for whoever asks it. */
export function hostAt(index: number): string {
  return `127.0.${Math.floor(index / 100)}.${(index % 100) + 1}`;
}
