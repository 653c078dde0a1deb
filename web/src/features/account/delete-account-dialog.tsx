import { t } from '@lingui/core/macro'
import { useEffect, useId, useRef, useState } from 'react'
import type { DataCounts, EraseResponse } from '#shared/contracts/account.ts'
import { ActionDialog, InvalidForm } from '../../components/action-dialog.tsx'
import { describeBackups, describeDeletionFailure } from '../../components/describe-deletion.ts'
import { formatStoredDataSuffix } from '../../components/format-stored-data.ts'
import { SecondFactorInput, useSecondFactorCode } from '../../components/second-factor-code.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { TextField } from '../../components/ui/field.tsx'
import { useInput } from '../../lib/input/use-input.ts'
import { useAccountActions } from './account-actions.ts'
import { hasErrorCode } from '../../lib/api/has-error-code.ts'
import { useActions } from '../../lib/actions/actions.ts'
import { getErrorMessage } from '../../lib/api/api-errors.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { removeStoredImport } from '../../lib/browser/import-database.ts'
import { removeInputs } from '../../lib/input/inputs.ts'
import { erasureTimeoutMs } from '../../lib/browser/limits.ts'

const deletedTitle = t`Your account is deleted`

/** @param storedData undefined while it is not known */
const describeDeletion = (storedData: DataCounts | undefined) =>
  storedData
    ? t`This deletes your account, your profile and your settings${{ itemsSuffix: formatStoredDataSuffix(storedData) }}. This cannot be undone. To keep a copy, export everything first.`
    : t`This deletes your account, your profile, your settings and everything stored with them. This cannot be undone. To keep a copy, export everything first.`

/**
 * Deletes the account after a typed confirmation, then shows what was deleted and when backups end, and signs out. Somebody who has left it
 * meanwhile is signed out at once, with a toast.
 */
export function DeleteAccountDialog({
  open,
  onOpenChange,
  email,
  isAdmin,
  storedData,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  email: string
  isAdmin: boolean
  storedData: DataCounts | undefined
}) {
  const { expireSignIn, signOut } = useAccountActions()
  const confirmation = useInput(useId(), { onLeave: 'forget' })
  const { receipt, secondFactorCode, codeRequest, clearCodeError, cancelCodeRequest, deleteAccount } =
    useAccountDeletion()
  const codeField = useRef<HTMLInputElement>(null)
  const isCodeRequired = codeRequest !== undefined
  useEffect(() => {
    if (isCodeRequired) codeField.current?.focus()
  }, [isCodeRequired])
  const close = () => {
    if (receipt) return void signOut(null)
    confirmation.reset()
    cancelCodeRequest()
    onOpenChange(false)
  }

  return (
    <ActionDialog
      open={open}
      onClose={close}
      title={t`Delete your account?`}
      description={email}
      confirmLabel={t`Delete for good`}
      isDestructive
      disabled={
        confirmation.value.trim() !== confirmationWord || (isCodeRequired && !secondFactorCode.isComplete)
      }
      onConfirm={deleteAccount}
      onDone={(_, { isShown }) => {
        // stays open for the result
        if (!isShown) void signOut({ kind: 'success', title: deletedTitle, description: email })
      }}
      describeError={describeDeletionFailure}
      findHelp={(error) =>
        hasErrorCode(error, 'sign_in_again')
          ? { label: t`Sign in again`, onClick: () => void expireSignIn() }
          : undefined
      }
      result={
        receipt && {
          title: deletedTitle,
          content: <Receipt email={email} receipt={receipt} />,
          footer: (
            <Button variant="primary" onClick={close}>
              {t`Close`}
            </Button>
          ),
        }
      }
    >
      <p className="text-ink-muted">{describeDeletion(storedData)}</p>
      {isAdmin && (
        <Callout variant="info">{t`You are an administrator. If you are the only one, make somebody else an administrator first. Otherwise nobody can manage users on this site until its operator makes a new administrator.`}</Callout>
      )}
      <TextField
        label={t`Type ${{ word: confirmationWord }} to confirm`}
        input={confirmation}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
      {codeRequest && (
        <>
          <p>{t`You signed in a while ago. Please confirm with a two-factor code that it is you.`}</p>
          <SecondFactorInput
            ref={codeField}
            secondFactorCode={secondFactorCode}
            error={codeRequest.error}
            busy={false}
            onChange={clearCodeError}
          />
        </>
      )}
    </ActionDialog>
  )
}

/** What was deleted, and until when backups have it. */
function Receipt({ email, receipt }: { email: string; receipt: NonNullable<EraseResponse['receipt']> }) {
  return (
    <>
      <p>{t`${email} has been deleted, with its profile and settings${{ itemsSuffix: formatStoredDataSuffix(receipt.held) }}.`}</p>
      {receipt.backups_end_at !== undefined && (
        <p className="mt-3 text-ink-muted">{describeBackups(receipt.backups_end_at)}</p>
      )}
    </>
  )
}

const confirmationWord = 'DELETE'

/** Deletes the account of the user, with a code of their second factor if the service requires one. */
function useAccountDeletion() {
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
