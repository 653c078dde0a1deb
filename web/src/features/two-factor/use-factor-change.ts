import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showToast } from '../../components/ui/toast.ts'
import { ApiError } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import type { Proof } from './proof-dialog.tsx'
import { isCode, setupTimeoutMs, twoFactorQuery, twoFactorSentence } from './two-factor-queries.ts'

type Change = 'disable' | 'regenerate'

/** Switching the factor off and making new backup codes: at once after a fresh sign-in, with a code otherwise. */
export function useFactorChange() {
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState<Change>()
  const [newCodes, setNewCodes] = useState<readonly string[]>()
  const { mutate, isPending, variables, error, reset } = useMutation({
    mutationFn: ({ action, proof }: { action: Change; proof?: Proof }) =>
      callApi('mfa.setup', { body: { action, ...proof } }, { timeoutMs: setupTimeoutMs }),
    onSuccess: ({ backupCodes }, { action }) => {
      setAsking(undefined)
      if (action === 'regenerate') setNewCodes(backupCodes)
      else
        showToast('success', '2FA Disabled', {
          description: 'Two-factor authentication has been disabled for your account.',
        })
    },
    onError: (failure, { action }) => {
      if (isCode(failure, 'proof_required')) return setAsking(action)
      // with the dialog open the sentence stands there
      if (asking !== undefined) return undefined
      const fallback = action === 'disable' ? 'Failed to disable 2FA' : twoFactorSentence(failure)
      const description = failure instanceof ApiError ? twoFactorSentence(failure) : fallback
      showToast('error', 'Error', { description })
      return undefined
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: twoFactorQuery.queryKey }),
  })
  return {
    /** what is being done */
    running: isPending ? variables.action : undefined,
    /** what waits for a code */
    asking,
    refused: error && !isCode(error, 'proof_required') ? twoFactorSentence(error) : undefined,
    newCodes,
    start: (action: Change) => mutate({ action }),
    prove: (proof: Proof) => asking && mutate({ action: asking, proof }),
    cancel: () => {
      setAsking(undefined)
      reset()
    },
    codesSeen: () => setNewCodes(undefined),
  }
}
