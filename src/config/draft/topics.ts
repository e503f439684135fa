import type { Grid } from "./grids.ts";
import { isRecheckHeader, type Role, roleOf } from "./ratings.ts";
import { plain } from "./words.ts";

/** What a report says of when to look again at one thing. */
export interface Topic {
  readonly name: string;
  readonly confidence?: string;
  readonly volatility?: string;
  /** The report's own words for what would make it look again. */
  readonly wording?: string;
}

const most = 60;

/** The rows of the tables that tell when to look again. */
export function topicsOf(grids: readonly Grid[]): Topic[] {
  const found = grids
    .filter(({ header }) => isRecheckHeader(header))
    .flatMap(({ header, rows }) => {
      const roles = header.map((heading, i) => (i === 0 ? undefined : roleOf(heading)));
      return rows.flatMap((row): Topic[] => {
        const cell = (role: Role) => plain(row[roles.indexOf(role)] ?? "", 300);
        const [name, confidence, volatility, wording] = [
          plain(row[0] ?? "", 120),
          cell("confidence"),
          cell("volatility"),
          cell("wording"),
        ];
        return name === ""
          ? []
          : [
              {
                name,
                ...(confidence && { confidence }),
                ...(volatility && { volatility }),
                ...(wording && { wording }),
              },
            ];
      });
    });
  return [...new Map(found.map((topic) => [topic.name, topic])).values()].slice(0, most);
}
