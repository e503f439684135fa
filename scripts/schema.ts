/** Writes recheck.schema.json, which gives completion in editors, from the schemas that config is checked with. */
import { writeFileSync } from "node:fs";
import { jsonSchema } from "../src/config/schema.ts";
import { readers } from "../src/read/index.ts";

writeFileSync(new URL("../recheck.schema.json", import.meta.url), `${JSON.stringify(jsonSchema(readers), null, 2)}\n`);
