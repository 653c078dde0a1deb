import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import type { SignUpMode } from '#shared/sign-up-policy.ts'
import { callApi } from '../api/call-api.ts'
import { useConfig } from '../api/config.ts'
import { createStore, useStore } from '../browser/create-store.ts'

/** Who may sign up: what administrators have set counts over what is deployed, which is all that is known until the service has answered. */
export function useSignUpMode(): SignUpMode {
  const site = useStore(siteState)
  const config = useConfig()
  return site?.signUp ?? config?.signUp ?? 'open'
}

/** What the service tells everybody about the site; undefined until it is known. */
export const siteState = createStore<RouteResponse<'site.read'> | undefined>(undefined)

/** Asks the service. Without an answer, what is known stays. */
export const refreshSite = (): Promise<void> =>
  callApi('site.read', {}).then(siteState.setState, () => undefined)
