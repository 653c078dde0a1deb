import { t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, Ellipsis, MessageSquare, Pause, Play, Trash2 } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { Link, useNavigate } from 'react-router'
import type { Schedule } from '#shared/contracts/schedules.ts'
import type { IntegrationTools } from '#shared/contracts/tools.ts'
import { maxSchedulePromptCharacters } from '#shared/limits.ts'
import { Loaded } from '../../components/loaded.tsx'
import { Button, buttonClass } from '../../components/ui/button.tsx'
import { Callout } from '../../components/ui/callout.tsx'
import { Card } from '../../components/ui/card.tsx'
import { TextAreaField } from '../../components/ui/field.tsx'
import { IconButton } from '../../components/ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '../../components/ui/menu.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { SwitchRow } from '../../components/ui/switch.tsx'
import { useActionMutation } from '../../components/use-action.ts'
import { ApiError, errorMessage } from '../../lib/api-errors.ts'
import { callApi } from '../../lib/call-api.ts'
import { useBrand } from '../../lib/config.ts'
import { conversationPath } from '../../lib/new-chat.ts'
import { useRight } from '../../lib/rights.ts'
import { schedulesPath, schedulesQuery, showSchedule } from '../../lib/schedules.ts'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { useInput } from '../../lib/use-input.ts'
import { describePause, getScheduleTitle } from './describe-state.ts'
import { findProblems, type ScheduleProblems } from './find-problems.ts'
import { PlaceFields } from './place-fields.tsx'
import {
  createScheduleForm,
  toAddition,
  toChange,
  toRule,
  toScheduleForm,
  type ScheduleForm,
} from './schedule-form.ts'
import { scheduleInputKey } from './schedule-input.ts'
import { hasConversation, RunState } from './schedule-row.tsx'
import { SchedulePageFrame } from './schedules-page.tsx'
import { ToolChoice } from './tool-choice.tsx'
import { useIsScheduleDeleting, useScheduleActions } from './use-schedule-actions.ts'
import { useNextTimes } from './use-next-times.ts'
import { WhenFields } from './when-fields.tsx'

interface ToolsQuery {
  data: readonly IntegrationTools[] | undefined
  error: unknown
  refetch: () => Promise<unknown>
}

/** The page of a schedule, or of a new one. @param tools of the user's connections */
export function SchedulePage({ scheduleId, tools }: { scheduleId: string | undefined; tools: ToolsQuery }) {
  const query = useQuery(schedulesQuery)
  const isDeleting = useIsScheduleDeleting()
  const isAllowed = useRight('schedules')
  if (scheduleId === undefined)
    return (
      <SchedulePageFrame>
        {isAllowed ? (
          <Editor schedule={undefined} tools={tools} />
        ) : (
          <>
            <Heading title={t`New schedule`} />
            <Callout variant="info">{t`Your group may not use schedules. An administrator can tell more.`}</Callout>
          </>
        )}
      </SchedulePageFrame>
    )
  const schedule = query.data?.find(({ id }) => id === scheduleId && !isDeleting(id))
  return (
    <SchedulePageFrame>
      {query.data && !schedule ? (
        <div className="grid justify-items-start gap-4 py-12">
          <h1 className="text-base font-normal text-ink-muted">{t`This schedule does not exist any more.`}</h1>
          <Link to={schedulesPath} className={buttonClass()}>
            {t`Back to your schedules`}
          </Link>
        </div>
      ) : (
        <>
          {!schedule && <h1 className="sr-only">{t`Schedule`}</h1>}
          <Loaded
            query={{ ...query, data: schedule }}
            label={t`Loading the schedule`}
            failure={t`The schedule could not be loaded.`}
            placeholder={
              <>
                <Skeleton className="h-8 w-48" />
                <Skeleton className="h-64 w-full rounded-lg" />
              </>
            }
          >
            {(loaded) => <Editor key={loaded.id} schedule={loaded} tools={tools} isAllowed={isAllowed} />}
          </Loaded>
        </>
      )}
    </SchedulePageFrame>
  )
}

function Heading({ title, note, children }: { title: string; note?: string; children?: ReactNode }) {
  return (
    <header className="mb-5 flex min-h-11 items-center gap-3 max-sm:gap-1">
      <Link
        to={schedulesPath}
        aria-label={t`Back to your schedules`}
        className={buttonClass({ variant: 'ghost', size: 'icon', className: '-ms-2 shrink-0' })}
      >
        <ArrowLeft aria-hidden size={20} strokeWidth={1.75} className="mirrored:-scale-x-100" />
      </Link>
      <div className="min-w-0 flex-1">
        <h1 className="truncate text-lg/6 font-semibold tracking-tight" title={title}>
          <bdi>{title}</bdi>
        </h1>
        {note !== undefined && <p className="text-sm text-ink-muted">{note}</p>}
      </div>
      {children}
    </header>
  )
}

