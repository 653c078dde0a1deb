import type { StackStatus } from '@aws-sdk/client-cloudformation'
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { afterEach, describe, expect, it } from 'vitest'
import { mockClient } from '../../../test/support/mock-client.ts'
import { checkAlarms, checkCloudFront } from './account.ts'
import { checkConfig } from './local.ts'
import type { DoctorInput } from './stacks.ts'

const lambda = mockClient(LambdaClient)
afterEach(() => lambda.reset())

function buildInput(context: Record<string, string> = {}, webStatus?: StackStatus): DoctorInput {
  const { config } = checkConfig(context)
  if (!config) throw new Error('the test gives a wrong configuration')
  const name = 'juno-dev-web'
  const stacks = webStatus
    ? [
        {
          name,
          region: 'eu-west-1',
          stack: { StackName: name, StackStatus: webStatus, CreationTime: new Date(0) },
        },
      ]
    : []
  return { config, region: 'eu-west-1', account: '123456789012', stacks: Promise.resolve(stacks) }
}

const mockConcurrencyLimit = (ConcurrentExecutions: number) =>
  lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit: { ConcurrentExecutions } })

describe('checkCloudFront', () => {
  it('warns a new account that AWS may refuse the distribution, and says what helps', async () => {
    mockConcurrencyLimit(10)
    expect(await checkCloudFront(buildInput())).toMatchObject({
      level: 'warning',
      found: expect.stringContaining('Your account must be verified'),
      next: expect.stringContaining('Account and billing, free of charge'),
    })
  })

  it.each([
    [10, 'ROLLBACK_COMPLETE', 'warning'],
    [10, 'CREATE_COMPLETE', 'ok'],
    [1_000, undefined, 'ok'],
  ] as const)('%s functions at once, web stack %s: %s', async (functions, status, level) => {
    mockConcurrencyLimit(functions)
    expect(await checkCloudFront(buildInput({}, status))).toMatchObject({ level })
  })
})

describe('checkAlarms', () => {
  it.each([
    [{ alarmEmail: 'team@example.org' }, 'to team@example.org.', undefined],
    [{ monitoring: 'off' }, 'none (monitoring=off).', undefined],
    [{}, 'nobody receives them', 'alarmEmail='],
  ])('says who receives them with %j', async (context, found, next) => {
    const finding = await checkAlarms(buildInput(context as Record<string, string>))
    expect(finding?.level).toBe('ok')
    expect(finding?.found).toContain(found)
    expect(finding?.next ?? '').toContain(next ?? '')
  })
})
