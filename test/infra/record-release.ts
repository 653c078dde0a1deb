import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configurations } from './configurations.ts'
import { digestRelease } from './release-digest.ts'
import { synthesise } from './synthesised.ts'

/** `node test/infra/record-release.ts`: at a release, records its templates for upgrade.test.ts of the next one. */
const scratch = mkdtempSync(join(tmpdir(), 'release-'))
process.env['INFRA_SCRATCH'] = scratch
const digests = Object.entries(configurations).map(
  ([name, context]) => [name, digestRelease(synthesise(context))] as const,
)
rmSync(scratch, { recursive: true })
writeFileSync(
  new URL('previous-release.json', import.meta.url),
  `${JSON.stringify(Object.fromEntries(digests), null, 2)}\n`,
)
