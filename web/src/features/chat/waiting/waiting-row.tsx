import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { ChevronDown } from 'lucide-react'
import { useCallback, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { ApprovalRequest } from '#shared/contracts/runs.ts'
import type { WaitingCall } from '#shared/contracts/waiting.ts'
import { truncate } from '#shared/truncate.ts'
import { NameTile } from '../../../components/name-tile.tsx'
import { Button, buttonClass } from '../../../components/ui/button.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { formatDateTime } from '../../../lib/dates.ts'
import { revealHiddenCharacters } from '../../../lib/hidden-characters.ts'
import { locale } from '../../../lib/locale.ts'
import { conversationPath } from '../../../lib/new-chat.ts'
import { translateName } from '../../../lib/translate-name.ts'
import { useBrand } from '../../../lib/config.ts'
import { parseMail } from '../approvals/mail-fields.tsx'
import { RequestDetails } from '../approvals/request-details.tsx'
import { isScheduleTool } from '../calls/schedule-calls.ts'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { usePressLock } from '../approvals/use-press-lock.ts'
import { useDecision } from './use-decision.ts'

/** Few calls are about schedules: the code is loaded for the first. */
const ScheduleRequestDetails = lazyComponent(
  () => import('../approvals/schedule-details.tsx'),
  'ScheduleRequestDetails',
  <Skeleton className="h-60 w-full" />,
)

const unitsMs = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** Such as '12 minutes ago'. @param ms how long ago, in milliseconds */
function formatElapsed(ms: number): string {
  const [unit, unitMs] = unitsMs.find(([, each]) => ms >= each) ?? (['minute', 60_000] as const)
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-Math.floor(ms / unitMs), unit)
}

/** Says in one line what a call does, of an e-mail to whom it goes. */
function describeCall({ kind, title, integration, arguments: values }: ApprovalRequest): string {
  const server = revealHiddenCharacters(integration ?? title)
  if (kind === 'reconnect') return t`${{ name: server }} has to be connected again`
  if (kind === 'elicitation') return t`${server} asks you for something`
  const mail = parseMail(values)
  if (mail) return t`E-mail to ${{ recipients: revealHiddenCharacters(mail.to) }}`
  const shownTitle = translateName(revealHiddenCharacters(title))
  return integration === null ? shownTitle : t`${{ title: shownTitle }} with ${{ integration: server }}`
}

/** The beginning of what a call sends or asks for, by which similar calls can be told apart. It is not enough to decide one. */
function describeArguments(request: ApprovalRequest): string {
  const { arguments: values, elicitations = [] } = request
  if (request.kind === 'elicitation')
    return revealHiddenCharacters(truncate(elicitations.map(({ message }) => message).join(' · '), 300))
  const { prompt, before } = values as { prompt?: unknown; before?: { prompt?: unknown } | null }
  const about = prompt ?? before?.prompt
  if (isScheduleTool(request) && typeof about === 'string')
    return revealHiddenCharacters(truncate(about, 300))
  const mail = parseMail(values)
  const parts = mail
    ? [mail.subject]
    : Object.values(values).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  return revealHiddenCharacters(truncate(parts.join(' · '), 300))
}

/** Whether a call may do more harm than others, and so is open from the beginning. */
const isRisky = ({ destructive, untrusted }: ApprovalRequest) =>
  destructive === true || (untrusted?.length ?? 0) > 0

/**
 * A call that waits: what it does, in which conversation and since when, with the buttons to decide it. It can be approved only while it is
 * open, where all that is sent is shown.
 */
