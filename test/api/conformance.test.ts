import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'

const run = join(import.meta.dirname, '../conformance/run.ts')

/** In a separate process, because the product reads its environment once. */
it(
  'The client scenarios that the conformance suite freezes for 2026-07-28 pass, except the listed ones',
  { tags: 'trial' },
  async () => {
    const child = spawn(process.execPath, [run, '2026-07-28'], { stdio: ['ignore', 'pipe', 'pipe'] })
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    expect(output + errors).toContain('\n0 unexpected results\n')
    expect(output.match(/ passed$/gm)?.length).toBeGreaterThanOrEqual(30)
    expect(child.exitCode).toBe(0)
  },
)
