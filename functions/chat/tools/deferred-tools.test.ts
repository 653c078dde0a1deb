import { sayTool } from '#shared/sentences/tools.ts'
import { toReplyParts } from '../../conversations/turns/stored-reply.ts'
import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { buildGenerateInput, listEvents } from '../../../test/support/reply-input.ts'
import { fingerprintTool, zodParameters, type Tool } from '../../tools/calls/tool.ts'
import { generateReply } from '../generate-reply.ts'
import type { Model, ModelMessage, ModelTool, ModelToolCall } from '../../models/model.ts'
import { estimateTextTokens } from '../../models/token-estimate.ts'
import { isDeferred, offerTools, unwrapCall, withParameters } from './deferred-tools.ts'
import { toModelTool, type PreparedCall } from './run-tool.ts'

const aTool = (changes: Partial<Tool> = {}): Tool => ({
  name: 'crm_list_0',
  title: 'List',
  description: 'CRM: Lists entries of a kind',
  parameters: zodParameters(z.object({ kind: z.string().optional() })),
  writes: false,
  activity: 'research',
  integration: { mcpId: 'crm', name: 'CRM' },
  timeoutMs: 30_000,
  run: async () => 'entries',
  ...changes,
})
const send = vi.fn<(input: unknown) => Promise<string>>(async () => 'sent')
const invoice = aTool({
  name: 'crm_send_invoice',
  title: 'Send an invoice',
  description: 'CRM: Sends an invoice to a customer',
  parameters: zodParameters(z.object({ customer: z.string() })),
  writes: true,
  run: (input) => send(input),
})
const { integration: _, ...image } = aTool({ name: 'generate_image' })
const defineTools = (count: number) =>
  Array.from({ length: count }, (_each, index) => aTool({ name: `crm_list_${index}` }))
const manyTools = [image, ...defineTools(599), invoice]
const listNames = (tools: readonly Tool[]) => tools.map(({ name }) => name)

describe('DEC-182 definitions of connected tools', () => {
  it('are sent while they take a small share of the context window', () => {
    const tools = [image, ...defineTools(20)]
    expect(offerTools(tools, 1_000_000)).toBe(tools)
    expect(offerTools(tools)).toBe(tools)
    expect(listNames(offerTools(tools, 8_000))).toEqual(['generate_image', 'search_tools', 'call_tool'])
  })

  it('never exceed the number that models accept, nor 20,000 tokens', () => {
    const defineSmallTools = (count: number) =>
      defineTools(count).map((tool) => ({
        ...tool,
        description: '',
        parameters: zodParameters(z.object({})),
      }))
    expect(listNames(offerTools(defineSmallTools(120), 1_000_000))).toHaveLength(120)
    expect(listNames(offerTools(defineSmallTools(121), 1_000_000))).toEqual(['search_tools', 'call_tool'])
    const largeTools = [aTool({ description: 'x'.repeat(60_000) })]
    expect(listNames(offerTools(largeTools, 2_000_000))).toEqual(['search_tools', 'call_tool'])
  })

  it('take a twentieth of the window, and 20,000 tokens, at most; of an unknown window, 6,400', () => {
    const isSearched = (tools: readonly Tool[], contextTokens?: number) =>
      isDeferred(offerTools(tools, contextTokens))
    const defineTool = (tokens: number) => {
      const size = (description: string) => JSON.stringify(toModelTool(aTool({ description }))).length
      return aTool({ description: 'x'.repeat(tokens * 3 - size('')) })
    }
    expect(estimateTextTokens(JSON.stringify(toModelTool(defineTool(500))))).toBe(500)
    const tools = [image, defineTool(500), defineTool(500)]
    expect([isSearched(tools, 20_000), isSearched(tools, 19_999)]).toEqual([false, true])
    expect([isSearched([defineTool(20_000)], 1e9), isSearched([defineTool(20_001)], 1e9)]).toEqual([
      false,
      true,
    ])
    expect([isSearched([defineTool(6_400)]), isSearched([defineTool(6_401)])]).toEqual([false, true])
    // the product's own tools are always offered
    const { integration: __, ...ownTool } = defineTool(20_001)
    expect(isSearched([ownTool])).toBe(false)
  })

  it('are replaced by the same two tools, whatever is connected', () => {
    const toDefinitions = (tools: readonly Tool[]) =>
      tools.map(({ name, description, parameters }) => ({ name, description, parameters: parameters.schema }))
    expect(toDefinitions(offerTools(manyTools))).toEqual(
      toDefinitions(offerTools([image, ...defineTools(200)])),
    )
  })
})

