import { useEffect, useId, useRef, useState } from 'react'
import type { EraseResponse, DataCounts } from '#shared/contracts/account.ts'
import { formatStoredDataSuffix } from '../../components/format-stored-data.ts'
import { Button } from '../../components/ui/button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { SecondFactorInput, useSecondFactorCode } from '../../components/second-factor-code.tsx'
import { TextField } from '../../components/ui/field.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { ApiError, errorMessage } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import { formatLongDate } from '../../lib/dates.ts'
import { removeDrafts } from '../../lib/drafts.ts'
import { removeAllEntered } from '../../lib/entered-values.ts'
import { useRecentSignIn } from '../../lib/recent-sign-in.ts'
import { useAccountActions } from './account-actions.ts'
import * as texts from './texts.ts'
import * as commonTexts from '../../components/texts.ts'

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
  const withRecentSignIn = useRecentSignIn()
  const [confirmation, setConfirmation] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<{ message: string; mustSignInAgain: boolean }>()
  const [receipt, setReceipt] = useState<Receipt>()
  const secondFactorCode = useSecondFactorCode()
  /** set once the server requires a code, with the error of the last one */
  const [codeRequest, setCodeRequest] = useState<{ error: string | undefined }>()

  const formId = useId()
  const codeField = useRef<HTMLInputElement>(null)
  const isCodeRequired = codeRequest !== undefined
  useEffect(() => {
    if (isCodeRequired) codeField.current?.focus()
  }, [isCodeRequired])
  const canSubmit = confirmation.trim() === confirmationWord && (!codeRequest || secondFactorCode.isComplete)

  const deleteAccount = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      for (;;) {
        const response = await withRecentSignIn(() =>
          callApi(
            'account.erase',
            { body: { confirm: confirmationWord, ...(codeRequest && secondFactorCode.requestFields) } },
            { timeoutMs: callTimeoutMs },
          ),
        )
        if (!response.done) continue
        removeDrafts()
        removeAllEntered()
        setReceipt(response.receipt)
        return
      }
    } catch (error) {
      // a code works once, so a rejected one is cleared
      secondFactorCode.setCode('')
      if (requiresCode(error)) return setCodeRequest({ error: codeRequest && errorMessage(error) })
      const mustSignInAgain = error instanceof ApiError && error.code === 'sign_in_again'
      const message = errorMessage(error)
      const isRefused = error instanceof ApiError && error.status < 500
      setProblem({
        message: isRefused ? message : texts.tryAgainToDelete(message),
        mustSignInAgain,
      })
    } finally {
      setBusy(false)
    }
  }
  const close = () => {
    if (busy) return
    if (receipt) return void signOut(null)
    setConfirmation('')
    setCodeRequest(undefined)
    setProblem(undefined)
    onOpenChange(false)
  }

  if (receipt)
    return (
      <Dialog
        open={open}
        onOpenChange={close}
        title={texts.accountDeleted}
        footer={
          <Button variant="primary" onClick={() => close()}>
            {commonTexts.close}
          </Button>
        }
      >
        <p>{texts.accountDeletedReceipt(email, formatStoredDataSuffix(receipt.held))}</p>
        <p className="mt-3 text-ink-muted">
          {texts.backupsEnd(formatLongDate(new Date(receipt.backups_end_at)))}
        </p>
      </Dialog>
    )
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={texts.deleteAccountTitle}
      description={email}
      footer={
        <>
          <Button variant="ghost" disabled={busy} onClick={() => close()}>
            {commonTexts.cancel}
          </Button>
          <Button variant="danger-solid" type="submit" form={formId} disabled={!canSubmit} busy={busy}>
            {busy ? texts.deleting : texts.deleteForGood}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (canSubmit && !busy) void deleteAccount()
        }}
      >
        <p className="text-ink-muted">
          {texts.deleteAccountWarning(
            storedData ? formatStoredDataSuffix(storedData) : texts.everythingStored,
          )}
        </p>
        {isAdmin && <Callout variant="info">{texts.onlyAdministratorWarning}</Callout>}
        {problem && (
          <Callout
            variant="danger"
            action={
              problem.mustSignInAgain
                ? { label: texts.signInAgain, onClick: () => void expireSignIn() }
                : undefined
            }
          >
            {problem.message}
          </Callout>
        )}
        <TextField
          label={texts.typeToConfirm(confirmationWord)}
          value={confirmation}
          onChange={(event) => setConfirmation(event.target.value)}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          disabled={busy}
        />
        {codeRequest && (
          <>
            <p>{texts.confirmWithCode}</p>
            <SecondFactorInput
              ref={codeField}
              secondFactorCode={secondFactorCode}
              error={codeRequest.error}
              disabled={busy}
              onChange={() => setCodeRequest({ error: undefined })}
            />
          </>
        )}
      </form>
    </Dialog>
  )
}

const requiresCode = (error: unknown) =>
  error instanceof ApiError && (error.code === 'proof_required' || error.code === 'invalid_code')
