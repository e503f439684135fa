/** What a command tells the shell; the README has the same table. */
export const exits = {
  done: 0,
  /** Config or usage is wrong; nothing was fetched. */
  wrong: 1,
  /** `status --fail-on`: a rating stands at one of these levels. */
  standing: 2,
  /** Most hosts gave no response. */
  outage: 3,
  /** GitHub did not take everything; the rest stays in the outbox. */
  github: 4,
  /** The store cannot be opened: another Recheck runs, or it is of a newer version. */
  store: 5,
  /** A defect of Recheck. */
  defect: 70,
} as const;