/** Runs a reply in which the model makes these calls, one per round. */
async function runReply(
  calls: Omit<ModelToolCall, 'id'>[],
  isAllowed: (tool: Tool) => boolean = () => false,
) {
  const modelRequests: { messages: ModelMessage[]; tools: ModelTool[] }[] = []
  const model: Model = {
    async complete({ messages, tools, onText, onToolInput }) {
      const call = calls[modelRequests.length]
      modelRequests.push({ messages: [...messages], tools: [...tools] })
      const toolCalls = call ? [{ id: String(modelRequests.length), ...call }] : []
      for (const { id, name, arguments: delta } of toolCalls) onToolInput?.({ id, name, delta })
      if (!call) onText('Done.')
      return { text: call ? '' : 'Done.', toolCalls, truncated: false, inputTokens: 1, outputTokens: 1 }
    },
  }
  const input = buildGenerateInput(model, { tools: manyTools, isAllowed })
  const outcome = await generateReply(input)
  const events = listEvents(input.events)
  const results = (modelRequests.at(-1)?.messages ?? []).flatMap((message) =>
    message.role === 'tool' ? [String(message.content)] : [],
  )
  return { input, modelRequests, outcome, events, results }
}
const search = (query: string) => ({ name: 'search_tools', arguments: JSON.stringify({ query }) })
const call = (name: string, input: unknown) => ({
  name: 'call_tool',
  arguments: JSON.stringify({ name, arguments: input }),
})

describe('with 600 tools', () => {
  it('a search returns the best matches with their parameters, and the names of other tools', async () => {
    const { results, modelRequests, input } = await runReply([
      search('send invoice'),
      search('list entries'),
      search('weather'),
    ])
    expect(modelRequests[0]?.tools.map(({ function: { name } }) => name)).toEqual([
      'read_result',
      'generate_image',
      'search_tools',
      'call_tool',
    ])
    const [found, lists, none] = results.map(
      (text) => JSON.parse(text) as { tools: unknown[]; others?: string[]; note?: string },
    )
    expect(found?.tools).toEqual([
      { name: invoice.name, description: invoice.description, parameters: invoice.parameters.schema },
    ])
    expect(lists?.tools).toHaveLength(10)
    expect(lists?.others).toHaveLength(40)
    expect(lists?.note).toBe('589 more match. Search for a name to get its parameters.')
    expect(none).toEqual({
      tools: [],
      note: 'None of the 600 tools matches. Try other words, such as the name of a connection.',
    })
    expect(toReplyParts(input.events.reply).toolCalls[0]?.result).toEqual({
      success: true,
      data: { found: [invoice.name] },
    })
  })

  it('a call runs the named tool, and is shown and stored as a call of it', async () => {
    const { results, input, events } = await runReply([call('crm_list_7', { kind: 'open' })])
    expect(results).toEqual(['entries'])
    expect(toReplyParts(input.events.reply).toolCalls).toEqual([
      {
        tool: 'crm_list_7',
        action: 'List',
        integration: 'CRM',
        parameters: { kind: 'open' },
        result: { success: true, data: 'entries' },
      },
    ])
    expect(events.filter(({ type }) => type.startsWith('tool-input'))).toEqual([
      {
        type: 'tool-input-available',
        toolCallId: '1',
        toolName: 'crm_list_7',
        input: { kind: 'open' },
        providerMetadata: { juno: { kind: 'research', title: 'List', integration: 'CRM' } },
      },
    ])
  })

  it('a call of a writing tool waits for approval of that tool and its arguments', async () => {
    const { outcome } = await runReply([call(invoice.name, { customer: 'Ann' })])
    expect(outcome).toMatchObject({
      status: 'waiting',
      pending: [
        {
          kind: 'approval',
          tool: invoice.name,
          title: 'Send an invoice',
          of: invoice.integration,
          fingerprint: fingerprintTool(invoice),
          arguments: '{"customer":"Ann"}',
        },
      ],
    })
    expect(send).not.toHaveBeenCalled()
  })

  it('an approved call runs, and so does one of a tool that is always allowed', async () => {
    const { outcome, input } = await runReply([call(invoice.name, { customer: 'Ann' })])
    const pending = outcome.status === 'waiting' ? outcome.pending : []
    const decidedCalls = pending.map((pendingCall) => ({
      ...pendingCall,
      decision: 'approved' as const,
      decidedAtMs: Date.now(),
    }))
    await generateReply({ ...input, decidedCalls })
    expect(toReplyParts(input.events.reply).toolCalls).toMatchObject([
      { tool: invoice.name, result: { success: true, data: 'sent' } },
    ])
    const { results } = await runReply([call(invoice.name, { customer: 'Ann' })], (tool) => tool === invoice)
    expect(results).toEqual(['sent'])
  })

  it('a wrong name returns the closest names, and wrong arguments return the parameters', async () => {
    const { results } = await runReply([
      call('send_invoices', {}),
      call(invoice.name, { to: 'Ann' }),
      { name: 'call_tool', arguments: '{"name":"crm_list_1"}' },
    ])
    expect(results[0]).toBe('Error: There is no tool named send_invoices. The closest are: crm_send_invoice.')
    expect(results[1]).toContain(`Its parameters: ${JSON.stringify(invoice.parameters.schema)}`)
    expect(results[2]).toMatch(/^Error: The arguments do not fit: .*arguments/s)
  })
})

