import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Info, TriangleAlert } from 'lucide-react'
import type { AdminSite } from '#shared/contracts/site.ts'
import { adminGroup } from '#shared/user-pool.ts'
import { CardSection, SettingsCard } from '../../../components/settings-card.tsx'
import { NoticeLine } from '../../../components/site-notice.tsx'
import { TextAreaField, TextField } from '../../../components/ui/field.tsx'
import { SelectField } from '../../../components/ui/select-field.tsx'
import { useConfig } from '../../../lib/api/config.ts'
import { formatCount } from '../../../lib/text/locale.ts'
import { groupsQuery } from '../admin-queries.ts'
import { maxHouseInstructionCharacters, maxNoticeCharacters } from '../service-limits.ts'
import { describeSignUp, fieldNames, webPagesTexts } from './site-form.ts'
import type { SiteFormState } from './use-site-form.ts'

const formatTokenLimit = (count: number | null) =>
  count === null ? t`no limit` : t`${{ count: formatCount(count) }} tokens`

/** The choices of a field, with the chosen one in front if it is not offered any more. @param chosen empty: none */
const withChosen = (choices: readonly string[], chosen: string) =>
  chosen === '' || choices.includes(chosen) ? choices : [chosen, ...choices]

/** Who may sign up, and the group that new people begin in. */
export function JoiningCard({
  site: { settings },
  form: { inputs, problems },
}: {
  site: AdminSite
  form: SiteFormState
}) {
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
          label={fieldNames.signUp}
          value={inputs.signUp.value}
          options={[
            {
              value: '',
              label: t`As deployed: ${{ value: describeSignUp(settings.signUp.configured) }}`,
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
            label={fieldNames.domains}
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
          label={fieldNames.defaultGroup}
          value={group}
          options={[
            { value: '', label: t`As deployed: none` },
            ...withChosen(names, group).map((name) => ({ value: name, label: name })),
          ]}
          onChange={inputs.defaultGroup.change}
          hint={t`New people begin in this group.`}
        />
      </CardSection>
    </SettingsCard>
  )
}

/** The default model, the budgets and the instructions of the site. */
export function ModelsCard({
  site: { settings },
  form: { inputs, problems },
}: {
  site: AdminSite
  form: SiteFormState
}) {
  const models = useConfig()?.models ?? []
  const model = inputs.defaultModel.value
  const findName = (id: string) => models.find((each) => each.id === id)?.name ?? id
  const ids = models.map(({ id }) => id)
  const { configured } = settings.defaultModel
  return (
    <SettingsCard title={t`Models and budgets`}>
      <CardSection className="grid grid-cols-2 items-start gap-4 max-sm:grid-cols-1">
        <SelectField
          label={fieldNames.defaultModel}
          value={model}
          options={[
            {
              value: '',
              label:
                configured === null
                  ? t`As deployed: the first one`
                  : t`As deployed: ${{ value: findName(configured) }}`,
            },
            ...withChosen(ids, model).map((id) => ({ value: id, label: findName(id) })),
          ]}
          onChange={inputs.defaultModel.change}
          hint={t`New chats begin with it. People can choose another.`}
        />
        <AmountField
          label={fieldNames.tokensPerDay}
          input={inputs.tokensPerDay}
          error={problems.tokensPerDay}
          unit={t`tokens`}
          configured={formatTokenLimit(settings.tokensPerDay.configured)}
        />
        <AmountField
          label={fieldNames.siteTokensPerDay}
          input={inputs.siteTokensPerDay}
          error={problems.siteTokensPerDay}
          unit={t`tokens`}
          configured={formatTokenLimit(settings.siteTokensPerDay.configured)}
        />
        <AmountField
          label={fieldNames.siteCostPerDay}
          input={inputs.siteCostPerDay}
          error={problems.siteCostPerDay}
          unit="USD"
          configured={t`no limit`}
        />
        <p className="col-span-full text-sm text-ink-muted">
          {t`Replies stop at a limit, and go on the next day (UTC). With a limit of costs, only models with a known price can be used.`}{' '}
          {t`Cached tokens count in full.`}
        </p>
      </CardSection>
      <CardSection>
        <TextAreaField
          label={fieldNames.instructions}
          input={inputs.instructions}
          rows={3}
          maxLength={maxHouseInstructionCharacters}
          hint={t`Every reply follows them, before a person’s own. As deployed: none.`}
        />
      </CardSection>
      <CardSection>
        <SelectField
          label={fieldNames.webPages}
          value={inputs.webPages.value}
          options={[
            { value: '', label: t`As deployed: ${{ value: webPagesTexts.on }}` },
            ...Object.entries(webPagesTexts).map(([value, label]) => ({ value, label })),
          ]}
          onChange={inputs.webPages.change}
          hint={t`Which pages replies may read. Without them they search the web neither.`}
        />
      </CardSection>
    </SettingsCard>
  )
}

/** A number that limits something, with the value of the deployment below it. */
function AmountField({
  label,
  input,
  error,
  unit,
  configured,
}: {
  label: string
  input: SiteFormState['inputs']['tokensPerDay']
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

/** The notice that everybody sees, with a preview. */
export function NoticeCard({ form: { inputs, problems } }: { form: SiteFormState }) {
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
            label={fieldNames.noticeKind}
            value={inputs.noticeKind.value}
            options={[
              { value: 'info', label: t`Information` },
              { value: 'warning', label: t`Warning` },
            ]}
            onChange={inputs.noticeKind.change}
          />
          <TextField
            label={fieldNames.noticeUntil}
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
