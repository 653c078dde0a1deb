import { useEffect, useId, useRef, useState } from 'react'
import type { EraseResponse, DataCounts } from '#shared/contracts/account.ts'
import { describeDeletionFailure, formatStoredDataSuffix } from '../../components/format-stored-data.ts'
import { Button } from '../../components/ui/button.tsx'
import { SecondFactorInput, useSecondFactorCode } from '../../components/second-factor-code.tsx'
import { TextField } from '../../components/ui/field.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { ApiError, errorMessage } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import { formatLongDate } from '../../lib/dates.ts'
import { removeInputs } from '../../lib/inputs.ts'
import { useAccountActions } from './account-actions.ts'
import { ActionDialog, InvalidForm } from '../../components/action-dialog.tsx'
import * as texts from './texts.ts'
import * as commonTexts from '../../components/texts.ts'
import { useInput } from '../../lib/use-input.ts'

const confirmationWord = 'DELETE'
/** The server may use its full time, and several calls may be needed. */
const callTimeoutMs = 60_000

type Receipt = EraseResponse['receipt']

/**
 * Deletes the account after a typed confirmation, shows the progress, and finally what was deleted and when
 * backups expire.
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
  const [receipt, setReceipt] = useState<Receipt>()
  const secondFactorCode = useSecondFactorCode()
  /** set once the server requires a code, with the error of the last one */
  const [codeRequest, setCodeRequest] = useState<{ error: string | undefined }>()
  const codeField = useRef<HTMLInputElement>(null)
  const isCodeRequired = codeRequest !== undefined
  useEffect(() => {
    if (isCodeRequired) codeField.current?.focus()
  }, [isCodeRequired])

  const deleteAccount = async () => {
    const body = { confirm: confirmationWord, ...(codeRequest && secondFactorCode.requestFields) } as const
    try {
      for (;;) {
        const response = await callApi('account.erase', { body }, { timeoutMs: callTimeoutMs })
        if (!response.done) continue
        removeInputs()
        return setReceipt(response.receipt)
      }
    } catch (error) {
      // a code works once, so a rejected one is cleared
      secondFactorCode.clear()
      if (!requiresCode(error)) throw error
      setCodeRequest({ error: codeRequest && errorMessage(error) })
      throw new InvalidForm()
    }
  }
  const close = () => {
    if (receipt) return void signOut(null)
    confirmation.reset()
    setCodeRequest(undefined)
    onOpenChange(false)
  }

  return (
    <ActionDialog
      open={open}
      onClose={close}
      title={texts.deleteAccountTitle}
      description={email}
      confirmLabel={texts.deleteForGood}
      isDestructive
      disabled={
        confirmation.value.trim() !== confirmationWord || (isCodeRequired && !secondFactorCode.isComplete)
      }
      onConfirm={deleteAccount}
      onDone={() => undefined}
      describeError={describeDeletionFailure}
      findHelp={(error) =>
        error instanceof ApiError && error.code === 'sign_in_again'
          ? { label: texts.signInAgain, onClick: () => void expireSignIn() }
          : undefined
      }
      result={
        receipt && {
          title: texts.accountDeleted,
          content: (
            <>
              <p>{texts.accountDeletedReceipt(email, formatStoredDataSuffix(receipt.held))}</p>
              {receipt.backups_end_at !== undefined && (
                <p className="mt-3 text-ink-muted">
                  {texts.backupsEnd(formatLongDate(new Date(receipt.backups_end_at)))}
                </p>
              )}
            </>
          ),
          footer: (
            <Button variant="primary" onClick={close}>
              {commonTexts.close}
            </Button>
          ),
        }
      }
    >
      <p className="text-ink-muted">
        {texts.deleteAccountWarning(storedData ? formatStoredDataSuffix(storedData) : texts.everythingStored)}
      </p>
      {isAdmin && <Callout variant="info">{texts.onlyAdministratorWarning}</Callout>}
      <TextField
        label={texts.typeToConfirm(confirmationWord)}
        input={confirmation}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
      />
      {codeRequest && (
        <>
          <p>{texts.confirmWithCode}</p>
          <SecondFactorInput
            ref={codeField}
            secondFactorCode={secondFactorCode}
            error={codeRequest.error}
            disabled={false}
            onChange={() => setCodeRequest({ error: undefined })}
          />
        </>
      )}
    </ActionDialog>
  )
}

const requiresCode = (error: unknown) =>
  error instanceof ApiError && (error.code === 'proof_required' || error.code === 'invalid_code')
