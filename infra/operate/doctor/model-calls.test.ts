import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  calls,
  reasonsByDefault,
  says,
  startFakeModel,
  takesNoTools,
} from '../../../test/support/fake-model-server.ts'
import { startBedrockWithDemo } from '../../../test/support/bedrock-with-demo.ts'
import { readConfig } from '../../aws/config.ts'
import { contextNode, loadContext } from '../cdk-context.ts'
import { checkModelCalls } from './model-calls.ts'

const check = (context: string[], region = 'us-east-1') =>
  checkModelCalls({ config: readConfig(contextNode(loadContext(context))), region })

afterEach(() => vi.unstubAllEnvs())

describe('with a key', () => {
  let model: Awaited<ReturnType<typeof startFakeModel>>
  beforeEach(async () => {
    model = await startFakeModel(says('Ready.'))
    vi.stubEnv('OPENAI_API_KEY', 'sk-1')
  })
  afterEach(() => model.close())
  const checkServer = () => check([`openaiBaseUrl=${model.baseUrl}`, 'openaiModel=small'])

  it('calls the model once, with a tool', async () => {
    model.behave(calls({ id: 'a', name: 'report_ready', arguments: '{}' }))
    expect(await checkServer()).toEqual([{ level: 'ok', found: 'small answers and calls tools.' }])
    expect(model.requests).toHaveLength(1)
    model.behave(reasonsByDefault(says('Yes.')))
    expect(await checkServer()).toEqual([{ level: 'ok', found: 'small answers, and takes tools.' }])
  })

  it('warns of a model that does not support tools', async () => {
    model.behave(takesNoTools(says('Yes.')))
    expect(await checkServer()).toMatchObject([
      { level: 'warning', found: expect.stringContaining('takes no tools') as unknown },
    ])
  })

  it('reports what the server rejects', async () => {
    model.behave((response) => response.writeHead(404).end('{"error":{"message":"no model small"}}'))
    const [finding] = await checkServer()
    expect(finding).toMatchObject({
      level: 'problem',
      next: expect.stringMatching(/^Correct openaiModel/) as unknown,
    })
    expect(finding?.found).toContain('no model small')
  })

  it('does not call without a key', async () => {
    vi.stubEnv('OPENAI_API_KEY', '')
    expect(await checkServer()).toMatchObject([
      { level: 'ok', found: expect.stringMatching(/^none is called/) as unknown },
    ])
    expect(model.requests).toEqual([])
  })
})

describe('on Bedrock', () => {
  const claude = 'us.anthropic.claude-sonnet-5'
  let bedrock: Awaited<ReturnType<typeof startBedrockWithDemo>>
  beforeEach(async () => {
    bedrock = await startBedrockWithDemo('us-east-1')
    vi.stubEnv('AWS_REGION', 'eu-west-1')
    vi.stubEnv('AWS_PROFILE', undefined)
    for (const [name, value] of Object.entries(bedrock.environment)) vi.stubEnv(name, value)
  })
  afterEach(() => bedrock.close())
  const checkBedrock = (region?: string) => check(['modelServer=bedrock', `openaiModel=${claude}`], region)

  it('calls the model with the caller’s credentials, in the deployment’s region', async () => {
    expect(await checkBedrock()).toEqual([{ level: 'ok', found: `${claude} answers and calls tools.` }])
    expect(bedrock.double.requests).toEqual([{ path: '/anthropic/v1/messages', model: claude }])
  })

  it.each([
    ['denied', 'warning', 'lacks the IAM permission', 'These credentials may not call it'],
    ['not-enabled', 'problem', 'Model access is not enabled', 'enable the model’s access'],
    ['retired', 'problem', 'end of its life', 'Choose another model'],
    ['throttled', 'warning', 'Too many tokens', 'again in a minute'],
  ] as const)('gives advice for a model that is %s', async (fault, level, found, next) => {
    bedrock.double.faults.set(claude, fault)
    const [finding] = await checkBedrock()
    expect(finding?.level).toBe(level)
    expect(finding?.found).toContain(found)
    expect(finding?.next).toContain(next)
  })

  it('reports a signature for another region', async () => {
    const [finding] = await checkBedrock('us-west-2')
    expect(finding?.level).toBe('problem')
    expect(finding?.found).toContain('AWS rejected the signature')
  })
})
