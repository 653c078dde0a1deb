import {
  CloudFormationClient,
  CloudFormationServiceException,
  DescribeStackEventsCommand,
  type StackEvent,
} from '@aws-sdk/client-cloudformation'
import { afterEach, describe, expect, it } from 'vitest'
import { mockClient } from '../../../test/support/mock-client.ts'
import { explainDeployFailure } from './deploy-failure.ts'

const cloudFormation = mockClient(CloudFormationClient)
afterEach(() => cloudFormation.reset())

const startedAtMs = Date.parse('2026-11-20T12:00:00Z')
const locations = [
  { name: 'juno-dev-data', region: 'eu-west-1' },
  { name: 'juno-dev-auth', region: 'eu-west-1' },
]

const event = (
  seconds: number,
  LogicalResourceId: string,
  ResourceStatus: StackEvent['ResourceStatus'],
  ResourceStatusReason?: string,
): StackEvent => ({
  StackId: 'arn',
  EventId: String(seconds),
  StackName: 'juno-dev-auth',
  Timestamp: new Date(startedAtMs + seconds * 1_000),
  LogicalResourceId,
  ResourceType: 'AWS::Cognito::UserPool',
  ResourceStatus,
  ...(ResourceStatusReason && { ResourceStatusReason }),
})

const missingStackError = new CloudFormationServiceException({
  name: 'ValidationError',
  message: 'Stack [juno-dev-auth] does not exist',
  $fault: 'client',
  $metadata: {},
})

const mockAuthEvents = (...pages: StackEvent[][]) => {
  cloudFormation
    .on(DescribeStackEventsCommand, { StackName: 'juno-dev-data' })
    .resolves({ StackEvents: [event(5, 'Table', 'CREATE_COMPLETE')] })
  pages.forEach((StackEvents, page) => {
    const input = { StackName: 'juno-dev-auth', ...(page > 0 && { NextToken: String(page) }) }
    cloudFormation
      .on(DescribeStackEventsCommand, input)
      .resolves({ StackEvents, ...(page < pages.length - 1 && { NextToken: String(page + 1) }) })
  })
}

