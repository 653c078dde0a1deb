import { parseArgs } from 'node:util'
import { startStack } from '../support/local-stack.ts'
import { startProviderWorld } from '../support/provider-world.ts'
import { survivesRandomKills } from '../support/random-kills.ts'
import { survivesSimulatedMinutes } from '../support/simulated-days.ts'

/**
 * `npm run soak [-- --rounds=1000 --seed=7 --days=30]`: kills the product at random moments, again and again, on one data folder; then
 * lets a connection with tokens of 60 s be used for days of a clock that is moved.
 */

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1000' },
    seed: { type: 'string' },
    days: { type: 'string', default: '30' },
  },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const rounds = Number(values.rounds)
const print = (line: string) => process.stdout.write(`${line}\n`)

const days = Number(values.days)

if (rounds > 0) {
  print(`${rounds} kills, seed ${seed}`)
  const stack = await startStack({ env: { DEMO_TOKENS_PER_SECOND: '400', RATE_LIMIT_FACTOR: '1000' } })
  try {
    const { messages, replies } = await survivesRandomKills(stack, { rounds, seed })
    print(`${messages} acknowledged messages and ${replies} acknowledged replies, none lost`)
  } finally {
    await stack.stop()
  }
}
if (days > 0) {
  print(`${days} days of tokens that live for 60 s`)
  const world = await startProviderWorld()
  try {
    const { calls, refreshes } = await survivesSimulatedMinutes(world, Math.round(days * 24 * 60))
    print(
      `${calls} calls and ${refreshes} refreshes, no refresh token used twice, nobody asked to connect again`,
    )
  } finally {
    await world.close()
  }
}