function Section({ title, hint, children }: { title?: string; hint?: string; children: ReactNode }) {
  return (
    <Card as="section" className="grid gap-4 p-6 max-sm:p-4">
      {title !== undefined && (
        <div>
          <h2 className="font-semibold">{title}</h2>
          {hint !== undefined && <p className="max-w-(--width-note) text-sm text-ink-muted">{hint}</p>}
        </div>
      )}
      {children}
    </Card>
  )
}

function Editor({
  schedule,
  tools,
  isAllowed = true,
}: {
  /** absent: a new one is made */
  schedule: Schedule | undefined
  tools: ToolsQuery
  isAllowed?: boolean
}) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { assistantName } = useBrand()
  const [empty] = useState(createScheduleForm)
  const stored = schedule ? toScheduleForm(schedule) : empty
  const input = useInput(scheduleInputKey(schedule?.id), { stored, onLeave: 'keep' })
  // what was entered before a new release may lack a field
  const form: ScheduleForm = { ...stored, ...input.value }
  const set = (change: Partial<ScheduleForm>) => input.change({ ...form, ...change })
  const element = useRef<HTMLFormElement>(null)
  const [isValidated, setIsValidated] = useState(false)
  const rule = toRule(form)
  const nextTimes = useNextTimes(rule, form.timeZone)
  const problems = findProblems(form, rule?.kind === 'once' && nextTimes?.length === 0)
  const title = schedule ? getScheduleTitle(schedule) : t`New schedule`
  useDocumentTitle(title)

  const { isBusy, error, start } = useActionMutation(`save schedule ${form.id}`, {
    run: async () => {
      if (!rule) return undefined
      if (schedule) return saveChange(schedule, form, stored, rule)
      const { schedule: created } = await callApi('schedules.create', { body: toAddition(form, rule) })
      // made by a press whose response was lost, and after which more was entered
      return (await saveChange(created, form, toScheduleForm(created), rule)) ?? created
    },
    onSuccess: async (saved, _, owner) => {
      if (saved) await showSchedule(queryClient, saved)
      input.saved(schedule ? (saved ? toScheduleForm(saved) : stored) : createScheduleForm())
      if (owner.isShown && !input.isDirty) await navigate(schedulesPath)
      else owner.tell('success', t`The schedule is saved`)
    },
    onError: (failure) => {
      if (failure instanceof ApiError)
        void queryClient.invalidateQueries({ queryKey: schedulesQuery.queryKey })
    },
    failureTitle: t`The schedule was not saved`,
  })
  const submit = () => {
    flushSync(() => setIsValidated(true))
    if (Object.values(problems).every((problem) => problem === undefined)) start()
    else element.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }
  const shownProblems: ScheduleProblems = isValidated ? problems : {}
  return (
    <>
      <Heading title={title} {...(schedule && { note: t`Edit schedule` })}>
        {schedule && <ScheduleMenu schedule={schedule} isAllowed={isAllowed} />}
      </Heading>
      {schedule && <ScheduleState schedule={schedule} isAllowed={isAllowed} />}
      <form
        ref={element}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (isAllowed) submit()
        }}
      >
        <div className="grid gap-4">
          <Section>
            <TextAreaField
              label={t`What should ${assistantName} do?`}
              input={input.at('prompt')}
              rows={3}
              maxLength={maxSchedulePromptCharacters}
              aria-required
              error={shownProblems.prompt}
            />
            <PlaceFields form={form} onChange={set} />
          </Section>
          <Section title={t`When`}>
            <WhenFields
              form={form}
              input={input}
              rule={rule}
              nextTimes={nextTimes}
              problems={shownProblems}
              onChange={set}
            />
          </Section>
          <Section
            title={t`Tools`}
            hint={t`Reading needs no approval. Tools that change or send something ask you first, unless you let them run without asking here. “Always allow” from your chats does not count.`}
          >
            <ToolChoice tools={tools} writes={form.writes} onChange={(writes) => set({ writes })} />
          </Section>
          <Section title={t`Tell me when it waits or has ended`}>
            {channels.map(({ channel, label, about }) => (
              <SwitchRow
                key={channel}
                label={label}
                checked={form.notify.includes(channel)}
                onChange={(on) =>
                  set({
                    notify: channels
                      .map((one) => one.channel)
                      .filter((one) => (one === channel ? on : form.notify.includes(one))),
                  })
                }
              >
                {about}
              </SwitchRow>
            ))}
            <p className="text-sm text-ink-muted">
              <Link to="/settings#notifications" className="link">
                {t`Settings of notifications`}
              </Link>
            </p>
          </Section>
        </div>
        {schedule && input.newer !== undefined && (
          <div className="mt-4">
            <Callout variant="danger" action={{ label: t`Use the newer version`, onClick: input.reset }}>
              {t`This was changed elsewhere while you were editing. Saving replaces what was changed there.`}
            </Callout>
          </div>
        )}
        {error && (
          <div className="mt-4">
            <Callout variant="danger">{describeError(error)}</Callout>
          </div>
        )}
        <div className="sticky bottom-0 -mb-16 mt-6 flex items-center justify-end gap-2 border-t border-line bg-surface py-4 max-sm:-mb-12">
          <Link to={schedulesPath} onClick={input.reset} className={buttonClass({ variant: 'ghost' })}>
            {t`Cancel`}
          </Link>
          <Button variant="primary" type="submit" busy={isBusy} disabled={!isAllowed}>
            {t`Save schedule`}
          </Button>
        </div>
      </form>
    </>
  )
}

