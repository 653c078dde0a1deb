import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { callApi } from './call-api.ts'
import { createStore } from './create-store.ts'

/** What the service tells everybody about the site; undefined until it is known. */
export const siteState = createStore<RouteResponse<'site.read'> | undefined>(undefined)

/** Asks the service. Without an answer, what is known stays. */
export const refreshSite = (): Promise<void> =>
  callApi('site.read', {}).then(siteState.setState, () => undefined)
