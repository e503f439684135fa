/** Words of several languages in the entries of bibliographies. */

/** More authors than are named: *et al.*, *u. a.* */
export const andOthers = /\bet al\b|\bu\.? ?a\.|и др|等/i;

/** That a citation calls its work retracted itself. */
export const retracted = /\bretract|\bwithdrawn\b|zurückgezogen|rétract|retirad/i;

const visits = "retrieved accessed visited abgerufen zugegriffen consulté consult\\w* обращения 访问 引用日期".split(
  " ",
);

/** The day on which an address was visited, with the words for it. */
export const visited = new RegExp(`(?:${visits.join("|")})[^)\\]]{0,40}`, "gi");
