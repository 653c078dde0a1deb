import {
  CloudFormationClient,
  paginateDescribeStackEvents,
  type StackEvent,
} from '@aws-sdk/client-cloudformation'
import { clientOptions } from '../doctor/identity.ts'
import type { StackLocation } from '../doctor/stacks.ts'
import { isMissingStack } from '../stage.ts'

/** Clocks differ a little. */
const slackMs = 60_000

/**
 * Explains why a deployment failed and what to do. The cause is the first failed resource of the first failed stack; later failures
 * are cancellations.
 */
export async function explainDeployFailure(
  locations: readonly StackLocation[],
  sinceMs: number,
): Promise<string> {
  for (const location of locations) {
    const failure = await explainStackFailure(location, sinceMs)
    if (failure)
      return `${failure.explanation}\n→ Then run npm run deploy again, with the same -c: finished stacks are skipped, and this one ${failure.isFirst ? 'is deleted and created again, because it was never complete' : 'continues from its previous state'}.`
  }
  return [
    'No stack of this deployment reports a failure: the CDK stopped before or between them, for the reason it gives above.',
    '→ Fix that, then run npm run deploy again, with the same -c.',
  ].join('\n')
}

/** The cause of a stack's failure and what to do about it; undefined if it reports none. */
export async function explainStackFailure(
  location: StackLocation,
  sinceMs: number,
): Promise<{ explanation: string; isFirst: boolean } | undefined> {
  const events = await fetchEvents(location, sinceMs - slackMs)
  const failed = events.toReversed().find(isCause)
  if (!failed) return undefined
  const reason = failed.ResourceStatusReason ?? 'CloudFormation gives no reason.'
  return {
    explanation: [
      `${location.name}: ${failed.LogicalResourceId} (${failed.ResourceType}) is ${failed.ResourceStatus}.`,
      `  ${reason}`,
      `→ ${findAdvice(reason)}`,
    ].join('\n'),
    isFirst: events.some(isFirstRollback),
  }
}

async function fetchEvents({ name, region }: StackLocation, sinceMs: number): Promise<StackEvent[]> {
  const client = new CloudFormationClient(clientOptions(region))
  const found: StackEvent[] = []
  try {
    // the newest come first
    for await (const { StackEvents = [] } of paginateDescribeStackEvents({ client }, { StackName: name })) {
      const recent = StackEvents.filter(({ Timestamp }) => (Timestamp?.getTime() ?? 0) >= sinceMs)
      found.push(...recent)
      if (recent.length < StackEvents.length) break
    }
    return found
  } catch (error) {
    if (isMissingStack(error)) return []
    throw error
  }
}

/**
 * If CloudFormation refuses a change before it touches a resource, the stack's own rollback event has the reason. After a failed resource
 * the stack's event comes later and only names that resource, so the first match is the cause.
 */
const isCause = ({ ResourceStatus, ResourceStatusReason }: StackEvent) =>
  /_FAILED$|ROLLBACK_IN_PROGRESS$/.test(ResourceStatus ?? '') &&
  !/^Resource (creation|update) cancelled/i.test(ResourceStatusReason ?? '')

/** The creation of the stack itself is rolled back: the CDK deletes it before the next attempt. */
const isFirstRollback = ({ ResourceType, ResourceStatus }: StackEvent) =>
  ResourceType === 'AWS::CloudFormation::Stack' && (ResourceStatus ?? '').startsWith('ROLLBACK_')

/**
 * Advice by patterns of AWS's error messages, as found in reports of such failures; the first match counts. CloudFront's refusal of new
 * accounts also says AccessDenied: https://github.com/aws-samples/aws-cdk-examples/issues/279
 */
const advice: Readonly<Record<string, string>> = {
  'account must be verified':
    'AWS has closed CloudFront to this account until its Support has verified it. No permission helps: open a case (Account and billing, free of charge) with this message at https://console.aws.amazon.com/support/home. What is deployed stays meanwhile.',
  'Export .* in use by':
    'Another stack still uses what this change removes. Deploy that one first, with the new -c: npx cdk deploy --exclusively <stack>.',
  'not allowed to use your email identity':
    'The policy of the SES identity does not let Cognito send: allow ses:SendEmail and ses:SendRawEmail to cognito-idp.amazonaws.com there (SES console, Authorization), or remove sesSender.',
  'CloudWatch Logs role ARN must be set':
    'The role that API Gateway writes logs with was created a moment ago and is not known everywhere yet: the next attempt works.',
  UnreservedConcurrentExecution: 'A lower chatConcurrency, or none; npm run doctor shows how much is free.',
  'Email address is not verified':
    'Verify the sender in SES in the same region, or remove sesSender; npm run doctor shows which.',
  "can't find the specified secret":
    'Create the secret that the configuration names; npm run doctor shows which.',
  'Unable to contact well-known endpoint':
    'Cognito in this region does not reach the identity provider: npm run doctor shows what its discovery document says here. If it is right, the provider may refuse other networks; let it answer to all.',
  'CNAMEs? you provided (is|are) already associated':
    'Another distribution has the domain: remove it there first (CloudFront console, Alternate domain names).',
  'not authorized to perform|AccessDenied':
    "Grant the permission to the role that the CDK's bootstrap created for CloudFormation (cdk-hnb659fds-cfn-exec-role-…), or have it granted: an organisation's policy can deny it as well.",
  'already exists':
    'Something of that name is there already, most likely left by an earlier deployment: delete it, or choose another stage.',
}

const findAdvice = (reason: string) =>
  Object.entries(advice).find(([pattern]) => new RegExp(pattern, 'i').test(reason))?.[1] ??
  'Fix what the reason names.'
