import {
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  type QueryId,
  TableNode,
  WithSchemaPlugin,
} from "kysely";

/**
 * Puts the schema in front of every table name. kysely's own plugin does so only for built statements: hand-written ones
 * (`sql.table`) would use the connected user's search path.
 */
export function inSchema(schema: string): KyselyPlugin[] {
  const written = new WrittenTables(schema);
  return [
    new WithSchemaPlugin(schema),
    {
      transformQuery: ({ node, queryId }) => (node.kind === "RawNode" ? written.transformNode(node, queryId) : node),
      transformResult: async ({ result }) => result,
    },
  ];
}

class WrittenTables extends OperationNodeTransformer {
  readonly #schema: string;

  constructor(schema: string) {
    super();
    this.#schema = schema;
  }

  override transformNode<T extends OperationNode | undefined>(node: T, queryId?: QueryId): T {
    const transformed = super.transformNode(node, queryId);
    if (!transformed || !TableNode.is(transformed) || transformed.table.schema) return transformed;
    return TableNode.createWithSchema(this.#schema, transformed.table.identifier.name) as unknown as T;
  }
}
