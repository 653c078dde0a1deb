import { relative, join, sep } from 'node:path'

/**
 * The lint rule `keys/in-one-place`: `web/src/lib/input/keys.ts` decides what Escape and Enter mean, so that no other code takes a key from an
 * input method, or closes something below what is on top.
 */

const root = join(import.meta.dirname, '../..')

const page = /^web\/src\//
const exempt = /^web\/src\/lib\/input\/(?:keys|shortcuts)\.ts$|\.test\.tsx?$/

interface Node {
  readonly type: string
  readonly value?: unknown
  readonly name?: unknown
  readonly left?: Node
  readonly right?: Node
  readonly test?: Node | null
  readonly key?: Node
}

interface RuleContext {
  readonly filename: string
  report(problem: { node: Node; message: string }): void
}

const compositionState = new Set<unknown>(['isComposing', 'keyCode'])

const rule = {
  create(context: RuleContext) {
    const file = relative(root, context.filename).split(sep).join('/')
    if (!page.test(file) || exempt.test(file)) return {}
    const report = (node: Node) =>
      context.report({ node, message: 'lib/input/keys.ts decides what Escape and Enter mean' })
    const checkKey = (node: Node | null | undefined) => {
      if (node?.type === 'Literal' && node.value === 'Enter') report(node)
    }
    return {
      Literal: (node: Node) => {
        if (node.value === 'Escape') report(node)
      },
      BinaryExpression: ({ left, right }: Node) => [left, right].forEach(checkKey),
      SwitchCase: ({ test }: Node) => checkKey(test),
      // of a member or of a destructured event
      Identifier: (node: Node) => {
        if (compositionState.has(node.name)) report(node)
      },
    }
  },
}

export default { meta: { name: 'keys' }, rules: { 'in-one-place': rule } }