describe('explainDeployFailure', () => {
  it('names the first resource that failed, not those that were cancelled after it', async () => {
    mockAuthEvents([
      event(60, 'juno-dev-auth', 'ROLLBACK_COMPLETE'),
      event(
        33,
        'juno-dev-auth',
        'ROLLBACK_IN_PROGRESS',
        'The following resource(s) failed to create: [UserPool].',
      ),
      event(32, 'Trigger', 'CREATE_FAILED', 'Resource creation cancelled'),
      event(31, 'Later', 'CREATE_FAILED', 'A later one'),
      event(
        30,
        'UserPool',
        'CREATE_FAILED',
        'Email address is not verified. The following identities failed',
      ),
      event(10, 'juno-dev-auth', 'CREATE_IN_PROGRESS', 'User Initiated'),
    ])
    const text = await explainDeployFailure(locations, startedAtMs)
    expect(text).toContain('juno-dev-auth: UserPool (AWS::Cognito::UserPool) is CREATE_FAILED.')
    expect(text).toContain('Email address is not verified. The following identities failed')
    expect(text).toContain('Verify the sender in SES')
    expect(text).toContain('npm run deploy again')
    expect(text).not.toContain('A later one')
  })

  it('reads up to the start of this deployment, and no further', async () => {
    mockAuthEvents(
      [event(40, 'Trigger', 'UPDATE_FAILED', 'Resource update cancelled')],
      [
        event(30, 'UserPool', 'UPDATE_FAILED', 'the cause'),
        event(-3_600, 'Old', 'UPDATE_FAILED', 'long ago'),
      ],
      [event(-9_000, 'Older', 'UPDATE_FAILED', 'longer ago')],
    )
    const text = await explainDeployFailure(locations, startedAtMs)
    expect(text).toContain('the cause')
    expect(text).toContain('Fix what the reason names.')
    expect(text).not.toContain('ago')
    // one of data, two of auth
    expect(cloudFormation.commandCalls(DescribeStackEventsCommand)).toHaveLength(3)
  })

  it.each([
    [
      "Specified ReservedConcurrentExecutions for function decreases account's UnreservedConcurrentExecution below its minimum value of [10].",
      'chatConcurrency',
    ],
    ["Secrets Manager can't find the specified secret.", 'Create the secret'],
    [
      'Unable to contact well-known endpoint (Service: CognitoIdentityProvider, Status Code: 400)',
      'Cognito in this region does not reach the identity provider',
    ],
    [
      'One or more of the CNAMEs you provided are already associated with a different resource.',
      'Another distribution',
    ],
    ['User: arn is not authorized to perform: cognito-idp:CreateUserPool', 'cfn-exec-role'],
    ['juno-dev already exists in stack arn', 'earlier deployment'],
    [
      "Access denied for operation 'AWS::CloudFront::Distribution: Your account must be verified before you can add new CloudFront resources. To verify your account, please contact AWS Support and include this error message.' (RequestToken: 0, HandlerErrorCode: AccessDenied)",
      'open a case (Account and billing, free of charge)',
    ],
    [
      'Cognito is not allowed to use your email identity (Service: CognitoIdentityProvider, Status Code: 400)',
      'cognito-idp.amazonaws.com',
    ],
    ['CloudWatch Logs role ARN must be set in account settings to enable logging', 'the next attempt'],
  ])('gives advice for: %s', async (reason, advice) => {
    mockAuthEvents([event(30, 'UserPool', 'CREATE_FAILED', reason)])
    expect(await explainDeployFailure(locations, startedAtMs)).toContain(advice)
  })

  it('finds errors that CloudFormation reports before it touches a resource', async () => {
    const reason =
      'Export juno-dev-auth:ExportsOutputRefUserPoolDomain cannot be deleted as it is in use by juno-dev-web'
    mockAuthEvents([
      event(32, 'juno-dev-auth', 'UPDATE_ROLLBACK_COMPLETE'),
      event(30, 'juno-dev-auth', 'UPDATE_ROLLBACK_IN_PROGRESS', reason),
      event(10, 'juno-dev-auth', 'UPDATE_IN_PROGRESS', 'User Initiated'),
    ])
    const text = await explainDeployFailure(locations, startedAtMs)
    expect(text).toContain(reason)
    expect(text).toContain('npx cdk deploy --exclusively')
  })

  it('says that no stack failed, whether there is one or not', async () => {
    mockAuthEvents([event(30, 'UserPool', 'CREATE_COMPLETE')])
    expect(await explainDeployFailure(locations, startedAtMs)).toContain(
      'the CDK stopped before or between them',
    )
    cloudFormation.reset()
    cloudFormation.on(DescribeStackEventsCommand).rejects(missingStackError)
    expect(await explainDeployFailure(locations, startedAtMs)).toContain(
      'the CDK stopped before or between them',
    )
  })

  it('passes every other error on', async () => {
    cloudFormation.on(DescribeStackEventsCommand).rejects(new Error('Rate exceeded'))
    await expect(explainDeployFailure(locations, startedAtMs)).rejects.toThrow('Rate exceeded')
  })

  it.each([
    ['ROLLBACK_IN_PROGRESS', 'this one is deleted and created again, because it was never complete.'],
    ['UPDATE_ROLLBACK_IN_PROGRESS', 'this one continues from its previous state.'],
  ] as const)('after %s says what the next attempt does with the stack', async (status, expected) => {
    mockAuthEvents([
      { ...event(33, 'juno-dev-auth', status), ResourceType: 'AWS::CloudFormation::Stack' },
      event(30, 'UserPool', 'CREATE_FAILED', 'A reason'),
    ])
    expect(await explainDeployFailure(locations, startedAtMs)).toContain(expected)
  })
})
