import { writeFileSync } from "node:fs";
import { jsonSchema } from "../src/config/schema.ts";
import { statusSchema } from "../src/model/status-file.ts";
import { readers } from "../src/read/index.ts";
import { answersSchema } from "./answers.ts";

/**
 * Writes recheck.schema.json, which gives completion in editors, from the schemas that config is checked with;
 * status.schema.json and answers.schema.json, which tell programs what is published, and what commands answer with --json.
 */

const write = (name: string, schema: object) =>
  writeFileSync(new URL(`../${name}`, import.meta.url), `${JSON.stringify(schema, null, 2)}\n`);

write("recheck.schema.json", jsonSchema(readers));
write("status.schema.json", statusSchema());
write("answers.schema.json", answersSchema());
