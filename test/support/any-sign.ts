import fc from "fast-check";

const surrogates = { from: 0xd800, count: 0x800 };

/** The unit of a text of any code points. That of fast-check, `binary`, takes a second of each process to be made. */
export const anySign = fc.integer({ min: 0, max: 0x10ffff - surrogates.count }).map(
  (number) => String.fromCodePoint(number < surrogates.from ? number : number + surrogates.count),
  // Without it, no text would have a name such as `__proto__`.
  (sign) => {
    const code = typeof sign === "string" ? (sign.codePointAt(0) ?? 0) : 0;
    if (sign !== String.fromCodePoint(code) || !sign.isWellFormed()) throw new Error("no single sign");
    return code < surrogates.from ? code : code - surrogates.count;
  },
);
