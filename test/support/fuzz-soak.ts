import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/**
 * Runs property tests with that many inputs in a separate process: by default `test/fuzz` and the routes over HTTP.
 * @throws Error when a property fails; the output has the input, the seed and the path
 */
export async function runFuzzTests({
  runs,
  seed,
  files = ['test/fuzz/', 'test/api/fuzz.test.ts'],
}: {
  runs: number
  seed: number
  files?: readonly string[]
}): Promise<void> {
  const vitest = spawn('npx', ['vitest', 'run', '--testTimeout=0', '--hookTimeout=0', ...files], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: 'inherit',
    env: { ...process.env, FUZZ_RUNS: String(runs), FUZZ_SEED: String(seed) },
  })
  const [code] = (await once(vitest, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`a property does not hold (seed ${seed}, ${runs} runs)`)
}
