import { writeFileSync } from "node:fs";
import { jsonSchema } from "../src/config/schema.ts";
import { statusSchema } from "../src/model/status-file.ts";
import { readers } from "../src/read/index.ts";
import { answersSchema } from "./answers.ts";

/**
 * Writes three schemas from the types and schemas of the program: recheck.schema.json for completion in editors,
 * status.schema.json for readers of the published status, and answers.schema.json for readers of `--json`.
 */

const write = (name: string, schema: object) =>
  writeFileSync(new URL(`../${name}`, import.meta.url), `${JSON.stringify(schema, null, 2)}\n`);

write("recheck.schema.json", jsonSchema(readers));
write("status.schema.json", statusSchema());
write("answers.schema.json", answersSchema());
