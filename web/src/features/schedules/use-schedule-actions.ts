import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { Schedule } from '#shared/contracts/schedules.ts'
import { dismissToast, showToast } from '../../components/ui/toast.ts'
import { useAction } from '../../components/use-action.ts'
import { useActions } from '../../lib/actions.ts'
import { ApiError, getErrorMessage, ignoreNotFound } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import { undoMs } from '../../lib/limits.ts'
import { prepareRequest } from '../../lib/prepare-request.ts'
import { writeInput } from '../../lib/inputs.ts'
import { useRunningActions } from '../../lib/running-actions.ts'
import { removeSchedule, schedulesQuery, showSchedule } from '../../lib/schedule-queries.ts'
import { getScheduleTitle, hasConversation } from './describe-state.ts'
import { scheduleInputKey } from './schedule-input.ts'

const scheduleDeletionKey = (id: string) => `delete schedule ${id}`

/** Whether a schedule is being deleted, which can be undone at first. */
export function useIsScheduleDeleting(): (id: string) => boolean {
  const running = useRunningActions()
  return (id) => running.has(scheduleDeletionKey(id))
}

/** Pauses, resumes, runs and deletes a schedule. */
export function useScheduleActions(schedule: Schedule) {
  const { id, version } = schedule
  const queryClient = useQueryClient()
  const actions = useActions()
  const params = { scheduleId: id }
  /** What was changed or deleted elsewhere is shown as it is now. */
  const refetchAfter = async (work: Promise<{ schedule: Schedule }>) => {
    try {
      await showSchedule(queryClient, (await work).schedule)
    } catch (error) {
      if (error instanceof ApiError) void queryClient.invalidateQueries({ queryKey: schedulesQuery.queryKey })
      throw error
    }
  }
  const pausing = useAction(
    `pause schedule ${id}`,
    () => refetchAfter(callApi('schedules.update', { params, body: { paused: true } })),
    t`The schedule was not paused`,
  )
  const resuming = useAction(
    `resume schedule ${id}`,
    // who resumes it allows what they have seen
    () => refetchAfter(callApi('schedules.update', { params, body: { paused: false, version } })),
    t`The schedule was not resumed`,
  )
  const running = useAction(
    `run schedule ${id}`,
    () => refetchAfter(callApi('schedules.run', { params })),
    t`The schedule was not run`,
  )
  /** Deletes it, as the user has seen it, when the toast closes. @param onUndo called when the user takes that back */
  const remove = (onUndo?: () => void) => {
    const key = scheduleDeletionKey(id)
    const request = { params, query: { version } }
    const toastId = crypto.randomUUID()
    let send: (() => Promise<Response>) | undefined
    prepareRequest('schedules.delete', request).then(
      (prepared) => {
        send = prepared
      },
      // an ordinary call takes its place
      () => undefined,
    )
    const decision = actions.postpone(key, {
      async run() {
        dismissToast(toastId)
        try {
          // the page may be closing: it is sent without waiting
          const response = await send?.()
          if (!response?.ok)
            await callApi('schedules.delete', request, { keepalive: true }).catch(ignoreNotFound)
          writeInput(scheduleInputKey(id), undefined)
          await removeSchedule(queryClient, id)
        } catch (error) {
          void queryClient.invalidateQueries({ queryKey: schedulesQuery.queryKey })
          if (!actions.isClosed())
            showToast('error', t`The schedule was not deleted`, { description: getErrorMessage(error) })
        }
      },
      undo() {
        dismissToast(toastId)
        onUndo?.()
      },
    })
    const title = getScheduleTitle(schedule)
    showToast('info', t`Schedule removed`, {
      id: toastId,
      description: hasConversation(schedule)
        ? t`“${title}” will be deleted when this message closes. Its chat stays.`
        : t`“${title}” will be deleted when this message closes.`,
      durationMs: undoMs,
      action: { label: t`Undo`, onClick: decision.undo },
      onClose: decision.commit,
    })
  }
  return { pausing, resuming, running, remove }
}
