import resourceActions from './resource-actions.json' with { type: 'json' }

const { scopes } = resourceActions
type Scope = keyof typeof scopes

/** By scope, `service: Action Action …`. */
type Actions = Readonly<Partial<Record<Scope, string>>>
export const actionsByType: Readonly<Record<string, Actions>> = resourceActions.actionsByType

/** `service:Action` for each. */
export const listActions = (text: string): string[] => {
  const [service = '', ...names] = text.split(/:? /)
  return names.map((name) => `${service}:${name}`)
}

export interface Statement {
  readonly Effect: 'Allow'
  readonly Action: string | readonly string[]
  readonly Resource: string | readonly string[]
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>
}

export interface PolicyDocument {
  readonly Version: '2012-10-17'
  readonly Statement: readonly Statement[]
}

/** Builds a statement of an IAM policy that allows actions. */
export const allow = (
  action: string | readonly string[],
  resource: string | readonly string[],
  condition?: Statement['Condition'],
): Statement => ({
  Effect: 'Allow',
  Action: action,
  Resource: resource,
  ...(condition && { Condition: condition }),
})

/**
 * One statement for each scope.
 * @param name of the resources that are named after their stacks, ending with `*`
 */
export function toStatements(actions: readonly Actions[], name: string): Statement[] {
  return (Object.keys(scopes) as Scope[]).flatMap((scope) => {
    const scopeActions = new Set(actions.flatMap((one) => listActions(one[scope] ?? '')))
    const resources = scopes[scope].map((arn) => arn.replace('{name}', name))
    return scopeActions.size > 0 ? [allow([...scopeActions].toSorted(), resources)] : []
  })
}

/**
 * What gives a role more permissions, and knows which boundary the role has:
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_awsidentityandaccessmanagementiam.html
 */
const grantingActions = new Set([
  'iam:AttachRolePolicy',
  'iam:CreateRole',
  'iam:DeleteRolePolicy',
  'iam:DetachRolePolicy',
  'iam:PutRolePolicy',
])

/** Allows granting actions for roles with this permissions boundary only, and setting it. @param boundary name of a managed policy */
export function requireBoundary(statements: readonly Statement[], boundary: string): Statement[] {
  return statements.flatMap((statement) => {
    const actions = [statement.Action].flat()
    const granting = actions.filter((action) => grantingActions.has(action))
    if (granting.length === 0) return [statement]
    return [
      { ...statement, Action: actions.filter((action) => !grantingActions.has(action)) },
      allow([...granting, 'iam:PutRolePermissionsBoundary'].toSorted(), statement.Resource, {
        ArnLike: { 'iam:PermissionsBoundary': `arn:aws:iam::*:policy/${boundary}` },
      }),
    ]
  })
}

/** The maximum length of a managed policy, without white space: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html */
export const maxPolicyCharacters = 6_144

const countCharacters = (statements: readonly Statement[]) => JSON.stringify(toPolicy(statements)).length

/** Builds an IAM policy of statements. */
export const toPolicy = (statements: readonly Statement[]): PolicyDocument => ({
  Version: '2012-10-17',
  Statement: statements,
})

/** Packs the statements, in their order, into as few policies as possible. */
export function packPolicies(statements: readonly Statement[]): PolicyDocument[] {
  const packed: Statement[][] = []
  for (const statement of statements) {
    const last = packed.at(-1)
    if (last && countCharacters([...last, statement]) <= maxPolicyCharacters) last.push(statement)
    else packed.push([statement])
  }
  return packed.map(toPolicy)
}
