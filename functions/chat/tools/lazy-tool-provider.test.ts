import { expect, it, vi } from 'vitest'
import { logger } from '../../platform/telemetry/logger.ts'
import { lazyToolProvider } from './lazy-tool-provider.ts'

vi.mock('../../tools/tool-box.ts', () => {
  throw new Error('the file is gone')
})

it('code that cannot be loaded costs a reply its tools and the record of its calls, and does not end it', async () => {
  const logged = vi.spyOn(logger, 'error').mockImplementation(() => undefined)
  const provider = lazyToolProvider({ name: 'none', client: {} as never })
  const connected = { integrations: [{ status: 'connected' }], custom: [] } as never
  expect(await provider.loadTools('sub', connected, {} as never)).toMatchObject({ tools: [] })
  await provider.record('sub', {} as never, true)
  expect(logged.mock.calls.map(([message]) => message)).toEqual([
    'the code of the tools could not be loaded',
    'the code of the tools could not be loaded',
  ])
})
