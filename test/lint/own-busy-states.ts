import { relative, join, sep } from 'node:path'

/**
 * The lint rule `actions/of-the-user`: what a press has started belongs to the user and not to the component that shows it
 * (`useAction`, `useActionMutation`). A component neither holds a mutation nor a state that is set before something is awaited and reset
 * after it: both are gone when the component goes, and two components would run the same action twice.
 */

const root = join(import.meta.dirname, '../..')

const page = /^web\/src\//
const exempt = /\.test\.tsx?$/
/** The module that runs actions. */
const mutations = /^web\/src\/components\/use-action\.ts$/
/** Nobody is signed in whose action it could be. */
const beforeSignIn = /^web\/src\/features\/auth\/use-submit\.ts$/

interface Node {
  readonly type: string
  readonly name?: string
  readonly value?: unknown
  readonly parent?: Node
  readonly callee?: Node
  readonly object?: Node
  readonly property?: Node
  readonly left?: Node
  readonly right?: Node
  readonly imported?: Node
  readonly source?: { readonly value?: unknown }
  readonly specifiers?: readonly Node[]
  readonly arguments?: readonly Node[]
}

interface RuleContext {
  readonly filename: string
  report(problem: { node: Node; message: string }): void
}

/** What a function does, in order: it sets a state, resets it, or waits. */
type Step = { state: string; isSet: boolean; node: Node } | 'wait'

const afterwards = new Set(['then', 'catch', 'finally'])

/** Whether a function runs when the promise of its parent's callee has settled. */
const isCallback = ({ parent }: Node) =>
  parent?.type === 'CallExpression' && afterwards.has(parent.callee?.property?.name ?? '')

const resets = (value: Node | undefined) =>
  value === undefined ||
  (value.type === 'Literal' && (value.value === false || value.value === null)) ||
  (value.type === 'Identifier' && value.name === 'undefined')

const rule = {
  create(context: RuleContext) {
    const file = relative(root, context.filename).split(sep).join('/')
    if (!page.test(file) || exempt.test(file) || beforeSignIn.test(file)) return {}
    const functions: Step[][] = []
    const add = (step: Step) => functions.at(-1)?.push(step)
    const enter = () => void functions.push([])
    const leave = (node: Node) => {
      const steps = functions.pop() ?? []
      if (isCallback(node)) return functions.at(-1)?.push('wait', ...steps)
      for (const [index, step] of steps.entries()) {
        const wait = steps.indexOf('wait', index)
        if (step === 'wait' || !step.isSet || wait === -1) continue
        const isReset = steps
          .slice(wait)
          .some((one) => one !== 'wait' && one.state === step.state && !one.isSet)
        if (isReset)
          context.report({ node: step.node, message: 'useAction and useActionMutation know what is busy' })
      }
      return undefined
    }
    return {
      ImportDeclaration({ source, specifiers = [] }: Node) {
        if (source?.value !== '@tanstack/react-query' || mutations.test(file)) return
        for (const node of specifiers)
          if (node.imported?.name === 'useMutation')
            context.report({ node, message: 'useActionMutation takes the place of useMutation' })
      },
      FunctionDeclaration: enter,
      FunctionExpression: enter,
      ArrowFunctionExpression: enter,
      'FunctionDeclaration:exit': leave,
      'FunctionExpression:exit': leave,
      'ArrowFunctionExpression:exit': leave,
      AwaitExpression: () => add('wait'),
      CallExpression(node: Node) {
        const { name = '' } = node.callee ?? {}
        if (/^set[A-Z]/.test(name)) add({ state: name, isSet: !resets(node.arguments?.[0]), node })
      },
      AssignmentExpression(node: Node) {
        if (node.left?.type !== 'MemberExpression' || node.left.property?.name !== 'current') return
        add({ state: `${node.left.object?.name}.current`, isSet: !resets(node.right), node })
      },
    }
  },
}

export default { meta: { name: 'actions' }, rules: { 'of-the-user': rule } }
