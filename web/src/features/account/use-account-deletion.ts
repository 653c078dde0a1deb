import { useState } from 'react'
import type { EraseResponse } from '#shared/contracts/account.ts'
import { InvalidForm } from '../../components/action-dialog.tsx'
import { useSecondFactorCode } from '../../components/second-factor-code.tsx'
import { useActions } from '../../lib/actions/actions.ts'
import { getErrorMessage } from '../../lib/api/api-errors.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { removeStoredImport } from '../../lib/browser/import-database.ts'
import { removeInputs } from '../../lib/input/inputs.ts'
import { erasureTimeoutMs } from '../../lib/browser/limits.ts'
import { hasErrorCode } from '../../lib/api/has-error-code.ts'

/** What has to be typed to delete an account. */
export const confirmationWord = 'DELETE'

/** Deletes the account of the user, with a code of their second factor if the service requires one. */
export function useAccountDeletion() {
  const actions = useActions()
  const [receipt, setReceipt] = useState<EraseResponse['receipt']>()
  const secondFactorCode = useSecondFactorCode()
  /** set once the server requires a code, with the error of the last one */
  const [codeRequest, setCodeRequest] = useState<{ error: string | undefined }>()

  const deleteAccount = async () => {
    const body = { confirm: confirmationWord, ...(codeRequest && secondFactorCode.requestFields) } as const
    try {
      // each call deletes a part
      for (;;) {
        const response = await callApi('account.erase', { body }, { timeoutMs: erasureTimeoutMs })
        // by now somebody else may be signed in, of whom nothing is deleted
        if (actions.isClosed()) return
        if (!response.done) continue
        removeStoredImport()
        removeInputs()
        return setReceipt(response.receipt)
      }
    } catch (error) {
      // a code works once, so a rejected one is cleared
      secondFactorCode.clear()
      if (!requiresCode(error)) throw error
      setCodeRequest({ error: codeRequest && getErrorMessage(error) })
      throw new InvalidForm()
    }
  }

  return {
    receipt,
    secondFactorCode,
    codeRequest,
    clearCodeError: () => setCodeRequest({ error: undefined }),
    cancelCodeRequest: () => setCodeRequest(undefined),
    deleteAccount,
  }
}

const requiresCode = (error: unknown) =>
  hasErrorCode(error, 'proof_required') || hasErrorCode(error, 'invalid_code')
