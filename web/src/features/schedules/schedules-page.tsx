import { plural, t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link, useNavigate } from '../../lib/navigation/router.tsx'
import type { Schedule } from '#shared/contracts/schedules.ts'
import { maxSchedules } from '#shared/limits.ts'
import { QueryContent } from '../../components/query-content.tsx'
import { buttonClass, Button } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { Card } from '../../components/ui/card.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { accountQuery } from '../../lib/account/account-queries.ts'
import { conversationListsKey } from '../../lib/conversations/conversation-list.ts'
import { useStore } from '../../lib/browser/create-store.ts'
import { useRight } from '../../lib/account/account-queries.ts'
import { siteState } from '../../lib/sign-in/site-state.ts'
import { schedulesQuery } from '../../lib/queries/schedule-queries.ts'
import { refreshWaiting } from '../../lib/queries/waiting-queries.ts'
import { useDocumentTitle } from '../../lib/navigation/use-document-title.ts'
import { SchedulePageFrame } from './schedule-page-frame.tsx'
import { ScheduleRow } from './schedule-row.tsx'
import { useIsScheduleDeleting } from './use-schedule-actions.ts'
import { newSchedulePath } from '../../lib/navigation/paths.ts'
import { ActionDialog } from '../../components/action-dialog.tsx'
import {
  createScheduleForm,
  toRule,
  type ScheduleForm,
} from '../../components/schedule-fields/schedule-form.ts'
import { useBrand } from '../../lib/api/config.ts'
import { describeRule } from '../../lib/text/describe-rule.ts'
import { findReadersZone } from '../../lib/text/time-zone.ts'
import { useInput } from '../../lib/input/use-input.ts'
import { scheduleInputKey } from './schedule-input.ts'

/** How many schedules the user may have; 0 if none are allowed. */
function useMaxSchedules(): number {
  const { data: account } = useQuery({ ...accountQuery, enabled: false })
  return Math.min(maxSchedules, account?.limits?.max_schedules ?? maxSchedules)
}

/** After a run has begun or ended, asks again for what it changes: the conversations in the list, and what waits for the user. */
function useRefreshAfterRuns(schedules: readonly Schedule[] | undefined): void {
  const queryClient = useQueryClient()
  const runs =
    schedules &&
    JSON.stringify(schedules.map(({ id, running_since, last_run }) => [id, running_since, last_run]))
  const known = useRef(runs)
  useEffect(() => {
    const isFirst = known.current === undefined
    if (known.current === runs) return
    known.current = runs
    if (isFirst) return
    void refreshWaiting(queryClient)
    void queryClient.invalidateQueries({ queryKey: conversationListsKey })
  }, [queryClient, runs])
}

/** What the assistant does by itself: a list of the user's schedules. */
export function SchedulesPage() {
  const query = useQuery(schedulesQuery)
  useRefreshAfterRuns(query.data)
  const isDeleting = useIsScheduleDeleting()
  const isAllowed = useRight('schedules')
  const max = useMaxSchedules()
  const schedules = query.data?.filter(({ id }) => !isDeleting(id))
  const count = schedules?.length ?? 0
  const isFull = count >= max
  const isStopped = useStore(siteState)?.schedules === 'off'
  useDocumentTitle(t`Scheduled`)
  return (
    <SchedulePageFrame>
      <header className="mb-5 flex min-h-11 items-center gap-3">
        <div className="min-w-0 flex-1">
          <h1 className="text-lg/6 font-semibold tracking-tight">{t`Scheduled`}</h1>
          {count > 0 && <p className="text-sm text-ink-muted">{t`${count} of ${max}`}</p>}
        </div>
        {isAllowed && !isFull && (
          <Link to={newSchedulePath} className={buttonClass({ variant: 'primary' })}>
            <Plus aria-hidden size={16} />
            {t`New schedule`}
          </Link>
        )}
      </header>
      {!isAllowed && (
        <div className="mb-4">
          <Callout variant="info">
            {t`Your group may not use schedules. You can pause and delete those that you have; an administrator can tell more.`}
          </Callout>
        </div>
      )}
      {isAllowed && schedules && isFull && (
        <div className="mb-4">
          <Callout variant="info">{describeLimit(max)}</Callout>
        </div>
      )}
      {isStopped && (
        <div className="mb-4">
          <Callout variant="info">{t`An administrator has stopped all schedules.`}</Callout>
        </div>
      )}
      <QueryContent
        query={{ ...query, data: schedules }}
        label={t`Loading your schedules`}
        failure={t`Your schedules could not be loaded.`}
        placeholder={rowSkeletons}
      >
        {(list) =>
          list.length === 0 ? (
            isAllowed && !isFull && <ScheduleExamples />
          ) : (
            <Card as="ul" aria-label={t`Scheduled`} className="divide-y divide-line">
              {list.map((schedule) => (
                <ScheduleRow key={schedule.id} schedule={schedule} isAllowed={isAllowed} />
              ))}
            </Card>
          )
        }
      </QueryContent>
    </SchedulePageFrame>
  )
}

