import { t } from '@lingui/core/macro'
import { KeyRound } from 'lucide-react'
import type { PublicIdentityProvider } from '#shared/identity-providers.ts'
import { Button } from '../../components/ui/button.tsx'
import { google } from '../../lib/sign-in/identity-providers.ts'
import { useSubmit } from './use-submit.ts'

/** Leads to an identity provider. @param loginHint the e-mail address that the form of the provider begins with */
export type SignInAtProvider = (provider: PublicIdentityProvider, loginHint?: string) => Promise<void>

/** A button for each identity provider. */
export function ProviderButtons({
  providers,
  onSignIn,
}: {
  providers: readonly PublicIdentityProvider[]
  onSignIn: SignInAtProvider
}) {
  return (
    <div className="grid grid-cols-1 gap-2">
      {providers.map((provider) => (
        <ProviderButton key={provider.name} provider={provider} onSignIn={onSignIn} />
      ))}
    </div>
  )
}

function ProviderButton({
  provider,
  onSignIn,
}: {
  provider: PublicIdentityProvider
  onSignIn: SignInAtProvider
}) {
  const { isBusy, submit } = useSubmit(() => onSignIn(provider))
  return (
    <Button size="lg" block busy={isBusy} onClick={submit}>
      {provider.name === google.name ? (
        <GoogleLogo />
      ) : (
        <KeyRound aria-hidden size={16} className="shrink-0" />
      )}
      <ContinueWith label={provider.label} />
    </Button>
  )
}

/** The label of a button that leads to a provider. It is cut where it is wider than a phone. */
export const ContinueWith = ({ label }: { label: string }) => (
  <span className="truncate">{t`Continue with ${label}`}</span>
)

const GoogleLogo = () => (
  <svg aria-hidden viewBox="0 0 24 24" width={20} height={20} fill="none" strokeWidth={4} className="-ms-0.5">
    <path d="M18.6 6.6A8.9 8.9 0 0 0 5 6.5" stroke="#EA4335" transform="translate(0 .6)" />
    <path d="M4.8 7.3a9 9 0 0 0 0 9.6" stroke="#FBBC05" />
    <path d="M4.9 17a8.9 8.9 0 0 0 12.3 2.3" stroke="#34A853" />
    <path d="M17 19.4A8.9 8.9 0 0 0 20.9 12H12.2" stroke="#4285F4" />
  </svg>
)
