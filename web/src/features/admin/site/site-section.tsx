import { plural, t } from '@lingui/core/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminSite } from '#shared/contracts/site.ts'
import { QueryContent } from '../../../components/query-content.tsx'
import { DocumentFlag } from '../../../components/ui/document-flag.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { getActionErrorMessage } from '../../../lib/api/action-error.ts'
import { formatList, formatCount } from '../../../lib/text/locale.ts'
import { siteQuery, auditQuery } from '../admin-queries.ts'
import { JoiningCard, ModelsCard, NoticeCard } from './site-cards.tsx'
import { fieldNames } from './site-form.ts'
import { useSiteForm, type SiteFormState } from './use-site-form.ts'
import { getOwn } from '#shared/get-own.ts'
import { CardSection, SettingsCard } from '../../../components/settings-card.tsx'
import { CircleStop, Play } from 'lucide-react'
import { ActionDialog } from '../../../components/action-dialog.tsx'
import { useActionMutation } from '../../../components/use-action.ts'
import { callApi } from '../../../lib/api/call-api.ts'
import { useRecentSignIn } from '../../../lib/sign-in/recent-sign-in.ts'
import { formatDateTime } from '../../../lib/text/dates.ts'
import { siteState } from '../../../lib/sign-in/site-state.ts'

/** What administrators set for the whole site, over what is deployed. */
export function SiteSection() {
  const query = useQuery(siteQuery)
  return (
    <QueryContent
      query={query}
      label={t`Loading the settings`}
      failure={t`The settings of the site could not be loaded.`}
    >
      {(site) => <SiteSettingsForm site={site} />}
    </QueryContent>
  )
}

function SiteSettingsForm({ site }: { site: AdminSite }) {
  const { element, ...form } = useSiteForm(site)
  return (
    <>
      <StoppedNote what="replies" site={site} />
      <StoppedNote what="schedules" site={site} />
      <form
        ref={element}
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          form.save()
        }}
      >
        <JoiningCard site={site} form={form} />
        <ModelsCard site={site} form={form} />
        <NoticeCard form={form} />
        <Resets inputs={form.inputs} />
        <SaveBar form={form} />
      </form>
      <StopCard what="replies" site={site} />
      <StopCard what="schedules" site={site} />
      <DeploymentCard deployment={site.deployment} />
    </>
  )
}

/** The fields that take the value of the deployment when they are empty. The others belong to one of them: the domains, the notice's kind and time. */
const resettableFields = [
  'signUp',
  'defaultGroup',
  'defaultModel',
  'tokensPerDay',
  'siteTokensPerDay',
  'siteCostPerDay',
  'instructions',
  'notice',
] as const

/** Buttons that empty fields, so that what is deployed counts again: behind the fields, because Tab leads from one to the next. */
function Resets({ inputs }: Pick<SiteFormState, 'inputs'>) {
  const filled = resettableFields.filter((name) => inputs[name].value !== '')
  if (filled.length === 0) return null
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p className="text-sm text-ink-muted">{t`Set here, in place of what is deployed:`}</p>
      {filled.map((name) => (
        <Button key={name} size="sm" onClick={() => inputs[name].change('')}>
          {t`Reset: ${{ name: fieldNames[name] }}`}
        </Button>
      ))}
    </div>
  )
}

/** Says what is not saved, and saves or discards it. There is none while nothing is changed. */
function SaveBar({ form: { changed, newer, problems, error, isBusy, discard } }: { form: SiteFormState }) {
  const toNames = (fields: typeof changed) => formatList(fields.map((field) => fieldNames[field]))
  const isShown = changed.length > 0 || isBusy
  const hasProblems = Object.keys(problems).length > 0
  // none may be left while earlier ones are being saved
  const changes = changed.length > 0 && describeChanges(changed.length, toNames(changed))
  const state = hasProblems ? t`Please correct what is marked above.` : changes
  return (
    <>
      {/* outside of the bar, because screen readers tell only what changes in a status that is there already */}
      <p role="status" className="sr-only">
        {isShown && state}
      </p>
      {isShown && (
        <div className="sticky bottom-0 z-(--z-topbar) grid gap-3 border-t border-line bg-surface py-3">
          <DocumentFlag name="form-bar" />
          {error && (
            <Callout variant="danger" error={error}>
              {getActionErrorMessage(error)}
            </Callout>
          )}
          {newer.length > 0 && (
            <Callout variant="info">
              {t`Somebody else has changed this meanwhile: ${{ names: toNames(newer) }}. Saving replaces it, discarding shows it.`}
            </Callout>
          )}
          <div className="flex flex-wrap items-center gap-3">
            <p aria-hidden className="min-w-0 flex-1 text-sm text-ink-muted">
              {state}
            </p>
            <Button variant="ghost" disabled={isBusy} onClick={discard}>
              {t`Discard`}
            </Button>
            <Button type="submit" variant="primary" busy={isBusy}>
              {t`Save Changes`}
            </Button>
          </div>
        </div>
      )}
    </>
  )
}

const describeChanges = (count: number, names: string) =>
  plural(count, { one: `# change is not saved: ${names}`, other: `# changes are not saved: ${names}` })

const labels: Readonly<Record<string, string>> = {
  brandName: t`Name of the product`,
  mailSender: t`Sender of e-mails`,
  identityProviders: t`Identity providers`,
  imagesPerDay: t`Generated images a day`,
  storageGbPerUser: t`GB of files for each person`,
  repliesAtOnce: t`Replies at once for each person`,
}

function formatValue(value: AdminSite['deployment'][string]): string {
  if (value === null) return t`not set`
  if (typeof value === 'number') return formatCount(value)
  if (typeof value === 'boolean') return value ? t`on` : t`off`
  return value
}

/** What only a deployment changes. */
function DeploymentCard({ deployment }: Pick<AdminSite, 'deployment'>) {
  return (
    <SettingsCard
      title={t`Only by a deployment`}
      subtitle={t`An operator changes these in the configuration.`}
    >
      <CardSection>
        <dl className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)] gap-x-8 gap-y-2">
          {Object.entries(deployment).map(([name, value]) => (
            <div key={name} className="col-span-full grid grid-cols-subgrid">
              <dt className="text-ink-muted">{getOwn(labels, name) ?? name}</dt>
              <dd className="wrap-anywhere">
                <bdi>{formatValue(value)}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </CardSection>
    </SettingsCard>
  )
}

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
function StoppedNote({ site, what }: { site: AdminSite; what: Stoppable }) {
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
function StopCard({ site, what }: { site: AdminSite; what: Stoppable }) {
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
