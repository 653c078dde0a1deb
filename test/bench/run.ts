import { writeFile } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { format } from 'oxfmt'
import { bundleBench } from './bundle.ts'
import { chatUiBench } from './chat-ui.ts'
import { connectedServersBench } from './connected-servers.ts'
import { connectStepsBench } from './connecting.ts'
import { conversationListBench } from './conversation-list.ts'
import { deploymentBench } from './deployment.ts'
import { documentsBench } from './documents.ts'
import { readingBench } from './reading.ts'
import { firstTokenBench } from './first-token.ts'
import type { Bench, Figure } from './figures.ts'
import { modelApisBench } from './model-apis.ts'
import { pageBench } from './page.ts'
import { promptCacheBench } from './prompt-cache.ts'
import { registryBench } from './registry.ts'
import { renderingBench } from './rendering.ts'
import { roundTripsBench } from './round-trips.ts'
import { searchBench } from './search.ts'
import { localStartBench } from './start.ts'
import { streamsBench } from './streams.ts'
import { tableBench } from './table.ts'
import { tablesBench } from './tables.ts'
import { turnWritesBench } from './turn-writes.ts'
import { twoFactorBench } from './two-factor.ts'
import { typingBench } from './typing.ts'
import { billedUnitsBench } from './units.ts'
import { webVitalsBench } from './web-vitals.ts'

/**
 * `npm run bench`: measures and prints a table for each bench. `npm run bench -- first-token page` runs some of them,
 * `--write` puts the figures into test/bench/results/, `--profile <folder>` keeps CPU profiles of the handlers' process.
 * A missed budget is printed, but is not a failure: one run on one machine is to be read, not asserted.
 */
const benches: readonly Bench[] = [
  turnWritesBench,
  pageBench,
  webVitalsBench,
  renderingBench,
  typingBench,
  documentsBench,
  readingBench,
  searchBench,
  conversationListBench,
  bundleBench,
  deploymentBench,
  localStartBench,
  tableBench,
  tablesBench,
  firstTokenBench,
  modelApisBench,
  promptCacheBench,
  roundTripsBench,
  streamsBench,
  twoFactorBench,
  registryBench,
  connectStepsBench,
  connectedServersBench,
  billedUnitsBench,
  chatUiBench,
]

const results = join(import.meta.dirname, 'results')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false }, profile: { type: 'string' } },
})
const unknown = positionals.filter((name) => !benches.some((bench) => bench.name === name))
if (unknown.length > 0) {
  console.error(`no bench ${unknown.join(', ')}; there are ${benches.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}

for (const bench of benches) {
  if (positionals.length > 0 && !positionals.includes(bench.name)) continue
  console.log(`\n${bench.title}: npm run bench -- ${bench.name}`)
  try {
    await measure(bench)
  } catch (error) {
    // the others take half an hour, and do not depend on it
    console.error(error)
    process.exitCode = 1
  }
}

async function measure(bench: Bench): Promise<void> {
  const load = loadavg()[0] ?? 0
  const startedAt = performance.now()
  const figures = await bench.run({ profileTo: values.profile })
  for (const figure of figures) console.log(formatLine(figure))
  console.log(
    `  took ${((performance.now() - startedAt) / 1_000).toFixed(0)} s, load before it ${load.toFixed(1)}`,
  )
  if (values.write) await write(bench, figures, load)
}

function verdict({ met }: Figure): string {
  if (met === undefined) return ''
  return met ? 'met' : 'MISSED'
}

function formatLine(figure: Figure): string {
  const { what, measured, budget } = figure
  return [`  ${measured.padEnd(24)}`, what, budget && `[${budget}: ${verdict(figure)}]`]
    .filter(Boolean)
    .join('  ')
}

/** Replaces the bench's page of results. */
async function write({ name, title }: Bench, figures: Figure[], load: number): Promise<void> {
  const rows = figures.map((figure) =>
    [figure.what, figure.measured, figure.budget ?? '', verdict(figure)].join(' | '),
  )
  const page = [
    `# ${title}`,
    `\`npm run bench -- ${name}\`, ${new Date().toISOString().slice(0, 10)}: ${await describeMachine(load)}`,
    ['what | measured | budget | ', '--- | --- | --- | ---', ...rows].map((row) => `| ${row} |`).join('\n'),
  ].join('\n\n')
  const file = join(results, `${name}.md`)
  await writeFile(file, (await format(file, page)).code)
}

async function describeMachine(load: number): Promise<string> {
  const [first, ...others] = cpus()
  return `${first?.model.trim()}, ${others.length + 1} cores, Node ${process.version}, load average ${load.toFixed(1)} before the run.`
}