export function WaitingRow({
  call,
  now,
  isFirst,
}: {
  call: WaitingCall
  now: Date
  /** whether it is the first call of the page, which is open from the beginning and has the primary button */
  isFirst: boolean
}) {
  const { request, session_id: sessionId } = call
  const { assistantName } = useBrand()
  const id = useId()
  const row = useRef<HTMLLIElement>(null)
  const footer = useRef<HTMLDivElement>(null)
  const isLocked = usePressLock(row, footer)
  const [openChoice, setOpenChoice] = useState<boolean>()
  /** set when Review is pressed: the button disappears, so the details get the focus */
  const movesFocus = useRef(false)
  const showDetails = useCallback((details: HTMLElement | null) => {
    if (details && movesFocus.current) details.focus()
    movesFocus.current = false
  }, [])
  const canDecide = request.kind === 'approval'
  const isOpen = canDecide && (openChoice ?? (isFirst || isRisky(request)))
  const { pending, error, decide } = useDecision(call, row)
  const title = describeCall(request)
  const conversation = revealHiddenCharacters(call.title)
  const address = conversationPath(sessionId)
  const askedAtMs = Date.parse(request.asked_at)
  const decisionBar = (
    <div
      ref={footer}
      role="group"
      aria-labelledby={`${id}-title`}
      aria-disabled={isLocked || undefined}
      className={clsx(
        'flex items-center gap-2 transition-opacity aria-disabled:opacity-60',
        isOpen
          ? 'flex-wrap max-sm:flex-row-reverse max-sm:justify-end'
          : 'flex-row-reverse justify-end max-sm:w-full max-sm:ps-11',
      )}
    >
      {canDecide && (
        <DecisionButtons
          titleId={`${id}-title`}
          isOpen={isOpen}
          isFirst={isFirst}
          pending={pending}
          onReview={() => {
            movesFocus.current = true
            setOpenChoice(true)
          }}
          onDecide={decide}
        />
      )}
      {(isOpen || !canDecide) && (
        <Link
          to={address}
          className={
            canDecide
              ? buttonClass({ variant: 'ghost', className: 'sm:ms-auto max-sm:w-full' })
              : buttonClass({ variant: 'soft', size: 'sm', className: 'max-sm:flex-1' })
          }
        >
          {t`Open in the chat`}
        </Link>
      )}
    </div>
  )
  return (
    <li
      ref={row}
      aria-labelledby={`${id}-title`}
      data-waiting-row
      tabIndex={-1}
      className="px-4 py-3.5 -outline-offset-2 **:data-locked:opacity-60"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2.5">
        <NameTile name={request.integration ?? assistantName} size="sm" />
        <div className="min-w-0 flex-1">
          <h3 id={`${id}-title`} className="font-medium wrap-anywhere">
            {title}
          </h3>
          {!isOpen && (
            <p dir="auto" className="truncate text-sm text-ink-muted">
              {describeArguments(request)}
            </p>
          )}
          <p className="text-sm text-ink-muted">
            <Link to={address} className="link wrap-anywhere">
              <bdi>{conversation}</bdi>
            </Link>
            <span aria-hidden> · </span>
            <span className="sr-only">. </span>
            <span>
              {request.lapses_at === undefined
                ? formatElapsed(Math.max(0, now.getTime() - askedAtMs))
                : t`until ${{ time: formatDateTime(Date.parse(request.lapses_at)) }}`}
            </span>
          </p>
        </div>
        {canDecide && (
          <IconButton
            label={isOpen ? t`Hide what will happen` : t`Show what will happen`}
            tooltip={false}
            aria-expanded={isOpen}
            aria-controls={isOpen ? `${id}-details` : undefined}
            aria-describedby={`${id}-title`}
            icon={<ChevronDown size={16} className={clsx('transition-transform', isOpen && 'rotate-180')} />}
            onClick={() => setOpenChoice(!isOpen)}
            className="order-last -me-1 max-sm:order-none"
          />
        )}
        {!isOpen && decisionBar}
      </div>
      {isOpen && (
        <div
          ref={showDetails}
          id={`${id}-details`}
          role="group"
          aria-labelledby={`${id}-title`}
          tabIndex={-1}
          className="mt-3 grid grid-cols-1 gap-4 outline-none sm:ps-11"
        >
          {isScheduleTool(request) ? (
            <ScheduleRequestDetails approval={request} assistantName={assistantName} />
          ) : (
            <RequestDetails approval={request} assistantName={assistantName} />
          )}
        </div>
      )}
      <div aria-live="polite" className="empty:hidden sm:ps-11">
        {error !== undefined && <p className="mt-2 text-sm text-danger-ink">{error}</p>}
      </div>
      {isOpen && <div className="mt-4 sm:ps-11">{decisionBar}</div>}
    </li>
  )
}

/** Approve, or Review while not all of the call is shown, and Deny. */
function DecisionButtons({
  titleId,
  isOpen,
  isFirst,
  pending,
  onReview,
  onDecide,
}: {
  /** id of the element that says what is decided */
  titleId: string
  isOpen: boolean
  isFirst: boolean
  /** the decision that is being sent */
  pending: 'approved' | 'denied' | undefined
  onReview: () => void
  onDecide: (approved: boolean) => void
}) {
  return (
    <>
      {isOpen || pending === 'approved' ? (
        <Button
          variant={isOpen && isFirst ? 'primary' : 'soft'}
          size={isOpen ? 'md' : 'sm'}
          aria-describedby={titleId}
          busy={pending === 'approved'}
          disabled={pending === 'denied'}
          onClick={() => onDecide(true)}
          className={isOpen ? 'max-sm:flex-[3_1_50%]' : 'max-sm:flex-1'}
        >
          {pending === 'approved' ? t`Approving…` : t`Approve`}
        </Button>
      ) : (
        // one line of what is sent is not enough to approve it
        <Button
          variant="soft"
          size="sm"
          aria-describedby={titleId}
          disabled={pending === 'denied'}
          onClick={onReview}
          className="max-sm:flex-1"
        >
          {t`Review`}
        </Button>
      )}
      <Button
        variant={isOpen ? 'outline' : 'ghost'}
        size={isOpen ? 'md' : 'sm'}
        aria-describedby={titleId}
        busy={pending === 'denied'}
        disabled={pending === 'approved'}
        onClick={() => onDecide(false)}
        className={isOpen ? 'max-sm:flex-[2_1_25%]' : 'max-sm:flex-1'}
      >
        {pending === 'denied' ? t`Denying…` : t`Deny`}
      </Button>
    </>
  )
}
