import { useEffect, useId, useRef, useState } from 'react'
import type { EraseResponse, DataCounts } from '#shared/contracts/account.ts'
import { Button } from '../../components/ui/button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { FactorProof, useFactorCode } from '../../components/second-factor-code.tsx'
import { TextField } from '../../components/ui/field.tsx'
import { Notice } from '../../components/ui/callout.tsx'
import { ApiError, errorMessage } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import { formatLongDate } from '../../lib/dates.ts'
import { forgetDrafts } from '../../lib/drafts.ts'
import { useRecentSignIn } from '../../lib/recent-sign-in.ts'
import { heldTail } from './stored-data-query.ts'
import { useAccountActions } from './account-actions.ts'

const word = 'DELETE'
/** A call may take its whole time, and there may be more to do then. */
const callTimeoutMs = 60_000

type Receipt = EraseResponse['receipt']

/** Deletes the account: typed, shown while it takes, and told at the end with what went and when backups end. */
export function EraseDialog({
  open,
  onOpenChange,
  email,
  held,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  email: string
  held: DataCounts | undefined
}) {
  const { expireSignIn: endSession, signOut } = useAccountActions()
  const recently = useRecentSignIn()
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<{ sentence: string; signInAgain: boolean }>()
  const [receipt, setReceipt] = useState<Receipt>()
  const factor = useFactorCode()
  /** set once a code is wanted: why the last one was not taken, if one was typed */
  const [proof, setProof] = useState<{ refused: string | undefined }>()

  const form = useId()
  const codeField = useRef<HTMLInputElement>(null)
  const isAsked = proof !== undefined
  useEffect(() => {
    if (isAsked) codeField.current?.focus()
  }, [isAsked])
  const ready = typed.trim() === word && (!proof || factor.ready)

  const erase = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      for (;;) {
        const answer = await recently(() =>
          callApi(
            'account.erase',
            { body: { confirm: word, ...(proof && factor.typed) } },
            { timeoutMs: callTimeoutMs },
          ),
        )
        if (!answer.done) continue
        forgetDrafts()
        setReceipt(answer.receipt)
        return
      }
    } catch (error) {
      // a code works once, so a refused one is of no use any more
      factor.setCode('')
      if (wantsProof(error)) return setProof({ refused: proof && errorMessage(error) })
      const signInAgain = error instanceof ApiError && error.code === 'sign_in_again'
      const sentence = errorMessage(error)
      const refused = error instanceof ApiError && error.status < 500
      setProblem({
        sentence: refused ? sentence : `${sentence} What is left is deleted when you try again.`,
        signInAgain,
      })
    } finally {
      setBusy(false)
    }
  }
  const close = (next: boolean) => {
    if (busy) return
    if (receipt) return void signOut(null)
    setTyped('')
    setProof(undefined)
    setProblem(undefined)
    onOpenChange(next)
  }

  if (receipt)
    return (
      <Dialog
        open={open}
        onOpenChange={close}
        title="Your account is deleted"
        footer={
          <Button tone="primary" onClick={() => close(false)}>
            Close
          </Button>
        }
      >
        <p>
          {email} is gone, with its profile and settings{heldTail(receipt.held)}.
        </p>
        <p className="mt-3 text-ink-muted">
          The database's own backups end on {formatLongDate(new Date(receipt.backups_end_at))}. Until then an
          operator could restore what was in it. Files and credentials have no backup.
        </p>
      </Dialog>
    )
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title="Delete your account?"
      description={email}
      footer={
        <>
          <Button tone="ghost" disabled={busy} onClick={() => close(false)}>
            Cancel
          </Button>
          <Button tone="danger-solid" type="submit" form={form} disabled={!ready} busy={busy}>
            {busy ? 'Deleting...' : 'Delete for good'}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (ready && !busy) void erase()
        }}
      >
        <p className="text-ink-muted">
          Your account goes, and with it your profile and settings
          {held ? heldTail(held) : ' and everything you have kept here'}. This cannot be undone. To take it
          along, export everything first.
        </p>
        {problem && (
          <Notice
            tone="danger"
            action={
              problem.signInAgain ? { label: 'Sign in again', onClick: () => void endSession() } : undefined
            }
          >
            {problem.sentence}
          </Notice>
        )}
        <TextField
          label={`Type ${word} to confirm`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          disabled={busy}
        />
        {proof && (
          <>
            <p>Two-factor is on and your sign-in is a while ago, so please show that it is you.</p>
            <FactorProof
              ref={codeField}
              factor={factor}
              error={proof.refused}
              disabled={busy}
              onChange={() => setProof({ refused: undefined })}
            />
          </>
        )}
      </form>
    </Dialog>
  )
}

const wantsProof = (error: unknown) =>
  error instanceof ApiError && (error.code === 'proof_required' || error.code === 'invalid_code')
