import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { openTestTable } from '../../../test/support/table.ts'
import type { ConnectionRows } from '../../tools/offer/offered-tools.ts'
import { openToolProvider, type ToolProvider } from '../../tools/tool-provider.ts'
import { lazyToolProvider } from './lazy-tool-provider.ts'

vi.mock(import('../../tools/tool-provider.ts'), { spy: true })
process.env['LOG_LEVEL'] = 'silent'
const table = await openTestTable()
afterAll(() => table.close())

const offer = { tools: [], missing: [{ name: 'Mail', isPartial: false }], isAllowed: () => true }
const provider = {
  loadTools: vi.fn<ToolProvider['loadTools']>(async () => offer),
  allow: vi.fn<ToolProvider['allow']>(async () => undefined),
  record: vi.fn<ToolProvider['record']>(async () => undefined),
}
const open = vi.mocked(openToolProvider)
beforeEach(() => {
  vi.clearAllMocks()
  open.mockImplementation(() => provider as unknown as ToolProvider)
})

const toRows = (changes: object = {}) =>
  ({ integrations: [], customTools: [], ...changes }) as unknown as ConnectionRows
const connectedRows = toRows({
  integrations: [
    { mcp_id: 'm', status: 'error' },
    { mcp_id: 'n', status: 'connected' },
  ],
})

it.each([toRows(), toRows({ integrations: [{ mcp_id: 'm', status: 'error' }] })])(
  'loads nothing for a user without a working connection: %j',
  async (rows) => {
    const tools = await lazyToolProvider(table).loadTools('ann', rows, {})
    expect(tools).toMatchObject({ tools: [], missing: [] })
    expect(tools.isAllowed({} as never)).toBe(false)
    expect(open).not.toHaveBeenCalled()
  },
)

it.each([connectedRows, toRows({ customTools: [{ id: 'c' }] })])(
  'loads the tools of %j each time, and the code for it once',
  async (rows) => {
    const lazy = lazyToolProvider(table)
    const options = { only: ['n'] }
    for (const _ of [1, 2]) expect(await lazy.loadTools('ann', rows, options)).toBe(offer)
    expect(provider.loadTools).toHaveBeenLastCalledWith('ann', rows, options)
    expect(open).toHaveBeenCalledTimes(1)
  },
)

it('a reply continues without tools when their code cannot be loaded, and the next one tries again', async () => {
  const lazy = lazyToolProvider(table)
  open.mockImplementationOnce(() => {
    throw new Error('no code')
  })
  expect(await lazy.loadTools('ann', connectedRows, {})).toMatchObject({ tools: [], missing: [] })
  expect(await lazy.loadTools('ann', connectedRows, {})).toBe(offer)
})

it('a call is not recorded when the code cannot be loaded, and the reply continues', async () => {
  open.mockImplementationOnce(() => {
    throw new Error('no code')
  })
  await lazyToolProvider(table).record('ann', 'call' as never, true)
  expect(provider.record).not.toHaveBeenCalled()
})

it('passes on allowed tools and recorded calls', async () => {
  const lazy = lazyToolProvider(table)
  await lazy.allow('ann', 'tool' as never)
  await lazy.record('ann', 'call' as never, true)
  expect(provider.allow.mock.calls).toEqual([['ann', 'tool']])
  expect(provider.record.mock.calls).toEqual([['ann', 'call', true]])
})

it('lists the connections of the user', async () => {
  expect(await lazyToolProvider(table).listConnected('nobody')).toEqual({ integrations: [], customTools: [] })
})
