/** The entry at an index that is known to be within the column: no check, no fallback. */
export function nth<T>(column: ArrayLike<T>, index: number): T {
  return column[index] as T;
}
