import { t } from '@lingui/core/macro'
import { useRef } from 'react'
import { validateCode } from '../../../components/second-factor-code.tsx'
import { useActionMutation } from '../../../components/use-action.ts'
import { NetworkError } from '../../../lib/api/api-errors.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { useRecentSignIn } from '../../../lib/sign-in/recent-sign-in.ts'
import { hasErrorCode } from '../../../lib/api/has-error-code.ts'
import { describeTwoFactorError, setupTimeoutMs } from './two-factor-queries.ts'

/**
 * Turns two-factor on with a code of the authenticator app.
 * @param onEnabled called when it is on, unless the user has left the page
 * @param onRejected called when the service says that the code is wrong
 */
export function useVerification(onEnabled: () => void, onRejected: () => void) {
  const hasLostResponse = useRef(false)
  const withRecentSignIn = useRecentSignIn()
  const { isBusy, error, start } = useActionMutation('two-factor', {
    failureTitle: t`Two-factor authentication was not set up`,
    describe: () => 'verify',
    run: async (token: string) => {
      const problem = validateCode(token)
      if (problem !== undefined) throw new InvalidCodeError(problem)
      try {
        await withRecentSignIn(() =>
          callApi('mfa.setup', { body: { action: 'verify', token } }, { timeoutMs: setupTimeoutMs }),
        )
      } catch (error) {
        // already on: an earlier request succeeded although its response was lost
        if (!(hasLostResponse.current && hasErrorCode(error, 'two_factor_already_on'))) throw error
      }
    },
    onSuccess: (_data, _token, { isShown, notify }) => {
      if (isShown) return onEnabled()
      // the codes are shown only once, and here only
      notify(
        'info',
        t`Two-factor authentication is on. You have not seen your backup codes: please create new ones.`,
      )
    },
    onError: (error) => {
      hasLostResponse.current ||= error instanceof NetworkError
      if (hasErrorCode(error, 'invalid_code')) onRejected()
    },
  })
  return { isBusy, error, errorMessage: error ? describeError(error) : undefined, verify: start }
}

/** The code is malformed, so it is not sent. The message is for the user. */
class InvalidCodeError extends Error {}

const describeError = (error: Error): string =>
  error instanceof InvalidCodeError ? error.message : describeTwoFactorError(error)
