import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { runFuzzTests } from './support/fuzz-soak.ts'

it(
  'every property holds for more inputs than the first tier tries',
  { tags: 'long', timeout: 3_600_000 },
  async () => {
    const files = globSync('{functions,shared,test/fuzz,web/src}/**/*.test.{ts,tsx}').filter((file) =>
      /\/fuzz\.ts'/.test(readFileSync(file, 'utf8')),
    )
    expect(files).toContain('test/fuzz/contracts.test.ts')
    await runFuzzTests({ runs: 25, seed: 20_261_120, files })
  },
)
