import { Stack, Validations } from 'aws-cdk-lib'
import type { IConstruct } from 'constructs'

/**
 * States why a construct does not follow a rule of cdk-nag's AwsSolutions, for this construct and its children. The tests run
 * the rules over every configuration and refuse a finding without such a reason, and a reason without a finding.
 * @param reasons by the rule's own name, such as `S1`
 */
export function acknowledge(construct: IConstruct, reasons: Readonly<Record<string, string>>) {
  for (const [rule, reason] of Object.entries(reasons))
    Validations.of(construct).acknowledge({ id: `AwsSolutions-${rule}`, reason })
}

/**
 * States why the policies of a role name one resource with a wildcard. Other wildcards of the role stay findings.
 * @param resource the ARN; of another stack's resource, as this stack imports it
 */
export function acknowledgeWildcard(role: IConstruct, resource: string, reason: string) {
  acknowledge(role, { [`IAM5[Resource::${formatArn(Stack.of(role).resolve(resource))}]`]: reason })
}

/** An ARN in the format of cdk-nag's findings. */
function formatArn(value: unknown): string {
  if (typeof value === 'string') return value
  const [[key, inner] = []] = Object.entries(value as Record<string, unknown>)
  if (key === 'Ref') return `<${String(inner)}>`
  if (key === 'Fn::GetAtt') return `<${(inner as string[]).join('.')}>`
  if (key === 'Fn::ImportValue') return formatArn(inner)
  if (key === 'Fn::Sub') return String(inner).replaceAll(/\$\{([^}]+)\}/g, '<$1>')
  if (key === 'Fn::Join') {
    const [separator, parts] = inner as [string, unknown[]]
    return parts.map(formatArn).join(separator)
  }
  throw new Error(`An ARN contains ${JSON.stringify(value)}, whose format in cdk-nag's findings is not known`)
}
