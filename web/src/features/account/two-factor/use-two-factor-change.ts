import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useActionMutation } from '../../../components/use-action.ts'
import { ApiError } from '../../../lib/api/api-errors.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import type { SecondFactorProof } from './factor-change-dialog.tsx'
import { hasErrorCode } from '../../../lib/api/has-error-code.ts'
import { describeTwoFactorError, setupTimeoutMs, twoFactorQuery } from './two-factor-queries.ts'

type Change = 'disable' | 'regenerate'

/**
 * Turns two-factor off and creates new backup codes, after a confirmation, and with a code if the sign-in is too old.
 */
export function useTwoFactorChange() {
  const queryClient = useQueryClient()
  const [requestedChange, setRequestedChange] = useState<Change>()
  const [needsCode, setNeedsCode] = useState(false)
  const [newCodes, setNewCodes] = useState<readonly string[]>()
  const { start, activity, error, reset } = useActionMutation('two-factor', {
    describe: ({ action }) => action,
    run: ({ action, proof }: { action: Change; proof?: SecondFactorProof }) =>
      callApi('mfa.setup', { body: { action, ...proof } }, { timeoutMs: setupTimeoutMs }),
    onSuccess: ({ backupCodes }, { action }, { isShown, notify }) => {
      setRequestedChange(undefined)
      setNeedsCode(false)
      if (action === 'regenerate' && isShown) setNewCodes(backupCodes)
      else if (action === 'regenerate')
        notify('warning', t`Your new backup codes were not shown`, {
          description: t`You had left the page, and the earlier codes no longer work. Please make new ones.`,
        })
      else
        notify('success', t`2FA Disabled`, {
          description: t`Two-factor authentication has been disabled for your account.`,
        })
    },
    onError: (failure, { action }, { isShown, notify }) => {
      if (hasErrorCode(failure, 'proof_required')) return setNeedsCode(true)
      // the code field shows the message
      if (needsCode && isShown) return undefined
      const description =
        action === 'disable' && !(failure instanceof ApiError)
          ? t`Failed to disable 2FA`
          : describeTwoFactorError(failure)
      notify('error', t`Error`, { description, cause: failure })
      return undefined
    },
    onSettled: (failure) =>
      // the code field can be used at once: nothing has changed
      hasErrorCode(failure, 'proof_required')
        ? undefined
        : queryClient.invalidateQueries({ queryKey: twoFactorQuery.queryKey }),
  })
  return {
    /** the running change */
    running: activity,
    /** the change that is being confirmed */
    requested: requestedChange,
    needsCode,
    codeError: error && !hasErrorCode(error, 'proof_required') ? describeTwoFactorError(error) : undefined,
    newCodes,
    request: setRequestedChange,
    confirm: (proof?: SecondFactorProof) =>
      requestedChange && start({ action: requestedChange, ...(proof && { proof }) }),
    cancel: () => {
      setRequestedChange(undefined)
      setNeedsCode(false)
      reset()
    },
    closeCodes: () => setNewCodes(undefined),
  }
}