const channels = [
  {
    channel: 'push',
    label: t`By notification`,
    about: t`In the browsers in which you have switched notifications on.`,
  },
  { channel: 'mail', label: t`By e-mail`, about: t`If this installation sends e-mails.` },
] as const

/** @returns the schedule as it is now; undefined if there was nothing to save */
async function saveChange(
  { id, version }: Schedule,
  form: ScheduleForm,
  stored: ScheduleForm,
  rule: NonNullable<ReturnType<typeof toRule>>,
): Promise<Schedule | undefined> {
  const change = toChange(form, rule, stored)
  if (!change) return undefined
  const saved = await callApi('schedules.update', {
    params: { scheduleId: id },
    body: { ...change, version },
  })
  return saved.schedule
}

/** A newer version is shown as such as soon as it has loaded. */
const describeError = (error: unknown) =>
  error instanceof ApiError && error.code === 'changed_elsewhere'
    ? t`It was changed elsewhere meanwhile, so nothing was saved. Look at it, then save again.`
    : errorMessage(error)

/** How its last run went, and whether it is paused. */
function ScheduleState({ schedule, isAllowed }: { schedule: Schedule; isAllowed: boolean }) {
  const { resuming } = useScheduleActions(schedule)
  const { paused_because: pausedBecause } = schedule
  return (
    <div className="mb-4 grid gap-3 empty:hidden">
      <RunState schedule={schedule} />
      {pausedBecause !== undefined && (
        <Callout
          variant="info"
          action={isAllowed ? { label: t`Resume`, onClick: () => resuming.start() } : undefined}
        >
          {describePause(pausedBecause)}
        </Callout>
      )}
    </div>
  )
}

function ScheduleMenu({ schedule, isAllowed }: { schedule: Schedule; isAllowed: boolean }) {
  const navigate = useNavigate()
  const { running, pausing, remove } = useScheduleActions(schedule)
  const { session_id: sessionId, running_since: since, paused_because: pausedBecause } = schedule
  return (
    <>
      {isAllowed && (
        <Button
          size="sm"
          busy={running.isBusy}
          disabled={since !== undefined}
          onClick={() => running.start()}
        >
          <Play aria-hidden size={16} />
          {t`Run now`}
        </Button>
      )}
      <Menu>
        <MenuTrigger asChild>
          <IconButton
            label={t`More for ${{ title: getScheduleTitle(schedule) }}`}
            tooltip={false}
            icon={<Ellipsis size={20} strokeWidth={1.75} />}
            className="-me-2"
          />
        </MenuTrigger>
        <MenuContent>
          {hasConversation(schedule) && (
            <MenuItem
              icon={<MessageSquare aria-hidden size={16} />}
              onSelect={() => void navigate(conversationPath(sessionId))}
            >
              {t`Open its chat`}
            </MenuItem>
          )}
          {pausedBecause === undefined && (
            <MenuItem icon={<Pause aria-hidden size={16} />} onSelect={() => pausing.start()}>
              {t`Pause`}
            </MenuItem>
          )}
          <MenuSeparator />
          <MenuItem
            isDestructive
            icon={<Trash2 aria-hidden size={16} />}
            onSelect={() => {
              remove()
              void navigate(schedulesPath)
            }}
          >
            {t`Delete`}
          </MenuItem>
        </MenuContent>
      </Menu>
    </>
  )
}
