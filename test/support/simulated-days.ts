import { mock } from 'node:test'
import type { ProviderHarness } from './provider-harness.ts'
import { ReconnectRequired } from '../../functions/providers/reconnect-required.ts'

const minuteMs = 60_000
/** Every twentieth minute has a burst of concurrent calls, the others have one call. */
const burstCalls = 20
const burstEveryMinutes = 20

/** Runs something with a clock that only it moves; timers are not affected. */
export async function withClock<Result>(
  work: (advance: (ms: number) => void) => Promise<Result>,
): Promise<Result> {
  let now = Date.now()
  mock.timers.enable({ apis: ['Date'], now })
  try {
    return await work((ms) => {
      now += ms
      mock.timers.setTime(now)
    })
  } finally {
    mock.timers.reset()
  }
}

/**
 * A connection whose access tokens are valid for 60 s and whose refresh tokens work once, used once a minute and now and then by
 * many calls at a time. In the end the user revokes the grant.
 * @returns the numbers of calls and refreshes
 * @throws Error when a call failed, a refresh token went out twice, or there were more refreshes than minutes
 */
export async function runSimulatedMinutes(
  harness: ProviderHarness,
  minutes: number,
): Promise<{ calls: number; refreshes: number }> {
  await harness.connect('zoom', 'demo+expires=60')
  const used = new Set<string>()
  let calls = 0
  const call = async () => {
    calls += 1
    await harness.run('zoom', 'list_meetings')
  }
  const result = await withClock(async (advance) => {
    for (let minute = 1; minute <= minutes; minute += 1) {
      advance(minuteMs)
      harness.sent.length = 0
      await Promise.all(Array.from({ length: minute % burstEveryMinutes === 0 ? burstCalls : 1 }, call))
      for (const { url, body } of harness.sent) {
        if (!url.pathname.endsWith('/token')) continue
        const token = new URLSearchParams(body).get('refresh_token') ?? ''
        if (used.has(token)) throw new Error(`a refresh token was used twice, in minute ${minute}`)
        used.add(token)
      }
      if (used.size > minute) throw new Error(`more than one refresh in minute ${minute}`)
    }
    const token = harness.sent.at(-1)?.headers['authorization']?.replace('Bearer ', '') ?? ''
    await fetch(`${harness.doubles.url}/zoom/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ token }),
    })
    return { calls, refreshes: used.size }
  })
  const after = await harness.run('zoom', 'list_meetings').catch((error: unknown) => error)
  if (!(after instanceof ReconnectRequired))
    throw new Error('a permission that was taken back still works', { cause: after })
  return result
}
