import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Info, TriangleAlert } from 'lucide-react'
import { useRef } from 'react'
import { flushSync } from 'react-dom'
import type { AdminSite } from '#shared/contracts/site.ts'
import { adminGroup } from '#shared/user-pool.ts'
import { Loaded } from '../../../components/loaded.tsx'
import { CardSection, SettingsCard } from '../../../components/settings-card.tsx'
import { NoticeLine } from '../../../components/site-notice.tsx'
import { DocumentFlag } from '../../../components/ui/document-flag.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Callout } from '../../../components/ui/callout.tsx'
import { TextAreaField, TextField } from '../../../components/ui/field.tsx'
import { SelectField } from '../../../components/ui/select-field.tsx'
import { errorMessage } from '../../../lib/api-errors.ts'
import { useConfig } from '../../../lib/config.ts'
import { formatCount, formatList } from '../../../lib/locale.ts'
import { groupsQuery, siteQuery } from '../admin-queries.ts'
import { DeploymentCard } from './deployment-card.tsx'
import { fieldNames, signUpText } from './site-form.ts'
import { StopCard, StoppedNote } from './stop-all.tsx'
import { useSiteForm } from './use-site-form.ts'

const maxNoticeCharacters = 200
const maxHouseInstructions = 4_000

/** What administrators set for the whole site, over what is deployed. */
export function SiteSection() {
  const query = useQuery(siteQuery)
  return (
    <Loaded
      query={query}
      label={t`Loading the settings`}
      failure={t`The settings of the site could not be loaded.`}
    >
      {(site) => <SiteSettingsForm site={site} />}
    </Loaded>
  )
}

const tokensText = (count: number | null) =>
  count === null ? t`no limit` : t`${{ count: formatCount(count) }} tokens`

type Form = ReturnType<typeof useSiteForm>

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
          // the fields are shown as invalid first
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

function JoiningCard({ site: { settings }, form: { inputs, problems } }: { site: AdminSite; form: Form }) {
  const { data: groups = [] } = useQuery(groupsQuery)
  const group = inputs.defaultGroup.value
  const names = groups.map(({ name }) => name).filter((name) => name !== adminGroup)
  return (
    <SettingsCard
      title={t`Joining`}
      subtitle={t`What you save counts everywhere within a minute, and is in the log.`}
    >
      <CardSection className="grid grid-cols-2 items-start gap-4 max-sm:grid-cols-1">
        <SelectField
          label={t`Sign-up`}
          value={inputs.signUp.value}
          options={[
            {
              value: '',
              label: t`As deployed: ${{ value: signUpText(settings.signUp.configured) }}`,
            },
            { value: 'open', label: t`Open to everybody` },
            { value: 'closed', label: t`By invitation` },
            { value: 'domains', label: t`Addresses at certain domains` },
          ]}
          onChange={inputs.signUp.change}
          hint={t`Who may open an account here.`}
        />
        {inputs.signUp.value === 'domains' && (
          <TextField
            label={t`E-mail domains`}
            input={inputs.domains}
            error={problems.domains}
            hint={t`With commas between them: example.com, example.org`}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            dir="ltr"
          />
        )}
        <SelectField
          label={t`Default group`}
          value={group}
          options={[
            { value: '', label: t`As deployed: none` },
            ...(group === '' || names.includes(group) ? names : [group, ...names]).map((name) => ({
              value: name,
              label: name,
            })),
          ]}
          onChange={inputs.defaultGroup.change}
          hint={t`New people begin in this group.`}
        />
      </CardSection>
    </SettingsCard>
  )
}

function ModelsCard({ site: { settings }, form: { inputs, problems } }: { site: AdminSite; form: Form }) {
  const models = useConfig()?.models ?? []
  const model = inputs.defaultModel.value
  const findName = (id: string) => models.find((each) => each.id === id)?.name ?? id
  const ids = models.map(({ id }) => id)
  const { configured } = settings.defaultModel
  return (
    <SettingsCard title={t`Models and budgets`}>
      <CardSection className="grid grid-cols-2 items-start gap-4 max-sm:grid-cols-1">
        <SelectField
          label={t`Default model`}
          value={model}
          options={[
            {
              value: '',
              label:
                configured === null
                  ? t`As deployed: the first one`
                  : t`As deployed: ${{ value: findName(configured) }}`,
            },
            ...(model === '' || ids.includes(model) ? ids : [model, ...ids]).map((id) => ({
              value: id,
              label: findName(id),
            })),
          ]}
          onChange={inputs.defaultModel.change}
          hint={t`New chats begin with it. People can choose another.`}
        />
        <Amount
          label={t`Each person, per day`}
          input={inputs.tokensPerDay}
          error={problems.tokensPerDay}
          unit={t`tokens`}
          configured={tokensText(settings.tokensPerDay.configured)}
        />
        <Amount
          label={t`All together, per day`}
          input={inputs.siteTokensPerDay}
          error={problems.siteTokensPerDay}
          unit={t`tokens`}
          configured={tokensText(settings.siteTokensPerDay.configured)}
        />
        <Amount
          label={t`Cost of all together, per day`}
          input={inputs.siteCostPerDay}
          error={problems.siteCostPerDay}
          unit="USD"
          configured={t`no limit`}
        />
        <p className="col-span-full text-sm text-ink-muted">
          {t`Replies stop at a limit, and go on the next day (UTC). With a limit of costs, only models with a known price can be used.`}
        </p>
      </CardSection>
      <CardSection>
        <TextAreaField
          label={t`House instructions`}
          input={inputs.instructions}
          rows={3}
          maxLength={maxHouseInstructions}
          hint={t`Every reply follows them, before a person’s own. As deployed: none.`}
        />
      </CardSection>
    </SettingsCard>
  )
}

