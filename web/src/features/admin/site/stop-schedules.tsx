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
import { errorMessage } from '../../../lib/api-errors.ts'
import { callApi } from '../../../lib/call-api.ts'
import { formatDateTime } from '../../../lib/dates.ts'
import { refreshSite } from '../../../lib/site-state.ts'
import { auditQuery, siteQuery } from '../admin-queries.ts'

const schedulesKey = 'site/schedules'

/** @returns stops all schedules, or lets them go on as deployed */
function useSetSchedules() {
  const queryClient = useQueryClient()
  return async (schedules: 'off' | null) => {
    queryClient.setQueryData(siteQuery.queryKey, await callApi('admin.updateSite', { body: { schedules } }))
    void queryClient.invalidateQueries({ queryKey: auditQuery.queryKey })
    await refreshSite()
  }
}

/** Says who has stopped the schedules, and lets them go on. */
export function StoppedSchedules({ site: { settings, schedules_stopped: stopped } }: { site: AdminSite }) {
  const setSchedules = useSetSchedules()
  const { start, isBusy, error } = useActionMutation(schedulesKey, {
    failureTitle: t`The schedules were not started`,
    run: () => setSchedules(null),
  })
  if (settings.schedules.value !== 'off') return null
  return (
    <section
      aria-label={t`Schedules are stopped`}
      className="grid gap-3 rounded-lg bg-warning-soft p-6 hairline [--hairline:var(--color-warning-line)] max-sm:p-4"
    >
      <div className="flex items-center justify-between gap-x-8 gap-y-3 max-sm:flex-col max-sm:items-stretch">
        <div>
          <h2 className="font-medium">{t`Schedules are stopped`}</h2>
          <p className="max-w-(--width-note) text-ink-muted">
            {stopped &&
              t`Since ${{ time: formatDateTime(new Date(stopped.at)) }}, by ${{ person: stopped.by }}.`}{' '}
            {t`When they start again, each makes up for one missed time of the last 12 hours.`}
          </p>
        </div>
        <Button variant="primary" className="shrink-0" busy={isBusy} onClick={() => start()}>
          <Play aria-hidden size={16} />
          {t`Start again`}
        </Button>
      </div>
      {error && <Callout variant="danger">{errorMessage(error)}</Callout>}
    </section>
  )
}

/** Stops all schedules, after a confirmation. */
export function StopSchedules({ site: { settings } }: { site: AdminSite }) {
  const setSchedules = useSetSchedules()
  const [isAsking, setIsAsking] = useState(false)
  if (settings.schedules.value === 'off') return null
  return (
    <SettingsCard
      title={t`Stop all schedules`}
      subtitle={t`Nothing that people have scheduled begins until you start again. Chats go on.`}
    >
      <Button variant="danger" className="mt-4 max-sm:w-full" onClick={() => setIsAsking(true)}>
        <CircleStop aria-hidden size={16} />
        {t`Stop all schedules`}
      </Button>
      <ActionDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={t`Stop all schedules?`}
        confirmLabel={t`Stop all schedules`}
        isDestructive
        actionKey={schedulesKey}
        // the button has gone with its card
        findFocusTarget={() => document.querySelector('main')}
        onConfirm={() => setSchedules('off')}
      >
        <p className="text-ink-muted">{t`No scheduled run begins, for anybody, within a minute. Runs that have begun go on to their end; to end them too, stop all replies.`}</p>
      </ActionDialog>
    </SettingsCard>
  )
}
