import { afterAll, beforeEach, expect, it, vi } from 'vitest'
import { openTestTable } from '../../test/support/table.ts'
import { type Connections, openConnections } from '../integrations/credentials/open-connections.ts'
import { type ConnectionRows, loadOfferedTools, type Offer } from './offer/offered-tools.ts'
import { toolProvider } from './tool-provider.ts'

vi.mock(import('../integrations/credentials/open-connections.ts'), { spy: true })
vi.mock(import('./offer/offered-tools.ts'), { spy: true })
process.env['LOG_LEVEL'] = 'silent'
const table = await openTestTable()
afterAll(() => table.close())

const offer: Offer = { tools: [], missing: [{ name: 'Mail', isPartial: false }], isAllowed: () => true }
const open = vi.mocked(openConnections)
const load = vi.mocked(loadOfferedTools)
beforeEach(() => {
  vi.clearAllMocks()
  open.mockImplementation(() => ({ serverHttp: {} }) as unknown as Connections)
  load.mockResolvedValue(offer)
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
  'opens nothing for a user without a working connection: %j',
  async (rows) => {
    const tools = await toolProvider(table).loadTools('ann', rows, {})
    expect(tools).toMatchObject({ tools: [], missing: [] })
    expect(tools.isAllowed({} as never)).toBe(false)
    expect(open).not.toHaveBeenCalled()
  },
)

it.each([connectedRows, toRows({ customTools: [{ id: 'c' }] })])(
  'loads the tools of %j each time, and opens the connections once',
  async (rows) => {
    const provider = toolProvider(table)
    const options = { only: ['n'] }
    for (const _ of [1, 2]) expect(await provider.loadTools('ann', rows, options)).toBe(offer)
    expect(load).toHaveBeenLastCalledWith(expect.anything(), 'ann', rows, options)
    expect(open).toHaveBeenCalledTimes(1)
  },
)

it('a reply continues without tools when the connections cannot be opened, and the next one tries again', async () => {
  const provider = toolProvider(table)
  open.mockImplementationOnce(() => {
    throw new Error('no sealing key')
  })
  expect(await provider.loadTools('ann', connectedRows, {})).toMatchObject({ tools: [], missing: [] })
  expect(await provider.loadTools('ann', connectedRows, {})).toBe(offer)
})

it('lists the connections of the user', async () => {
  expect(await toolProvider(table).listConnected('nobody')).toEqual({ integrations: [], customTools: [] })
})
