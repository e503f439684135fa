/** A report with a table that surely rates, and one that may only state facts. */
export const twoTables = `# Kites of today

| Kite | Flies | Lifts |
|---|---|---|
| Delta | High | Low |
| Parafoil | Medium | High |
| Rokkaku | Low | High |

## Shops

| Shop | Open | Phone |
|---|---|---|
| North | Yes | 1 23 |
| South | No | 4 56 |
| West | Yes | 7 89 |
`;
