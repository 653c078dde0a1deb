import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  calls,
  reasonsByDefault,
  says,
  startFakeModel,
  takesNoTools,
  type ModelBehaviour,
} from '../../../test/support/fake-model-server.ts'
import { startBedrockWithDemo } from '../../../test/support/bedrock-with-demo.ts'
import { readConfig } from '../../aws/config.ts'
import { contextNode, loadContext } from '../stage.ts'
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

  const callsTool = calls({ id: 'a', name: 'report_ready', arguments: '{}' })
  /** Lists these models, and answers requests in turn. */
  const listsAnd = (ids: string[], ...behaviours: ModelBehaviour[]): ModelBehaviour => {
    if (ids.length > 0) model.list({ data: ids.map((id) => ({ id })) })
    return (response, request, body) => (behaviours.shift() ?? says('Yes.'))(response, request, body)
  }
  const getSent = () => model.requests

  it('has the model call a tool, and sends the result back', async () => {
    model.behave(listsAnd(['small'], callsTool, says('Yes.')))
    expect(await checkServer()).toEqual([
      { level: 'ok', found: 'small answers, calls tools and takes their results.' },
    ])
    expect(getSent().map(({ messages }) => messages.map(({ role }) => role))).toEqual([
      ['user'],
      ['user', 'assistant', 'tool'],
    ])
  })

  it('finds a server that rejects the results of tools', async () => {
    const message = 'The `reasoning_content` in the thinking mode must be passed back to the API.'
    const refuses: ModelBehaviour = (response) =>
      response.writeHead(400).end(JSON.stringify({ error: { message } }))
    model.behave(listsAnd(['small'], callsTool, refuses, refuses))
    expect(await checkServer()).toMatchObject([
      { level: 'problem', found: `small calls tools, and then does not answer: ${message}` },
    ])
  })

  it('warns of a model that calls no tool', async () => {
    model.behave(listsAnd([], reasonsByDefault(says('Yes.')), reasonsByDefault(says('Yes.'))))
    expect(await checkServer()).toMatchObject([
      { level: 'warning', found: expect.stringContaining('did not call the one') as unknown },
    ])
  })

  it('says that the server does not list the model, and what it lists if the model does not answer', async () => {
    model.behave(listsAnd(['large'], callsTool))
    expect(await checkServer()).toEqual([
      {
        level: 'ok',
        found: 'small answers, calls tools and takes their results. Its server does not list it.',
      },
    ])
    model.behave(
      listsAnd(
        Array.from({ length: 9 }, (_, index) => `m${index}`),
        (response) => response.writeHead(404).end('{"error":{"message":"model small not found"}}'),
      ),
    )
    const [finding] = await checkServer()
    expect(finding?.level).toBe('problem')
    expect(finding?.next).toContain('Its server lists m0, m1, m2, m3, m4, m5, m6, m7 and 1 more.')
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

  it('calls servers that want no key without one', async () => {
    vi.stubEnv('OPENAI_API_KEY', '')
    model.behave(listsAnd(['small'], callsTool))
    expect(await checkServer()).toMatchObject([
      { level: 'ok', found: expect.stringMatching(/^small answers/) as unknown },
    ])
    model.behave((response) => response.writeHead(401).end('{"error":{"message":"no key"}}'))
    expect(await checkServer()).toMatchObject([
      { level: 'ok', found: expect.stringMatching(/^none is called/) as unknown },
    ])
    await model.goDown()
    expect(await checkServer()).toMatchObject([
      { level: 'warning', next: expect.stringContaining('from AWS only') as unknown },
    ])
  })

  it('does not call OpenAI without a key', async () => {
    vi.stubEnv('OPENAI_API_KEY', '')
    expect(await check([])).toMatchObject([
      { level: 'ok', found: expect.stringMatching(/^none is called/) as unknown },
    ])
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
    expect(await checkBedrock()).toEqual([
      { level: 'ok', found: `${claude} answers, calls tools and takes their results.` },
    ])
    const request = { path: '/anthropic/v1/messages', model: claude }
    expect(bedrock.double.requests).toEqual([request, request])
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
