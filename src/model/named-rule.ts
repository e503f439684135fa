/** A heuristic that can be named, counted and switched off. In a list of them, the first that applies decides. */
export interface NamedRule<Case> {
  readonly id: string;
  readonly reason: string;
  applies(one: Case): boolean;
}
