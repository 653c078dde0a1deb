import { expect, it, onTestFinished } from 'vitest'
import { startProviderHarness } from '../../../test/support/provider-harness.ts'
import { withClock } from '../../../test/support/simulated-days.ts'
import { summariseTools } from './summarise-tools.ts'

it('INT-66 DEC-125 a connection whose access has expired is not healthy until it is connected again', async () => {
  const harness = await startProviderHarness()
  onTestFinished(() => harness.close())
  const { stores, sub } = harness
  const servers = { open: () => Promise.reject(new Error('no server is asked')) }
  const connections = { ...stores, serverHttp: stores.http }
  const health = async () =>
    (await summariseTools({ connections, servers }, sub)).map(({ id, health_status }) => [id, health_status])
  await withClock(async (advance) => {
    await harness.connect('slack', 'demo+expires=3600+no-refresh')
    expect(await health()).toEqual([['slack', 'healthy']])
    advance(3_600_000)
    expect(await health()).toEqual([['slack', 'attention']])
    await harness.connect('slack', 'demo+expires=3600+no-refresh')
    expect(await health()).toEqual([['slack', 'healthy']])
  })
})
