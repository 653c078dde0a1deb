import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import type { AdminSite } from '#shared/contracts/site.ts'
import { QueryContent } from '../../../components/query-content.tsx'
import { DocumentFlag } from '../../../components/ui/document-flag.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { getActionErrorMessage } from '../../../lib/api/action-error.ts'
import { formatList } from '../../../lib/text/locale.ts'
import { siteQuery } from '../admin-queries.ts'
import { DeploymentCard } from './deployment-card.tsx'
import { JoiningCard, ModelsCard, NoticeCard } from './site-cards.tsx'
import { fieldNames } from './site-form.ts'
import { StopCard, StoppedNote } from './stop-all.tsx'
import { useSiteForm, type SiteFormState } from './use-site-form.ts'

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
  const form = useSiteForm(site)
  const element = useRef<HTMLFormElement>(null)
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
          // rendered at once, so that the fields that are wrong have their `aria-invalid`
          flushSync(form.save)
          element.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
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
