import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { Session } from '#shared/contracts/messages.ts'
import type { Share } from '#shared/contracts/shares.ts'
import { shareDays } from '#shared/limits.ts'
import { shareAddress } from '#shared/share-link.ts'
import { Button } from '../../components/ui/button.tsx'
import { Dialog } from '../../components/ui/dialog.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { SegmentedControl } from '../../components/ui/segmented-control.tsx'
import { useCopy } from '../../components/use-copy.ts'
import { ApiError } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import { sharesQuery } from '../../lib/share-queries.ts'
import { formatDate } from '../../lib/dates.ts'

/** The server copies the whole conversation. */
const creationMs = 30_000

const durations = {
  7: '7 days',
  30: '30 days',
  365: '1 year',
} as const satisfies Record<(typeof shareDays)[number], string>
const choices = shareDays.map((days) => ({ value: String(days), label: durations[days] }))

/** Explains and creates a share link. */
export function ShareDialog({
  conversation,
  open,
  onClose,
  findFocusTarget,
}: {
  conversation: Session
  open: boolean
  onClose: () => void
  findFocusTarget: () => HTMLElement | null
}) {
  const queryClient = useQueryClient()
  const [days, setDays] = useState('30')
  const [share, setShare] = useState<Share>()
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState(false)

  const create = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      const chosen = shareDays.find((each) => String(each) === days) ?? 30
      const answer = await callApi(
        'shares.create',
        { params: { sessionId: conversation.id }, body: { days: chosen } },
        { timeoutMs: creationMs },
      )
      setShare(answer.share)
    } catch (error) {
      setFailure(
        error instanceof ApiError ? error.userMessage : 'The service could not be reached. Please try again.',
      )
    } finally {
      setBusy(false)
      // an answer that was lost may have left a link
      void queryClient.invalidateQueries({ queryKey: sharesQuery.queryKey })
    }
  }

  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      findFocusTarget={findFocusTarget}
      title={share ? 'Link created' : 'Share by link'}
      description={
        <span dir="auto" className="block truncate" title={conversation.title}>
          {conversation.title}
        </span>
      }
      {...(!share && {
        footer: (
          <>
            <Button variant="ghost" onClick={onClose}>
              Cancel
            </Button>
            <Button variant="primary" busy={busy} onClick={() => void create()}>
              Create link
            </Button>
          </>
        ),
      })}
    >
      {share ? (
        <CreatedLink share={share} />
      ) : (
        <div className="grid gap-4">
          <p>
            Anybody who has the link can read a copy of this conversation as it is now, without an account.
            Later messages are not added to it.
          </p>
          <dl className="grid gap-3">
            <div>
              <dt className="font-medium">In the copy</dt>
              <dd className="text-ink-muted">
                The title, and the text of all messages: yours and the replies, with whatever they quote from
                your files, mails and tools.
              </dd>
            </div>
            <div>
              <dt className="font-medium">Not in the copy</dt>
              <dd className="text-ink-muted">
                Your name, times of messages, files and pictures, and which tools were used with what result.
              </dd>
            </div>
          </dl>
          <div className="grid justify-items-start gap-1.5 max-sm:justify-items-stretch">
            <p className="font-medium">The link works for</p>
            <SegmentedControl label="The link works for" value={days} options={choices} onChange={setDays} />
          </div>
          <p className="text-sm text-ink-muted">
            You can revoke it in Settings. Deleting the conversation or your account revokes it, too.
          </p>
          {failure !== undefined && <Callout variant="danger">{failure}</Callout>}
        </div>
      )}
    </Dialog>
  )
}

function CreatedLink({ share }: { share: Share }) {
  const id = useId()
  const address = shareAddress(location.origin, share.secret)
  const { copied, copy } = useCopy({ title: 'Link copied' })
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  return (
    <div className="grid gap-4">
      <div className="grid gap-1.5">
        <label htmlFor={id} className="font-medium">
          Link
        </label>
        <div className="flex gap-2 max-sm:flex-col">
          <input
            id={id}
            readOnly
            value={address}
            onFocus={(event) => event.target.select()}
            className="h-10 min-w-0 flex-1 rounded-md bg-surface-sunken px-3 font-mono text-sm hairline outline-accent [--hairline:var(--color-line-control)] focus:outline-2 max-sm:h-11 max-sm:flex-none"
          />
          <Button ref={button} variant="primary" onClick={() => void copy(address)}>
            {copied ? 'Copied' : 'Copy link'}
          </Button>
        </div>
      </div>
      <p className="text-ink-muted">
        It works until {formatDate(new Date(share.ends_at))}.{' '}
        <Link to="/settings" className="link">
          Settings
        </Link>{' '}
        lists your links, and revokes them.
      </p>
    </div>
  )
}
