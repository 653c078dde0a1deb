import { t } from '@lingui/core/macro'
import type { PublicIdentityProvider } from '#shared/identity-providers.ts'
import { Button } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { AuthForm } from './auth-form.tsx'
import { Divider } from './divider.tsx'
import type { FormErrors, FormValues } from './form-values.ts'
import { EmailField } from './email-field.tsx'
import { ContinueWith, ProviderButtons, type SignInAtProvider } from './provider-buttons.tsx'
import { describeDomainProvider, useDomainProvider } from './use-domain-provider.ts'
import { useSubmit } from './use-submit.ts'
import type { Input } from '../../lib/input/use-input.ts'

/** The sign-in without passwords. If several providers have domains, the e-mail address selects the provider. */
export function ProviderForm({
  providers,
  assistantName,
  isInvited,
  values: form,
  errors,
  onErrorsChange,
  onProvider,
}: {
  providers: readonly PublicIdentityProvider[]
  assistantName: string
  isInvited: boolean
  values: Input<FormValues>
  errors: FormErrors
  onErrorsChange: (errors: FormErrors) => void
  onProvider: SignInAtProvider
}) {
  const email = form.value.email.trim()
  const provider = useDomainProvider(providers, email)
  const { isBusy, submit } = useSubmit(async () => {
    if (provider) return onProvider(provider, email)
    onErrorsChange({
      email:
        email === ''
          ? t`Please enter your e-mail address first`
          : t`No sign-in is set up for this address. Check it, or choose one of the buttons.`,
    })
  })
  const asksForEmail = providers.filter(({ domains }) => domains.length > 0).length > 1
  return (
    <AuthForm
      title={t`Sign in`}
      subtitle={isInvited ? t`Use the address that was invited.` : t`${assistantName} is ready when you are.`}
      errors={errors}
      onSubmit={() => {
        if (asksForEmail) submit()
      }}
    >
      {errors.form !== undefined && (
        <Callout variant="danger" error={errors.cause}>
          {errors.form}
        </Callout>
      )}
      <ProviderButtons providers={providers} onSignIn={onProvider} />
      {asksForEmail && (
        <>
          <Divider />
          <EmailField
            input={form.at('email')}
            error={errors.email}
            hint={provider && describeDomainProvider(provider.label)}
            readOnly={isBusy}
          />
          <Button type="submit" variant="primary" size="lg" block busy={isBusy}>
            {provider ? <ContinueWith label={provider.label} /> : t`Continue`}
          </Button>
        </>
      )}
    </AuthForm>
  )
}
