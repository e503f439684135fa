import { digest } from "../digest.ts";

/** File names have 255 bytes at most, with their endings. */
const longest = 200;

/** A rating's id as a file's name: `tpu/maturity` → `tpu--maturity`. No id holds two hyphens in a row, so none meet. */
export function slugOf(rating: string): string {
  const slug = rating.replaceAll("/", "--");
  return slug.length <= longest ? slug : `${slug.slice(0, longest - 20)}--${digest(rating)}`;
}
