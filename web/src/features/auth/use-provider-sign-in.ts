import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { showToast } from '../../components/ui/toast.ts'
import { loadConfig } from '../../lib/config.ts'
import { createErrorDetails } from '../../lib/error-details.ts'
import { google } from '../../lib/identity-providers.ts'
import { useAuth } from './auth-context.ts'
import { toAuthError } from './auth-errors.ts'
import type { AuthLink } from './auth-link.ts'
import * as errorTexts from './error-texts.ts'
import {
  completeHostedSignIn,
  createHostedSignInUrl,
  findPendingSignIn,
  HostedSignInError,
  type HostedCallback,
  type HostedProvider,
  type HostedSignInOptions,
} from './hosted-sign-in.ts'
import { hasHostedUi } from './hosted-ui.ts'
import { signInStep, toFormErrors, type AuthSteps } from './use-auth-steps.ts'

/** Signs in with an identity provider: the page is left, and loaded again with the result. */
export function useProviderSignIn(
  { goTo, setErrors, completeSignIn }: AuthSteps,
  link: AuthLink | undefined,
) {
  const auth = useAuth()
  /** the page to open after signing in; also set after a failure, so that a user who had to sign in again returns to their page */
  const [returnPath, setReturnPath] = useState(() =>
    link && ['hosted', 'failed', 'refused'].includes(link.kind) ? findPendingSignIn()?.returnPath : undefined,
  )

  /** Goes to an identity provider; returns as a new page load. */
  const signInAtProvider = async (provider: HostedProvider, options: HostedSignInOptions): Promise<void> => {
    try {
      const config = await loadConfig()
      if (hasHostedUi(config)) return location.assign(await createHostedSignInUrl(config, provider, options))
      const isGoogle = provider.name === google.name
      setErrors({
        form: isGoogle
          ? t`Google authentication is not configured. Please contact support.`
          : errorTexts.misconfigured,
        cause: createErrorDetails('not_configured'),
      })
    } catch (error) {
      setErrors(toFormErrors(toAuthError(error, 'sign-in')))
    }
  }

  const completeSignInAtProvider = async (callback: HostedCallback): Promise<void> => {
    try {
      const config = await loadConfig()
      if (!hasHostedUi(config)) throw new HostedSignInError(errorTexts.misconfigured, 'not_configured')
      const { returnPath: path, isNewAccount } = await completeHostedSignIn(config, callback)
      setReturnPath(path)
      await completeSignIn(isNewAccount ? t`Welcome!` : t`Welcome back!`)
    } catch (error) {
      const form =
        error instanceof HostedSignInError ? error.userMessage : toAuthError(error, 'sign-in').userMessage
      // a user who is still signed in sees the app instead of the form
      if (auth.state.status === 'signed-in') showToast('error', form, { cause: error })
      goTo(signInStep, { form, cause: error })
    }
  }

  return { signInAtProvider, completeSignInAtProvider, returnPath }
}
