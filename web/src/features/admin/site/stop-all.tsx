import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { CircleStop, Play } from 'lucide-react'
import { useState } from 'react'
import type { AdminSite } from '#shared/contracts/site.ts'
import { ActionDialog } from '../../../components/action-dialog.tsx'
import { SettingsCard } from '../../../components/settings-card.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { useActionMutation } from '../../../components/use-action.ts'
import { getActionErrorMessage } from '../../../lib/api/action-error.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { useRecentSignIn } from '../../../lib/sign-in/recent-sign-in.ts'
import { formatDateTime } from '../../../lib/text/dates.ts'
import { siteState } from '../../../lib/sign-in/site-state.ts'
import { auditQuery, siteQuery } from '../admin-queries.ts'

/** What an administrator can stop for everybody. */
const stoppable = {
  replies: {
    actionKey: 'site/replies',
    stoppedTitle: t`Replies are stopped`,
    stoppedNote: t`Within a minute no reply begins any more, and one that is being written ends before its next step. Everybody reads “An administrator has stopped all replies.” and can go on reading, searching and exporting.`,
    startFailure: t`The replies were not started`,
    stopLabel: t`Stop all replies`,
    stopNote: t`Nobody’s message is answered until you start again. What has been written stays. Use it when costs run away or a tool misbehaves.`,
    question: t`Stop all replies?`,
    consequences: t`No new reply begins, for anybody, within a minute. Replies that are being written end before their next step. People can go on reading, searching and exporting.`,
  },
  schedules: {
    actionKey: 'site/schedules',
    stoppedTitle: t`Schedules are stopped`,
    stoppedNote: t`When they start again, each makes up for one missed time of the last 12 hours.`,
    startFailure: t`The schedules were not started`,
    stopLabel: t`Stop all schedules`,
    stopNote: t`Nothing that people have scheduled begins until you start again. Chats go on.`,
    question: t`Stop all schedules?`,
    consequences: t`No scheduled run begins, for anybody, within a minute. Runs that have begun go on to their end; to end them too, stop all replies.`,
  },
}
type Stoppable = keyof typeof stoppable

const isStopped = ({ settings }: AdminSite, what: Stoppable) => settings[what].value === 'off'

/** @returns a function that stops all replies or all schedules (`off`), or removes the stop, so that what is deployed counts (`null`) */
function useSetStopped(what: Stoppable) {
  const queryClient = useQueryClient()
  return async (value: 'off' | null) => {
    const site = await callApi('admin.updateSite', { body: { [what]: value } })
    // a response that is under way may be older
    await queryClient.cancelQueries({ queryKey: siteQuery.queryKey })
    queryClient.setQueryData(siteQuery.queryKey, site)
    void queryClient.invalidateQueries({ queryKey: auditQuery.queryKey })
    // what everybody is told is up to half a minute old
    const known = siteState.getState()
    const { replies } = site.settings
    if (known) siteState.setState({ ...known, replies: replies.value ?? replies.configured ?? 'on' })
  }
}

const toHeadingId = (what: Stoppable) => `stopped-${what}`

/** Says who has stopped the replies or the schedules, and starts them again. */
export function StoppedNote({ site, what }: { site: AdminSite; what: Stoppable }) {
  const { actionKey, startFailure, stoppedTitle, stoppedNote } = stoppable[what]
  const setStopped = useSetStopped(what)
  const withRecentSignIn = useRecentSignIn()
  const { start, isBusy, error } = useActionMutation(actionKey, {
    failureTitle: startFailure,
    run: () => withRecentSignIn(() => setStopped(null)),
  })
  if (!isStopped(site, what)) return null
  const stopped = what === 'replies' ? site.stopped : site.schedules_stopped
  return (
    <section
      aria-label={stoppedTitle}
      className="grid gap-3 rounded-lg bg-warning-soft p-6 hairline [--hairline:var(--color-warning-line)] max-sm:p-4"
    >
      <div className="flex items-center justify-between gap-x-8 gap-y-3 max-sm:flex-col max-sm:items-stretch">
        <div>
          <h2 id={toHeadingId(what)} tabIndex={-1} className="font-medium outline-none">
            {stoppedTitle}
          </h2>
          <p className="max-w-(--width-note) text-ink-muted">
            {stopped &&
              t`Since ${{ time: formatDateTime(new Date(stopped.at)) }}, by ${{ person: stopped.by }}.`}{' '}
            {stoppedNote}
          </p>
        </div>
        <Button variant="primary" className="shrink-0" busy={isBusy} onClick={() => start()}>
          <Play aria-hidden size={16} />
          {t`Start again`}
        </Button>
      </div>
      {error && (
        <Callout variant="danger" error={error}>
          {getActionErrorMessage(error)}
        </Callout>
      )}
    </section>
  )
}

/** Stops all replies or all schedules, after a confirmation. */
export function StopCard({ site, what }: { site: AdminSite; what: Stoppable }) {
  const { actionKey, stopLabel, stopNote, question, consequences } = stoppable[what]
  const setStopped = useSetStopped(what)
  const [isAsking, setIsAsking] = useState(false)
  if (isStopped(site, what)) return null
  return (
    <SettingsCard title={stopLabel} subtitle={stopNote}>
      <Button variant="danger" className="mt-4 max-sm:w-full" onClick={() => setIsAsking(true)}>
        <CircleStop aria-hidden size={16} />
        {stopLabel}
      </Button>
      <ActionDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={question}
        confirmLabel={stopLabel}
        isDestructive
        actionKey={actionKey}
        // the button has gone with its card; the note at the top of the page may be out of sight
        findFocusTarget={() => document.getElementById(toHeadingId(what))}
        onConfirm={() => setStopped('off')}
      >
        <p className="text-ink-muted">{consequences}</p>
      </ActionDialog>
    </SettingsCard>
  )
}
