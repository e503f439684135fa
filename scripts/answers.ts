import { join } from "node:path";
import type { PropertySignatureDeclaration } from "typescript/unstable/ast";
import {
  API,
  type Checker,
  type Project,
  type Symbol as Property,
  SymbolFlags,
  type Type,
  TypeFlags,
} from "typescript/unstable/sync";
import { statusSchema } from "../src/model/status-file.ts";

/** The JSON Schema of the answers to `--json`: made from the types that commands answer with, and from their comments. */

type Schema = Readonly<Record<string, unknown>>;

export interface AnswersSchema extends Schema {
  readonly anyOf: readonly { readonly $ref: string }[];
  readonly $defs: Readonly<Record<string, Schema>>;
}

const root = join(import.meta.dirname, "..");

export function answersSchema(): AnswersSchema {
  const api = new API({ cwd: root });
  try {
    const config = join(root, "tsconfig.json");
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (!project) throw new Error(`${config} is no project`);
    const file = project.program.getSourceFile(join(root, "src/faces/cli/answers/types.ts"));
    const module = file && project.checker.getSymbolAtLocation(file);
    const answers = module && project.checker.getMemberInModuleExports(module, "Answers");
    if (!answers) throw new Error("there is no type Answers");
    return new Schemas(project).ofAll(project.checker.getDeclaredTypeOfSymbol(answers));
  } finally {
    api.close();
  }
}

class Schemas {
  readonly #project: Project;
  readonly #checker: Checker;
  readonly #definitions: Record<string, Schema> = {};
  /** The name of each type that has a definition, by its id. */
  readonly #names = new Map<number, string>();

  constructor(project: Project) {
    this.#project = project;
    this.#checker = project.checker;
  }

  ofAll(answers: Type): AnswersSchema {
    const kinds = this.#checker.getPropertiesOfType(answers).map((answer) => {
      this.#definitions[answer.name] = this.#ofObject(this.#typeOf(answer));
      return { $ref: `#/$defs/${answer.name}` };
    });
    const $schema = "https://json-schema.org/draft/2020-12/schema";
    return { $schema, title: "Recheck: answers to --json", anyOf: kinds, $defs: this.#definitions };
  }

  #of(type: Type): Schema {
    if (type.isUnionType()) return this.#ofUnion(type.getTypes());
    if (type.isLiteralType()) return { type: typeof type.value, const: type.value };
    if (type.flags & TypeFlags.String) return { type: "string" };
    if (type.flags & TypeFlags.Number) return { type: "integer" };
    if (type.flags & TypeFlags.Boolean) return { type: "boolean" };
    if (type.isTypeReference() && this.#checker.isArrayLikeType(type)) {
      const [entry] = this.#checker.getTypeArguments(type);
      if (entry) return { type: "array", items: this.#of(entry) };
    }
    return this.#named(type, () => this.#ofObject(type));
  }

  #ofUnion(types: readonly Type[]): Schema {
    const all = types.filter((type) => !(type.flags & TypeFlags.Undefined));
    const values = all.map((type) => (type.isLiteralType() ? type.value : undefined));
    if (values.includes(true) && values.includes(false)) {
      const rest = all.filter((type) => !type.isBooleanLiteralType());
      return rest.length === 0 ? { type: "boolean" } : { anyOf: [{ type: "boolean" }, this.#ofUnion(rest)] };
    }
    const [first] = all;
    if (first && all.length === 1) return this.#of(first);
    if (all.every((type) => type.isStringLiteralType())) return { type: "string", enum: values };
    return { anyOf: all.map((type) => this.#of(type)) };
  }

  /** A type with a name of its own has one definition, with the comment of that type. */
  #named(type: Type, make: () => Schema): Schema {
    const symbol = type.getAliasSymbol() ?? type.getSymbol();
    const isGeneric = type.getAliasTypeArguments().length > 0;
    if (!symbol || isGeneric || symbol.name.startsWith("__")) return make();
    const name = this.#names.get(type.id) ?? symbol.name;
    if (!this.#names.has(type.id)) {
      if (this.#definitions[name]) throw new Error(`two types are called ${name}`);
      this.#names.set(type.id, name);
      this.#definitions[name] = {};
      const description = textOf(symbol, this.#checker);
      this.#definitions[name] = { ...(description && { description }), ...make() };
    }
    return { $ref: `#/$defs/${name}` };
  }

  #ofObject(type: Type): Schema {
    const [index] = this.#checker.getIndexInfosOfType(type);
    if (index) return { type: "object", additionalProperties: this.#of(index.valueType) };
    const shown = this.#checker
      .getPropertiesOfType(type)
      .filter((property) => !property.getJsDocTags(this.#checker).some(({ name }) => name === "internal"));
    const required = shown.filter(({ flags }) => !(flags & SymbolFlags.Optional)).map(({ name }) => name);
    const properties = Object.fromEntries(shown.map((property) => [property.name, this.#ofProperty(property)]));
    return { type: "object", properties, ...(required.length > 0 && { required }) };
  }

  #ofProperty(property: Property): Schema {
    const [handle] = property.declarations;
    if (handle?.path.endsWith("/model/status-file.ts")) return published[property.name] ?? {};
    const declared = handle?.resolve(this.#project) as PropertySignatureDeclaration | undefined;
    const isTime = /^Instant\b/.test(declared?.type?.getText() ?? "");
    const description = textOf(property, this.#checker);
    const schema = isTime ? { type: "string", format: "date-time" } : this.#of(this.#typeOf(property));
    return { ...(description && { description }), ...schema };
  }

  #typeOf(property: Property): Type {
    const type = this.#checker.getTypeOfSymbol(property);
    if (!type) throw new Error(`${property.name} has no type`);
    return type;
  }
}

/** The properties of `status.json`, which the schema of that file describes. */
const { properties: published } = statusSchema() as { properties: Record<string, Schema> };

function textOf(symbol: Property, checker: Checker): string {
  return symbol.getDocumentationComment(checker).replace(/\s+/g, " ").trim();
}
