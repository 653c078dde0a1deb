import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useNavigate } from 'react-router'
import type { AdminUser } from '#shared/contracts/admin.ts'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { formatStoredData, formatStoredDataSuffix } from '../../../components/format-stored-data.ts'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { Dialog } from '../../../components/ui/dialog.tsx'
import { TextField } from '../../../components/ui/field.tsx'
import { useCopy } from '../../../components/use-copy.ts'
import { ApiError, errorMessage } from '../../../lib/api-errors.ts'
import { callApi } from '../../../lib/call-api.ts'
import { formatLongDate } from '../../../lib/dates.ts'
import { downloadBlob } from '../../../lib/download.ts'
import { useRecentSignIn } from '../../../lib/recent-sign-in.ts'
import { adminKey, userQuery } from '../admin-queries.ts'
import * as texts from './texts.ts'
import * as commonTexts from '../../../components/texts.ts'

type Receipt = RouteResponse<'admin.deleteUser'>['receipt']

/** The server may use its full time, and several calls may be needed. */
const callTimeoutMs = 60_000

/** Deletes an account after its e-mail was typed, and shows the receipt. */
export function DeleteUserDialog({
  user,
  open,
  onClose,
}: {
  user: Pick<AdminUser, 'id' | 'email'>
  open: boolean
  onClose: () => void
}) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const withRecentSignIn = useRecentSignIn()
  const formId = useId()
  const { copy } = useCopy({ title: texts.receiptCopied })
  const [confirmation, setConfirmation] = useState('')
  const removal = useMutation({
    mutationFn: async (): Promise<Receipt> => {
      for (;;) {
        const { done, receipt } = await withRecentSignIn(() =>
          callApi(
            'admin.deleteUser',
            { params: { userId: user.id }, body: { confirm: confirmation.trim() } },
            { timeoutMs: callTimeoutMs },
          ),
        )
        if (done) return receipt
      }
    },
  })
  const canDelete = confirmation.trim().toLowerCase() === user.email.toLowerCase()

  const close = () => {
    if (removal.isPending) return
    onClose()
    if (removal.data) {
      queryClient.removeQueries({ queryKey: userQuery(user.id).queryKey })
      void queryClient.invalidateQueries({ queryKey: adminKey })
      return void navigate('/admin/users')
    }
    setConfirmation('')
    removal.reset()
  }

  // the same dialog, so that the focus stays in it
  if (removal.data) {
    const text = formatReceipt(user, removal.data)
    return (
      <Dialog
        open={open}
        onOpenChange={(next) => {
          if (!next) close()
        }}
        title={texts.deleted}
        footer={
          <>
            <Button onClick={() => void copy(text)}>{texts.copyReceipt}</Button>
            <Button
              onClick={() => downloadBlob(new Blob([text], { type: 'text/plain' }), `receipt-${user.id}.txt`)}
            >
              {texts.downloadReceipt}
            </Button>
            <Button variant="primary" onClick={close}>
              {commonTexts.close}
            </Button>
          </>
        }
      >
        <p className="wrap-anywhere">
          {texts.receiptItems(user.email, formatStoredDataSuffix(removal.data.held))}
        </p>
        <p className="mt-3 text-ink-muted">
          {texts.receiptBackups(formatLongDate(new Date(removal.data.backups_end_at)))}
        </p>
      </Dialog>
    )
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) close()
      }}
      title={texts.deleteQuestion}
      description={<span className="wrap-anywhere">{user.email}</span>}
      footer={
        <>
          <Button variant="ghost" disabled={removal.isPending} onClick={close}>
            {commonTexts.cancel}
          </Button>
          <Button
            variant="danger-solid"
            type="submit"
            form={formId}
            disabled={!canDelete}
            busy={removal.isPending}
          >
            {removal.isPending ? texts.deleting : texts.deleteForGood}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (canDelete && !removal.isPending) removal.mutate()
        }}
      >
        <p className="text-ink-muted">{texts.deleteConsequence}</p>
        {removal.error && <Callout variant="danger">{describeFailure(removal.error)}</Callout>}
        <TextField
          label={texts.typeEmail(user.email)}
          value={confirmation}
          onChange={(event) => setConfirmation(event.target.value)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          disabled={removal.isPending}
        />
      </form>
    </Dialog>
  )
}

/** A refusal has deleted nothing; anything else may have deleted a part. */
function describeFailure(error: Error): string {
  const isRefused = error instanceof ApiError && error.status < 500
  return isRefused ? errorMessage(error) : texts.tryAgainToDelete(errorMessage(error))
}

/** The receipt as text, with exact times in UTC. */
const formatReceipt = ({ id, email }: Pick<AdminUser, 'id' | 'email'>, receipt: Receipt): string =>
  [
    texts.receipt.title,
    texts.receipt.account(email),
    texts.receipt.id(id),
    texts.receipt.requested(receipt.asked_at),
    texts.receipt.deleted(formatStoredData(receipt.held)),
    texts.receipt.backups(receipt.backups_end_at),
    '',
  ].join('\n')
