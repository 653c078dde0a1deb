import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { showToast } from '../../../components/ui/toast.ts'
import { ApiError } from '../../../lib/api-errors.ts'
import { callApi } from '../../../lib/call-api.ts'
import type { Proof } from './factor-change-dialog.tsx'
import { isCode, setupTimeoutMs, twoFactorQuery, twoFactorSentence } from './two-factor-queries.ts'

type Change = 'disable' | 'regenerate'

/** Switching the factor off and making new backup codes: once confirmed, and with a code where the sign-in is too old. */
export function useFactorChange() {
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState<Change>()
  const [needsProof, setNeedsProof] = useState(false)
  const [newCodes, setNewCodes] = useState<readonly string[]>()
  const { mutate, isPending, variables, error, reset } = useMutation({
    mutationFn: ({ action, proof }: { action: Change; proof?: Proof }) =>
      callApi('mfa.setup', { body: { action, ...proof } }, { timeoutMs: setupTimeoutMs }),
    onSuccess: ({ backupCodes }, { action }) => {
      setAsking(undefined)
      setNeedsProof(false)
      if (action === 'regenerate') setNewCodes(backupCodes)
      else
        showToast('success', '2FA Disabled', {
          description: 'Two-factor authentication has been disabled for your account.',
        })
    },
    onError: (failure, { action }) => {
      if (isCode(failure, 'proof_required')) return setNeedsProof(true)
      // then the sentence stands at the code's field
      if (needsProof) return undefined
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
    /** what waits to be confirmed */
    asking,
    needsProof,
    refused: error && !isCode(error, 'proof_required') ? twoFactorSentence(error) : undefined,
    newCodes,
    ask: setAsking,
    confirm: (proof?: Proof) => asking && mutate({ action: asking, ...(proof && { proof }) }),
    cancel: () => {
      setAsking(undefined)
      setNeedsProof(false)
      reset()
    },
    codesSeen: () => setNewCodes(undefined),
  }
}
