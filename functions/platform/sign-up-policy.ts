import type { SiteSettings } from '#shared/contracts/site.ts'
import { signUpPolicy, type SignUpPolicy } from '#shared/sign-up-policy.ts'

/** Who may sign up: as an administrator has set it, else as configured. */
export function findSignUpPolicy({ signUp }: SiteSettings, configured: SignUpPolicy): SignUpPolicy {
  return (signUp === undefined ? undefined : signUpPolicy.safeParse(signUp).data) ?? configured
}