function Amount({
  label,
  input,
  error,
  unit,
  configured,
}: {
  label: string
  input: Form['inputs']['tokensPerDay']
  error: string | undefined
  unit: string
  configured: string
}) {
  return (
    <TextField
      label={label}
      input={input}
      error={error}
      inputMode="decimal"
      autoComplete="off"
      hint={t`As deployed: ${{ value: configured }}`}
      trailingWidth="pe-20"
      trailing={<span className="pointer-events-none px-3 text-sm text-ink-faint">{unit}</span>}
    />
  )
}

const resettable = [
  'signUp',
  'defaultGroup',
  'defaultModel',
  'tokensPerDay',
  'siteTokensPerDay',
  'siteCostPerDay',
  'instructions',
  'notice',
] as const

/** Empties fields, so that what is deployed counts again: behind the fields, because Tab leads from one to the next. */
function Resets({ inputs }: Pick<Form, 'inputs'>) {
  const filled = resettable.filter((name) => inputs[name].value !== '')
  if (filled.length === 0) return null
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p className="text-sm text-ink-muted">{t`These differ from what is deployed:`}</p>
      {filled.map((name) => (
        <Button key={name} size="sm" onClick={() => inputs[name].change('')}>
          {t`Reset: ${{ name: fieldNames[name] }}`}
        </Button>
      ))}
    </div>
  )
}

function NoticeCard({ form: { inputs, problems } }: { form: Form }) {
  const text = inputs.notice.value
  const isWarning = inputs.noticeKind.value === 'warning'
  return (
    <SettingsCard
      title={t`Notice`}
      subtitle={t`One line at the top of everybody’s page, also for people who are not signed in.`}
    >
      <CardSection className="grid gap-4">
        {text.trim() !== '' && (
          <NoticeLine Icon={isWarning ? TriangleAlert : Info} isWarning={isWarning}>
            <span dir="auto">{text}</span>
          </NoticeLine>
        )}
        <TextField
          label={t`Text`}
          input={inputs.notice}
          maxLength={maxNoticeCharacters}
          hint={t`${{ count: text.length }} of ${{ max: maxNoticeCharacters }} characters`}
          autoComplete="off"
          dir="auto"
        />
        <div className="grid grid-cols-2 items-start gap-4 max-sm:grid-cols-1">
          <SelectField
            label={t`Kind of the notice`}
            value={inputs.noticeKind.value}
            options={[
              { value: 'info', label: t`Information` },
              { value: 'warning', label: t`Warning` },
            ]}
            onChange={inputs.noticeKind.change}
          />
          <TextField
            label={t`Until`}
            type="datetime-local"
            input={inputs.noticeUntil}
            error={problems.noticeUntil}
            hint={t`Empty: until you remove it`}
          />
        </div>
      </CardSection>
    </SettingsCard>
  )
}

function SaveBar({ form: { changed, newer, problems, error, isBusy, discard } }: { form: Form }) {
  if (changed.length === 0 && !isBusy) return null
  const toNames = (fields: typeof changed) => formatList(fields.map((field) => fieldNames[field]))
  return (
    <div className="sticky bottom-0 z-(--z-topbar) grid gap-3 border-t border-line bg-surface py-3">
      <DocumentFlag name="form-bar" />
      {error && <Callout variant="danger">{errorMessage(error)}</Callout>}
      {newer.length > 0 && (
        <Callout variant="info">
          {t`Somebody else has changed this meanwhile: ${{ names: toNames(newer) }}. Saving replaces it, discarding shows it.`}
        </Callout>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 text-sm text-ink-muted" role="status">
          {Object.keys(problems).length > 0
            ? t`Please correct what is marked above.`
            : describeChanges(changed.length, toNames(changed))}
        </p>
        <Button variant="ghost" disabled={isBusy} onClick={discard}>
          {t`Discard`}
        </Button>
        <Button type="submit" variant="primary" busy={isBusy}>
          {t`Save Changes`}
        </Button>
      </div>
    </div>
  )
}

const describeChanges = (count: number, names: string) =>
  plural(count, { one: `# change is not saved: ${names}`, other: `# changes are not saved: ${names}` })
