import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useNavigate } from 'react-router'
import type { AdminUser } from '#shared/contracts/admin.ts'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import {
  describeDeletionFailure,
  formatStoredData,
  formatStoredDataSuffix,
} from '../../../components/format-stored-data.ts'
import { Button } from '../../../components/ui/button.tsx'
import { TextField } from '../../../components/ui/field.tsx'
import { useCopy } from '../../../components/use-copy.ts'
import { callApi } from '../../../lib/call-api.ts'
import { formatLongDate } from '../../../lib/dates.ts'
import { downloadBlob } from '../../../lib/download.ts'
import { adminKey, userQuery } from '../admin-queries.ts'
import { ActionDialog } from '../../../components/action-dialog.tsx'
import * as texts from './texts.ts'
import * as commonTexts from '../../../components/texts.ts'
import { useInput } from '../../../lib/use-input.ts'

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
  const { copy } = useCopy({ title: texts.receiptCopied })
  const confirmation = useInput(useId(), { onLeave: 'forget' })
  const [receipt, setReceipt] = useState<Receipt>()
  const remove = async () => {
    const input = { params: { userId: user.id }, body: { confirm: confirmation.value.trim() } }
    for (;;) {
      const response = await callApi('admin.deleteUser', input, { timeoutMs: callTimeoutMs })
      if (response.done) return setReceipt(response.receipt)
    }
  }
  const close = () => {
    onClose()
    confirmation.reset()
    if (!receipt) return
    queryClient.removeQueries({ queryKey: userQuery(user.id).queryKey })
    void queryClient.invalidateQueries({ queryKey: adminKey })
    void navigate('/admin/users')
  }

  const text = receipt ? formatReceipt(user, receipt) : ''
  return (
    <ActionDialog
      open={open}
      onClose={close}
      title={texts.deleteQuestion}
      description={<span className="wrap-anywhere">{user.email}</span>}
      confirmLabel={texts.deleteForGood}
      isDestructive
      disabled={confirmation.value.trim().toLowerCase() !== user.email.toLowerCase()}
      onConfirm={remove}
      onDone={() => undefined}
      describeError={describeDeletionFailure}
      result={
        receipt && {
          title: texts.deleted,
          content: (
            <>
              <p className="wrap-anywhere">
                {texts.receiptItems(user.email, formatStoredDataSuffix(receipt.held))}
              </p>
              {receipt.backups_end_at !== undefined && (
                <p className="mt-3 text-ink-muted">
                  {texts.receiptBackups(formatLongDate(new Date(receipt.backups_end_at)))}
                </p>
              )}
            </>
          ),
          footer: (
            <>
              <Button onClick={() => void copy(text)}>{texts.copyReceipt}</Button>
              <Button
                onClick={() =>
                  downloadBlob(new Blob([text], { type: 'text/plain' }), `receipt-${user.id}.txt`)
                }
              >
                {texts.downloadReceipt}
              </Button>
              <Button variant="primary" onClick={close}>
                {commonTexts.close}
              </Button>
            </>
          ),
        }
      }
    >
      <p className="text-ink-muted">{texts.deleteConsequence}</p>
      <TextField
        label={texts.typeEmail(user.email)}
        input={confirmation}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
    </ActionDialog>
  )
}

/** The receipt as text, with exact times in UTC. */
const formatReceipt = ({ id, email }: Pick<AdminUser, 'id' | 'email'>, receipt: Receipt): string =>
  [
    texts.receipt.title,
    texts.receipt.account(email),
    texts.receipt.id(id),
    texts.receipt.requested(receipt.asked_at),
    texts.receipt.deleted(formatStoredData(receipt.held)),
    ...(receipt.backups_end_at === undefined ? [] : [texts.receipt.backups(receipt.backups_end_at)]),
    '',
  ].join('\n')
