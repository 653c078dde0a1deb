import { askModel, sendTurn } from './client.ts'
import { prepareConversations, preparedText } from './conversations.ts'
import { median, ms, p95, type Bench, type Figure } from './figures.ts'
import { startProduct, type Product } from './product.ts'

const warmUps = 30
const turnsPerConversation = 10
const budget = { addedMs: 10, ratio: 1.04, cpuMs: 0.2 }

interface Comparison {
  firstTokenMs: number
  turns: number
  /** messages in the conversation before the first of these turns */
  messages: number
}

/** The history that a caller without the product would send. */
const makeHistory = (messages: number) =>
  Array.from({ length: Math.min(messages, 200) }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: preparedText(index % 2 === 0 ? 'user' : 'reply'),
  }))

/** Calls the model, the product and the table in turn. @returns the times to the first token, and the table's share, in ms */
async function compare(product: Product, { firstTokenMs, turns, messages }: Comparison) {
  // turns as long as the prepared ones, so that the conversation stays comparable
  const pace = { firstTokenMs, tokens: 25, everyMs: 0 }
  // a few turns per conversation, so that its length hardly changes; for a long one it does not matter
  const count = messages > 100 ? 1 : Math.ceil((turns + warmUps) / turnsPerConversation)
  const conversations = await prepareConversations(product, count, messages)
  const before = makeHistory(messages)
  const direct: number[] = []
  const through: number[] = []
  const table: number[] = []
  for (let turn = -warmUps; turn < turns; turn += 1) {
    const sessionId = conversations[(turn + warmUps) % count] ?? ''
    const model = await askModel(product, { pace, before })
    const reply = await sendTurn(product, { sessionId, pace, characters: 80 })
    const steps = await product.measureTableSteps(sessionId)
    if (turn < 0) continue
    table.push(steps)
    direct.push(model.firstTokenMs)
    through.push(reply.firstTokenMs)
  }
  return { direct, through, table }
}

async function firstToken(product: Product, comparison: Comparison): Promise<Figure[]> {
  const { direct, through, table } = await compare(product, comparison)
  const base = median(direct)
  const added = through.map((time) => time - base)
  const { firstTokenMs, messages, turns } = comparison
  const where = `model of ${firstTokenMs} ms, conversation of ${messages} messages, ${turns} turns`
  const figures: Figure[] = [
    {
      what: `Added to the first token, p50 / p95 (${where})`,
      measured: `${ms(median(added))} / ${ms(p95(added))}`,
      budget: `p95 ≤ ${budget.addedMs} ms`,
      met: p95(added) <= budget.addedMs,
    },
    {
      what: 'The model alone, p50 / p95',
      measured: `${ms(base)} / ${ms(p95(direct))}`,
    },
    {
      what: 'Four sequential requests to the table, SDK only, p50 / p95',
      measured: `${ms(median(table))} / ${ms(p95(table))}`,
    },
  ]
  const ratio = median(through) / base
  const ratioP95 = p95(through) / p95(direct)
  if (firstTokenMs >= 100)
    figures.push({
      what: 'Through the product / the model alone, p50 / p95',
      measured: `${ratio.toFixed(3)} / ${ratioP95.toFixed(3)}`,
      budget: `≤ ${budget.ratio}`,
      met: Math.max(ratio, ratioP95) <= budget.ratio,
    })
  return figures
}

interface Load {
  streams: number
  tokens: number
  everyMs: number
}

/** CPU time of the handlers' process for a load of streams, minus that of the same turns with a single token. */
async function cpuPerToken(product: Product, { streams, tokens, everyMs }: Load): Promise<Figure> {
  const conversations = await prepareConversations(product, streams, 10)
  const cost = async (count: number) => {
    const { cpuMs } = await product.usage()
    const pace = { firstTokenMs: 0, tokens: count, everyMs }
    await Promise.all(conversations.map((sessionId) => sendTurn(product, { sessionId, pace })))
    return (await product.usage()).cpuMs - cpuMs
  }
  await cost(1)
  const turns = [await cost(1), await cost(1), await cost(1)]
  const long = await cost(tokens)
  const perToken = (long - median(turns)) / (streams * (tokens - 1))
  return {
    what: `CPU per streamed token (${streams} streams at ${1_000 / everyMs} tokens/s, heartbeats and checkpoints included)`,
    measured: `${perToken.toFixed(3)} ms`,
    budget: `≤ ${budget.cpuMs} ms`,
    met: perToken <= budget.cpuMs,
  }
}

export const firstTokenBench: Bench = {
  name: 'first-token',
  title: 'Time to the first token, CPU per token',
  async run({ profileTo }) {
    const product = await startProduct(profileTo)
    try {
      return [
        ...(await firstToken(product, { firstTokenMs: 0, turns: 200, messages: 10 })),
        ...(await firstToken(product, { firstTokenMs: 300, turns: 200, messages: 10 })),
        ...(await firstToken(product, { firstTokenMs: 0, turns: 200, messages: 1_000 })),
        await cpuPerToken(product, { streams: 20, tokens: 400, everyMs: 20 }),
        await cpuPerToken(product, { streams: 4, tokens: 2_000, everyMs: 4 }),
      ]
    } finally {
      await product.end()
    }
  },
}
