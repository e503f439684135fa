const RealDate = Date;

/** Has `Date` and all who use it tell this time, in ms. */
export function takeOverDate(now: () => number): void {
  const today = () => Math.floor(now());
  RealDate.now = today;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [today()] : args, made),
  });
}

const began = Date.now() - performance.now();
let ahead = 0;

/** The campaign's own time, for its web, its GitHub, and its programs unless their clock is wrong. */
export const campaign = {
  now: (): number => began + performance.now() + ahead,
  pass(ms: number): void {
    ahead += ms;
  },
  /** Goes to this time, whatever it was. */
  set(at: number): void {
    ahead = at - began - performance.now();
  },
};
