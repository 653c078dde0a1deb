import { t, plural } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Download, ThumbsDown, ThumbsUp } from 'lucide-react'
import { useState, useId } from 'react'
import { useSearchParams } from '../../../lib/navigation/router.tsx'
import type { AdminUsage, AdminFeedback } from '#shared/contracts/admin.ts'
import { CardSection, SettingsCard } from '../../../components/settings-card.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { CostExclusions } from '../../../components/usage-details.tsx'
import { formatMonthAndYear, formatDateTime, formatDateTimeLong } from '../../../lib/text/dates.ts'
import { downloadBlob } from '../../../lib/browser/download.ts'
import { adminUsersPath } from '../../../lib/navigation/paths.ts'
import { monthUsageQuery, feedbackQuery } from '../admin-queries.ts'
import { SelectField } from '../../../components/ui/select-field.tsx'
import { listMonths } from './months.ts'
import { formatUsageCsv } from './usage-csv.ts'
import type { UsageRow } from './usage-columns.ts'
import { UsageTable } from './usage-table.tsx'
import { QueryContent } from '../../../components/query-content.tsx'
import { useConfig } from '../../../lib/api/config.ts'
import { formatCount } from '../../../lib/text/locale.ts'

/** What each user and group used in a month; the month is in the URL. */
export function UsageSection() {
  const [params, setParams] = useSearchParams()
  // those of the first rendering, so that a page which is open at the end of a month stays as it is
  const [months] = useState(() => listMonths(new Date()))
  const requestedMonth = params.get('month')
  const month = months.find((each) => each === requestedMonth) ?? months[0] ?? ''
  const query = useQuery(monthUsageQuery(month))
  const { data } = query
  return (
    <>
      <SettingsCard
        title={t`Usage`}
        subtitle={t`What replies used in a month (UTC). What they were about is never shown here.`}
      >
        <div className="mt-4 flex items-end justify-between gap-4 max-sm:flex-col max-sm:items-stretch">
          <div className="w-56 max-sm:w-full">
            <SelectField
              label={t`Month`}
              value={month}
              // noon of the 2nd is in the same month everywhere
              options={months.map((value) => ({
                value,
                label: formatMonthAndYear(new Date(`${value}-02T12:00:00Z`)),
              }))}
              onChange={(value) => setParams({ month: value }, { replace: true })}
            />
          </div>
          <Button
            size="lg"
            disabled={!data?.users.length}
            onClick={() => {
              if (data) downloadUsage(data)
            }}
          >
            <Download aria-hidden size={16} />
            {t`Download CSV`}
          </Button>
        </div>
        {data?.users.length ? (
          <MonthTables usage={data} />
        ) : (
          <CardSection className="mt-4">
            <QueryContent query={query} label={t`Loading the usage`}>
              {() => <p className="text-ink-muted">{t`Nothing was used in this month.`}</p>}
            </QueryContent>
          </CardSection>
        )}
      </SettingsCard>
      <FeedbackCard month={month} />
    </>
  )
}

const downloadUsage = (usage: AdminUsage) =>
  downloadBlob(new Blob([formatUsageCsv(usage)], { type: 'text/csv' }), `usage-${usage.month}.csv`)

function MonthTables({ usage: { users, groups, total } }: { usage: AdminUsage }) {
  return (
    <>
      <CardSection className="mt-4">
        <UsageTable
          title={t`By user`}
          nameLabel={t`User`}
          rows={users.map((user): UsageRow => ({
            ...user,
            key: user.id,
            name: user.email,
            link: `${adminUsersPath}/${user.id}`,
          }))}
          total={total}
        />
        <CostExclusions usage={total} />
      </CardSection>
      {groups.length > 0 && (
        <CardSection>
          <UsageTable
            title={t`By group`}
            hint={t`A user in several groups counts in each.`}
            nameLabel={t`Group`}
            rows={groups.map((group): UsageRow => ({ ...group, key: group.name, link: undefined }))}
          />
        </CardSection>
      )}
    </>
  )
}

type Text = AdminFeedback['texts'][number]
type Author = Pick<Text, 'model' | 'assistant'>

