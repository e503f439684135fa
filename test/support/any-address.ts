import fc from "fast-check";
import { anySign } from "./any-sign.ts";

const plain = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@");
const text = (more: string) =>
  fc.string({
    unit: fc.oneof({ arbitrary: plain, weight: 10 }, anySign.map(encodeURIComponent), fc.constantFrom("%20", ...more)),
  });
const segments = fc.array(text("").map((segment) => `/${segment}`));
const rest = (begin: string) => fc.option(text("/?").map((rest) => begin + rest));

/** The address of any page. That of fast-check, `webUrl`, takes a second of each process to be made: see `any-sign.ts`. */
export const anyAddress = fc
  .tuple(fc.constantFrom("http://", "https://"), fc.webAuthority(), segments, rest("?"), rest("#"))
  .map(([scheme, host, path, query, fragment]) => [scheme, host, ...path, query, fragment].join(""));
