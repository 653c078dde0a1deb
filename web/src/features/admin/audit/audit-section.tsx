import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AuditEntry } from '#shared/contracts/admin.ts'
import { CardSection, SettingsCard } from '../../../components/settings-card.tsx'
import { formatDateTime, formatDateTimeLong } from '../../../lib/text/dates.ts'
import { useConfig } from '../../../lib/api/config.ts'
import { auditQuery } from '../admin-queries.ts'
import { describeDetails } from './describe-details.ts'
import { getOwn } from '#shared/get-own.ts'
import { QueryContent, MoreRows } from '../../../components/query-content.tsx'
import { auditSentences } from './audit-sentences.tsx'

/** The sentence of an action that this page does not know: a later release may have written it. */
const describeUnknownAction = (actor: ReactNode, target: ReactNode, action: string) => (
  <Trans>
    {actor} did {action} to {target}
  </Trans>
)

/** Who did what, newest first. */
export function AuditSection() {
  const query = useInfiniteQuery(auditQuery)
  return (
    <SettingsCard
      title={t`Audit log`}
      subtitle={t`What administrators and operators did, and which assistants were published or withdrawn, newest first. Administrators cannot change it; entries are stored for 400 days.`}
    >
      <CardSection>
        <QueryContent query={query} label={t`Loading the log`} empty={t`Nothing yet.`}>
          {(entries) => (
            <>
              <ol aria-label={t`Audit log`} className="-my-3 divide-y divide-line">
                {entries.map((entry) => (
                  <EntryRow key={entry.id} entry={entry} />
                ))}
              </ol>
              <MoreRows query={query} />
            </>
          )}
        </QueryContent>
      </CardSection>
    </SettingsCard>
  )
}

function EntryRow({ entry }: { entry: AuditEntry }) {
  const { at, actor, action, target } = entry
  const time = new Date(at)
  const details = describeDetails(entry, useConfig()?.models)
  const actorName = <Name>{'command' in actor ? t`An operator, by command` : actor.email}</Name>
  const targetName = <Name>{target}</Name>
  return (
    <li className="flex items-baseline gap-x-4 gap-y-0.5 py-3 max-sm:flex-col-reverse">
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere">
          {getOwn(auditSentences, action)?.(actorName, targetName) ??
            describeUnknownAction(actorName, targetName, action)}
        </p>
        {details.length > 0 && <p className="text-sm wrap-anywhere text-ink-muted">{details.join(' · ')}</p>}
      </div>
      <time
        dateTime={at}
        title={formatDateTimeLong(time)}
        className="shrink-0 text-sm whitespace-nowrap text-ink-muted"
      >
        {formatDateTime(time)}
      </time>
    </li>
  )
}

const Name = ({ children }: { children: ReactNode }) => <bdi className="font-medium">{children}</bdi>
