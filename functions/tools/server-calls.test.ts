import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { limitCpuTimeAsync } from '../../test/support/fuzz.ts'
import { type Behaviour, startMcpServer } from '../../test/support/mcp-server.ts'
import { aServerConnection, openMcpServers } from '../../test/support/server-connection.ts'
import { openTestTable } from '../../test/support/table.ts'
import type { RichContent } from '../mcp/result-media.ts'
import { outboundHttp } from '../platform/net/outbound-http.ts'

let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  table = await openTestTable()
})
afterAll(() => table.close())

async function startServer(behaviour: Partial<Behaviour> = {}) {
  const server = await startMcpServer({ tools: [{ name: 'echo' }], ...behaviour })
  const http = outboundHttp({ allow: [server.host], timeoutMs: 30_000 })
  const servers = openMcpServers(http, table)
  onTestFinished(async () => {
    await servers.close()
    await server.close()
    await http.close()
  })
  const { tools } = await servers.listTools(aServerConnection(server.url))
  const [tool] = tools
  if (!tool) throw new Error('the server lists no tool')
  const run = (input = {}) => tool.run(input, new AbortController().signal)
  const countLists = () => server.receivedMethods.filter((method) => method === 'tools/list').length
  return { server, tool, run, countLists }
}
const failWith = (text: string) => () => ({ isError: true, content: [{ type: 'text', text }] })

it('a tool has a timeout of a minute, its title as description if it has none, and a fingerprint of its definition', async () => {
  const { tool } = await startServer({
    tools: [{ name: 'wipe', annotations: { title: 'Wipe it all' } }],
  })
  expect(tool).toMatchObject({
    name: 'odd_wipe',
    description: 'Odd: Wipe it all',
    timeoutMs: 60_000,
    integration: { name: 'Odd' },
    reconnectReason: undefined,
  })
  expect(tool.definitionFingerprint).toMatch(/^[\w-]{22}$/)
})

it('a call sends its arguments under the server’s own name of the tool', async () => {
  const { server, run } = await startServer({ tools: [{ name: 'größe/1' }] })
  await run({ city: 'Rome', deep: { n: [1, null] } })
  expect(server.calls).toEqual([{ name: 'größe/1', args: { city: 'Rome', deep: { n: [1, null] } } }])
})

it.each([
  'Unknown tool: echo',
  'Tool echo not found',
  'There is no such tool',
  'The tool echo does not exist',
])('the error "%s" means that the tool is gone if the server no longer lists it', async (message) => {
  const { server, run } = await startServer({ call: failWith(message) })
  server.behaviour.call = () => {
    server.behaviour.tools = []
    return failWith(message)()
  }
  await expect(run()).rejects.toThrow(`Odd does not have this tool any more: ${message}`)
})

it('something else that is not found does not mean that the tool is gone', async () => {
  const { run, countLists } = await startServer({ call: failWith('The file was not found') })
  await expect(run()).rejects.toThrow(/^The file was not found$/)
  // the server's tools were listed again
  expect(countLists()).toBe(2)
})

it('any other failure is reported unchanged, without another request to the server', async () => {
  const { run, countLists } = await startServer({ call: failWith('The disk is full') })
  await expect(run()).rejects.toThrow(/^The disk is full$/)
  expect(countLists()).toBe(1)
})

it('a protocol error is reported with the server’s words', async () => {
  const { run, countLists } = await startServer({
    call: () => Promise.reject(new Error('The city must be a text')),
  })
  await expect(run()).rejects.toThrow(/^Odd refused the call. It said: ".*The city must be a text"$/)
  expect(countLists()).toBe(1)
})

it('an error is reported unchanged when the server cannot list its tools', async () => {
  const { server, run } = await startServer({
    call() {
      server.behaviour.override = ({ rpc }) => (rpc?.method === 'tools/list' ? { status: 503 } : 'usual')
      return failWith('Unknown tool: echo')()
    },
  })
  await expect(run()).rejects.toThrow(/^Unknown tool: echo$/)
})

describe('structured content and the schema that its server declares', () => {
  const outputSchema = {
    type: 'object',
    properties: { degrees: { type: 'number' } },
    required: ['degrees'],
  }
  async function callWith(schema: unknown, structuredContent: unknown) {
    const { tool, server } = await startServer({
      tools: [{ name: 'echo', outputSchema: schema }],
      call: () => ({ content: [{ type: 'text', text: 'as text' }], structuredContent }) as object,
    })
    const rich: RichContent = { files: [], links: [] }
    const data = await limitCpuTimeAsync(
      () => tool.run({}, new AbortController().signal, undefined, rich),
      8_000,
    )
    expect(server.calls).toHaveLength(1)
    return { data, note: rich.oddities }
  }

  it('a result that matches is given alone', async () => {
    expect(await callWith(outputSchema, { degrees: 21.5 })).toEqual({
      data: { degrees: 21.5 },
      note: undefined,
    })
  })

  it('a result that does not match is given with a note', async () => {
    const { data, note } = await callWith(outputSchema, { degrees: 'warm' })
    expect(data).toEqual({ degrees: 'warm' })
    expect(note).toMatch(/^\[This result does not match what its server says of its form: .{5,300}\]$/)
  })

  it.each<[string, unknown]>([
    ['that is no schema', 'text'],
    ['with a reference to nothing', { $ref: '#/$defs/none' }],
    ['with a reference to itself', { $ref: '#' }],
    ['at another address', { $ref: 'https://example.com/schema' }],
    ['with a pattern that takes for ever', { type: 'object', properties: { text: { pattern: '^(a+)+$' } } }],
    ['that is large', { type: 'object', description: 'x', enum: Array.from({ length: 50_000 }, String) }],
    ['that is deep', JSON.parse(`${'{"properties":{"a":'.repeat(2_000)}{}${'}}'.repeat(2_000)}`) as object],
    [
      'whose references multiply',
      {
        $defs: Object.fromEntries(
          Array.from({ length: 30 }, (_, index) => [
            `d${index}`,
            { anyOf: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
          ]),
        ),
        $ref: '#/$defs/d0',
      },
    ],
  ])('of a schema %s nothing is said, and the tool is offered', async (_, schema) => {
    const content = { text: `${'a'.repeat(40)}!` }
    expect(await callWith(schema, content)).toEqual({ data: content, note: undefined })
  })
})