/** What users thought of replies in a month: counts, and the texts that they let administrators read. */
function FeedbackCard({ month }: { month: string }) {
  const query = useQuery(feedbackQuery(month))
  return (
    <SettingsCard
      title={t`Feedback`}
      subtitle={t`Ratings that users gave to replies in this month. A text is shown only if its user allowed it. The conversation is never shown, and a rating goes when its reply is deleted.`}
    >
      <CardSection>
        <QueryContent query={query} label={t`Loading the feedback`}>
          {({ counts, texts, older_texts: olderCount }) =>
            counts.length === 0 ? (
              <p className="text-ink-muted">{t`No reply was rated in this month.`}</p>
            ) : (
              <>
                <Counts counts={counts} />
                <Texts texts={texts} olderCount={olderCount} />
              </>
            )
          }
        </QueryContent>
      </CardSection>
    </SettingsCard>
  )
}

function Counts({ counts }: Pick<AdminFeedback, 'counts'>) {
  const id = useId()
  const cellClass = 'py-2 ps-3 text-end whitespace-nowrap'
  return (
    <>
      <h3 id={id} className="font-medium">{t`By model`}</h3>
      <table aria-labelledby={id} className="mt-2 w-full text-sm">
        <thead className="text-ink-muted">
          <tr>
            <th scope="col" className="py-1 pe-4 text-start font-normal">{t`Model`}</th>
            <th scope="col" className="py-1 ps-3 text-end font-normal">{t`Good`}</th>
            <th scope="col" className="py-1 ps-3 text-end font-normal">{t`Bad`}</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {counts.map(({ up, down, ...author }) => (
            <tr key={`${author.model} ${author.assistant?.id ?? ''}`}>
              <th scope="row" className="py-2 pe-4 text-start font-normal wrap-anywhere">
                <ReplyAuthor {...author} />
              </th>
              <td className={cellClass}>{formatCount(up)}</td>
              <td className={cellClass}>{formatCount(down)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function Texts({ texts, olderCount }: { texts: readonly Text[]; olderCount: number }) {
  const id = useId()
  return (
    <>
      <h3 id={id} className="mt-5 font-medium">{t`Texts`}</h3>
      {texts.length === 0 ? (
        <p className="mt-1 text-ink-muted">{t`Nobody has left a text for administrators in this month.`}</p>
      ) : (
        <ul aria-labelledby={id} className="mt-1 divide-y divide-line">
          {texts.map((text, index) => (
            // texts have no id: it would say whose they are
            <TextRow key={`${text.at} ${index}`} {...text} />
          ))}
        </ul>
      )}
      {olderCount > 0 && (
        <p className="mt-2 text-sm text-ink-muted">
          {plural(
            { older: olderCount },
            { one: '# older text is not shown.', other: '# older texts are not shown.' },
          )}
        </p>
      )}
    </>
  )
}

function TextRow({ rating, text, at, email, ...author }: Text) {
  const Icon = rating === 'up' ? ThumbsUp : ThumbsDown
  const time = new Date(at)
  return (
    <li className="flex gap-3 py-3">
      <Icon
        size={16}
        role="img"
        aria-label={rating === 'up' ? t`Good` : t`Bad`}
        className="mt-1 shrink-0 text-ink-faint"
      />
      <div className="min-w-0 flex-1">
        <p dir="auto" translate="no" className="wrap-anywhere whitespace-pre-wrap">
          {text}
        </p>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-sm text-ink-muted">
          <span className="wrap-anywhere">
            <ReplyAuthor {...author} />
          </span>
          {email !== undefined && <bdi className="wrap-anywhere">{email}</bdi>}
          <time dateTime={at} title={formatDateTimeLong(time)} className="whitespace-nowrap">
            {formatDateTime(time)}
          </time>
        </p>
      </div>
    </li>
  )
}

/** Who wrote a reply: the model by its name in the menu, if it is still there, and the assistant. */
function ReplyAuthor({ model, assistant }: Author) {
  const name = useConfig()?.models?.find(({ id }) => id === model)?.name ?? model
  return (
    <>
      <bdi>{name}</bdi>
      {assistant && (
        <>
          {' · '}
          <bdi>{assistant.name}</bdi>
        </>
      )}
    </>
  )
}
