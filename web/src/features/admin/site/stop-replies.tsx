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

const repliesKey = 'site/replies'

/** @returns stops all replies, or lets them go on as deployed */
function useSetReplies() {
  const queryClient = useQueryClient()
  return async (replies: 'off' | null) => {
    queryClient.setQueryData(siteQuery.queryKey, await callApi('admin.updateSite', { body: { replies } }))
    void queryClient.invalidateQueries({ queryKey: auditQuery.queryKey })
    await refreshSite()
  }
}

/** Says who has stopped the replies, and starts them again. */
export function StoppedReplies({ site: { settings, stopped } }: { site: AdminSite }) {
  const setReplies = useSetReplies()
  const { start, isBusy, error } = useActionMutation(repliesKey, {
    failureTitle: t`The replies were not started`,
    run: () => setReplies(null),
  })
  if (settings.replies.value !== 'off') return null
  return (
    <section
      aria-label={t`Replies are stopped`}
      className="grid gap-3 rounded-lg bg-warning-soft p-6 hairline [--hairline:var(--color-warning-line)] max-sm:p-4"
    >
      <div className="flex items-center justify-between gap-x-8 gap-y-3 max-sm:flex-col max-sm:items-stretch">
        <div>
          <h2 className="font-medium">{t`Replies are stopped`}</h2>
          <p className="max-w-(--width-note) text-ink-muted">
            {stopped &&
              t`Since ${{ time: formatDateTime(new Date(stopped.at)) }}, by ${{ person: stopped.by }}.`}{' '}
            {t`Everybody reads “An administrator has stopped all replies.” and can go on reading, searching and exporting.`}
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

/** Stops all replies, after a confirmation. */
export function StopReplies({ site: { settings } }: { site: AdminSite }) {
  const setReplies = useSetReplies()
  const [isAsking, setIsAsking] = useState(false)
  if (settings.replies.value === 'off') return null
  return (
    <SettingsCard
      title={t`Stop all replies`}
      subtitle={t`Nobody’s message is answered until you start again. What has been written stays. Use it when costs run away or a tool misbehaves.`}
    >
      <Button variant="danger" className="mt-4 max-sm:w-full" onClick={() => setIsAsking(true)}>
        <CircleStop aria-hidden size={16} />
        {t`Stop all replies`}
      </Button>
      <ActionDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={t`Stop all replies?`}
        confirmLabel={t`Stop all replies`}
        isDestructive
        actionKey={repliesKey}
        // the button has gone with its card
        findFocusTarget={() => document.querySelector('main')}
        onConfirm={() => setReplies('off')}
      >
        <p className="text-ink-muted">{t`No new reply begins, for anybody, within a minute. Replies that are being written end before their next step. People can go on reading, searching and exporting.`}</p>
      </ActionDialog>
    </SettingsCard>
  )
}
