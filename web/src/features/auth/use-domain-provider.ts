import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import type { PublicIdentityProvider } from '#shared/identity-providers.ts'
import { announce } from '../../lib/announce.ts'
import { findProviderByEmail } from '../../lib/identity-providers.ts'

/** What the form says below an address whose domain has a provider. */
export const describeDomainProvider = (label: string) => t`Your organisation signs in with ${label}.`

/** The provider of a typed address's domain. It is announced when it changes the form. */
export function useDomainProvider(
  providers: readonly PublicIdentityProvider[],
  email: string,
): PublicIdentityProvider | undefined {
  const provider = findProviderByEmail(providers, email.trim())
  const label = provider?.label
  useEffect(() => {
    if (label !== undefined) announce(describeDomainProvider(label))
  }, [label])
  return provider
}
