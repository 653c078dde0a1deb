import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useNavigate } from '../../../lib/navigation/router.tsx'
import type { AdminUser } from '#shared/contracts/admin.ts'
import type { RouteResponse } from '#shared/contracts/route-contracts.ts'
import { describeBackups, describeDeletionFailure } from '../../../components/describe-deletion.ts'
import { formatStoredData, formatStoredDataSuffix } from '../../../components/format-stored-data.ts'
import { Button } from '../../../components/ui/button.tsx'
import { showToast } from '../../../components/ui/toast.ts'
import { TextField } from '../../../components/ui/field.tsx'
import { useCopy } from '../../../components/ui/use-copy.ts'
import { useActions, type Actions } from '../../../lib/actions/actions.ts'
import { NotSignedInError } from '../../../lib/api/api-errors.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { downloadBlob } from '../../../lib/browser/download.ts'
import { erasureTimeoutMs } from '../../../lib/browser/limits.ts'
import { adminKey, userQuery } from '../admin-queries.ts'
import { ActionDialog } from '../../../components/action-dialog.tsx'
import { useInput } from '../../../lib/input/use-input.ts'
import { adminUsersPath } from '../../../lib/navigation/paths.ts'

const receiptText = {
  title: t`Receipt of an account deletion`,
  account: (email: string) => t`Account: ${email}`,
  id: (id: string) => t`ID: ${id}`,
  requested: (date: string) => t`Requested: ${date}`,
  deleted: (items: string) => t`Deleted: profile, settings, ${items}`,
  backups: (date: string) => t`Last database backup ends: ${date}`,
}

type DeletedUser = Pick<AdminUser, 'id' | 'email'>
type Receipt = RouteResponse<'admin.deleteUser'>['receipt']

/** How long a toast offers the receipt, which is not shown again. */
const receiptToastMs = 60_000

/**
 * Deletes an account. The service answers after a part of it if there is much, and is called again until all is deleted.
 * @throws what `callApi` throws; NotSignedInError once the administrator has signed out: somebody else may be signed in by then
 */
async function deleteUser(
  userId: string,
  confirm: string,
  { isClosed }: Pick<Actions, 'isClosed'>,
): Promise<Receipt> {
  for (;;) {
    const response = await callApi(
      'admin.deleteUser',
      { params: { userId }, body: { confirm } },
      { timeoutMs: erasureTimeoutMs },
    )
    if (response.done) return response.receipt
    if (isClosed()) throw new NotSignedInError()
  }
}

/** Deletes an account after its address was entered, and shows the receipt: in the dialog, or by a toast to somebody who has left it. */
export function DeleteUserDialog({
  user,
  open,
  onClose,
}: {
  user: DeletedUser
  open: boolean
  onClose: () => void
}) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const actions = useActions()
  const { copy } = useCopy({ title: t`Receipt copied` })
  const confirmation = useInput(useId(), { onLeave: 'forget' })
  const [receipt, setReceipt] = useState<Receipt>()
  const forgetUser = () => {
    queryClient.removeQueries({ queryKey: userQuery(user.id).queryKey })
    void queryClient.invalidateQueries({ queryKey: adminKey })
  }
  const showReceipt = (shownReceipt: Receipt, { isShown }: { isShown: boolean }) => {
    if (isShown) return setReceipt(shownReceipt)
    forgetUser()
    showToast('success', t`The account is deleted`, {
      description: user.email,
      durationMs: receiptToastMs,
      action: { label: t`Copy receipt`, onClick: () => void copy(formatReceipt(user, shownReceipt)) },
    })
  }
  const close = () => {
    onClose()
    confirmation.reset()
    if (!receipt) return
    forgetUser()
    navigate(adminUsersPath)
  }

  return (
    <ActionDialog
      open={open}
      onClose={close}
      title={t`Delete this account?`}
      description={<span className="wrap-anywhere">{user.email}</span>}
      confirmLabel={t`Delete for good`}
      actionKey={`delete ${user.id}`}
      isDestructive
      disabled={confirmation.value.trim().toLowerCase() !== user.email.toLowerCase()}
      onConfirm={() => deleteUser(user.id, confirmation.value.trim(), actions)}
      onDone={showReceipt}
      describeError={describeDeletionFailure}
      result={
        receipt && {
          title: t`The account is deleted`,
          content: <ReceiptContent user={user} receipt={receipt} />,
          footer: <ReceiptButtons user={user} receipt={receipt} onClose={close} />,
        }
      }
    >
      <p className="text-ink-muted">{t`This deletes the account with its conversations, files, connections, settings and memories. It cannot be undone. The user is not asked.`}</p>
      <TextField
        label={t`Type ${user.email} to confirm`}
        input={confirmation}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
    </ActionDialog>
  )
}

interface ReceiptProps {
  user: DeletedUser
  receipt: Receipt
}

const ReceiptContent = ({ user, receipt }: ReceiptProps) => (
  <>
    <p className="wrap-anywhere">
      {t`${user.email} has been deleted, with its profile and settings${{ items: formatStoredDataSuffix(receipt.held) }}.`}
    </p>
    {receipt.backups_end_at !== undefined && (
      <p className="mt-3 text-ink-muted">{describeBackups(receipt.backups_end_at)}</p>
    )}
  </>
)

function ReceiptButtons({ user, receipt, onClose }: ReceiptProps & { onClose: () => void }) {
  const { copy } = useCopy({ title: t`Receipt copied` })
  const text = formatReceipt(user, receipt)
  return (
    <>
      <Button onClick={() => void copy(text)}>{t`Copy receipt`}</Button>
      <Button
        onClick={() => downloadBlob(new Blob([text], { type: 'text/plain' }), `receipt-${user.id}.txt`)}
      >
        {t`Download receipt`}
      </Button>
      <Button variant="primary" onClick={onClose}>
        {t`Close`}
      </Button>
    </>
  )
}

/** The receipt as text, with exact times in UTC. */
const formatReceipt = ({ id, email }: DeletedUser, receipt: Receipt): string =>
  [
    receiptText.title,
    receiptText.account(email),
    receiptText.id(id),
    receiptText.requested(receipt.asked_at),
    receiptText.deleted(formatStoredData(receipt.held)),
    ...(receipt.backups_end_at === undefined ? [] : [receiptText.backups(receipt.backups_end_at)]),
    '',
  ].join('\n')
