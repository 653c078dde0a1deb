import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { routes } from '#shared/routes.ts'

const callMs = 60_000
/** A call takes about 20 s at most. */
const maxCalls = 30

/**
 * Erases the account that a token belongs to, by the product's own route, to the end.
 * @returns the receipt
 * @throws Error with the answer when the product refuses
 */
export async function eraseAccount(
  origin: string,
  accessToken: string,
): Promise<RouteResponse<'account.erase'>['receipt']> {
  const { method, path } = routes['account.erase']
  for (let calls = 0; calls < maxCalls; calls += 1) {
    const response = await fetch(`${origin}${path}`, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(callMs),
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ confirm: 'DELETE' }),
    })
    if (response.status !== 200)
      throw new Error(`the erasure returned ${response.status}: ${(await response.text()).slice(0, 300)}`)
    const { done, receipt } = (await response.json()) as RouteResponse<'account.erase'>
    if (done) return receipt
  }
  throw new Error(`the account is not erased after ${maxCalls} calls`)
}
