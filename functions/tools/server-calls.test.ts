import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type Behaviour, startMcpServer } from '../../test/support/mcp-server.ts'
import { aServerConnection, openMcpServers } from '../../test/support/server-connection.ts'
import { openTestTable } from '../../test/support/table.ts'
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
