import { parseArgs } from 'node:util'
import { startStack } from '../support/local-stack.ts'
import { survivesRandomKills } from '../support/random-kills.ts'

/** `npm run soak [-- --rounds=1000 --seed=7]`: kills the product at random moments, again and again, on one data folder. */

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '1000' }, seed: { type: 'string' } },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const rounds = Number(values.rounds)
const print = (line: string) => process.stdout.write(`${line}\n`)

print(`${rounds} kills, seed ${seed}`)
const stack = await startStack({ env: { DEMO_TOKENS_PER_SECOND: '400', RATE_LIMIT_FACTOR: '1000' } })
try {
  const { messages, replies } = await survivesRandomKills(stack, { rounds, seed })
  print(`${messages} acknowledged messages and ${replies} acknowledged replies, none lost`)
} finally {
  await stack.stop()
}
