import { t } from '@lingui/core/macro'
import { useEffect, useId, useRef } from 'react'
import type { DataCounts, EraseResponse } from '#shared/contracts/account.ts'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { describeBackups, describeDeletionFailure } from '../../components/describe-deletion.ts'
import { formatStoredDataSuffix } from '../../components/format-stored-data.ts'
import { SecondFactorInput } from '../../components/second-factor-code.tsx'
import { Button } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { TextField } from '../../components/ui/field.tsx'
import { useInput } from '../../lib/input/use-input.ts'
import { useAccountActions } from './account-actions.ts'
import { hasErrorCode } from '../../lib/api/has-error-code.ts'
import { confirmationWord, useAccountDeletion } from './use-account-deletion.ts'

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