describe('a call of `call_tool`', () => {
  const wrap = (text: string) => unwrapCall({ id: '1', name: 'call_tool', arguments: text })

  it('stands for a call of the tool that it names', () => {
    expect(wrap('{"name":"crm_list_7","arguments":{"kind":"open","id":9007199254740993}}')).toEqual({
      id: '1',
      name: 'crm_list_7',
      arguments: '{"kind":"open","id":9007199254740993}',
    })
  })

  it.each([
    '{',
    '{"arguments":{}}',
    '{"name":"crm_list_7"}',
    '{"name":"crm_list_7","arguments":[]}',
    `{"name":"${'n'.repeat(201)}","arguments":{}}`,
  ])('that names none stays as it is: %s', (text) => {
    expect(wrap(text)).toEqual({ id: '1', name: 'call_tool', arguments: text })
  })

  it('is the only one that stands for another', () => {
    const other = { id: '1', name: 'other', arguments: '{"name":"crm_list_7","arguments":{}}' }
    expect(unwrapCall(other)).toBe(other)
  })

  it('that names itself calls nothing', async () => {
    const { results } = await runReply([call('call_tool', { name: 'crm_list_7', arguments: {} })])
    expect(results).toEqual(['Error: Name a tool that search_tools has found.'])
  })
})

it('is searched only if the model is offered the search', () => {
  expect(isDeferred(offerTools(manyTools))).toBe(true)
  // a server may name its tool like ours
  expect(isDeferred([image, aTool({ name: 'call_tool' })])).toBe(false)
})

describe('the problem of a call', () => {
  const prepare = (tool: Tool | undefined, message: string | undefined): PreparedCall => ({
    call: { id: '1', name: 'crm_list_0', arguments: '{}' },
    tool,
    input: {},
    problem: message === undefined ? undefined : sayTool('tool_failed', { message }),
  })

  it('has the parameters of the connected tool, unless they are longer than 16,000 characters', () => {
    const describeSchema = (length: number) => {
      const schema = { type: 'object', title: '' }
      return { ...schema, title: 't'.repeat(length - JSON.stringify(schema).length) }
    }
    const fitting = aTool({ parameters: { ...invoice.parameters, schema: describeSchema(16_000) } })
    expect(withParameters(prepare(fitting, 'No.')).problem?.text).toBe(
      `No. Its parameters: ${JSON.stringify(fitting.parameters.schema)}`,
    )
    const tooLong = aTool({ parameters: { ...invoice.parameters, schema: describeSchema(16_001) } })
    expect(withParameters(prepare(tooLong, 'No.'))).toEqual(prepare(tooLong, 'No.'))
  })

  it.each([
    ['that has none', prepare(invoice, undefined)],
    ['of a tool of the product', prepare(image, 'No.')],
    ['of an unknown tool', prepare(undefined, 'No.')],
  ])('stays as it is for a call %s', (_, prepared) => {
    expect(withParameters(prepared)).toEqual(prepared)
  })
})

describe('the search', () => {
  const searchFor = async (tools: readonly Tool[], query: string) => {
    const searchTool = offerTools([...tools, ...defineTools(200)]).find(({ name }) => name === 'search_tools')
    return (await searchTool?.run({ query }, new AbortController().signal)) as {
      tools: { name: string }[]
      others?: string[]
      note?: string
    }
  }
  const invoiceTool = (index: number, schemaCharacters: number) => {
    const tool = aTool({ name: `invoice_${index}`, description: 'Invoice' })
    const { length } = JSON.stringify({ name: tool.name, description: 'Invoice', parameters: { title: '' } })
    const schema = { title: 't'.repeat(schemaCharacters - length) }
    return { ...tool, parameters: { ...tool.parameters, schema } }
  }

  it('returns as many matches with their parameters as fit into 16,000 characters', async () => {
    const fitting = [invoiceTool(1, 8_000), invoiceTool(2, 8_000), invoiceTool(3, 100)]
    const found = await searchFor(fitting, 'invoice')
    expect(found.tools).toHaveLength(2)
    expect(found).toMatchObject({
      others: ['invoice_3'],
      note: '1 more match. Search for a name to get its parameters.',
    })
    expect((await searchFor([invoiceTool(1, 8_000), invoiceTool(2, 8_001)], 'invoice')).tools).toHaveLength(1)
  })

  it('returns the best match whatever its size, and no note if there is no other', async () => {
    expect(await searchFor([invoiceTool(1, 20_000)], 'invoice')).toEqual({
      tools: [{ name: 'invoice_1', description: 'Invoice', parameters: expect.any(Object) as object }],
    })
  })

  it('takes 500 characters', () => {
    const parameters = offerTools(manyTools).find(({ name }) => name === 'search_tools')?.parameters
    expect(parameters?.check({ query: 'x'.repeat(500) })).toHaveProperty('input')
    expect(parameters?.check({ query: 'x'.repeat(501) })).toHaveProperty('problem')
  })
})
