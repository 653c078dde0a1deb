import { parseArgs } from 'node:util'
import { startStack } from '../support/local-stack.ts'
import { survivesRandomKills } from '../support/random-kills.ts'
import { survivesRefreshRaces } from '../support/refresh-race.ts'
import { openTestTable } from '../support/table.ts'

/**
 * `npm run soak [-- --rounds=1000 --seed=7]`: renews tokens from several sides at once that many times, then kills the product at
 * random moments, again and again, on one data folder. `--only=refresh` or `--only=kills` does one of them.
 */

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1000' },
    seed: { type: 'string' },
    only: { type: 'string' },
  },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const rounds = Number(values.rounds)
const print = (line: string) => process.stdout.write(`${line}\n`)

if (values.only !== 'kills') {
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
  if (values.only === 'refresh') process.exit()
}

print(`${rounds} kills, seed ${seed}`)
const stack = await startStack({ env: { DEMO_TOKENS_PER_SECOND: '400', RATE_LIMIT_FACTOR: '1000' } })
try {
  const { messages, replies } = await survivesRandomKills(stack, { rounds, seed })
  print(`${messages} acknowledged messages and ${replies} acknowledged replies, none lost`)
} finally {
  await stack.stop()
}
