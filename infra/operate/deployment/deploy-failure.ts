import {
  CloudFormationClient,
  paginateDescribeStackEvents,
  type StackEvent,
} from '@aws-sdk/client-cloudformation'
import { errorMessage, errorName } from '../doctor/finding.ts'
import { clientOptions } from '../doctor/identity.ts'
import type { StackId } from '../doctor/stacks.ts'

/** Clocks differ a little. */
const slackMs = 60_000

/**
 * Why a deployment failed, and what to do: the first resource of the first stack that CloudFormation could not make or change,
 * for every later failure is one of being called off.
 */
export async function explainFailure(places: readonly StackId[], sinceMs: number): Promise<string> {
  for (const place of places) {
    const events = await fetchEvents(place, sinceMs - slackMs)
    const failed = events.toReversed().find(isCause)
    if (!failed) continue
    const reason = failed.ResourceStatusReason ?? 'CloudFormation gives no reason.'
    return [
      `${place.name}: ${failed.LogicalResourceId} (${failed.ResourceType}) is ${failed.ResourceStatus}.`,
      `  ${reason}`,
      `→ ${adviceOn(reason)}`,
      '→ Then npm run deploy again, with the same -c: stacks that are done are passed over, and this one begins where it stood before.',
    ].join('\n')
  }
  return [
    'No stack of this deployment tells of a failure: the CDK stopped before or between them, for the reason it gives above.',
    '→ Put that right, then npm run deploy again, with the same -c.',
  ].join('\n')
}

async function fetchEvents({ name, region }: StackId, sinceMs: number): Promise<StackEvent[]> {
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
    // a stack that was not begun
    if (errorName(error) === 'ValidationError' && errorMessage(error).includes('does not exist')) return []
    throw error
  } finally {
    client.destroy()
  }
}

const isCause = ({ ResourceStatus, ResourceStatusReason }: StackEvent) =>
  (ResourceStatus?.endsWith('_FAILED') ?? false) &&
  !/^Resource (creation|update) cancelled/i.test(ResourceStatusReason ?? '')

/** By what services say, as it is found in reports of such failures. */
const advice: readonly (readonly [reason: RegExp, advice: string])[] = [
  [
    /UnreservedConcurrentExecution/,
    'A lower chatConcurrency, or none; npm run doctor tells how much is free.',
  ],
  [
    /Email address is not verified/i,
    'Verify the sender in SES in the same region, or leave sesSender away; npm run doctor tells which.',
  ],
  [
    /can't find the specified secret/i,
    'Make the secret that the configuration names; npm run doctor tells which.',
  ],
  [
    /CNAMEs? you provided (is|are) already associated/i,
    'Another distribution has the domain: remove it there first (CloudFront console, Alternate domain names).',
  ],
  [
    /not authorized to perform|AccessDenied/i,
    "Allow it to the role that the bootstrap made for CloudFormation (cdk-hnb659fds-cfn-exec-role-…), or have it allowed: an organisation's policy can forbid it as well.",
  ],
  [
    /already exists/i,
    'Something of that name is there already, most likely left by an earlier deployment: delete it, or choose another stage.',
  ],
]

const adviceOn = (reason: string) =>
  advice.find(([pattern]) => pattern.test(reason))?.[1] ?? 'Put right what the reason names.'
