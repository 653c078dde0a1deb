import { parseArgs } from 'node:util'
import { startStack } from '../support/local-stack.ts'
import { startProviderWorld } from '../support/provider-world.ts'
import { survivesRandomKills } from '../support/random-kills.ts'
import { survivesRefreshRaces } from '../support/refresh-race.ts'
import { survivesSimulatedMinutes } from '../support/simulated-days.ts'
import { openTestTable } from '../support/table.ts'

/**
 * `npm run soak [-- --rounds=1000 --seed=7 --days=30]`: renews tokens from several sides at once that many times; kills the product at
 * random moments, again and again, on one data folder; then lets a connection with tokens of 60 s be used for days of a clock that
 * is moved. `--only=refresh`, `--only=kills` or `--only=days` does one of them.
 */

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1000' },
    seed: { type: 'string' },
    days: { type: 'string', default: '30' },
    only: { type: 'string' },
  },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const rounds = Number(values.rounds)
const days = Number(values.days)
const print = (line: string) => process.stdout.write(`${line}\n`)

const soaks = {
  async refresh() {
    const table = await openTestTable()
    try {
      const users = Math.min(10, rounds)
      const { tries, renewals } = await survivesRefreshRaces(table, {
        users,
        rounds: Math.ceil(rounds / users),
      })
      print(`${tries} races of three for the same tokens, ${renewals} renewals, none lost`)
    } finally {
      await table.close()
    }
  },

  async kills() {
    print(`${rounds} kills, seed ${seed}`)
    const stack = await startStack({ env: { DEMO_TOKENS_PER_SECOND: '400', RATE_LIMIT_FACTOR: '1000' } })
    try {
      const { messages, replies, saves } = await survivesRandomKills(stack, { rounds, seed })
      const others = Object.entries(saves).map(([kind, count]) => `${count} of ${kind}`)
      print(
        `${messages} acknowledged messages, ${replies} acknowledged replies, acknowledged saves: ${others.join(', ')}; none lost`,
      )
    } finally {
      await stack.stop()
    }
  },

  async days() {
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
  },
}

for (const [name, soak] of Object.entries(soaks))
  if (values.only === undefined || values.only === name) await soak()
