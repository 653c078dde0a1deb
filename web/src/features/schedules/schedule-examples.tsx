import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { useNavigate } from '../../lib/navigation/router.tsx'
import { ActionDialog } from '../../components/action-dialog.tsx'
import {
  createScheduleForm,
  toRule,
  type ScheduleForm,
} from '../../components/schedule-fields/schedule-form.ts'
import { Button } from '../../components/ui/button.tsx'
import { Card } from '../../components/ui/card.tsx'
import { useBrand } from '../../lib/api/config.ts'
import { describeRule } from '../../lib/text/describe-rule.ts'
import { newSchedulePath } from '../../lib/navigation/paths.ts'
import { findReadersZone } from '../../lib/text/time-zone.ts'
import { useInput } from '../../lib/input/use-input.ts'
import { scheduleInputKey } from './schedule-input.ts'

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
export function ScheduleExamples() {
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
