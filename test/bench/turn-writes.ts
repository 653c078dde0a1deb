import { setTimeout as sleep } from 'node:timers/promises'
import { sendTurn } from './client.ts'
import { prepareConversation } from './conversations.ts'
import { type Bench, type Figure } from './figures.ts'
import type { Pace } from './pace.ts'
import { startProduct, type Product } from './product.ts'

const budget = { turn: 9, checkpoint: 2 }
const repeats = 5

interface Turn {
  sessionId: string
  pace: Pace
  characters: number
}

/** Write units of one turn, including writes after the end of its stream. */
async function countUnits(product: Product, turn: Turn): Promise<number> {
  const before = await product.writeUnits()
  await sendTurn(product, turn)
  return (await product.settledWriteUnits()) - before
}

/** A token of the measured model is 15 to 17 characters long, so 55 of them stay below 1 KB. */
const short = { tokens: 8, characters: 120 }
const full = { tokens: 55, characters: 900 }

async function measureShortTurns(product: Product): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { tokens, characters } of [short, full]) {
    const pace = { firstTokenMs: 50, tokens, everyMs: 1 }
    const counts: number[][] = []
    const firsts: number[] = []
    for (const messages of [10, 1_000]) {
      const sessionId = await prepareConversation(product, messages)
      const units: number[] = []
      for (let turn = 0; turn < repeats + 1; turn += 1)
        units.push(await countUnits(product, { sessionId, pace, characters }))
      firsts.push(...units.splice(0, 1))
      counts.push(units)
    }
    const [few = [], many = []] = counts.map((units) => [...new Set(units)])
    figures.push(
      {
        what: `Write units of a turn with about ${characters} characters each way, at 10 / at 1,000 messages`,
        measured: `${few.join(', ')} / ${many.join(', ')}`,
        budget: `≤ ${budget.turn}, equal`,
        met: Math.max(...few, ...many) <= budget.turn && few.join() === many.join(),
      },
      {
        what: 'Of the turn before these, which at 1,000 messages writes their summary',
        measured: firsts.join(' / '),
      },
    )
  }
  return figures
}

interface LongReply {
  units: number
  checkpoints: number
  heartbeats: number
}

/** Counts the checkpoints of a reply while it is generated: they are deleted when it is saved. */
async function measureLongReply(product: Product, seconds: number): Promise<LongReply> {
  const sessionId = await prepareConversation(product, 10)
  const before = await product.writeUnits()
  // so little text that saving the reply costs one unit, however long it took
  const everyMs = 500
  const pace = { firstTokenMs: 50, tokens: (seconds * 1_000) / everyMs, everyMs }
  let isOver = false
  const reply = sendTurn(product, { sessionId, pace, characters: 120 }).finally(() => {
    isOver = true
  })
  let checkpoints = 0
  const heartbeats = new Set<number>()
  while (!isOver) {
    checkpoints = Math.max(checkpoints, await product.countCheckpoints(sessionId))
    const run = await product.stores.runs.find(product.user.sub, sessionId)
    if (run?.status === 'running') heartbeats.add(run.heartbeatAtMs)
    await sleep(100)
  }
  await reply
  // the first write is that of the start
  return { units: (await product.settledWriteUnits()) - before, checkpoints, heartbeats: heartbeats.size - 1 }
}

async function measureCheckpoints(product: Product): Promise<Figure[]> {
  const shorter = await measureLongReply(product, 9)
  const longer = await measureLongReply(product, 20)
  const more = (figure: keyof LongReply) => longer[figure] - shorter[figure]
  const each = (more('units') - more('heartbeats')) / more('checkpoints')
  return [
    {
      what: `Write units of each further checkpoint, its deletion included (reply of 20 s against 9 s: ${more('units')} units, ${more('checkpoints')} checkpoints, ${more('heartbeats')} heartbeats more)`,
      measured: each.toFixed(2),
      budget: `≤ ${budget.checkpoint}`,
      met: each <= budget.checkpoint,
    },
    {
      what: 'The same with the heartbeats',
      measured: (more('units') / more('checkpoints')).toFixed(2),
    },
  ]
}

export const turnWritesBench: Bench = {
  name: 'turn-writes',
  title: 'Writes of a turn',
  async run({ profileTo }) {
    const product = await startProduct(profileTo)
    try {
      return [...(await measureShortTurns(product)), ...(await measureCheckpoints(product))]
    } finally {
      await product.end()
    }
  },
}
