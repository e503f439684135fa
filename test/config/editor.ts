import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { jsonSchema } from "../../src/config/schema.ts";
import { readers } from "../../src/read/index.ts";

export const schema = jsonSchema(readers);

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema(schema, "recheck");

/** What an editor checks a file of config by. It is made once, as that takes most of the time of a check. */
export function validator(file: "sources.yaml" | "trigger") {
  const validate = ajv.getSchema(file === "trigger" ? "recheck#/$defs/trigger" : "recheck");
  if (!validate) throw new Error(`no schema of ${file}`);
  return validate;
}
