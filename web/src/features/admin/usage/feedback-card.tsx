import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { useId } from 'react'
import type { AdminFeedback } from '#shared/contracts/admin.ts'
import { QueryContent } from '../../../components/query-content.tsx'
import { CardSection, SettingsCard } from '../../../components/settings-card.tsx'
import { useConfig } from '../../../lib/api/config.ts'
import { formatDateTime, formatDateTimeLong } from '../../../lib/text/dates.ts'
import { formatCount } from '../../../lib/text/locale.ts'
import { feedbackQuery } from '../admin-queries.ts'

type Text = AdminFeedback['texts'][number]
type Author = Pick<Text, 'model' | 'assistant'>

/** What users thought of replies in a month: counts, and the texts that they let administrators read. */
export function FeedbackCard({ month }: { month: string }) {
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
