import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import type { Share, ShareAudience } from '#shared/contracts/shares.ts'
import { maxSharedRows, shareDays } from '#shared/limits.ts'
import { buildShareAddress } from '#shared/share-link.ts'
import { ActionDialog } from '../../components/action-dialog.tsx'
import { Button } from '../../components/ui/button.tsx'
import { RadioList } from '../../components/ui/radio-list.tsx'
import { SegmentedControl } from '../../components/ui/segmented-control.tsx'
import { useCopy } from '../../components/ui/use-copy.ts'
import { useRight } from '../../lib/account/account-queries.ts'
import { callApi } from '../../lib/api/call-api.ts'
import { formatConversationTitle } from '../../lib/conversations/conversation-title.ts'
import { settingsPath } from '../../lib/navigation/paths.ts'
import { Link } from '../../lib/navigation/router.tsx'
import { sharesQuery } from '../../lib/queries/share-queries.ts'
import { useSignUpMode } from '../../lib/sign-in/site-state.ts'
import { formatDate } from '../../lib/text/dates.ts'
import type { ConversationDialogProps } from './conversation-dialog.tsx'

/** Long, because the server copies the whole conversation. */
const createTimeoutMs = 30_000

const durations = {
  7: t`7 days`,
  30: t`30 days`,
  365: t`1 year`,
} as const satisfies Record<(typeof shareDays)[number], string>
const durationOptions = shareDays.map((days) => ({ value: String(days), label: durations[days] }))
/** Neither the shortest nor the longest. */
const defaultDays = 30

/** From the widest to the narrowest. */
const audiences: readonly { value: ShareAudience; label: string; hint: string }[] = [
  { value: 'link', label: t`Anyone with the link`, hint: t`No account is needed.` },
  {
    value: 'people',
    label: t`People here, signed in`,
    hint: t`Everybody with an account here who has the link.`,
  },
]

/** Explains and creates a share link. A link keeps its audience: another one needs another link. */
export function ShareDialog({ conversation, open, onClose, findFocusTarget }: ConversationDialogProps) {
  const queryClient = useQueryClient()
  const [chosenDays, setChosenDays] = useState(String(defaultDays))
  const [share, setShare] = useState<Share>()
  const mayShareOutside = useRight('share_links')
  // where anybody can sign up, people here are anybody
  const isOpenSite = useSignUpMode() === 'open'
  const [chosenAudience, setChosenAudience] = useState<ShareAudience>()
  const { data: links, isPending } = useQuery(sharesQuery)
  const lastLink = links?.find(({ session_id }) => session_id === conversation.id)
  const audience = mayShareOutside
    ? (chosenAudience ?? lastLink?.audience ?? (isOpenSite ? 'link' : 'people'))
    : 'people'
  const create = async () => {
    const days = shareDays.find((each) => String(each) === chosenDays) ?? defaultDays
    try {
      const response = await callApi(
        'shares.create',
        { params: { sessionId: conversation.id }, body: { days, audience } },
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
      title={t`Share by link`}
      description={
        <span dir="auto" className="block truncate" title={formatConversationTitle(conversation.title)}>
          {formatConversationTitle(conversation.title)}
        </span>
      }
      confirmLabel={t`Create link`}
      // the link before, which is being loaded, may be for fewer people than what is shown
      disabled={isPending && mayShareOutside && !chosenAudience}
      actionKey={`share ${conversation.id}`}
      onConfirm={create}
      // stays open, to show the link
      onDone={() => undefined}
      result={share && { title: t`Link created`, content: <CreatedLink share={share} /> }}
    >
      <p>{t`The link opens a copy of this conversation as it is now. Later messages are not added to it.`}</p>
      <div className="grid gap-1">
        <p className="font-medium">{t`Who can open it`}</p>
        {mayShareOutside ? (
          <RadioList
            label={t`Who can open it`}
            value={audience}
            options={isOpenSite ? audiences : audiences.toReversed()}
            onChange={setChosenAudience}
          />
        ) : (
          <p className="text-ink-muted">{t`Everybody with an account here who has the link. Your group may not share with people outside.`}</p>
        )}
      </div>
      <CopyContents />
      <div className="grid justify-items-start gap-1.5 max-sm:justify-items-stretch">
        <p className="font-medium">{t`The link works for`}</p>
        <SegmentedControl
          label={t`The link works for`}
          value={chosenDays}
          options={durationOptions}
          onChange={setChosenDays}
        />
      </div>
      <p className="text-sm text-ink-muted">{t`You can revoke it in Settings. Deleting the conversation or your account revokes it, too.`}</p>
    </ActionDialog>
  )
}

/** What the copy has of the conversation, and what it does not. */
function CopyContents() {
  return (
    <dl className="grid gap-3">
      <div>
        <dt className="font-medium">{t`In the copy`}</dt>
        <dd className="text-ink-muted">{t`The title, and the text of all messages: yours and the replies, with whatever they quote from your files, mails and tools, and up to ${{ rows: maxSharedRows }} rows of the tables below replies.`}</dd>
      </div>
      <div>
        <dt className="font-medium">{t`Not in the copy`}</dt>
        <dd className="text-ink-muted">{t`Your name, times of messages, files and images, and which tools were used with what other result.`}</dd>
      </div>
    </dl>
  )
}

/** The address of a new link, with the button that copies it. */
function CreatedLink({ share }: { share: Share }) {
  const id = useId()
  const address = buildShareAddress(location.origin, share.secret)
  const { copied, copy } = useCopy({ title: t`Link copied` })
  const button = useRef<HTMLButtonElement>(null)
  // the button that has created the link is gone
  useEffect(() => button.current?.focus(), [])
  return (
    <div className="grid gap-4">
      <div className="grid gap-1.5">
        <label htmlFor={id} className="font-medium">
          {t`Link`}
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
            {copied ? t`Copied` : t`Copy link`}
          </Button>
        </div>
      </div>
      {share.audience === 'people' && (
        <p className="text-ink-muted">{t`Only people with an account here can open it.`}</p>
      )}
      <LinkExpiry day={formatDate(new Date(share.ends_at))} />
    </div>
  )
}

/** Until when a link works, and where it can be revoked. */
function LinkExpiry({ day }: { day: string }) {
  return (
    <p className="text-ink-muted">
      <Trans>
        It works until {day}.{' '}
        <Link to={`${settingsPath}#links`} className="link">
          Settings
        </Link>{' '}
        lists your links and can revoke them.
      </Trans>
    </p>
  )
}
