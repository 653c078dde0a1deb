import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runFaults } from '../support/faults.ts'
import { runFuzzTests } from '../support/fuzz-soak.ts'
import { startStack } from '../support/local-stack.ts'
import { startProviderHarness } from '../support/provider-harness.ts'
import { bundleProduct } from '../../infra/local/bundle.ts'
import { productPreloads } from '../support/child-environment.ts'
import { runRandomKills } from '../support/random-kills.ts'
import { runRefreshRaces } from '../support/refresh-race.ts'
import { measureGrowth, simulateHours, startWatchedStack } from '../support/simulated-day.ts'
import { runSimulatedMinutes } from '../support/simulated-days.ts'
import { openTestTable } from '../support/table.ts'

/**
 * `npm run soak [-- --rounds=1000 --seed=7 --days=30 --runs=5000]`: refreshes tokens from several callers at once that many times; kills
 * the product at random moments, repeatedly, on one data folder; uses a connection with tokens of 60 s for days of simulated time;
 * checks what a day of one user leaves behind; runs every property test with that many inputs; then injects every fault into every
 * call of every write path. `--only=refresh`, `kills`, `days`, `day`, `fuzz` or `faults` runs one of them; `--part=2/4` selects
 * the second quarter of the write paths, `--path=sync` those with `sync` in their name.
 */

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1000' },
    seed: { type: 'string' },
    days: { type: 'string', default: '30' },
    runs: { type: 'string', default: '5000' },
    only: { type: 'string' },
    part: { type: 'string', default: '1/1' },
    path: { type: 'string', default: '' },
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
      const { tries, refreshes } = await runRefreshRaces(table, {
        users,
        rounds: Math.ceil(rounds / users),
      })
      print(`${tries} races of three for the same tokens, ${refreshes} refreshes, none lost`)
    } finally {
      await table.close()
    }
  },

  async kills() {
    print(`${rounds} kills, seed ${seed}`)
    // most of the time goes into starts
    const bundle = (process.env['PRODUCT_BUNDLE'] = await mkdtemp(join(tmpdir(), 'juno-soak-')))
    await bundleProduct(bundle, productPreloads)
    const stack = await startStack({ env: { DEMO_TOKENS_PER_SECOND: '400', RATE_LIMIT_FACTOR: '1000' } })
    try {
      const { messages, replies, saves } = await runRandomKills(stack, {
        rounds,
        seed,
        onRound: (ended) => ended % 100 === 0 && print(`${ended} kills survived`),
      })
      const others = Object.entries(saves).map(([kind, count]) => `${count} of ${kind}`)
      print(
        `${messages} acknowledged messages, ${replies} acknowledged replies, acknowledged saves: ${others.join(', ')}; none lost`,
      )
    } finally {
      await stack.stop()
      await rm(bundle, { recursive: true })
      delete process.env['PRODUCT_BUNDLE']
    }
  },

  async days() {
    print(`${days} days of tokens that live for 60 s`)
    const harness = await startProviderHarness()
    try {
      const { calls, refreshes } = await runSimulatedMinutes(harness, Math.round(days * 24 * 60))
      print(
        `${calls} calls and ${refreshes} refreshes, no refresh token used twice, nobody asked to connect again`,
      )
    } finally {
      await harness.close()
    }
  },

  async day() {
    print('24 hours of one user, with a clock that is moved')
    const watched = await startWatchedStack()
    try {
      const day = await simulateHours(watched, 24)
      const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
      for (const [
        hour,
        { heapBytes, externalBytes, residentBytes, resources, openDescriptors, logBytes },
      ] of [...day.hours, day.dayLater].entries())
        print(
          `${hour < 24 ? `hour ${hour + 1}` : 'a day later'}: heap ${mb(heapBytes)}, external ${mb(externalBytes)}, resident ${mb(residentBytes)}, ` +
            `${resources['TCPSocketWrap'] ?? 0} sockets, ${resources['Timeout'] ?? 0} timers, ${openDescriptors} open descriptors, log ${mb(logBytes)}`,
        )
      const grown = measureGrowth(day, { warmUpHours: 8, heapBytesAnHour: 200_000 })
      if (grown.length > 0) throw new Error(`Something has grown: ${grown.join('; ')}`)
      print('nothing has grown')
    } finally {
      await watched.stop()
    }
  },

  async fuzz() {
    const runs = Number(values.runs)
    print(`${runs} inputs to each property, seed ${seed}`)
    await runFuzzTests({ runs, seed })
    print('every property holds')
  },

  async faults() {
    const [part = 1, parts = 1] = values.part.split('/').map(Number)
    // the handlers run in this process and share its output
    const log = process.stdout.write.bind(process.stdout)
    const logLine = (line: string) => void log(`${line}\n`)
    process.stdout.write = () => true
    const { findings, ...counts } = await runFaults({
      isSelected: (name, index) => index % parts === part - 1 && name.includes(values.path),
      onPath: (name, calls) => logLine(`${name}: ${calls.length} calls`),
      onFinding: ({ path, fault, problem }) =>
        logLine(`  ${path}, ${fault?.kind} ${fault?.call}: ${problem}`),
    })
    process.stdout.write = log
    print(
      `${counts.paths} write paths, ${counts.calls} calls, ${counts.faults} faults (${counts.missed} whose call did not occur again), ` +
        `${counts.acknowledged} of them acknowledged nevertheless; ${findings.length} problems`,
    )
    if (findings.length > 0) process.exitCode = 1
  },
}

if (values.only !== undefined && !(values.only in soaks)) {
  console.error(`no soak ${values.only}; there are ${Object.keys(soaks).join(', ')}`)
  process.exit(2)
}
for (const [name, soak] of Object.entries(soaks))
  if (values.only === undefined || values.only === name) await soak()
