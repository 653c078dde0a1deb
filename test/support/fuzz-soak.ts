import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/**
 * Runs every property test with that many inputs in a separate process: `test/fuzz` and the routes over HTTP.
 * @throws Error when a property fails; the output has the input, the seed and the path
 */
export async function runFuzzTests({ runs, seed }: { runs: number; seed: number }): Promise<void> {
  const vitest = spawn(
    'npx',
    ['vitest', 'run', '--testTimeout=0', '--hookTimeout=0', 'test/fuzz/', 'test/api/fuzz.test.ts'],
    {
      cwd: join(import.meta.dirname, '../..'),
      stdio: 'inherit',
      env: { ...process.env, FUZZ_RUNS: String(runs), FUZZ_SEED: String(seed) },
    },
  )
  const [code] = (await once(vitest, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`a property does not hold (seed ${seed}, ${runs} runs)`)
}
