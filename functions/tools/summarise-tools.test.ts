import { expect, it, onTestFinished } from 'vitest'
import { startProviderWorld } from '../../test/support/provider-world.ts'
import { withClock } from '../../test/support/simulated-days.ts'
import { summariseTools } from './summarise-tools.ts'

it('INT-66 DEC-125 a connection whose access has expired is not healthy until it is connected again', async () => {
  const world = await startProviderWorld()
  onTestFinished(() => world.close())
  const { stores, sub } = world
  const servers = {
    listTools: () => Promise.reject(new Error('no server is asked')),
    close: () => Promise.resolve(),
  }
  const health = async () =>
    (await summariseTools({ ...stores, serverHttp: stores.http }, servers, sub)).map(
      ({ id, health_status }) => [id, health_status],
    )
  await withClock(async (advance) => {
    await world.connect('slack', 'demo+expires=3600+no-refresh')
    expect(await health()).toEqual([['slack', 'healthy']])
    advance(3_600_000)
    expect(await health()).toEqual([['slack', 'attention']])
    await world.connect('slack', 'demo+expires=3600+no-refresh')
    expect(await health()).toEqual([['slack', 'healthy']])
  })
})
