import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { RefObject } from 'react'
import type { WaitingCall } from '#shared/contracts/waiting.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { useActionMutation } from '../../../components/use-action.ts'
import { announce } from '../../../lib/browser/announce.ts'
import { ApiError, getErrorMessage } from '../../../lib/api/api-errors.ts'
import { conversationListsKey } from '../../../lib/conversations/conversation-list.ts'
import { decisionKey } from '../../../lib/actions/running-actions.ts'
import { useUserResource } from '../../../lib/actions/user-resources.ts'
import { refreshWaiting, removeWaiting } from '../../../lib/queries/waiting-queries.ts'
import { describeDecision, isLateApproval, isTooLate, TooLateError } from '../state/decision.ts'
import type { ApprovalDecision } from '../stream/chat-api.ts'
import { describeCall } from './describe-call.ts'
import { createReplyFollower, sendDecision } from './send-decision.ts'

/** What can be decided in the list; "Always allow" only in the chat. */
type RowDecision = Pick<ApprovalDecision, 'approved'>

/** If a row has the focus, moves it to another row, or to the heading of the page, because the row is about to be removed. */
function moveFocus(row: HTMLElement | null): void {
  if (!row?.contains(document.activeElement)) return
  const rows = [...document.querySelectorAll<HTMLElement>('[data-waiting-row]')]
  const index = rows.indexOf(row)
  const target = rows[index + 1] ?? rows[index - 1] ?? document.querySelector<HTMLElement>('main h1')
  target?.focus({ preventScroll: true })
}

/**
 * Decides a call that waits. Its chat, if it is open, shows the same decision as being sent. A call that no longer waits leaves the list, with
 * a toast that says why.
 * @param row the element that shows the call
 */
export function useDecision(
  call: WaitingCall,
  row: RefObject<HTMLElement | null>,
): {
  /** the decision that is being sent */
  pending: 'approved' | 'denied' | undefined
  /** why the last decision may not have arrived, for the user */
  error: { message: string; cause: Error } | undefined
  decide: (decision: RowDecision) => void
} {
  const queryClient = useQueryClient()
  const follower = useUserResource(createReplyFollower)
  const { run_id: runId, request } = call
  const leave = () => {
    moveFocus(row.current)
    void removeWaiting(queryClient, call)
  }
  const { activity, error, start } = useActionMutation<{ ended: Promise<void> }, RowDecision>(
    decisionKey(runId, request.call_id),
    {
      describe: describeDecision,
      async run(decision) {
        if (isLateApproval(request, decision)) throw new TooLateError()
        return sendDecision(call, { ...decision, follower })
      },
      onSuccess({ ended }, { approved }) {
        const title = describeCall(request)
        announce(approved ? t`Approved: ${{ title }}` : t`Denied: ${{ title }}`)
        leave()
        void ended.then(() => {
          void refreshWaiting(queryClient)
          // no chat is open that would tell the lists of what the reply has added
          void queryClient.invalidateQueries({ queryKey: conversationListsKey })
        })
      },
      onError(failure, _decision, { isShown, notify }) {
        if (isTooLate(failure)) {
          showToast('info', t`That no longer waits`, {
            description: t`It was decided already, stopped or deleted, or its time is over. This answer changed nothing.`,
          })
          leave()
          return
        }
        void refreshWaiting(queryClient)
        if (!isShown)
          notify('error', t`Your answer may not have arrived`, {
            description: getErrorMessage(failure),
            cause: failure,
          })
      },
    },
  )
  return {
    pending: toPending(activity),
    error: error === null || isTooLate(error) ? undefined : { message: describeFailure(error), cause: error },
    decide: start,
  }
}

/** The chat may also be sending that the tool is always allowed, which approves the call. */
function toPending(activity: string | undefined): 'approved' | 'denied' | undefined {
  if (activity === undefined) return undefined
  return activity === 'denied' ? 'denied' : 'approved'
}

const describeFailure = (error: Error): string =>
  error instanceof ApiError ? getErrorMessage(error) : t`Your answer may not have arrived. Please try again.`
