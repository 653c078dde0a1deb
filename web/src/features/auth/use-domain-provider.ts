import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import type { PublicIdentityProvider } from '#shared/identity-providers.ts'
import { announce } from '../../lib/browser/announce.ts'
import { findProviderByEmail } from '../../lib/sign-in/identity-providers.ts'

/** What the form says below an address whose domain has a provider. */
export const describeDomainProvider = (label: string) => t`Your organisation signs in with ${label}.`

/** The provider of an e-mail address's domain. Its label is announced when it is found. */
export function useDomainProvider(
  providers: readonly PublicIdentityProvider[],
  email: string,
): PublicIdentityProvider | undefined {
  const provider = findProviderByEmail(providers, email)
  const label = provider?.label
  useEffect(() => {
    if (label !== undefined) announce(describeDomainProvider(label))
  }, [label])
  return provider
}
