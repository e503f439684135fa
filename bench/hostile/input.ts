/** One answer that is made to be slow or large. */
export interface Hostile {
  /** The way in which it is hostile: `long runs`. */
  readonly about: string;
  readonly name: string;
  readonly kind: string;
  /** Options of the source (default: the kind's own example). */
  readonly address?: string;
  readonly options?: Readonly<Record<string, unknown>>;
  /** `Content-Type`. */
  readonly type?: string;
  /** Makes the whole answer, with its head, as bytes on the wire. */
  readonly isWhole?: boolean;
  /** Its size in characters, roughly. */
  make(size: number): string | Uint8Array;
}

/** The piece again and again, up to a size. */
export function many(piece: string, size: number): string {
  return piece.repeat(Math.max(1, Math.floor(size / piece.length)));
}

/** A piece with its number, again and again, up to a size. */
export function counted(piece: (i: number) => string, size: number): string {
  const pieces: string[] = [];
  for (let i = 0, length = 0; length < size; i++) {
    const one = piece(i);
    pieces.push(one);
    length += one.length;
  }
  return pieces.join("");
}
