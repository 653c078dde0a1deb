import { startChild } from './child.ts'
import { askModel, sendTurn } from './client.ts'
import { prepareConversations } from './conversations.ts'
import { median, ms, p95, type Bench, type Figure } from './figures.ts'
import { startProduct, type Product } from './product.ts'

const serverCount = 20
const toolsEach = 20
const serverMs = 50
const warmTurns = 200
const coldTurns = 20
const warmUps = 10
const pace = { firstTokenMs: 0, tokens: 5, everyMs: 0 }

async function api<T>(
  { origin, accessToken }: Product,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as T
}

/** Connects servers that have not been used before. @returns removes them */
async function connectServers(product: Product, host: string): Promise<() => Promise<void>> {
  const ids = await Promise.all(
    Array.from({ length: serverCount }, async (_, at) => {
      const config = { serverUrl: `http://${host}/${at}`, apiKey: '', customFields: {} }
      const { tool } = await api<{ tool: { id: string } }>(product, 'POST', '/api/custom-tools', {
        name: `Server ${at}`,
        description: '',
        config,
      })
      return tool.id
    }),
  )
  return async () => {
    await Promise.all(ids.map((id) => api(product, 'DELETE', `/api/custom-tools/${id}`)))
  }
}

/** How much longer the first token takes through the product than from the model alone. */
async function measureAddedMs(product: Product, turns: number): Promise<number[]> {
  const [sessionId = ''] = await prepareConversations(product, 1, 10)
  const direct: number[] = []
  const through: number[] = []
  for (let turn = -Math.min(warmUps, turns - 1); turn < turns; turn += 1) {
    const model = await askModel(product, { pace })
    const reply = await sendTurn(product, { sessionId, pace, characters: 80 })
    if (turn < 0) continue
    direct.push(model.firstTokenMs)
    through.push(reply.firstTokenMs)
  }
  const base = median(direct)
  return through.map((time) => time - base)
}

/** The time that a tool call adds: turns with and without one are compared in pairs. */
async function measureRounds(product: Product): Promise<number[]> {
  const [sessionId = ''] = await prepareConversations(product, 1, 10)
  const turn = async (callsTool?: true) =>
    (
      await sendTurn(product, {
        sessionId,
        pace: { ...pace, ...(callsTool && { callsTool }) },
        characters: 80,
      })
    ).firstTokenMs
  const times: number[] = []
  for (let at = -warmUps; at < warmTurns; at += 1) {
    const without = await turn()
    const withTool = await turn(true)
    if (at >= 0) times.push(withTool - without)
  }
  return times
}

async function measureColdMs(product: Product, host: string): Promise<number[]> {
  const times: number[] = []
  for (let turn = 0; turn < coldTurns; turn += 1) {
    const remove = await connectServers(product, host)
    times.push(...(await measureAddedMs(product, 1)))
    await remove()
  }
  return times
}

/** A minimal call over an open connection. */
async function measureBareCall(host: string): Promise<number> {
  const times: number[] = []
  for (let turn = -warmUps; turn < warmTurns; turn += 1) {
    const startedAt = performance.now()
    const response = await fetch(`http://${host}/0`, {
      method: 'POST',
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'read_records_0' },
      }),
    })
    await response.json()
    if (turn >= 0) times.push(performance.now() - startedAt)
  }
  return median(times)
}

const formatTimes = (times: readonly number[]) => `${ms(median(times))} / ${ms(p95(times))}`

export const connectedServersBench: Bench = {
  name: 'connected-servers',
  title: 'Connected MCP servers: tool lists, and a round with a tool call',
  async run({ profileTo }) {
    const slow = await startChild<string>('mcp-servers-process.ts', {
      args: [String(serverMs), String(toolsEach)],
    })
    const fast = await startChild<string>('mcp-servers-process.ts', { args: ['0', String(toolsEach)] })
    const product = await startProduct(profileTo, { OUTBOUND_ALLOW: `${slow.ready},${fast.ready}` })
    try {
      const what = `${serverCount} servers of ${serverMs} ms with ${serverCount * toolsEach} tools`
      const figures: Figure[] = [
        {
          what: 'Added to the first token, p50 / p95 (nothing connected)',
          measured: formatTimes(await measureAddedMs(product, warmTurns)),
        },
      ]
      const remove = await connectServers(product, slow.ready)
      figures.push({
        what: `The same with ${what}, lists known`,
        measured: formatTimes(await measureAddedMs(product, warmTurns)),
      })
      await remove()
      figures.push({
        what: `The same with ${what}, lists unknown (${coldTurns} turns)`,
        measured: formatTimes(await measureColdMs(product, slow.ready)),
      })
      const removeFast = await connectServers(product, fast.ready)
      const rounds = await measureRounds(product)
      await removeFast()
      const bareMs = await measureBareCall(fast.ready)
      const modelMs = await measureModelAlone(product)
      const overhead = rounds.map((time) => time - bareMs - modelMs)
      figures.push({
        what: `A round with a tool over the server's own time (${ms(bareMs)}) and the model's second answer (${ms(modelMs)}), p50 / p95`,
        measured: formatTimes(overhead),
      })
      return figures
    } finally {
      for (const child of [product, slow, fast]) await child.end()
    }
  },
}

/** The median time to the first token from the model alone. */
async function measureModelAlone(product: Product): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < warmTurns; turn += 1) times.push((await askModel(product, { pace })).firstTokenMs)
  return median(times)
}
