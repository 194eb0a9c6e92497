/** The nodes of a parsed template. The names are those of Jinja's own. */

/** `*` and `**` of a call are refused: a prompt's author sees no use for them. */
export type Arguments = { args: Expression[]; kwargs: [string, Expression][] };

export type Expression =
  | { type: 'string'; value: string }
  | { type: 'integer'; value: bigint }
  | { type: 'float'; value: number }
  | { type: 'constant'; value: boolean | null }
  | { type: 'name'; name: string }
  | { type: 'list' | 'tuple'; items: Expression[] }
  | { type: 'dict'; pairs: [Expression, Expression][] }
  | { type: 'member'; object: Expression; name: string }
  | { type: 'item'; object: Expression; key: Expression }
  | { type: 'slice'; object: Expression; bounds: (Expression | null)[] }
  | ({ type: 'call'; callee: Expression } & Arguments)
  /** Without an operand in `{% filter … %}` and `{% set x | … %}`: the text of the block. */
  | ({ type: 'filter'; operand: Expression | null; name: string } & Arguments)
  | ({ type: 'test'; operand: Expression; name: string } & Arguments)
  | { type: 'unary'; operator: '-' | '+' | 'not'; operand: Expression }
  | { type: 'binary'; operator: string; left: Expression; right: Expression }
  | { type: 'concat'; items: Expression[] }
  | { type: 'compare'; first: Expression; rest: [string, Expression][] }
  | { type: 'and' | 'or'; left: Expression; right: Expression }
  | { type: 'condition'; test: Expression; then: Expression; otherwise: Expression | null };

/** Target of an assignment: a name, several names, or an attribute of a namespace. */
export type Target =
  | { type: 'target'; name: string }
  | { type: 'attribute target'; object: string; name: string }
  | { type: 'targets'; items: Target[] };

export type Parameter = { type: 'parameter'; name: string; otherwise: Expression | null };

export type Statement =
  | { type: 'text'; text: string }
  | { type: 'print'; value: Expression }
  | { type: 'if'; branches: { test: Expression; body: Statement[] }[]; otherwise: Statement[] }
  | {
      type: 'for';
      target: Target;
      iterable: Expression;
      test: Expression | null;
      recursive: boolean;
      body: Statement[];
      otherwise: Statement[];
    }
  | { type: 'set'; target: Target; value: Expression }
  | { type: 'set block'; target: Target; filter: Expression | null; body: Statement[] }
  | { type: 'with'; bindings: [Target, Expression][]; body: Statement[] }
  | { type: 'macro'; name: string; parameters: Parameter[]; body: Statement[] }
  | { type: 'call block'; parameters: Parameter[]; call: Expression; body: Statement[] }
  | { type: 'filter block'; filter: Expression; body: Statement[] }
  | { type: 'break' }
  | { type: 'continue' };

export type Node = Expression | Statement | Target | Parameter;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

const nodesIn = (value: unknown): Node[] => {
  if (isNode(value)) return [value];
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(nodesIn) : [];
};
/** The nodes directly below a node. */
export const nodesBelow = (node: Node): Node[] => Object.values(node).flatMap(nodesIn);

const isIdentifierLike = /^[A-Za-z_]\w*$/;

/** Returns the expression as its author could have written it, arguments left out. */
export const nameOf = (node: Expression): string => {
  switch (node.type) {
    case 'name':
      return node.name;
    case 'string':
      return JSON.stringify(node.value);
    case 'integer':
    case 'float':
      return String(node.value);
    case 'member':
      return `${nameOf(node.object)}.${node.name}`;
    case 'item': {
      const { object, key } = node;
      if (key.type === 'string' && isIdentifierLike.test(key.value)) return `${nameOf(object)}.${key.value}`;
      return `${nameOf(object)}[${nameOf(key)}]`;
    }
    case 'filter': {
      const call = node.args.length + node.kwargs.length > 0 ? '(…)' : '';
      return `${node.operand ? nameOf(node.operand) : '…'} | ${node.name}${call}`;
    }
    case 'call':
      return `${nameOf(node.callee)}(…)`;
    default:
      return '…';
  }
};
