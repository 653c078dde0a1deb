import type { SignUpMode } from '#shared/sign-up-policy.ts'
import { useConfig } from './config.ts'
import { useStore } from './create-store.ts'
import { siteState } from './site-state.ts'

/** Who may sign up: what administrators have set counts over what is deployed, which is all that is known until the service has answered. */
export function useSignUpMode(): SignUpMode {
  const site = useStore(siteState)
  const config = useConfig()
  return site?.signUp ?? config?.signUp ?? 'open'
}
