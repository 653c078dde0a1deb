import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { afterEach, expect, it } from 'vitest'
import { mockClient } from '../../../test/support/mock-client.ts'
import { checkConfig } from './local.ts'
import { checkModelDates } from './models.ts'
import type { DeployedStack, DoctorInput } from './stacks.ts'

const lambda = mockClient(LambdaClient)
afterEach(() => lambda.reset())

const deployedStacks = [
  { stack: { Outputs: [{ OutputKey: 'ModelCheckFunction', OutputValue: 'juno-check' }] } },
] as unknown as readonly DeployedStack[]
function buildInput(stacks: readonly DeployedStack[]): DoctorInput {
  const { config } = checkConfig({})
  if (!config) throw new Error('no configuration')
  return { config, region: 'eu-west-1', account: '111122223333', stacks: Promise.resolve(stacks) }
}
const mockResponse = (response: object, FunctionError?: string) =>
  lambda.on(InvokeCommand, { FunctionName: 'juno-check' }).resolves({
    Payload: Buffer.from(JSON.stringify(response)) as never,
    ...(FunctionError !== undefined && { FunctionError }),
  })

it('reports nothing about models that are not deployed yet', async () => {
  expect(await checkModelDates(buildInput([]))).toMatchObject([{ level: 'ok' }])
  expect(lambda.commandCalls(InvokeCommand)).toEqual([])
})

it.each([
  [{ hasDates: true, ending: [] }, 'none of the deployed ones is shut down within 60 days.'],
  [{ hasDates: false, ending: [] }, 'their server does not publish when it shuts models down.'],
])('%j is fine', async (response, found) => {
  mockResponse(response)
  expect(await checkModelDates(buildInput(deployedStacks))).toEqual([{ level: 'ok', found }])
})

it('warns of a model that ends soon, and reports a shut-down one as a problem', async () => {
  mockResponse({
    hasDates: true,
    ending: [
      { id: 'old', shutdownDate: '2026-10-23', daysLeft: -29 },
      { id: 'aging', shutdownDate: '2026-12-11', daysLeft: 20 },
    ],
  })
  expect(await checkModelDates(buildInput(deployedStacks))).toMatchObject([
    { level: 'problem', found: 'old was shut down on 2026-10-23.' },
    { level: 'warning', found: 'aging is shut down on 2026-12-11, in 20 days.' },
  ])
})

it('warns of a model that its server does not list', async () => {
  mockResponse({ hasDates: false, ending: [], unlisted: ['tiny'] })
  expect(await checkModelDates(buildInput(deployedStacks))).toMatchObject([
    { level: 'ok' },
    { level: 'warning', found: 'tiny is not in the list of its server.' },
  ])
})

it('warns if the server could not be reached', async () => {
  mockResponse({ errorMessage: 'the request for the list of models was answered with 401' }, 'Unhandled')
  const [finding] = await checkModelDates(buildInput(deployedStacks))
  expect(finding?.level).toBe('warning')
  expect(finding?.found).toContain('answered with 401')
})