const describeLimit = (max: number) =>
  plural(max, {
    0: `Your group allows no schedules.`,
    one: `You may have # schedule. Delete it to make another one.`,
    other: `You may have # schedules. Delete one to make another one.`,
  })

const rowSkeletons = (
  <Card className="divide-y divide-line">
    {['w-48', 'w-64', 'w-40'].map((width) => (
      <div key={width} className="grid h-23 content-center gap-2 px-4">
        <Skeleton className={`h-4 ${width} max-w-full`} />
        <Skeleton className="h-3.5 w-56 max-w-full" />
        <Skeleton className="h-3.5 w-40 max-w-full" />
      </div>
    ))}
  </Card>
)

interface Example {
  title: string
  fields: Pick<ScheduleForm, 'kind' | 'time' | 'days' | 'prompt'>
}

const examples: readonly Example[] = [
  {
    title: t`Draft answers to my unread mail`,
    fields: {
      prompt: t`Read my unread mail since the last run, draft the answers in my tone, and ask me before you send.`,
      kind: 'weekly',
      days: ['mo'],
      time: '08:00',
    },
  },
  {
    title: t`Prepare me for the day`,
    fields: {
      prompt: t`List my appointments of today and what I should prepare for each, in a few lines.`,
      kind: 'weekly',
      days: ['mo', 'tu', 'we', 'th', 'fr'],
      time: '07:00',
    },
  },
]

/** What a schedule can be, for users without one. */
function ScheduleExamples() {
  const navigate = useNavigate()
  const { assistantName } = useBrand()
  const [empty] = useState(createScheduleForm)
  const input = useInput(scheduleInputKey(), { stored: empty, onLeave: 'keep' })
  /** the example that waits for an answer: it would replace a form that was not saved */
  const [asked, setAsked] = useState<Example>()
  const openExample = ({ fields }: Example) => {
    // the form opens with the example as unsaved input
    input.reset()
    input.change({ ...empty, ...fields })
    navigate(newSchedulePath)
  }
  return (
    <>
      <p className="mb-5 max-w-(--width-note) text-ink-muted">
        {t`What ${assistantName} does while you are away. It asks before it sends or changes anything.`}
      </p>
      <h2 className="mb-2 text-sm font-medium text-ink-muted">{t`Two to begin with`}</h2>
      <Card as="ul" aria-label={t`Two to begin with`} className="divide-y divide-line">
        {examples.map((example) => {
          const { title, fields } = example
          const rule = toRule({ ...empty, ...fields })
          return (
            <li key={title} className="flex items-center gap-3 px-4 py-3">
              <div className="min-w-0 flex-1">
                <p className="font-medium">{title}</p>
                {rule && <p className="text-sm text-ink-muted">{describeRule(rule, findReadersZone())}</p>}
              </div>
              <Button
                size="sm"
                aria-label={t`Use: ${title}`}
                onClick={() => (input.isDirty ? setAsked(example) : openExample(example))}
              >
                {t({ message: 'Use', context: 'an example' })}
              </Button>
            </li>
          )
        })}
      </Card>
      <ActionDialog
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={t`Replace the new schedule?`}
        confirmLabel={t`Replace`}
        isDestructive
        onConfirm={async () => asked && openExample(asked)}
      >
        <p className="text-ink-muted">{t`A new schedule was begun and is not saved. The example replaces what is entered there.`}</p>
      </ActionDialog>
    </>
  )
}
