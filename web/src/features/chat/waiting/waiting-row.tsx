import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { ChevronDown } from 'lucide-react'
import { useCallback, useId, useRef, useState, type RefObject } from 'react'
import { Link } from '../../../lib/navigation/router.tsx'
import type { ApprovalRequest } from '#shared/contracts/runs.ts'
import type { WaitingCall } from '#shared/contracts/waiting.ts'
import { CopyDetails } from '../../../components/ui/copy-details.tsx'
import { NameTile } from '../../../components/name-tile.tsx'
import { Button, buttonClass } from '../../../components/ui/button.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { formatDateTime } from '../../../lib/text/dates.ts'
import { formatAgo } from '../../../lib/text/format-ago.ts'
import { revealHiddenCharacters } from '../../../lib/text/hidden-characters.ts'
import { conversationPath } from '../../../lib/navigation/new-chat.ts'
import { useBrand } from '../../../lib/api/config.ts'
import { RequestDetails } from '../approvals/request-details.tsx'
import { isScheduleTool } from '../calls/schedule-calls.ts'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { Skeleton } from '../../../components/ui/skeleton.tsx'
import { useIsCardEdited } from '../approvals/card-input-key.ts'
import { ApproveButton, DenyButton } from '../approvals/decision-buttons.tsx'
import { DecisionFoot, showFromHead } from '../approvals/decision-foot.tsx'
import { usePressLock } from '../approvals/press-lock.ts'
import { describeArguments, describeCall } from './describe-call.ts'
import { useDecision } from './use-decision.ts'

/** Few calls are about schedules: the code is loaded for the first. */
const ScheduleRequestDetails = lazyComponent(
  () => import('../approvals/schedule-details.tsx'),
  'ScheduleRequestDetails',
  <Skeleton className="h-60 w-full" />,
)

/** Whether a call may do more harm than others, or text of others may have led to it, so that it is open from the beginning. */
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
  /** whether it is the first call that can be decided here, which is open from the beginning and has the primary button */
  isFirst: boolean
}) {
  const { request, session_id: sessionId } = call
  const { assistantName } = useBrand()
  const id = useId()
  const row = useRef<HTMLLIElement>(null)
  const head = useRef<HTMLHeadingElement>(null)
  const footer = useRef<HTMLElement>(null)
  const isLocked = usePressLock(row, footer)
  // approved here, it would be sent without what was changed
  const isEdited = useIsCardEdited(sessionId, request)
  const canDecide = request.kind === 'approval' && !isEdited
  const { isShown, detailsRef, toggle, review } = useDetails({
    isShownAtFirst: isFirst || isRisky(request),
    row,
  })
  const isOpen = canDecide && isShown
  const { pending, error, decide } = useDecision(call, row)
  const title = describeCall(request)
  const decisionBar = (
    <>
      {canDecide && (
        <>
          {isOpen || pending === 'approved' ? (
            <ApproveButton
              variant={isOpen && isFirst ? 'primary' : 'soft'}
              size={isOpen ? 'md' : 'sm'}
              aria-describedby={`${id}-title`}
              pendingDecision={pending}
              onApprove={() => decide({ approved: true })}
              className={isOpen ? 'max-sm:flex-[3_1_50%]' : 'max-sm:flex-1'}
            />
          ) : (
            // one line of what is sent is not enough to approve it
            <Button
              variant="soft"
              size="sm"
              aria-describedby={`${id}-title`}
              disabled={pending === 'denied'}
              onClick={review}
              className="max-sm:flex-1"
            >
              {t`Review`}
            </Button>
          )}
          <DenyButton
            variant={isOpen ? 'outline' : 'ghost'}
            size={isOpen ? 'md' : 'sm'}
            aria-describedby={`${id}-title`}
            pendingDecision={pending}
            onDecide={decide}
            className={isOpen ? 'max-sm:flex-[2_1_25%]' : 'max-sm:flex-1'}
          />
        </>
      )}
      {(isOpen || !canDecide) && <ChatLink sessionId={sessionId} canDecide={canDecide} />}
    </>
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
          <h3 ref={head} id={`${id}-title`} className="font-medium wrap-anywhere">
            {title}
          </h3>
          {!isOpen && (
            <p dir="auto" className={clsx('text-sm text-ink-muted', !isEdited && 'truncate')}>
              {isEdited ? t`You have edited this in its chat. Decide it there.` : describeArguments(request)}
            </p>
          )}
          <CallOrigin call={call} now={now} />
        </div>
        {canDecide && (
          <IconButton
            label={isOpen ? t`Hide what will happen` : t`Show what will happen`}
            tooltip={false}
            aria-expanded={isOpen}
            aria-controls={isOpen ? `${id}-details` : undefined}
            aria-describedby={`${id}-title`}
            icon={<ChevronDown size={16} className={clsx('transition-transform', isOpen && 'rotate-180')} />}
            onClick={toggle}
            className="order-last -me-1 max-sm:order-none"
          />
        )}
        {!isOpen && (
          <div
            ref={footer as RefObject<HTMLDivElement | null>}
            role="group"
            aria-labelledby={`${id}-title`}
            aria-disabled={isLocked || undefined}
            className="flex flex-row-reverse items-center justify-end gap-2 transition-opacity aria-disabled:opacity-60 max-sm:w-full max-sm:ps-11"
          >
            {decisionBar}
          </div>
        )}
      </div>
      {isOpen && (
        <div
          ref={detailsRef}
          id={`${id}-details`}
          role="group"
          aria-labelledby={`${id}-title`}
          tabIndex={-1}
          className="mt-3 grid grid-cols-1 gap-4 outline-none sm:ps-11"
        >
          <CallDetails request={request} assistantName={assistantName} />
        </div>
      )}
      {error !== undefined && (
        <div className="mt-2 flex flex-wrap gap-x-3 text-sm sm:ps-11">
          <p role="alert" className="text-danger-ink">
            {error.message}
          </p>
          <CopyDetails error={error.cause} />
        </div>
      )}
      {isOpen && (
        <DecisionFoot
          ref={footer}
          head={head}
          summary={title}
          isLocked={isLocked}
          labels={{ 'aria-labelledby': `${id}-title` }}
          // all of the padding but the line around the list
          className="-mx-[calc(1rem-1px)] -mb-[calc(0.875rem-1px)] px-[calc(1rem-1px)] pt-4 pb-[calc(0.875rem-1px)] sm:ps-15"
        >
          {decisionBar}
        </DecisionFoot>
      )}
    </li>
  )
}

