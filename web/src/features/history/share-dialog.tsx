import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import type { Session } from '#shared/contracts/messages.ts'
import type { Share } from '#shared/contracts/shares.ts'
import { shareDays } from '#shared/limits.ts'
import { buildShareAddress } from '#shared/share-link.ts'
import { Button } from '../../components/ui/button.tsx'
import { SegmentedControl } from '../../components/ui/segmented-control.tsx'
import { useCopy } from '../../components/use-copy.ts'
import { callApi } from '../../lib/call-api.ts'
import { sharesQuery } from '../../lib/share-queries.ts'
import { formatDate } from '../../lib/dates.ts'
import { ActionDialog } from '../../components/action-dialog.tsx'
import * as texts from './share-texts.tsx'
import * as commonTexts from '../../components/texts.ts'

/** Long, because the server copies the whole conversation. */
const createTimeoutMs = 30_000

const durations = {
  7: texts.sevenDays,
  30: texts.thirtyDays,
  365: texts.oneYear,
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
  const create = async () => {
    const chosenDays = shareDays.find((each) => String(each) === days) ?? 30
    try {
      const response = await callApi(
        'shares.create',
        { params: { sessionId: conversation.id }, body: { days: chosenDays } },
        { timeoutMs: createTimeoutMs },
      )
      setShare(response.share)
    } finally {
      // the link may exist even if its response was lost
      void queryClient.invalidateQueries({ queryKey: sharesQuery.queryKey })
    }
  }

  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      findFocusTarget={findFocusTarget}
      title={texts.title}
      description={
        <span dir="auto" className="block truncate" title={conversation.title}>
          {conversation.title}
        </span>
      }
      confirmLabel={texts.create}
      onConfirm={create}
      onDone={() => undefined}
      result={share && { title: texts.created, content: <CreatedLink share={share} /> }}
    >
      <p>{texts.explanation}</p>
      <dl className="grid gap-3">
        <div>
          <dt className="font-medium">{texts.inCopy}</dt>
          <dd className="text-ink-muted">{texts.inCopyHint}</dd>
        </div>
        <div>
          <dt className="font-medium">{texts.notInCopy}</dt>
          <dd className="text-ink-muted">{texts.notInCopyHint}</dd>
        </div>
      </dl>
      <div className="grid justify-items-start gap-1.5 max-sm:justify-items-stretch">
        <p className="font-medium">{texts.worksFor}</p>
        <SegmentedControl label={texts.worksFor} value={days} options={choices} onChange={setDays} />
      </div>
      <p className="text-sm text-ink-muted">{texts.revokeHint}</p>
    </ActionDialog>
  )
}

function CreatedLink({ share }: { share: Share }) {
  const id = useId()
  const address = buildShareAddress(location.origin, share.secret)
  const { copied, copy } = useCopy({ title: texts.copied })
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  return (
    <div className="grid gap-4">
      <div className="grid gap-1.5">
        <label htmlFor={id} className="font-medium">
          {texts.link}
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
            {copied ? commonTexts.copied : texts.copyLink}
          </Button>
        </div>
      </div>
      <p className="text-ink-muted">{texts.worksUntil(formatDate(new Date(share.ends_at)))}</p>
    </div>
  )
}
