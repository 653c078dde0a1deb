import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { limitConcurrency } from '../../functions/platform/limit-concurrency.ts'
import { closeProduct, runScenario, type ScenarioInput } from './product.ts'
import { exceptions, olderScenarios, revisions } from './scenarios.ts'

/**
 * `npm run conformance [-- 2026-07-28 | scenario …]`: the client scenarios of the protocol's own conformance suite against the product's
 * code, a line each. Exits with 1 if a scenario fails that is no exception, or if an exception passes.
 */

interface Check {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  errorMessage?: string
  description?: string
}

interface ScenarioResult {
  checks: Check[]
  /** the client's error output */
  output: string
}

const suite = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js')

// all scenarios at once would wait for each other longer than the product waits for a server
const limit = limitConcurrency(4)
const runScenarios = (input: unknown) => limit('all', () => runScenario(input as ScenarioInput))

const server = createServer((request, response) => {
  void (async () => {
    try {
      response.end(await runScenarios(await json(request)))
    } catch (error) {
      response.statusCode = 500
      response.end(error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
  })()
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
const client = `"${process.execPath}" "${join(import.meta.dirname, 'client.ts')}" ${port}`

/** @returns the checks of each scenario, and the client's output */
async function runSuite(selection: readonly string[]): Promise<Map<string, ScenarioResult>> {
  const folder = await mkdtemp(join(tmpdir(), 'juno-conformance-results-'))
  const child = spawn(
    process.execPath,
    [suite, 'client', '--command', client, '--timeout', '60000', '-o', folder, ...selection],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  const results = new Map<string, ScenarioResult>()
  for (const file of globSync(join(folder, '**/checks.json'))) {
    const scenario = relative(folder, join(file, '..')).replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '')
    const checks = JSON.parse(await readFile(file, 'utf8')) as Check[]
    const output = await readFile(join(file, '../stderr.txt'), 'utf8').catch(() => '')
    results.set(scenario, { checks, output })
  }
  await rm(folder, { recursive: true, force: true })
  if (results.size === 0) throw new Error(`the suite ran nothing:\n${out}\n${errors}`)
  return results
}

const print = (line: string) => process.stdout.write(`${line}\n`)

function evaluateResult(revision: string, scenario: string, { checks }: ScenarioResult) {
  const counted = checks.filter(({ status }) => status !== 'INFO' && status !== 'SKIPPED')
  const failed = counted.filter(({ status }) => status !== 'SUCCESS')
  // nothing is checked if the client fails immediately
  const isPassed = counted.length > 0 && failed.length === 0
  const reason = exceptions[`${scenario} ${revision}`] ?? exceptions[scenario]
  const isUnexpected = isPassed === (reason !== undefined)
  return { counted, failed, isPassed, reason, isUnexpected }
}

/** @returns whether the result is unexpected */
function report(revision: string, scenario: string, result: ScenarioResult): boolean {
  const { counted, failed, isPassed, reason, isUnexpected } = evaluateResult(revision, scenario, result)
  const passed = reason === undefined ? 'passed' : 'passed, but is an exception'
  const verdict = isPassed ? passed : (reason ?? 'FAILED')
  print(
    `${scenario.padEnd(44)} ${`${counted.length - failed.length}/${counted.length}`.padStart(6)}  ${verdict}`,
  )
  if (!isPassed && (isUnexpected || args.includes(scenario)))
    print([...failed.map((check) => JSON.stringify(check)), result.output].join('\n'))
  return isUnexpected
}

const args = process.argv.slice(2)
const isRevision = (name: string) => (revisions as readonly string[]).includes(name)
let unexpectedResults = 0
for (const name of args.length > 0 ? args : [...revisions, ...olderScenarios]) {
  if (isRevision(name)) print(`\n${name}`)
  const results = await runSuite(isRevision(name) ? ['--requirements', name] : ['--scenario', name])
  for (const [scenario, result] of [...results].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    // all scenarios at once may take longer than the product waits for a server
    const { isUnexpected } = evaluateResult(name, scenario, result)
    const alone = ['--scenario', scenario, '--spec-version', name, '--force']
    const again = isUnexpected && isRevision(name) ? (await runSuite(alone)).get(scenario) : undefined
    if (report(name, scenario, again ?? result)) unexpectedResults += 1
  }
}
print(`\n${unexpectedResults} unexpected results`)
server.close()
await closeProduct()
process.exit(unexpectedResults > 0 ? 1 : 0)