/**
 * Whether the details of a call are shown.
 * @returns `review` shows them and moves the focus there, because the button that was pressed disappears; `detailsRef` is for their element
 */
function useDetails({
  isShownAtFirst,
  row,
}: {
  isShownAtFirst: boolean
  row: RefObject<HTMLElement | null>
}) {
  const [choice, setChoice] = useState<boolean>()
  const isShown = choice ?? isShownAtFirst
  const movesFocus = useRef(false)
  const detailsRef = useCallback(
    (element: HTMLElement | null) => {
      if (element && movesFocus.current) {
        element.focus({ preventScroll: true })
        if (row.current && element.getBoundingClientRect().bottom > innerHeight) showFromHead(row.current)
      }
      movesFocus.current = false
    },
    [row],
  )
  const review = () => {
    movesFocus.current = true
    setChoice(true)
  }
  return { isShown, detailsRef, toggle: () => setChoice(!isShown), review }
}

/** Leads to the conversation, where a call is answered that cannot be decided here. */
const ChatLink = ({ sessionId, canDecide }: { sessionId: string; canDecide: boolean }) => (
  <Link
    to={conversationPath(sessionId)}
    className={
      canDecide
        ? buttonClass({ variant: 'ghost', className: 'sm:ms-auto max-sm:w-full' })
        : buttonClass({ variant: 'soft', size: 'sm', className: 'max-sm:flex-1' })
    }
  >
    {t`Open in the chat`}
  </Link>
)

/** The conversation that the call belongs to, and since when or until when it waits. */
function CallOrigin({ call, now }: { call: WaitingCall; now: Date }) {
  const { request, session_id: sessionId, title } = call
  return (
    <p className="text-sm text-ink-muted">
      <Link to={conversationPath(sessionId)} className="link wrap-anywhere">
        <bdi>{revealHiddenCharacters(title)}</bdi>
      </Link>
      <span aria-hidden> · </span>
      <span className="sr-only">. </span>
      <span>
        {request.lapses_at === undefined
          ? formatAgo(new Date(request.asked_at), now)
          : t`until ${{ time: formatDateTime(Date.parse(request.lapses_at)) }}`}
      </span>
    </p>
  )
}

function CallDetails({ request, assistantName }: { request: ApprovalRequest; assistantName: string }) {
  const Details = isScheduleTool(request) ? ScheduleRequestDetails : RequestDetails
  return <Details approval={request} assistantName={assistantName} />
}
